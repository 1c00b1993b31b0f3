import { Button } from '@mantine/core';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { daysWords } from './shared/period-words.ts';
import { type Change, changes, type View } from './shared/view.ts';

type Props = {
  readonly view: View;
  /** The newest day that has rows; null when there are none at all. */
  readonly newest: string | null;
  readonly change: (part: Change) => void;
};

/** What a page says instead of a wall of zeros: where its data ends, and the way there. */
export function NothingInRange({ view, newest, change }: Props) {
  const words = daysWords(view.days);
  if (newest === null) {
    return (
      <Panel flush>
        <EmptyState title="No data yet">
          {view.filters.length > 0
            ? 'No row fits these filters in any period.'
            : 'Numbers stand here as soon as a file is imported.'}
        </EmptyState>
      </Panel>
    );
  }
  const day = Temporal.PlainDate.from(newest);
  const month = day.with({ day: 1 });
  const last = month.add({ months: 1 }).subtract({ days: 1 });
  const newestMonth = daysWords({ from: month.toString(), to: last.add({ days: 1 }).toString() });
  return (
    <Panel flush>
      <EmptyState
        title={`Nothing from ${words}`}
        action={
          <Button onClick={() => change(changes.range(month.toString(), last.toString()))}>Show {newestMonth}</Button>
        }
      >
        The newest data is from {daysWords({ from: newest, to: day.add({ days: 1 }).toString() })}.
      </EmptyState>
    </Panel>
  );
}
