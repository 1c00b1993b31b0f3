import { Button } from '@mantine/core';
import { comparisonTitles, periods } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './page-sentence.module.css';
import { comparedWords, daysWords } from './shared/period-words.ts';
import { type Change, changes, type View } from './shared/view.ts';

/** Data is imported at least daily; older than that it may mislead. */
const staleMs = 36 * 60 * 60 * 1_000;

type Props = { readonly view: View; readonly numbers: Numbers | null };

/** Which days on whose clock, compared with which, and how new the data is. */
export function PageSentence({ view, numbers }: Props) {
  const now = useNow();
  const zone = config().companyTimeZone;
  const asOf = numbers?.asOf ?? null;
  const stale = asOf !== null && now - Date.parse(asOf) > staleMs;
  const compared = comparedWords(view);
  return (
    <span
      className={classes.sentence}
      title={view.period === 'custom' ? undefined : `${periods[view.period]}, ${comparisonTitles[view.compare]}`}
    >
      {daysWords(view.days)}, {compared} ({zone})
      {numbers === null ? (
        // Its place is kept, or the page would move when the answer comes.
        <span className={classes.waiting} aria-hidden="true">
          . Data as of now
        </span>
      ) : (
        asOf && (
          <>
            {'. '}
            <span className={stale ? classes.stale : ''}>
              Data as of <Age instant={asOf} zone={zone} ago />
            </span>
          </>
        )
      )}
    </span>
  );
}

type NothingInRangeProps = {
  readonly view: View;
  /** The newest day that has rows; null when there are none at all. */
  readonly newest: string | null;
  readonly change: (part: Change) => void;
};

/** What a page says instead of a wall of zeros: where its data ends, and the way there. */
export function NothingInRange({ view, newest, change }: NothingInRangeProps) {
  const words = daysWords(view.days);
  if (newest === null) {
    return (
      <Panel flush>
        <EmptyState title="No data yet">
          {view.filters.length > 0
            ? 'No rows match these filters in any period.'
            : 'Import a file to see numbers here.'}
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
        The latest data is from {daysWords({ from: newest, to: day.add({ days: 1 }).toString() })}.
      </EmptyState>
    </Panel>
  );
}
