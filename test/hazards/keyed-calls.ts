// A call of every mutation that takes an `Idempotency-Key`, with all that it needs, by the name of the
// mutation.
import { changeSetting } from '#server/admin/settings/settings.service.ts';
import { keepSprints } from '#server/tasks/sprints/keep-sprints.ts';
import type { TestApp } from '../app.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../task-fixtures.ts';

/** An admin with all permissions, and the objects to act on. */
export type World = {
  readonly app: TestApp;
  readonly admin: Someone;
  readonly owner: Someone;
  readonly sprintId: string;
  readonly nextSprintId: string;
  /** The owner's, approved by the admin, with three notes and three files of the admin. */
  task(): Promise<string>;
  /** The one value that the statement gives. */
  value(sql: string, values?: readonly unknown[]): Promise<string>;
};

export async function makeWorld(app: TestApp): Promise<World> {
  // What the first call would find to do.
  await keepSprints(app.parts);
  const sprintId = await app.sprint();
  const nextSprintId = await app.sprint(app.clock.now().add({ hours: 168 }).toString());
  const admin = await someone(app, { role: 'admin' });
  const owner = await someone(app, { permissions: [...staff, 'VIEW_TOP_5_BONUS_STRUCTURE'], approvers: [admin.id] });
  await app.person({ role: 'Support', permissions: approving });
  await changeSetting(
    { ...app.parts, viewer: null, requestId: '', address: '' } as never,
    'timeTracker',
    true as never,
  );
  const value = async (sql: string, values: readonly unknown[] = []) => {
    const { rows } = await app.database.pool.query<{ value: string }>(`select (${sql})::text as value`, [...values]);
    return (rows[0] as { value: string }).value;
  };
  const task = async () => {
    const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
    await app.database.pool.query(
      `with notes as (insert into task_notes (task_id, author_id, author_name, text)
         select $1, $2, 'Admin', n from generate_series(1, 3) n)
       insert into task_attachments (task_id, author_id, author_name, file_name, mime, size)
         select $1, $2, 'Admin', n || '.txt', 'text/plain', 1 from generate_series(1, 3) n`,
      [id, admin.id],
    );
    return id;
  };
  return { app, admin, owner, sprintId, nextSprintId, task, value };
}

export type KeyedCall = { readonly query: string; readonly variables: object; readonly as?: 'owner' };
type Sample = (world: World, mark: string) => Promise<KeyedCall> | KeyedCall;

const taskCall =
  (call: string, declared: string): Sample =>
  async ({ task }, mark) => ({
    query: `mutation ($taskId: ID!${declared}) { it: ${call} { id version } }`,
    variables: { taskId: await task(), ...(declared === '' ? {} : { text: mark }) },
  });

const curve = { from: 50, full: 100, cap: 120 };
const components = {
  signedOff: { ...curve, weight: 50 },
  firstPass: { ...curve, weight: 30 },
  team: { ...curve, weight: 20 },
};

const createBonusPlan: Sample = async ({ value, nextSprintId }) => ({
  query: `mutation ($components: BonusComponentsInput!, $from: ID!, $after: Int!) { it: createBonusPlan(base: "100", currency: "USD",
    fairHours: 24, components: $components, fromSprintId: $from, after: $after) { version } }`,
  variables: {
    components,
    from: nextSprintId,
    after: Number(await value('select coalesce(max(version), 0) from bonus_plans')),
  },
});

/** A statement of the owner, who asks about its line. */
const addBonusMessage: Sample = async ({ app, admin, owner, value, sprintId, nextSprintId }, mark) => {
  const { pool } = app.database;
  await pool.query(
    `insert into bonus_plans (version, base, currency, fair_hours, components, from_sprint_id, created_by, created_at)
     select 1, 1, 'USD', 24, $1, $2, $3, now() where not exists (select from bonus_plans)`,
    [JSON.stringify(components), nextSprintId, admin.id],
  );
  const line = { key: 'signedOff', part: 1, whole: 1, waived: false, amount: '1' };
  await pool.query(
    `insert into bonus_statements (sprint_id, person_id, plan_id, amount, lines, tasks)
     values ($1, $2, (select min(id) from bonus_plans), 1, $3, '[]') on conflict do nothing`,
    [sprintId, owner.id, JSON.stringify([line])],
  );
  // A question on a line is told once until it is answered; each of these is to be a first one.
  await pool.query("delete from notices where kind = 'asked'");
  return {
    as: 'owner',
    query:
      'mutation ($id: ID!, $text: String!) { it: addBonusMessage(statementId: $id, line: signedOff, text: $text) { lines { messages { text } } } }',
    variables: { id: await value('select min(id) from bonus_statements'), text: mark },
  };
};

/** Stretches of a minute, one after the other on the day before. */
let stretches = 0;
const addTime: Sample = async ({ app, admin, sprintId }) => {
  const taskId = await prepareTask(app.database, { ownerId: admin.id, sprintId, status: 'TODO' });
  stretches += 1;
  const start = app.clock.now().subtract({ hours: 24 }).add({ minutes: stretches });
  return {
    query:
      'mutation ($taskId: ID!, $start: String!, $end: String!) { it: addTime(taskId: $taskId, start: $start, end: $end) { id } }',
    variables: { taskId, start: start.toString(), end: start.add({ minutes: 1 }).toString() },
  };
};

const addRequirement: Sample = (_world, title) => ({
  query: 'mutation ($title: String!) { it: addRequirement(role: "Support", kind: training, title: $title) { id } }',
  variables: { title },
});

const recordEvidence: Sample = async ({ app, admin, owner }, title) => {
  const { query, variables } = await addRequirement({} as World, title);
  const { data } = await app.gql(admin.token, query, variables);
  return {
    query:
      'mutation ($id: ID!, $personId: ID!) { it: recordEvidence(requirementId: $id, personId: $personId, day: "2026-01-10") { id } }',
    variables: { id: data.it.id, personId: owner.id },
  };
};

const recordEvidenceForPeople: Sample = async (world, title) => {
  const { variables } = await recordEvidence(world, title);
  return {
    query:
      'mutation ($id: ID!, $personId: ID!) { it: recordEvidenceForPeople(requirementId: $id, personIds: [$personId], day: "2026-01-10") { id } }',
    variables,
  };
};

const createMeeting: Sample = ({ admin, owner }, title) => ({
  query: `mutation ($title: String!, $chairId: ID!, $attendeeIds: [ID!]!) { it: createMeeting(title: $title, team: "connect", chairId: $chairId,
    attendeeIds: $attendeeIds, weekday: 4, time: "10:30", minutes: 30, place: "", link: "", agenda: "") { id } }`,
  variables: { title, chairId: admin.id, attendeeIds: [owner.id] },
});

const createToolCard: Sample = (_world, title) => ({
  query:
    'mutation ($title: String!) { it: createToolCard(title: $title, group: "All", link: "https://a.test") { id } }',
  variables: { title },
});

/** Up, from the end of a group of four. */
const moveToolCard: Sample = async ({ app, admin }, mark) => {
  let id = '';
  for (const title of ['1', '2', '3', '4']) {
    const query =
      'mutation ($title: String!, $group: String!) { it: createToolCard(title: $title, group: $group, link: "https://a.test") { id } }';
    id = (await app.gql(admin.token, query, { title, group: mark })).data.it.id;
  }
  return { query: 'mutation ($id: ID!) { it: moveToolCard(id: $id, by: -1) { id } }', variables: { id } };
};

const publishGuidelines: Sample = async ({ value }, text) => ({
  query:
    'mutation ($text: String!, $basedOn: Int!) { it: publishGuidelines(text: $text, note: "Changed", basedOn: $basedOn) { version } }',
  variables: { text, basedOn: Number(await value('select coalesce(max(version), 0) from guideline_versions')) },
});

export const keyedCalls: Readonly<Record<string, Sample>> = {
  createTask: ({ owner }, title) => ({
    query: 'mutation ($title: String!, $userId: ID!) { it: createTask(title: $title, userId: $userId) { id } }',
    variables: { title, userId: owner.id },
  }),
  addNoteToTask: taskCall('addNoteToTask(taskId: $taskId, text: $text)', ', $text: String!'),
  removeNoteFromTask: taskCall('removeNoteFromTask(taskId: $taskId, noteIndex: 0)', ''),
  removeAttachmentFromTask: taskCall('removeAttachmentFromTask(taskId: $taskId, attachmentIndex: 0)', ''),
  addTime,
  addRequirement,
  recordEvidence,
  recordEvidenceForPeople,
  createBonusPlan,
  addBonusMessage,
  createMeeting,
  createRole: (_world, name) => ({
    query: 'mutation ($name: String!) { it: createRole(name: $name, permissions: ["VIEW_DASHBOARD"]) { id } }',
    variables: { name },
  }),
  createServiceToken: (_world, name) => ({
    query:
      'mutation ($name: String!) { it: createServiceToken(name: $name, datasets: ["orders"]) { serviceToken { id } } }',
    variables: { name },
  }),
  createToolCard,
  moveToolCard,
  createUser: (_world, mark) => ({
    query: 'mutation ($email: String!) { it: createUser(email: $email) { id } }',
    variables: { email: `${mark.replaceAll(' ', '-')}@example.test`.toLowerCase() },
  }),
  publishGuidelines,
  startViewing: ({ owner }) => ({
    query: 'mutation ($id: ID!) { it: startViewing(personId: $id) { id endsAt } }',
    variables: { id: owner.id },
  }),
};

/** How many rows each table has. */
export async function rowsOf({ app }: World): Promise<Record<string, number>> {
  const { pool } = app.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts = tables.map(({ name }) => `'${name}', (select count(*)::int from ${name})`);
  const { rows } = await pool.query<{ counts: Record<string, number> }>(
    `select jsonb_build_object(${counts.slice(0, 45).join(', ')}) || jsonb_build_object(${counts.slice(45).join(', ')}) as counts`,
  );
  return (rows[0] as { counts: Record<string, number> }).counts;
}

/** The tables that have more rows than before, with how many more. */
export function added(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([table, count]) =>
      count === before[table] ? [] : [[table, count - (before[table] ?? 0)]],
    ),
  );
}
