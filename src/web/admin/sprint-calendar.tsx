import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { can, refusalAt, type Viewer } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import type { Path } from '#core/access/routes.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { sprintsOfYear, type YearWeek, yearOf } from '#core/tasks/sprint-year.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { useNow } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './sprint-calendar.module.css';

const boardPath = '/top-5/tasks' satisfies Path;

const document = graphql(`
  query SprintCalendar {
    getSprints(all: true) {
      id
      name
      phase
      startDate
      endDate
      settledAt
      completionPercentage
    }
  }
`);
type Sprint = ResultOf<typeof document>['getSprints'][number];

const sprintsQuery = queryOptions({
  queryKey: ['sprints', 'calendar'],
  queryFn: async ({ signal }) => (await request(document, {}, { signal })).getSprints,
});

/** Missing weeks are either before anyone kept tasks here, or in the future. */
type Week = {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly extraHours: number;
  readonly state: string;
  readonly sprint: Sprint | null;
};

const phaseWords: Readonly<Record<string, string>> = {
  future: 'Future',
  active: 'Current',
  settling: 'Settling',
  settled: 'Settled',
};

/** An existing sprint has its own instants, which a zone change doesn't move. */
function weekOf(week: YearWeek, sprint: Sprint | null, now: number): Week {
  const past = week.end.epochMilliseconds <= now;
  return {
    name: week.name,
    start: sprint?.startDate ?? week.start.toString(),
    end: sprint?.endDate ?? week.end.toString(),
    extraHours: week.extraHours,
    state: sprint ? (phaseWords[sprint.phase] ?? '') : past ? 'Not recorded' : 'Future',
    sprint,
  };
}

/** All weeks of a year in company time. */
export default function SprintCalendar() {
  const viewer = useViewer();
  const { companyTimeZone: zone, holidayClose } = config();
  const { data: listed } = useQuery({ ...holidaysQuery, enabled: holidayClose });
  const now = useNow();
  const [search, change] = useAddress('/tools');
  const thisYear = yearOf({ start: Temporal.Instant.fromEpochMilliseconds(now) }, zone);
  const year = search.year ?? thisYear;
  const sprints = useQuery(sprintsQuery);
  const { data } = sprints;
  const weeks = useMemo(() => {
    const made = new Map(data?.map((sprint) => [sprint.name, sprint]));
    const calendar = { zone, holidays: listed ?? [] };
    return sprintsOfYear(year, calendar).map((week) => weekOf(week, made.get(week.name) ?? null, now));
  }, [data, year, zone, listed, now]);
  const columns = useMemo(() => columnsFor(viewer, zone), [viewer, zone]);
  const go = (to: number) => change({ year: to === thisYear ? null : to });
  const opensHere = data !== undefined && year === thisYear;
  useEffect(() => {
    if (opensHere) showActive();
  }, [opensHere]);
  const changes = weeks.filter(({ extraHours }) => extraHours !== 0).length;
  return (
    <Panel
      title={`${year} sprints`}
      note={`${weeks.length} weeks, Monday 10:00 ${zone}${holidayClose ? ' or the next working day' : ''}${changes > 0 ? `, ${changes} with a clock change` : ''}`}
      actions={
        <>
          <Button variant="default" onClick={() => (year === thisYear ? showActive() : go(thisYear))}>
            This sprint
          </Button>
          <ActionIcon variant="default" aria-label={`${year - 1} sprints`} onClick={() => go(year - 1)}>
            <IconChevronLeft size={16} stroke={1.7} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={`${year + 1} sprints`} onClick={() => go(year + 1)}>
            <IconChevronRight size={16} stroke={1.7} />
          </ActionIcon>
        </>
      }
      flush
    >
      <DataTable
        caption={`${year} sprints`}
        query={sprints}
        failed="Couldn’t load the sprints."
        items={weeks}
        columns={columns}
        keyOf={({ name }) => name}
        openKey={weeks.find(({ sprint }) => sprint?.phase === 'active')?.name ?? null}
        pageSize={53}
      />
    </Panel>
  );
}

/** The row the table marks as open. */
function showActive(): void {
  window.document.querySelector('tr[data-open]')?.scrollIntoView({ block: 'center' });
}

function columnsFor(viewer: Viewer, zone: string): DataColumn<Week>[] {
  const opensBoard = refusalAt(viewer, boardPath) === null;
  const columns: DataColumn<Week>[] = [
    { id: 'week', title: 'Sprint', cell: (week) => <WeekName week={week} opensBoard={opensBoard} /> },
    { id: 'start', title: 'From', phone: 'below', cell: ({ start }) => formatInstant(start, zone) },
    { id: 'end', title: 'To', cell: ({ end }) => formatInstant(end, zone) },
    { id: 'state', title: 'State', phone: 'change', cell: ({ state }) => <State state={state} /> },
    { id: 'clocks', title: 'Clock change', cell: ({ extraHours }) => clockWords(extraHours) },
  ];
  if (can(viewer, topFivePermission))
    columns.push({
      id: 'completed',
      title: 'Your % completed',
      numeric: true,
      cell: ({ sprint }) => percentWords(sprint?.phase === 'future' ? null : (sprint?.completionPercentage ?? null)),
    });
  return columns;
}

function WeekName({ week: { name, sprint }, opensBoard }: { week: Week; opensBoard: boolean }) {
  if (!sprint || !opensBoard) return name;
  return (
    <Link to={boardPath} search={{ sprint: sprint.id }}>
      {name}
    </Link>
  );
}

const State = ({ state }: { state: string }) => (
  <span className={classes.state} data-state={state}>
    {state}
  </span>
);

const percentWords = (percent: number | null): string => (percent === null ? '–' : `${percent.toFixed(1)}%`);

function clockWords(extraHours: number): string {
  if (extraHours === 0) return '';
  const hours = Math.abs(extraHours);
  return `${plural(hours, 'hour')} ${extraHours > 0 ? 'longer' : 'shorter'}`;
}
