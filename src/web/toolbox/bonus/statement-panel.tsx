import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { refusals } from '#core/base/refusals.ts';
import { bonusComponents } from '#core/toolbox/bonus.ts';
import { config } from '#web/api/config.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './bonus-page.module.css';
import {
  type BonusOverview,
  type BonusStatement,
  type BonusWeek,
  corePlan,
  type StatementLine,
  statementsQuery,
  weekQuery,
} from './bonus-queries.ts';
import { factorWords, money, resultWords, teamName } from './bonus-words.ts';
import { LinePanel } from './line-panel.tsx';
import { Thread } from './thread-state.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

type Props = { readonly overview: BonusOverview; readonly choice: BonusChoice };

/** A person's sprint: recorded, or the forecast. */
export function StatementPanel({ overview, choice }: Props) {
  const week = useQuery(weekQuery(choice.userId, choice.sprintId));
  const { data } = week;
  const title = choice.isOwn ? 'My statement' : `${data?.person.displayName ?? '…'}’s statement`;
  return (
    <Panel title={title} actions={<SprintChoice overview={overview} choice={choice} shown={data?.sprint} />} flush>
      {week.isError && !data ? (
        <PanelError
          sentence={week.error.code === 'NOT_FOUND' ? refusals.NOT_FOUND.message : 'Couldn’t load the statement.'}
          onRetry={() => void week.refetch()}
          requestId={week.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={4} />}>
          {data && <Statement week={data} overview={overview} choice={choice} />}
        </Loading>
      )}
    </Panel>
  );
}

type SprintChoiceProps = Props & { readonly shown: BonusWeek['sprint'] | undefined };

/** The running sprint, the settling one, every recorded one, and the one on screen. */
function SprintChoice({ overview, choice, shown }: SprintChoiceProps) {
  const past = useQuery(statementsQuery(choice.userId)).data ?? [];
  const open = overview.getSprints.filter(({ phase }) => phase === 'active' || phase === 'settling');
  const sprints = [
    ...open.map(({ phase, ...sprint }) => ({ ...sprint, state: phase === 'active' ? ', current' : ', settling' })),
    ...past.map(({ sprint }) => ({ ...sprint, state: ', recorded' })),
    // Before the statements are loaded, and where this person has none.
    ...[...(shown ? [shown] : []), ...overview.getSprints.filter(({ id }) => id === choice.sprintId)].map(
      ({ id, name, startDate }) => ({ id, name, startDate, state: '' }),
    ),
  ];
  const options = sprints
    .filter(({ id }, at) => sprints.findIndex((each) => each.id === id) === at)
    .sort((a, b) => (b.startDate ?? '').localeCompare(a.startDate ?? ''))
    .map(({ id, name, state }) => ({ value: id, label: name + state }));
  return (
    <SearchSelect
      aria-label="Sprint"
      w={190}
      data={options}
      value={choice.sprintId}
      onChange={(id) => id !== null && choice.chooseSprint(id)}
      allowDeselect={false}
      nothingFoundMessage="No statement for this sprint"
    />
  );
}

function Statement({ week, overview, choice }: Props & { week: BonusWeek }) {
  const { statement, plan } = week;
  if (!plan)
    return (
      <EmptyState title="No bonus plan for this sprint">Statements start with the plan’s first sprint.</EmptyState>
    );
  if (!statement)
    return (
      <EmptyState title={`No tasks in sprint ${week.sprint.name}`}>A statement needs at least one task.</EmptyState>
    );
  return (
    <>
      <Total week={week} statement={statement} />
      <Lines week={week} statement={statement} overview={overview} choice={choice} />
      <LinePanel week={week} choice={choice} />
    </>
  );
}

function Total({ week, statement }: { week: BonusWeek; statement: BonusStatement }) {
  const zone = config().companyTimeZone;
  const isForecast = statement.id === null;
  return (
    <div className={classes.total}>
      <span className={classes.amount}>{money(statement.amount, statement.currency)}</span>
      <Pill tone={isForecast ? 'warn' : 'good'}>{isForecast ? 'Forecast' : 'Recorded'}</Pill>
      <span className={classes.quiet}>
        {isForecast
          ? `What sprint ${week.sprint.name} would pay now. The final statement will be recorded ${formatInstant(week.settledAt, zone)} (${zone}).`
          : `Sprint ${week.sprint.name}, plan version ${statement.planVersion}.`}
        {statement.corrections > 0 &&
          ` ${correctionWords(statement.corrections)} recorded later. The amount didn’t change.`}
      </span>
    </div>
  );
}

const correctionWords = (count: number): string => plural(count, 'correction');

function Lines({ week, statement, overview, choice }: Props & { week: BonusWeek; statement: BonusStatement }) {
  const version = overview.bonusPlans.find(({ version: each }) => each === statement.planVersion);
  const columns = useMemo((): DataColumn<StatementLine>[] => {
    const plan = version && corePlan(version);
    return [
      {
        id: 'part',
        title: 'Part',
        cell: ({ key }) => bonusComponents[key].title,
        phone: 'name',
      },
      {
        id: 'result',
        title: 'Result',
        cell: (line) => (line.waived ? 'Held up by the approver' : resultWords(line, week.tasks)),
        phone: 'below',
      },
      {
        id: 'factor',
        title: 'Factor',
        numeric: true,
        cell: (line) => (plan ? factorWords(plan.components[line.key], line) : ''),
      },
      {
        id: 'weight',
        title: 'Weight',
        numeric: true,
        cell: ({ key }) => (plan ? `${plan.components[key].weight}%` : ''),
      },
      { id: 'question', title: 'Question', cell: ({ thread }) => <Thread state={thread} /> },
      {
        id: 'amount',
        title: 'Amount',
        numeric: true,
        cell: ({ amount }) => money(amount, statement.currency),
        phone: 'value',
      },
    ];
  }, [version, statement.currency, week.tasks]);
  return (
    <>
      <DataTable
        caption="Statement parts"
        items={statement.lines}
        columns={columns}
        keyOf={({ key }) => key}
        onOpen={({ key }) => choice.openLine(key)}
        openKey={choice.line}
        totals={{ part: 'Total', amount: money(statement.amount, statement.currency) }}
      />
      <p className={classes.note}>
        The team result is for {teamName(statement.team)}. Open a part to see its tasks
        {statement.id !== null && (choice.isOwn ? ' and ask about it' : ' and questions')}.
      </p>
    </>
  );
}
