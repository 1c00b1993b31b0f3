// Loads the demo company into an empty database, all or nothing.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Settings } from '#core/admin/settings.ts';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { noticeOfChange } from '#core/notifications/notices.ts';
import type { TaskEventKind } from '#core/tasks/task.ts';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { notices } from '#server/notifications/notice-tables.ts';
import { approvers } from '#server/people/approver-tables.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { continueIdentity, insertRows } from '#server/platform/db/insert-rows.ts';
import { demoCompanyMark } from '#server/platform/db/installation-tables.ts';
import type { Log } from '#server/platform/db/log.ts';
import { auditLog, people, roles } from '#server/platform/db/tables.ts';
import * as sprintTables from '#server/tasks/sprints/sprint-tables.ts';
import { taskAttachments, taskHistory, taskNotes, tasks } from '#server/tasks/task-tables.ts';
import { demoRoles } from './demo-accounts.ts';
import { insertDemoBonus } from './demo-bonus.ts';
import { type DemoCompany, demoCompany } from './demo-company.ts';
import { insertDemoGuidelines } from './demo-guidelines.ts';
import { insertDemoMeetings } from './demo-meetings.ts';
import { demoTables, insertDemoNumbers } from './demo-numbers.ts';
import type { DemoPerson } from './demo-people.ts';
import { insertDemoQualifications } from './demo-qualifications.ts';
import { pastSprints } from './demo-sprints.ts';
import { insertDemoTools } from './demo-tools.ts';

// The notifications of the demo's last days: the decisions on tasks, as the server would have sent them.

type Row = {
  taskId: string;
  ownerId: string;
  title: string;
  by: string;
  event: TaskEventKind;
  change: string | null;
  version: number;
  at: string;
};

const toldDays = 10;
/** Older ones are read. */
const unreadHours = 30;

async function insertDemoNotices(queries: Queries, now: Temporal.Instant): Promise<void> {
  const { rows } = await queries.execute<Row>(sql`
    select h.task_id::text as "taskId", t.owner_id::text as "ownerId", t.title, h.actor_name as by, h.event, h.change, h.version, h.at
    from task_history h join tasks t on t.id = h.task_id
    where h.at > ${now.subtract({ hours: toldDays * 24 }).toString()}::timestamptz and h.actor_id <> t.owner_id
      and t.withdrawn_at is null order by h.id`);
  const unreadSince = now.subtract({ hours: unreadHours });
  await insertRows(
    queries,
    notices,
    rows.flatMap((row) => noticeRow(row, unreadSince)),
  );
}

function noticeRow({ ownerId, event, at, ...task }: Row, unreadSince: Temporal.Instant) {
  const told = noticeOfChange(event, task);
  if (told === null) return [];
  const facts: NoticeFacts = told.facts;
  const isOld = Temporal.Instant.compare(Temporal.Instant.from(at), unreadSince) < 0;
  return [
    {
      ...{ personId: ownerId, kind: facts.kind, key: told.key, taskId: task.taskId, facts, at },
      ...{ inApp: true, readAt: isOld ? at : null },
    },
  ];
}

export type SeedOptions = {
  readonly now: Temporal.Instant;
  /** IANA name of the company's time zone. */
  readonly zone: string;
  /** The password of all demo accounts. */
  readonly password: string;
  readonly settings?: Settings;
  readonly log: Log;
};

const askAgainMs = 200;

/**
 * Whether no other server is filling the database. Polled, because the first may take longer than a statement
 * can wait.
 */
async function isFree(queries: Queries): Promise<boolean> {
  const { rows } = await queries.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('demo')) as free`,
  );
  return rows[0]!.free;
}

/** False if anyone exists already; then nothing changes. Of several starting servers, one seeds. */
export async function seedDemo(database: Database, options: SeedOptions): Promise<boolean> {
  const started = performance.now();
  const passwordHash = await hashPassword(options.password);
  let seeded = await fill(database, options, passwordHash);
  while (seeded === null) {
    await sleep(askAgainMs);
    seeded = await fill(database, options, passwordHash);
  }
  // The planner has no statistics about freshly filled tables.
  if (seeded)
    await database.pool.query(
      `analyze people, approvers, sprints, sprint_results, tasks, task_notes, task_attachments, task_history, notices, bonus_statements, ${demoTables.join(', ')}`,
    );
  if (seeded)
    options.log.info({ milliseconds: Math.round(performance.now() - started) }, 'the demo company was loaded');
  return seeded;
}

/** Null while another server does it. */
function fill(database: Database, { now, zone, settings }: SeedOptions, passwordHash: string): Promise<boolean | null> {
  return database.transaction(async (queries) => {
    if (!(await isFree(queries))) return null;
    const { rows } = await queries.execute(sql`select 1 from people limit 1`);
    if (rows.length > 0) return false;
    await queries.insert(demoCompanyMark).values({}).onConflictDoNothing();
    const company = demoCompany({ now, zone, ...(settings && { settings }) });
    await insertPeople(queries, company, passwordHash);
    await insertTasks(queries, company);
    await insertRows(queries, auditLog, auditRows(company));
    await insertDemoNotices(queries, now);
    await insertDemoBonus(queries, company, zone);
    await insertDemoGuidelines(queries, { now, people: company.people });
    await insertDemoMeetings(queries, { now, zone, people: company.people });
    await insertDemoQualifications(queries, company.people, { now, zone });
    await insertDemoTools(queries, { now, ownerIds: company.people.slice(0, 3).map(({ id }) => id) });
    await insertDemoNumbers(queries, { now, zone, adminId: company.people[0]!.id });
    return true;
  });
}

async function insertPeople(queries: Queries, company: DemoCompany, passwordHash: string): Promise<void> {
  const unknownHash = await hashPassword(randomUUID());
  const roleNames = Object.entries(demoRoles);
  await insertRows(
    queries,
    roles,
    roleNames.map(([name, permissions]) => ({ name, permissions: [...permissions], createdAt: company.foundedAt })),
  );
  await insertRows(
    queries,
    people,
    company.people.map((person) => personRow(company, person, passwordHash, unknownHash)),
  );
  await continueIdentity(queries, people);
  await insertRows(
    queries,
    approvers,
    company.people.flatMap((person) => person.approverIds.map((approverId) => ({ personId: person.id, approverId }))),
  );
}

function personRow({ sprints, foundedAt }: DemoCompany, person: DemoPerson, passwordHash: string, unknownHash: string) {
  const { id, email, firstName, lastName, role, grants, team, invisible, isAccount, leftSprintsAgo, cameSprintsAgo } =
    person;
  return {
    id,
    email,
    firstName,
    lastName,
    role,
    grants: [...grants],
    team,
    topFiveInvisible: invisible,
    // Team leads approve, so they can sign in; nobody knows their password.
    passwordHash: isAccount ? passwordHash : role === 'Team lead' ? unknownHash : null,
    disabledAt: leftSprintsAgo === null ? null : sprints[pastSprints - leftSprintsAgo]!.endAt!,
    createdAt: cameSprintsAgo === null ? foundedAt : sprints[pastSprints - cameSprintsAgo - 1]!.startAt!,
  };
}

/** If a server has already created the weeks, uses those. */
async function insertSprints(queries: Queries, { sprints }: DemoCompany): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { id, ...sprint } of sprints) {
    const { commitmentAt, resultAt } = sprint;
    const [row] = await queries
      .insert(sprintTables.sprints)
      .values({ name: sprint.name!, startAt: sprint.startAt!, endAt: sprint.endAt!, commitmentAt, resultAt })
      .onConflictDoUpdate({ target: sprintTables.sprints.startAt, set: { commitmentAt, resultAt } })
      .returning({ id: sprintTables.sprints.id });
    ids.set(id, String(row!.id));
  }
  return ids;
}

async function insertTasks(queries: Queries, company: DemoCompany): Promise<void> {
  const { stories, results } = company;
  const sprintIds = await insertSprints(queries, company);
  const inSprint = <Row extends { sprintId?: string }>(row: Row): Row => ({
    ...row,
    sprintId: sprintIds.get(row.sprintId!)!,
  });
  const byTime = <Row extends { at: string }>(rows: Row[]) =>
    rows.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  await insertRows(
    queries,
    tasks,
    stories.map(({ row }) => inSprint(row)),
  );
  await continueIdentity(queries, tasks);
  await insertRows(queries, taskHistory, byTime(stories.flatMap(({ history }) => history.map(inSprint))));
  await insertRows(queries, taskNotes, byTime(stories.flatMap(({ notes }) => notes)));
  await insertRows(queries, taskAttachments, byTime(stories.flatMap(({ attachments }) => attachments)));
  await insertRows(queries, sprintTables.sprintResults, results.map(inSprint));
}

/** The admin's own actions, so the demo's audit log isn't empty: accounts created and disabled. */
function auditRows(company: DemoCompany) {
  const [admin] = company.people;
  const rowFor = (
    at: string,
    action: string,
    subjectId: string,
    before: Record<string, unknown> | null,
    after: Record<string, unknown> | null,
  ) => ({
    at,
    actorId: admin!.id,
    action,
    subjectType: 'person',
    subjectId,
    before,
    after,
  });
  const rows = company.people.flatMap((person) => {
    const { createdAt, disabledAt } = personRow(company, person, '', '');
    const after = { email: person.email, role: person.role, team: person.team, approverIds: person.approverIds };
    const created = rowFor(createdAt, 'personCreated', person.id, null, after);
    return disabledAt === null
      ? [created]
      : [created, rowFor(disabledAt, 'personDisabled', person.id, { disabled: false }, { disabled: true })];
  });
  return [...roleRows(company), ...rows].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** The roles at creation, to start their histories. They are the first, numbered in order. */
function roleRows({ people: [admin], foundedAt }: DemoCompany) {
  return Object.entries(demoRoles).map(([name, permissions], index) => ({
    at: foundedAt,
    actorId: admin!.id,
    action: 'roleCreated',
    subjectType: 'role',
    subjectId: String(index + 1),
    before: null,
    after: { name, permissions },
  }));
}
