import { useOpenedOnceDrawn } from '#web/ui/opened-late.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import type { Behind } from '../shared/behind.ts';
import type { View } from '../shared/view.ts';
import { BehindNumber } from './behind-number.tsx';

export type BehindPanelProps = {
  readonly view: View;
  readonly behind: Behind | null;
  readonly currency: string | null;
  readonly onClose: () => void;
  readonly onChoose: (metric: string) => void;
};

/** "From what?" of the number that the address names. */
export function BehindPanel({ view, behind, currency, onClose, onChoose }: BehindPanelProps) {
  const shown = useOpenedOnceDrawn(behind !== null);
  const title = behind ? [behind.metric.title, ...behind.words].join(', ') : '';
  return (
    <SidePanel opened={shown} title={title} onClose={onClose}>
      {behind && <BehindNumber view={view} behind={behind} currency={currency} onChoose={onChoose} />}
    </SidePanel>
  );
}
