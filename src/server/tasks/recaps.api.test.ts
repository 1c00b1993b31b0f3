// Closing a week: who writes a recap and until when, who reads it, and who is notified.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  approving,
  makeTeam,
  prepareTask,
  type Someone,
  someone,
  staff,
  type Team,
} from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
/** Ended two hours ago. */
let sprintId: string;

beforeEach(async () => {
  app = await startTestApp({ now: '2026-11-16T12:00:00Z' });
  sprintId = await app.sprint('2026-11-10T12:00:00Z');
  team = await makeTeam(app);
});
afterEach(() => app.stop());

const close = (who: Someone, learned: string, sprint = sprintId, version?: number) =>
  app.gql(
    who.token,
    'mutation ($sprint: ID!, $learned: String!, $version: Int) { closeWeek(sprintId: $sprint, learned: $learned, version: $version) { userId sprintName learned closedAt editedAt version carriedOut counts { TODO DONE } } }',
    { sprint, learned, version },
  );
const recapOf = (who: Someone, userId = team.owner.id) =>
  app.gql(
    who.token,
    'query ($sprint: ID!, $userId: ID) { sprintResult(sprintId: $sprint, userId: $userId) { recap { learned } } }',
    {
      sprint: sprintId,
      userId,
    },
  );
const listed = async (who: Someone, page = {}) => {
  const query = 'query ($limit: Int, $after: ID) { weekRecaps(limit: $limit, after: $after) { id userId learned } }';
  return (await app.gql(who.token, query, page)).data?.weekRecaps as { id: string; userId: string; learned: string }[];
};
const notified = async (who: Someone) =>
  (await app.gql(who.token, '{ notices { kind sentence detail read id } }')).data.notices.filter(
    ({ kind }: { kind: string }) => kind === 'recap',
  );

describe('a recap', () => {
  it('is refused to who keeps no tasks, of a sprint that is settled, to come or unknown, and if it is too long', async () => {
    const guest = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
    expect((await close(guest, 'Hello')).code).toBe('FORBIDDEN');
    const [old, next] = [await app.sprint('2026-11-03T12:00:00Z'), await app.sprint('2026-11-24T12:00:00Z')];
    for (const sprint of [old, next])
      expect((await close(team.owner, 'Hello', sprint)).code).toBe('SPRINT_DOES_NOT_ALLOW');
    expect((await close(team.owner, 'Hello', '99999')).code).toBe('NOT_FOUND');
    expect((await close(team.owner, 'x'.repeat(2_001))).code).toBe('BAD_INPUT');
    const { rows } = await app.database.pool.query('select 1 from week_recaps');
    expect(rows).toEqual([]);
  });

  it('can be edited until the sprint is settled, and says when', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    const first = await close(team.owner, 'Start earlier');
    expect(first.data.closeWeek).toMatchObject({ learned: 'Start earlier', editedAt: null, counts: { DONE: 1 } });
    const later = async (now: string) => {
      app.clock.set(now);
      return { id: team.owner.id, token: await app.signIn(team.owner.id) };
    };
    let owner = await later('2026-11-16T18:00:00Z');
    expect((await close(owner, 'Start earlier')).data.closeWeek.editedAt).toBeNull();
    expect((await close(owner, 'Ask earlier')).data.closeWeek).toMatchObject({
      learned: 'Ask earlier',
      closedAt: first.data.closeWeek.closedAt,
      editedAt: '2026-11-16T18:00:00.000Z',
    });
    owner = await later('2026-11-18T10:00:00Z');
    expect((await close(owner, 'Too late')).code).toBe('SPRINT_DOES_NOT_ALLOW');
    expect((await recapOf(owner)).data.sprintResult.recap).toEqual({ learned: 'Ask earlier' });
    const { rows } = await app.database.pool.query(
      "select action, after from audit_log where action like 'week%' order by id",
    );
    expect(rows.map(({ action }) => action)).toEqual(['weekClosed', 'weekRecapEdited']);
    expect(JSON.stringify(rows)).not.toContain('earlier');
  });

  it('is on My week from the close of the running sprint until the next one can be closed', async () => {
    const onMyWeek = async (who = team.owner) =>
      (await app.gql(who.token, '{ myWeek { sprint { name } recap { sprintName learned } } }')).data.myWeek;
    expect((await onMyWeek()).recap).toBeNull();
    await close(team.owner, 'Settling');
    expect((await onMyWeek()).recap.learned).toBe('Settling');
    expect((await onMyWeek(await someone(app, { permissions: staff }))).recap).toBeNull();
    app.clock.set('2026-11-19T12:00:00Z');
    const owner = { ...team.owner, token: await app.signIn(team.owner.id) };
    expect((await onMyWeek(owner)).recap).toBeNull();
    await close(owner, 'Running', await app.sprint());
    const { sprint, recap } = await onMyWeek(owner);
    expect(recap).toEqual({ sprintName: sprint.name, learned: 'Running' });
  });
  it('of spaces says nothing learned', async () => {
    expect((await close(team.owner, ' \n  ')).data.closeWeek).toMatchObject({ learned: '', version: 1 });
    expect((await close(team.owner, ' Ask earlier\n')).data.closeWeek.learned).toBe('Ask earlier');
  });

  it('is only replaced by someone who saw it, and by the same text sent twice', async () => {
    const write = (learned: string, version: number) => close(team.owner, learned, sprintId, version);
    expect((await write('On the phone', 0)).data.closeWeek.version).toBe(1);
    expect((await write('', 0)).code).toBe('CONFLICT');
    expect((await recapOf(team.owner)).data.sprintResult.recap).toEqual({ learned: 'On the phone' });
    expect((await write('On the laptop', 1)).data.closeWeek.version).toBe(2);
    expect((await write('On the laptop', 1)).data.closeWeek.version).toBe(2);
    expect((await write('On the phone', 1)).code).toBe('CONFLICT');
    expect((await write('On the phone', -1)).code).toBe('BAD_INPUT');
  });

  it('is read by those who can see the person’s tasks, and by nobody else', async () => {
    await close(team.owner, 'Start earlier');
    for (const who of [team.stranger, team.otherApprover]) expect((await recapOf(who)).code).toBe('NOT_FOUND');
    for (const who of [team.owner, team.approver, team.admin])
      expect((await recapOf(who)).data.sprintResult.recap).toEqual({ learned: 'Start earlier' });
    expect((await app.gql(team.owner.token, '{ weekRecaps { id } }')).code).toBe('FORBIDDEN');
    expect(await listed(team.otherApprover)).toEqual([]);
    // An admin approves for the unapproved, not for everyone.
    expect(await listed(team.admin)).toEqual([]);
    expect(await listed(team.approver)).toMatchObject([{ userId: team.owner.id, learned: 'Start earlier' }]);
  });

  it('counts the week with what was carried over from it', async () => {
    await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'DONE' });
    const taskId = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
    await app.gql(team.owner.token, 'mutation ($taskId: ID!) { carryOver(taskId: $taskId) { id } }', { taskId });
    expect((await close(team.owner, '')).data.closeWeek).toMatchObject({ counts: { TODO: 1, DONE: 1 }, carriedOut: 1 });
  });
});

describe('the recaps of an approver’s people', () => {
  it('come newest first, a page at a time', async () => {
    const second = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    await close(team.owner, 'One');
    await close(second, 'Two');
    const [newest] = await listed(team.approver, { limit: 1 });
    expect(newest?.learned).toBe('Two');
    expect(await listed(team.approver, { limit: 1, after: newest?.id })).toMatchObject([{ learned: 'One' }]);
    expect((await app.gql(team.approver.token, '{ weekRecaps(limit: 201) { id } }')).code).toBe('BAD_INPUT');
  });

  it('are one notification per sprint, which an edit does not repeat and nobody else gets', async () => {
    const [ben, cat] = [
      await someone(app, { permissions: staff, approvers: [team.approver.id], firstName: 'Ben', lastName: 'Ode' }),
      await someone(app, { permissions: staff, approvers: [team.approver.id], firstName: 'Cat', lastName: 'Crew' }),
    ];
    await close(ben, 'Ask earlier');
    expect(await notified(team.approver)).toMatchObject([
      { sentence: 'Ben Ode closed sprint 2026 W46', detail: 'Ask earlier' },
    ]);
    await close(cat, '');
    await close(cat, 'Edited');
    const both = await notified(team.approver);
    expect(both).toMatchObject([
      { sentence: 'Cat Crew and 1 other closed sprint 2026 W46', detail: 'Edited', read: false },
    ]);
    await close(ben, 'Ask later');
    expect((await notified(team.approver))[0].detail).toBe('Edited');
    await app.gql(team.approver.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: [both[0].id],
    });
    await close(team.owner, 'Later');
    expect(await notified(team.approver)).toMatchObject([{ detail: 'Later', read: false }]);
    expect((await notified(team.approver))[0].sentence).not.toContain('other');
    for (const who of [team.admin, team.otherApprover, team.stranger, ben]) expect(await notified(who)).toEqual([]);
  });

  it('change with an edit in what was told, and nobody reads them who no longer decides', async () => {
    await close(team.owner, 'My manager is chaotic');
    const [first] = await notified(team.approver);
    await app.gql(team.approver.token, 'mutation ($ids: [ID!]!) { markNotices(ids: $ids, read: true) }', {
      ids: [first.id],
    });
    await close(team.owner, 'Plan earlier');
    expect(await notified(team.approver)).toMatchObject([{ detail: 'Plan earlier', read: true }]);
    await app.database.pool.query('delete from approvers where person_id = $1', [team.owner.id]);
    expect(await notified(team.approver)).toMatchObject([{ detail: null }]);
    await close(team.owner, 'Ask earlier');
    expect(await notified(team.approver)).toMatchObject([{ detail: null }]);
  });

  it('reach the delegate of an absent approver, and nobody without the permission', async () => {
    const delegate = await someone(app, { permissions: approving });
    const toothless = await someone(app, { permissions: staff });
    const owner = await someone(app, { permissions: staff, approvers: [team.approver.id, toothless.id] });
    await app.database.pool.query(
      `insert into absences (person_id, first_day, last_day, delegate_id) values ($1, '2026-11-16', '2026-11-20', $2)`,
      [team.approver.id, delegate.id],
    );
    await close(owner, 'Handed over');
    expect(await notified(delegate)).toMatchObject([{ detail: 'Handed over' }]);
    expect(await notified(toothless)).toEqual([]);
  });
});
