import { lazy, Suspense } from 'react';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import type { Behind } from './behind.ts';
import type { View } from './view.ts';

/** Comes when the first number is asked. */
const BehindNumber = lazy(() => import('./behind-number.tsx').then((module) => ({ default: module.BehindNumber })));

type Props = {
  readonly view: View;
  readonly behind: Behind | null;
  readonly currency: string | null;
  readonly onClose: () => void;
  readonly onChoose: (metric: string) => void;
};

/** "From what?" of the number that the address names. */
export function BehindPanel({ view, behind, currency, onClose, onChoose }: Props) {
  const title = behind ? [behind.metric.title, ...behind.words].join(', ') : '';
  return (
    <SidePanel opened={behind !== null} title={title} onClose={onClose}>
      {behind && (
        <Suspense fallback={<SkeletonRows rows={8} />}>
          <BehindNumber view={view} behind={behind} currency={currency} onChoose={onChoose} />
        </Suspense>
      )}
    </SidePanel>
  );
}
