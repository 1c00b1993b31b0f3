import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { none, percentWords } from '#core/base/percent.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import { isGoal } from '#core/numbers/number-request.ts';
import { useMutation } from '#web/api/mutation.ts';
import type { View } from '#web/api/number-view.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Bars } from '#web/charts/bars.tsx';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { numberWords, shortWords, toNumber } from '#web/charts/number-format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useViewInCurrency } from '../shared/numbers-queries.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { bucketTitle } from '../shared/period-words.ts';
import { ChartTile, TileState } from './chart-tile.tsx';
import { balanceQuery, type Goal, goalQuery, setGoal } from './goal-queries.ts';
import classes from './goal-tiles.module.css';

type GoalDialogProps = {
  /** In the page's currency. */
  readonly view: View;
  readonly name: string;
  readonly metric: Metric;
  readonly month: string;
  readonly goal: Goal | null;
  readonly onClose: () => void;
};

/** A typed amount as an exact decimal: "184,920.50". */
const amountOf = (typed: string): string | null => {
  // A comma only groups thousands: "1.500,50" could mean two amounts.
  const text = /^\d{1,3}(,\d{3})+(\.|$)/.test(typed.trim()) ? typed.replace(/[\s,]/g, '') : typed.replace(/\s/g, '');
  return isGoal(text) ? text : null;
};

function GoalDialog({ view, name, metric, month, goal, onClose }: GoalDialogProps) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (wanted: string | null) => setGoal(view, { metric: name, month, amount: wanted }),
    meta: { quiet: true },
    onSuccess: async (_answer, wanted) => {
      await client.invalidateQueries({ queryKey: ['number-goals', view.dataset] });
      showToast({ message: wanted === null ? 'Goal removed' : 'Goal set' });
      onClose();
    },
  });
  const form = useForm({
    initial: { amount: goal?.amount ?? '' },
    rule: ({ amount }) =>
      amountOf(amount)
        ? null
        : { field: 'amount', message: 'Enter an amount above zero. Use a period before decimals, such as 1,500.50' },
    mutation: save,
    variables: ({ amount }) => amountOf(amount),
  });
  const remove = goal && (
    <Button
      size="sm"
      variant="subtle"
      color="danger"
      disabled={save.isPending}
      onClick={() => save.mutate(null, { onError: form.refuse })}
    >
      Remove goal
    </Button>
  );
  return (
    <Dialog opened title={`Goal for ${bucketTitle(`${month}-01`, 'month')}`} onClose={onClose}>
      <Form form={form} submit="Set goal" actions={remove}>
        <TextInput
          label={view.currency ? `${metric.title} in ${view.currency}` : metric.title}
          inputMode="decimal"
          data-autofocus
          {...form.field('amount')}
        />
      </Form>
    </Dialog>
  );
}

type Props = {
  readonly page: PageOfNumbers;
  readonly title: string;
  readonly name: string;
  readonly height: number;
};

/** The goal of the month in which the period ends, and whether the pace is enough. */
export function GoalTile({ page, title, name, height }: Props) {
  const { view, today } = page;
  const viewer = useViewer();
  const inCurrency = useViewInCurrency(view);
  const [editing, setEditing] = useState(false);
  const metric = metricOf(view.dataset, name)!;
  const lastDay = Temporal.PlainDate.from(view.days.to).subtract({ days: 1 }).toString();
  const month = (lastDay < today ? lastDay : today).slice(0, 7);
  const query = useQuery({ ...goalQuery(inCurrency ?? view, name, month), enabled: inCurrency !== null });
  const maySet = callRefusal(viewer, callAccess.people) === null;
  const goal = query.data ?? null;
  const edit = maySet && (
    <Writes>
      <Button variant="default" onClick={() => setEditing(true)}>
        {goal ? 'Change' : 'Set a goal'}
      </Button>
    </Writes>
  );
  return (
    <Panel title={title} note={bucketTitle(`${month}-01`, 'month')} actions={goal && edit} flush={!goal}>
      <div className={classes.body} style={{ minHeight: height }}>
        <TileState query={query} what={title} height={height}>
          {goal ? (
            <GoalPace
              goal={goal}
              metric={metric}
              filtered={view.filters.length > 0}
              onOpen={() => page.openDrillDown(name, [['goal', month]])}
            />
          ) : (
            <EmptyState title="No goal for this month" action={edit}>
              {maySet
                ? 'Set a goal to see this month’s progress and pace.'
                : 'People with access to User Management can set one.'}
            </EmptyState>
          )}
        </TileState>
      </div>
      {editing && inCurrency && (
        <GoalDialog
          view={inCurrency}
          name={name}
          metric={metric}
          month={month}
          goal={goal}
          onClose={() => setEditing(false)}
        />
      )}
    </Panel>
  );
}

type PaceProps = {
  readonly goal: Goal;
  readonly metric: Metric;
  readonly filtered: boolean;
  readonly onOpen: () => void;
};

/** A percentage without decimals. Only what is complete has 100. */
const wholeShare = (percent: number): number =>
  percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent);

function GoalPace({ goal, metric, filtered, onOpen }: PaceProps) {
  const words = (text: string | null) => numberWords(text, metric.unit, goal.currency);
  const actual = toNumber(goal.actual);
  const reached = Math.max(0, ((actual ?? 0) / (toNumber(goal.amount) || 1)) * 100);
  const pace = toNumber(goal.pace);
  const running = pace === null ? null : { words: paceWords(pace), judged: judgedPace(pace) };
  const result = pace === null || goal.elapsedShare < 1 ? running : resultOf(goal, metric);
  return (
    <div className={classes.goal}>
      <button type="button" className={classes.actual} onClick={onOpen}>
        {words(goal.actual)}
        <span className="visually-hidden">. Show the rows behind it</span>
      </button>
      <p className={classes.of}>
        of {words(goal.amount)}, {actual === null ? none : percentWords(wholeShare(reached))}
      </p>
      <div className={classes.track} aria-hidden="true">
        <span className={classes.reached} style={{ width: `${Math.min(100, reached)}%` }} />
        <span className={classes.elapsed} style={{ left: `${goal.elapsedShare * 100}%` }} />
      </div>
      {goal.elapsedShare < 1 && (
        <p className={classes.legend}>
          The mark shows how much of the month has passed: {Math.round(goal.elapsedShare * 100)}%
        </p>
      )}
      {filtered && <p className={classes.legend}>Filters don’t apply: goals are for the whole page</p>}
      {result && (
        <p className={classes.pace} data-judged={result.judged}>
          {result.words}
        </p>
      )}
    </div>
  );
}

/** Judges the share that is shown: exactly on pace is neither good nor bad. */
export function judgedPace(pace: number): 'good' | 'bad' | undefined {
  const share = Math.round(pace);
  return share === 100 ? undefined : share > 100 ? 'good' : 'bad';
}

function paceWords(pace: number): string {
  const share = Math.round(pace);
  if (share === 100) return 'On pace';
  return `${share > 100 ? 'Ahead' : 'Behind'}: ${share}% of what was needed by now`;
}

/** What a month that has ended made of its goal. */
export function resultOf({ actual, amount, currency }: Goal, { unit }: Pick<Metric, 'unit'>) {
  const over = Number(actual ?? 0) - Number(amount);
  const words = numberWords(String(Math.abs(over)), unit, currency);
  if (words === numberWords('0', unit, currency)) return { words: 'Reached', judged: 'good' } as const;
  return over > 0
    ? ({ words: `Exceeded by ${words}`, judged: 'good' } as const)
    : ({ words: `Missed by ${words}`, judged: 'bad' } as const);
}

type BalanceTileProps = { readonly page: PageOfNumbers; readonly title: string; readonly height: number };

const balanceParts = [
  ['collected', 'Collected'],
  ['remitted', 'Remitted'],
  ['open', 'Open balance'],
] as const;

const balanceMeaning =
  'Collected: completed gifts minus known fees, all time. Remitted: paid remittances whose program is the cause.';

/** What part of the collected amount a bar is; the collected one has no note. */
export function balanceNote(
  key: (typeof balanceParts)[number][0],
  value: number,
  collected: number,
): string | undefined {
  if (key === 'collected') return;
  if (key === 'open' && value < 0) return 'more remitted than collected';
  return collected > 0 ? `${percentWords(wholeShare((value / collected) * 100))} of what was collected` : undefined;
}

/** What the cause received in total, what was remitted, and the rest. */
export function BalanceTile({ page, title, height }: BalanceTileProps) {
  const view = useViewInCurrency(page.view);
  const query = useQuery({ ...balanceQuery(view ?? page.view), enabled: view !== null });
  return (
    <ChartTile
      title={title}
      note={
        <>
          {page.view.filters.length > 0 ? 'all time, without the filters' : 'all time'}{' '}
          <DefinitionCard title={title} formula="Open balance = collected - remitted" meaning={balanceMeaning} />
        </>
      }
      query={query}
      height={height}
      draw={(balance) => {
        const bars = balanceParts.map(([key, label]) => ({
          key,
          label,
          value: toNumber(balance[key]) ?? 0,
          shown: numberWords(balance[key], 'money', balance.currency),
          short: shortWords(toNumber(balance[key]), 'money', balance.currency),
          note: balanceNote(key, toNumber(balance[key]) ?? 0, toNumber(balance.collected) ?? 0),
        }));
        return {
          chartTable: {
            caption: title,
            head: ['Balance', 'Amount', 'Share of collected'],
            rows: bars.map(({ label, shown, value, note }) => ({
              label,
              shown: [shown, note ?? ''],
              raw: [value, null],
            })),
          },
          chart: <Bars height={height} name={title} bars={bars} />,
        };
      }}
    />
  );
}
