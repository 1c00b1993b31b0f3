import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { decimalText, readDecimal } from '#core/base/decimals.ts';
import { plural } from '#core/base/formats.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { type BonusPlan, linesAt, type Share, totalOf } from '#core/toolbox/bonus.ts';
import { bonusDraftInput, curvesRefusal } from '#core/toolbox/bonus-plans.ts';
import { shortWords } from '#web/charts/number-format.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import {
  type BonusOverview,
  corePlan,
  type Draft,
  type NewPlan,
  type Preview,
  planInEffect,
  previewQuery,
} from './bonus-queries.ts';
import { exactMoney, money, moreOrLess, percentLabels, percents } from './bonus-words.ts';
import classes from './plan-dialog.module.css';

type Props = { readonly overview: BonusOverview; readonly typed: NewPlan };

/** What the typed plan pays beside the plan in effect, and what the last sprint would have paid under it. */
export function PlanPreview({ overview, typed }: Props) {
  const { base, currency, fairHours, components } = typed;
  const input = readInput(bonusDraftInput, { base, currency, fairHours, components });
  const wrong = isRefusal(input)
    ? 'Enter valid numbers to see what this version pays'
    : curvesRefusal(components)?.message;
  const draft = isRefusal(input) || wrong !== undefined ? null : input;
  return (
    <section className={classes.preview} aria-label="What this version pays">
      <p className={classes.caption}>What a sprint pays when all parts reach the same share</p>
      <PayChart overview={overview} draft={draft} version={typed.after + 1} />
      {draft ? <LastSprint draft={draft} /> : <p role="status">{wrong}.</p>}
    </section>
  );
}

type Charted = { readonly overview: BonusOverview; readonly draft: Draft | null; readonly version: number };

function PayChart({ overview, draft, version }: Charted) {
  const current = planInEffect(overview);
  const currency = draft?.currency ?? current?.currency ?? 'USD';
  const plans = [
    ...(draft ? [{ title: `Version ${version}, draft`, look: 'main', plan: planOfDraft(draft) } as const] : []),
    ...(current
      ? [{ title: `Version ${current.version}, in effect`, look: 'previous', plan: corePlan(current) } as const]
      : []),
  ];
  return (
    <>
      <TrendLines
        title="What a sprint pays when all parts reach the same share"
        of="All parts at"
        labels={percentLabels}
        lines={plans.filter(({ plan }) => plan.currency === currency).map(payLine)}
        format={(value) => shortWords(value, 'money', currency)}
      />
      {current && current.currency !== currency && (
        <p>
          Version {current.version} pays in {current.currency}, so the chart doesn’t show it.
        </p>
      )}
    </>
  );
}

const planOfDraft = ({ base, ...draft }: Draft): BonusPlan => ({ ...draft, base: readDecimal(base) ?? 0n });

type Line = Pick<TrendLine, 'title' | 'look'> & { readonly plan: BonusPlan };

/** The chart's places are numbers; its texts are exact. */
function payLine({ title, look = 'line', plan }: Line): TrendLine {
  const amounts = percents.map((part) => totalOf(linesAt(plan, everyPartAt({ part, whole: 100 }))));
  const shown = amounts.map((amount) => exactMoney(amount, plan.currency));
  return { key: look, title, look, values: amounts.map((amount) => Number(decimalText(amount))), shown };
}

const everyPartAt = (share: Share) => ({ signedOff: share, firstPass: share, team: share });

function LastSprint({ draft }: { readonly draft: Draft }) {
  const [settled] = useDebouncedValue(draft, typingPauseMs);
  const { data, isError, isFetching, refetch } = useQuery(previewQuery(settled));
  if (isError && data === undefined)
    return (
      <p role="alert">
        Couldn’t calculate the last sprint.{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  const isLatest = !isFetching && JSON.stringify(settled) === JSON.stringify(draft);
  return (
    <p role="status" aria-busy={!isLatest} className={classes.last}>
      {data === null && 'No sprint has settled yet.'}
      {data === undefined && 'Calculating the last sprint…'}
      {data && <LastSprintWords preview={data} />}
    </p>
  );
}

function LastSprintWords({ preview: { sprint, paid, wouldPay } }: { readonly preview: Preview }) {
  return (
    <>
      {sprint.name} would have paid <strong>{money(wouldPay.amount, wouldPay.currency)}</strong> to{' '}
      {plural(wouldPay.people, 'person', 'people')} under this version.{' '}
      {paid
        ? `It paid ${money(paid.amount, paid.currency)} to ${plural(paid.people, 'person', 'people')}${difference(paid, wouldPay)}`
        : 'No plan was in effect then.'}
    </>
  );
}

function difference(paid: NonNullable<Preview['paid']>, wouldPay: Preview['wouldPay']): string {
  if (paid.currency !== wouldPay.currency) return '.';
  const more = (readDecimal(wouldPay.amount) ?? 0n) - (readDecimal(paid.amount) ?? 0n);
  return `. This version pays ${moreOrLess(more, paid.currency)}.`;
}
