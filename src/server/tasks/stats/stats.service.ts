// A sprint's stats (D22, D23): each part is read on demand, once per request.
import { isAdmin } from '#core/access/access.ts';
import { permittedScopes, type Scope } from '#core/access/brands.ts';
import { csvText } from '#core/base/csv.ts';
import type { PageAfter } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { userLimits } from '#core/people/accounts.ts';
import { displayName } from '#core/people/people.ts';
import { tooManyPeople, type UsersPage } from '#core/people/people-lists.ts';
import { type IssueStatus, issueStatusOf } from '#core/tasks/issue-status.ts';
import { burnUpInstants } from '#core/tasks/sprint.ts';
import type { EmployeesChoice } from '#core/tasks/stats-inputs.ts';
import {
  approvedCount,
  completionPercentage,
  percentage,
  type StatusCounts,
  type TaskStatus,
  taskStatuses,
  taskStatusKeys,
} from '#core/tasks/task-status.ts';
import type { Person } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { once } from '#server/platform/once.ts';
import { sharedRead } from '#server/platform/shared-read.ts';
import { type SprintWeek, spanOf } from '../sprints/sprint-week.ts';
import { type ListedSprint, listedSprint, sprintOrCurrent, sprintsUpTo } from '../sprints/sprints.service.ts';
import { type BurnUpCounts, burnUpOf } from './burn-up.store.ts';
import * as store from './stats.store.ts';
import { reachOf, reachOfScopes, type StatsReach } from './stats-reach.ts';
import { personTrends, scopeTrends, type TrendRow } from './trends.store.ts';

/** How many sprints a trend shows, ending with the selected one. */
const trendWeeks = 13;

/** People of a page, unless the caller wants another number. */
const pageSize = 50;

export type Trend = readonly (number | null)[];
export type Employee = {
  readonly person: Person;
  readonly invisible: boolean;
  readonly counts: StatusCounts;
  /** The counts are a settled sprint's recorded result; corrections came later (D39). */
  readonly recorded: boolean;
  readonly corrections: number;
  /** Read once for all people of the page. */
  readonly rates: () => Promise<Rates>;
  readonly trend: () => Promise<Trend>;
};
export type EmployeePage = Pick<store.EmployeePage, 'total' | 'everyone'> & {
  readonly rows: readonly Employee[];
  readonly next: string | null;
};
export type BurnUpPoint = BurnUpCounts & { readonly at: string };
export type TimeWithApprover = {
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

function reachFor({ viewer }: RequestContext, scope: Scope | undefined): StatsReach {
  if (scope === undefined) return reachOf(viewer);
  if (!permittedScopes(viewer).includes(scope))
    throw new RefusalError(refuse('FORBIDDEN', 'You don’t have access to the stats of this scope', { field: 'scope' }));
  return reachOfScopes(viewer, [scope]);
}

const csvHead = [
  ...['Employee', 'Team', 'Sprint Tasks', ...taskStatusKeys.map((status) => taskStatuses[status].title)],
  ...['% Completed', '% Signed off', '% Approved on first try', 'Rework', 'Time with approver (hours)'],
  ...['Recorded', 'Corrections', 'In totals'],
];

async function csvRow({ person, counts, rates, recorded, corrections, invisible }: Employee) {
  const { completionPercentage, signedOffPercentage, firstPassPercentage, rework, waitedHours } = await rates();
  return [
    ...[person.displayName, person.team, approvedCount(counts), ...taskStatusKeys.map((status) => counts[status])],
    ...[completionPercentage, signedOffPercentage, firstPassPercentage, rework, waitedHours],
    ...[recorded ? 'yes' : 'no', corrections, invisible ? 'no' : 'yes'],
  ];
}

type Choice = Omit<Parameters<typeof store.employeePage>[3], 'ids'>;

/** The stats of one sprint, as seen by the caller. */
export class SprintStats {
  readonly scopes: readonly Scope[];
  readonly sprintId: string;
  readonly #context: RequestContext;
  readonly #reach: StatsReach;
  /** The people in the totals, if they are the same for every viewer. */
  readonly #everyone: string | null;

  constructor(context: RequestContext, sprintId: string, scope: Scope | undefined) {
    this.#context = context;
    this.#reach = reachFor(context, scope);
    this.#everyone = scope ?? (isAdmin(context.viewer) ? 'all' : null);
    this.sprintId = sprintId;
    this.scopes = permittedScopes(context.viewer);
  }

  /** Each part takes its turn when it is requested, because other parts may be left out. */
  #read<Value>(read: (queries: Queries) => Promise<Value>): Promise<Value> {
    return inPersonTurn(this.#context, 'heavy', () => read(this.#context.database.drizzle));
  }

  readonly #pages = new Map<string, Promise<EmployeePage>>();

  /** Once for the same choice, under however many names it is asked for. */
  #employees(choice: Choice): Promise<EmployeePage> {
    const key = JSON.stringify(choice);
    const page = this.#pages.get(key) ?? this.#readEmployees(choice);
    this.#pages.set(key, page);
    return page;
  }

  async #readEmployees(choice: Choice): Promise<EmployeePage> {
    const { limit } = choice;
    const found = await this.#read((queries) => store.employeePage(queries, this.#reach, this.sprintId, choice));
    const { rows, next } = pageOf(found.rows, limit ?? found.rows.length);
    // Without a limit, everyone is asked for at once.
    const ids = limit === null ? undefined : rows.map(({ id }) => id);
    const quality = once(async () => {
      const read = await this.#read((queries) => store.qualityOf(queries, this.#reach, this.sprintId, ids));
      return new Map(read.map((row) => [row.ownerId, row]));
    });
    const trends = once(async () => {
      const weeks = await this.weeks();
      const read = await this.#read((queries) => personTrends(queries, this.#reach, idsOf(weeks), ids));
      const found = trendsOf(read, weeks.length);
      return (id: string) => found.get(id) ?? weeks.map(() => null);
    });
    const shown = rows.map((row) => ({
      ...employeeOf(row),
      rates: async () => ratesOf(row.counts, (await quality()).get(row.id)),
      trend: async () => (await trends())(row.id),
    }));
    return { ...found, rows: shown, next };
  }

  employeePage({ limit = pageSize, ...choice }: EmployeesChoice & PageAfter): Promise<EmployeePage> {
    return this.#employees({ ...choice, limit });
  }

  /** By last name. Without a limit it is everyone, or refused. */
  async employees({ limit, after }: UsersPage): Promise<readonly Employee[]> {
    const { rows, next } = await this.#employees({ after, limit: limit ?? userLimits.everyone });
    if (limit === undefined && next !== null) throw new RefusalError(tooManyPeople);
    return rows;
  }

  /** Everyone of this search as the text of a CSV file, with raw numbers. */
  async employeesCsv(choice: EmployeesChoice): Promise<string> {
    const { rows } = await this.#employees({ ...choice, limit: null });
    return csvText(csvHead, await Promise.all(rows.map(csvRow)));
  }

  /** All employees together, without invisible ones (D23). */
  readonly totals = once(async (): Promise<Totals> => {
    const { people, ...counts } = await this.#read((queries) => store.totalCounts(queries, this.#reach, this.sprintId));
    const quality = await this.#read((queries) => store.totalQuality(queries, this.#reach, this.sprintId));
    return { people, counts, ...ratesOf(counts, quality) };
  });

  readonly weeks = once(
    (): Promise<SprintWeek[]> => this.#read(() => sprintsUpTo(this.#context, this.sprintId, trendWeeks)),
  );

  readonly personTrends = once(async (): Promise<{ personId: string; percentages: Trend }[]> => {
    const weeks = await this.weeks();
    const rows = await this.#read((queries) => personTrends(queries, this.#reach, idsOf(weeks)));
    if (rows.length > userLimits.everyone) throw new RefusalError(tooManyPeople);
    return [...trendsOf(rows, weeks.length)].map(([personId, percentages]) => ({ personId, percentages }));
  });

  readonly scopeTrends = once(async (): Promise<{ scope: string; percentages: Trend }[]> => {
    const weeks = await this.weeks();
    // Thirteen weeks of everyone's results, the same for everyone with these scopes.
    const key = JSON.stringify(['scope trends', this.scopes, idsOf(weeks)]);
    const rows = await this.#read((queries) =>
      sharedRead(queries, key, () => scopeTrends(queries, this.scopes, idsOf(weeks))),
    );
    const trends = trendsOf(rows, weeks.length);
    return this.scopes.map((scope) => ({ scope, percentages: trends.get(scope) ?? weeks.map(() => null) }));
  });

  /** Without invisible people, as the totals. */
  readonly burnUp = once(async (): Promise<BurnUpPoint[]> => {
    const week = await this.sprint();
    const { clock, config } = this.#context;
    const read = async (queries: Queries) => {
      const settled = Temporal.Instant.from(week.settledAt);
      const instants = burnUpInstants(spanOf(week), settled, clock.now(), config.companyTimeZone).map(instantText);
      const counts = instants.length === 0 ? [] : await burnUpOf(queries, this.#reach, week.id, instants);
      return counts.map((count, index) => ({ at: instants[index]!, ...count }));
    };
    const key = JSON.stringify(['burn-up', this.#everyone, week.id]);
    return this.#read((queries) =>
      this.#everyone === null ? read(queries) : sharedRead(queries, key, () => read(queries)),
    );
  });

  readonly timeWithApprover = once(async (): Promise<TimeWithApprover[]> => {
    const rows = await this.#read((queries) => store.readTimeWithApprovers(queries, this.#reach, this.sprintId));
    return rows.map(({ decided, waiting, median, p90, ...person }) => ({
      approver: personOf(person),
      decided,
      waiting,
      median: inHours(median),
      p90: inHours(p90),
    }));
  });

  readonly sprint = once(async (): Promise<ListedSprint> => {
    const week = await this.#read(() => sprintOrCurrent(this.#context, this.sprintId));
    return listedSprint(this.#context, week);
  });
}

const idsOf = (weeks: readonly SprintWeek[]): string[] => weeks.map(({ id }) => id);

function employeeOf({ invisible, counts, recorded, corrections, ...person }: store.EmployeeRow) {
  return { person: personOf(person), invisible, counts, recorded, corrections };
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

export type Rates = ReturnType<typeof ratesOf>;
export type Totals = Rates & { readonly people: number; readonly counts: StatusCounts };

/** Signed-off share, first-pass approval and rework, by the definition cards' formulas. */
function ratesOf(counts: StatusCounts, quality: store.Quality | undefined) {
  return {
    ...sharesOf(counts),
    firstPassPercentage: percentage(quality?.firstPass ?? 0, quality?.firstDecided ?? 0),
    rework: quality && quality.signOffs > 0 ? quality.sendBacks / quality.signOffs : null,
    waitedHours: inHours(quality?.waited ?? null),
  };
}

/** The rates that need no decisions. */
export const sharesOf = (counts: StatusCounts) => ({
  completionPercentage: completionPercentage(counts),
  signedOffPercentage: percentage(counts.DONE, approvedCount(counts)),
});

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

type IssuesChoice = UsersPage & { readonly sprintId: string | undefined; readonly userId?: string | undefined };

/**
 * The approved tasks of a sprint's employees as issues (D21), by default the current one's. Without a limit
 * of everyone, or refused.
 */
export async function issuesByUser(
  context: RequestContext,
  { sprintId, userId, limit, after }: IssuesChoice,
): Promise<UserIssues[]> {
  const { drizzle } = context.database;
  const { id } = await sprintOrCurrent(context, sprintId);
  const reach = reachOf(context.viewer);
  const most = limit ?? userLimits.everyone;
  const ids = userId === undefined ? undefined : [userId];
  const { rows, next } = pageOf((await store.employeePage(drizzle, reach, id, { ids, after, limit: most })).rows, most);
  if (limit === undefined && next !== null) throw new RefusalError(tooManyPeople);
  const tasks = await store.issuesOf(
    drizzle,
    reach,
    id,
    rows.map((row) => row.id),
  );
  const tasksOf = Map.groupBy(tasks, ({ ownerId }) => ownerId);
  return rows.map((row) => {
    const issues = (tasksOf.get(row.id) ?? []).flatMap(({ id: taskId, title, status }) => {
      const issueStatus = issueStatusOf(status);
      return issueStatus === null ? [] : [{ id: taskId, summary: title, status: issueStatus, taskStatus: status }];
    });
    return {
      userId: row.id,
      displayName: displayName(row),
      completionPercentage: completionPercentage(row.counts),
      issues,
    };
  });
}
