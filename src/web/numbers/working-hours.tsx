import { Segmented } from '#web/ui/segmented.tsx';
import { type Change, changes, type View } from './shared/view.ts';

type Props = { readonly view: View; readonly change: (part: Change) => void };

/** Whether the time between two moments counts at night and at the weekend too. */
export function WorkingHours({ view, change }: Props) {
  return (
    <Segmented
      label="Times count"
      segments={[
        { value: 'clock', label: 'All hours' },
        { value: 'working', label: 'Working hours' },
      ]}
      value={view.hours ?? 'clock'}
      onChange={(value) => change(changes.hours(value === 'working'))}
    />
  );
}
