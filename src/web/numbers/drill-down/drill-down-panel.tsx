import type { View } from '#web/api/number-view.ts';
import { useOpenedOnceDrawn } from '#web/ui/opened-late.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import type { DrillDown } from '../shared/drill-down.ts';
import { DrillDownNumber } from './drill-down-number.tsx';

export type DrillDownPanelProps = {
  readonly view: View;
  readonly drillDown: DrillDown | null;
  readonly currency: string | null;
  readonly onClose: () => void;
  readonly onChoose: (metric: string) => void;
};

/** "From what?" of the number that the address names. */
export function DrillDownPanel({ view, drillDown, currency, onClose, onChoose }: DrillDownPanelProps) {
  const shown = useOpenedOnceDrawn(drillDown !== null);
  const title = drillDown ? [drillDown.metric.title, ...drillDown.words].join(', ') : '';
  return (
    <SidePanel inAddress opened={shown} title={title} width={960} onClose={onClose}>
      {drillDown && <DrillDownNumber view={view} drillDown={drillDown} currency={currency} onChoose={onChoose} />}
    </SidePanel>
  );
}
