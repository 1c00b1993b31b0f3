// A sprint's stats (D22, D23): each part is read on demand, once per request.
import { permittedScopes, type Scope } from '#core/access/brands.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { type IssueStatus, issueStatusOf } from '#core/tasks/issue-status.ts';
import {
  approvedCount,
  completionPercentage,
  noTasks,
  percentage,
  type StatusCounts,
  type TaskStatus,
  taskStatusKeys,
} from '#core/tasks/task-status.ts';
import type { Person } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { SprintWeek } from '../sprints/sprint-week.ts';
import { type ListedSprint, listedSprints, sprintOrCurrent, sprintsUpTo } from '../sprints/sprints.service.ts';
import * as store from './stats.store.ts';
import { reachOf, reachOfScopes, type StatsReach } from './stats-reach.ts';
import { personTrends, scopeTrends, type TrendRow } from './trends.store.ts';

/** How many sprints a trend shows, ending with the selected one. */
const trendWeeks = 13;

export type Quality = Omit<store.QualityRow, 'ownerId'>;
export type Trend = readonly (number | null)[];
export type Employee = {
  readonly person: Person;
  readonly invisible: boolean;
  readonly counts: StatusCounts;
  /** The counts are a settled sprint's recorded result; corrections came later (D39). */
  readonly recorded: boolean;
  readonly corrections: number;
};
export type FairClock = {
  readonly approver: Person;
  readonly decided: number;
  readonly waiting: number;
  readonly median: number | null;
  readonly p90: number | null;
};

const personOf = ({ id, team, ...names }: store.PersonNames & { readonly id: string }): Person => ({
  id,
  team,
  displayName: displayName(names),
});
const inHours = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds / 360) / 10);

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read();
    return value;
  };
}

function reachFor({ viewer }: RequestContext, scope: Scope | undefined): StatsReach {
  if (scope === undefined) return reachOf(viewer);
  if (!permittedScopes(viewer).includes(scope))
    throw new RefusalError(refuse('FORBIDDEN', 'You don’t have access to the stats of this scope', { field: 'scope' }));
  return reachOfScopes(viewer, [scope]);
}

/** The stats of one sprint, as seen by the caller. */
export class SprintStats {
  readonly scopes: readonly Scope[];
  readonly sprintId: string;
  readonly #context: RequestContext;
  readonly #reach: StatsReach;

  constructor(context: RequestContext, sprintId: string, scope: Scope | undefined) {
    this.#context = context;
    this.#reach = reachFor(context, scope);
    this.sprintId = sprintId;
    this.scopes = permittedScopes(context.viewer);
  }

  /** Each part takes its turn when it is requested, because other parts may be left out. */
  #read<Value>(read: (queries: Queries) => Promise<Value>): Promise<Value> {
    return inPersonTurn(this.#context, 'heavy', () => read(this.#context.database.drizzle));
  }

  readonly employees = once(
    async (): Promise<Employee[]> =>
      (await this.#read((queries) => store.employeesOf(queries, this.#reach, this.sprintId, false))).map(employeeOf),
  );

  readonly quality = once(async (): Promise<Map<string | null, Quality>> => {
    const rows = await this.#read((queries) => store.qualityOf(queries, this.#reach, this.sprintId));
    return new Map(rows.map(({ ownerId, ...quality }) => [ownerId, { ...quality, waited: inHours(quality.waited) }]));
  });

  readonly weeks = once(
    (): Promise<SprintWeek[]> => this.#read(() => sprintsUpTo(this.#context, this.sprintId, trendWeeks)),
  );

  readonly trends = once(async (): Promise<Map<string, Trend>> => {
    const weeks = await this.weeks();
    const rows = await this.#read((queries) => personTrends(queries, this.#reach, idsOf(weeks)));
    return trendsOf(rows, weeks.length);
  });

  readonly scopeTrends = once(async (): Promise<{ scope: string; percentages: Trend }[]> => {
    const weeks = await this.weeks();
    const rows = await this.#read((queries) => scopeTrends(queries, this.scopes, idsOf(weeks)));
    const trends = trendsOf(rows, weeks.length);
    return this.scopes.map((scope) => ({ scope, percentages: trends.get(scope) ?? weeks.map(() => null) }));
  });

  readonly fairClock = once(async (): Promise<FairClock[]> => {
    const rows = await this.#read((queries) => store.fairClockOf(queries, this.#reach, this.sprintId));
    return rows.map(({ decided, waiting, median, p90, ...person }) => ({
      approver: personOf(person),
      decided,
      waiting,
      median: inHours(median),
      p90: inHours(p90),
    }));
  });

  readonly sprint = once(async (): Promise<ListedSprint> => {
    const [sprint] = await this.#read(() => listedSprints(this.#context, [this.sprintId]));
    return sprint as ListedSprint;
  });
}

const idsOf = (weeks: readonly SprintWeek[]): string[] => weeks.map(({ id }) => id);

function employeeOf(row: store.EmployeeRow): Employee {
  const { invisible, recorded, corrections } = row;
  const { id, firstName, lastName, email, team } = row;
  return {
    person: personOf({ id, firstName, lastName, email, team }),
    invisible,
    counts: { ...noTasks, ...(recorded ?? row.counts) },
    recorded: recorded !== null,
    corrections,
  };
}

function trendsOf(rows: readonly TrendRow[], length: number): Map<string, Trend> {
  return new Map(
    rows.map(({ key, weeks, approved, completed }) => {
      const trend: (number | null)[] = new Array(length).fill(null);
      weeks.forEach((week, index) => {
        trend[week - 1] = percentage(completed[index] ?? 0, approved[index] ?? 0);
      });
      return [key, trend];
    }),
  );
}

/** Signed-off share, first-pass approval and rework, by the definition cards' formulas. */
export function ratesOf(counts: StatusCounts, quality: Quality | undefined) {
  const submitted = taskStatusKeys.reduce((total, status) => total + counts[status], 0);
  return {
    completionPercentage: completionPercentage(counts),
    signedOffPercentage: percentage(counts.DONE, approvedCount(counts)),
    firstPassPercentage: percentage(quality?.firstPass ?? 0, submitted),
    rework: quality && quality.signOffs > 0 ? quality.sendBacks / quality.signOffs : null,
    waitedHours: quality?.waited ?? null,
  };
}

/** All employees together, without invisible ones (D23). */
export function totalsOf(employees: readonly Employee[], quality: Quality | undefined) {
  const visible = employees.filter(({ invisible }) => !invisible);
  const counts = Object.fromEntries(
    taskStatusKeys.map((status) => [status, visible.reduce((total, employee) => total + employee.counts[status], 0)]),
  ) as StatusCounts;
  return { people: visible.length, counts, ...ratesOf(counts, quality) };
}

/** A sprint's stats, by default the current one's. */
export async function sprintStats(
  context: RequestContext,
  { sprintId, scope }: { sprintId?: string | undefined; scope?: Scope | undefined },
): Promise<SprintStats> {
  const { id } = await sprintOrCurrent(context, sprintId);
  return new SprintStats(context, id, scope);
}

export type Issue = {
  readonly id: string;
  readonly summary: string;
  readonly status: IssueStatus;
  readonly taskStatus: TaskStatus;
};
export type UserIssues = {
  readonly userId: string;
  readonly displayName: string;
  readonly completionPercentage: number | null;
  readonly issues: readonly Issue[];
};

/** The approved tasks of every employee of a sprint as issues (D21), by default the current one's. */
export async function issuesByUser(context: RequestContext, sprintId: string | undefined): Promise<UserIssues[]> {
  const { id } = await sprintOrCurrent(context, sprintId);
  const rows = await store.employeesOf(context.database.drizzle, reachOf(context.viewer), id, true);
  return rows.map((row) => {
    const { person, counts } = employeeOf(row);
    const issues = (row.issues ?? []).flatMap(({ id: taskId, title, status }) => {
      const issueStatus = issueStatusOf(status);
      return issueStatus === null ? [] : [{ id: taskId, summary: title, status: issueStatus, taskStatus: status }];
    });
    return {
      userId: person.id,
      displayName: person.displayName,
      completionPercentage: completionPercentage(counts),
      issues,
    };
  });
}
