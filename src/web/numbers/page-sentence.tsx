import { comparisonTitles, periods } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import type { Numbers } from '#web/api/numbers.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import classes from './page-sentence.module.css';
import { comparedWords, daysWords } from './shared/period-words.ts';
import type { View } from './shared/view.ts';

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
