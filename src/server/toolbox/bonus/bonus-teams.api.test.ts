// Whose team counts for people who changed teams after a sprint ended. The database's clock tells when they
// did, so the sprints lie around the present.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepSprints } from '#server/tasks/sprints/keep-sprints.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { prepareTasks, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

let app: TestApp;
let ended: string;
let running: string;
let admin: Someone;
let mover: Someone;
let oldColleague: Someone;
let newColleague: Someone;

const curve = { from: 0, full: 100, cap: 120 };
const components = {
  signedOff: { ...curve, weight: 50 },
  firstPass: { ...curve, weight: 0 },
  team: { ...curve, weight: 50 },
};

beforeEach(async () => {
  const now = Temporal.Now.instant();
  app = await startTestApp({ now: now.add({ hours: 7 * 24 }).toString() });
  ended = await app.sprint(now.subtract({ hours: 7 * 24 }).toString());
  running = await app.sprint();
  admin = await someone(app, { role: 'admin' });
  const member = (team: string) =>
    someone(app, { permissions: [...staff, 'VIEW_TOP_5_BONUS_STRUCTURE'], approvers: [admin.id], team });
  mover = await member('green');
  oldColleague = await member('green');
  newColleague = await member('codex');
  for (const sprintId of [ended, running]) {
    await prepareTasks(app.database, 3, { ownerId: mover.id, sprintId, status: 'DONE' });
    await prepareTasks(app.database, 1, { ownerId: oldColleague.id, sprintId, status: 'TODO' });
    await prepareTasks(app.database, 2, { ownerId: newColleague.id, sprintId, status: 'TODO' });
  }
  await app.database.pool.query(
    `insert into bonus_plans (version, base, currency, fair_hours, components, from_sprint_id, created_by, created_at)
     values (1, 1000000, 'USD', 8, $1, $2, $3, now())`,
    [JSON.stringify(components), ended, admin.id],
  );
});
afterEach(() => app.stop());

const week = `query ($userId: ID, $sprintId: ID) {
  bonusWeek(userId: $userId, sprintId: $sprintId) { statement { id team lines { key part whole } } } }`;

/** Each one's team, and its signed-off and approved tasks: of who moves, the old and the new colleague. */
async function teamResults(sprintId: string): Promise<string[]> {
  const results = [mover, oldColleague, newColleague].map(async ({ id, token }) => {
    const { statement } = (await app.gql(token, week, { userId: id, sprintId })).data.bonusWeek;
    const { part, whole } = statement.lines.find(({ key }: { key: string }) => key === 'team');
    return `${statement.team} ${part}/${whole}`;
  });
  return Promise.all(results);
}

const before = ['green 3/4', 'green 3/4', 'codex 0/2'];

const update = `mutation ($id: ID!, $version: String!, $team: String, $hidden: Boolean) {
  updateUser(userId: $id, version: $version, team: $team, top5Invisible: $hidden) { id } }`;
async function saveForm(fields: { readonly team?: string; readonly hidden?: boolean }): Promise<void> {
  const { data } = await app.gql(admin.token, `{ managedUser(userId: "${mover.id}") { version } }`);
  const { version } = data.managedUser;
  expect((await app.gql(admin.token, update, { id: mover.id, version, ...fields })).code).toBeNull();
}

const emailOfMover = async (): Promise<string> =>
  (await app.database.pool.query('select email from people where id = $1', [mover.id])).rows[0].email;

const moves: Readonly<Record<string, (team: string) => Promise<unknown>>> = {
  'the form': (team) => saveForm({ team }),
  'a bulk change': async (team) => {
    const change =
      'mutation ($id: ID!, $team: String) { changeUsers(users: [{ userId: $id }], change: { team: $team }) { outcome } }';
    const { data } = await app.gql(admin.token, change, { id: mover.id, team });
    expect(data.changeUsers).toEqual([{ outcome: 'changed' }]);
  },
  'an import of people': async (team) => {
    const file = Buffer.from(`E-mail;Team\n${await emailOfMover()};${team}`).toString('base64');
    const answer = await app.call({
      method: 'POST',
      url: '/api/people/import',
      headers: { authorization: `Bearer ${admin.token}` },
      payload: { file, dryRun: false },
    });
    expect(answer.json().rows).toMatchObject([{ outcome: 'changed' }]);
  },
  'a statement of the database’s operator': (team) =>
    app.asOwner('update people set team = $2 where id = $1', [mover.id, team]),
};

it.each(Object.entries(moves))(
  'a sprint that ended counts the team of its end, for everyone: moved by %s',
  async (_way, move) => {
    expect(await teamResults(ended)).toEqual(before);
    await move('connect');
    await move('codex');
    expect(await teamResults(ended)).toEqual(before);
    expect(await teamResults(running)).toEqual(['codex 3/5', 'green 0/1', 'codex 3/5']);
    await keepSprints(app.parts);
    expect(await teamResults(ended)).toEqual(before);
    const { rows } = await app.database.pool.query('select distinct sprint_id::text as id from bonus_statements');
    expect(rows).toEqual([{ id: ended }]);
  },
);

it('a sprint that ended counts people who were hidden since, and a running one doesn’t', async () => {
  await saveForm({ hidden: true });
  expect(await teamResults(ended)).toEqual(before);
  expect(await teamResults(running)).toEqual(['green 0/1', 'green 0/1', 'codex 0/2']);
  await keepSprints(app.parts);
  expect(await teamResults(ended)).toEqual(before);
});

it('a plan that counts other waits would have paid by who was hidden when the sprint ended', async () => {
  await keepSprints(app.parts);
  await saveForm({ hidden: true });
  const preview = `query ($components: BonusComponentsInput!) {
    bonusPreview(base: "100", currency: "USD", fairHours: 40, components: $components) { paid { amount } wouldPay { amount } } }`;
  const { paid, wouldPay } = (await app.gql(admin.token, preview, { components })).data.bonusPreview;
  expect(wouldPay).toEqual(paid);
});

it('a company without teams counts who was hidden when the sprint ended', async () => {
  await app.database.pool.query('update people set team = null');
  await app.asOwner('delete from earlier_teams');
  await saveForm({ hidden: true });
  expect(await teamResults(ended)).toEqual(['null 3/6', 'null 3/6', 'null 3/6']);
  expect(await teamResults(running)).toEqual(['null 0/3', 'null 0/3', 'null 0/3']);
});
