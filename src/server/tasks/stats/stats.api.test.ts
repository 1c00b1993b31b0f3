// Stats over HTTP: who is included, and that every number matches its formula (spec 2, 3, 6, 7; D20 to D23,
// D39).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, prepareTasks, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';
import { keepSprints } from '../sprints/keep-sprints.ts';

let app: TestApp;
let sprintId: string;
let admin: Someone;
let approver: Someone;
/** Connect, with tasks of Blue. */
let ann: Someone;
/** Green. */
let ben: Someone;
/** Connect, marked invisible. */
let dan: Someone;

const viewing = (...scopes: Permission[]): Permission[] => ['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS', ...scopes];
const names = ({ employees }: { employees: { person: { displayName: string } }[] }): string[] =>
  employees.map(({ person }) => person.displayName);

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  admin = await someone(app, { role: 'admin', lastName: 'Admin' });
  approver = await someone(app, {
    permissions: [...approving, 'VIEW_TOP_5_STATS'],
    lastName: 'Approver',
    approvers: [admin.id],
  });
  const keeps = { permissions: staff, approvers: [approver.id] };
  ann = await someone(app, { ...keeps, firstName: 'Ann', lastName: 'A', team: 'connect' });
  ben = await someone(app, { ...keeps, approvers: [admin.id], firstName: 'Ben', lastName: 'B', team: 'green' });
  // No team; one task of Connect and one of Dig.
  const cem = await someone(app, { ...keeps, approvers: [admin.id], firstName: 'Cem', lastName: 'C' });
  dan = await someone(app, { ...keeps, firstName: 'Dan', lastName: 'D', team: 'connect', invisible: true });
  const put = (
    owner: Someone,
    category: string,
    status: 'INAPPROVAL' | 'DENIED' | 'TODO' | 'INPROGRESS' | 'INREVIEW' | 'DONE',
    count = 1,
  ) =>
    prepareTasks(app.database, count, {
      ownerId: owner.id,
      sprintId,
      category,
      status,
      title: `${status} of ${category}`,
    });
  await put(ann, 'Blue', 'DONE', 2);
  await put(ann, 'Blue', 'INREVIEW');
  await put(ann, 'Blue', 'TODO', 3);
  await put(ann, 'Blue', 'INAPPROVAL');
  await put(ben, 'Green', 'DONE');
  await put(cem, 'Connect', 'INPROGRESS');
  await put(cem, 'Dig', 'DONE');
  await put(dan, 'Connect', 'DONE', 5);
  const before = await app.sprint('2026-11-10T12:00:00Z');
  await prepareTasks(app.database, 3, { ownerId: ben.id, sprintId: before, status: 'DONE' });
  await prepareTasks(app.database, 1, { ownerId: ben.id, sprintId: before, status: 'TODO' });
});
afterAll(() => app.stop());

const employees =
  'query ($scope: String, $sprintId: ID) { sprintStats(scope: $scope, sprintId: $sprintId) { scopes employees { invisible person { id displayName team } completionPercentage signedOffPercentage counts { TODO DONE INAPPROVAL } } totals { people completionPercentage signedOffPercentage counts { DONE } } } }';

describe('who is in the stats', () => {
  it('is nobody for a viewer without the permission, or for a scope that the viewer lacks', async () => {
    const connect = await someone(app, { permissions: viewing('VIEW_TOP_5_STATS_CONNECT') });
    expect((await app.gql(ann.token, employees)).code).toBe('FORBIDDEN');
    expect((await app.gql(ann.token, '{ getIssuesByUserBySprint { displayName } }')).code).toBe('FORBIDDEN');
    expect((await app.gql(connect.token, employees, { scope: 'green' })).code).toBe('FORBIDDEN');
    expect((await app.gql(connect.token, employees, { scope: 'Connect' })).errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'scope',
    });
    expect((await app.gql(connect.token, employees, { sprintId: '999999' })).code).toBe('NOT_FOUND');
  });

  it('are oneself and the people one approves without any scope permission', async () => {
    const { data } = await app.gql(approver.token, employees);
    expect(data.sprintStats.scopes).toEqual([]);
    // Dan is invisible except to his approver and admins.
    expect(names(data.sprintStats)).toEqual(['Ann A', 'Person Approver', 'Dan D']);
  });

  it('are with a scope the team’s people, and of everybody else the tasks of the category with its name', async () => {
    const connect = await someone(app, { permissions: viewing('VIEW_TOP_5_STATS_CONNECT'), lastName: 'Viewer' });
    const { data } = await app.gql(connect.token, employees, { scope: 'connect' });
    expect(names(data.sprintStats)).toEqual(['Ann A', 'Cem C']);
    expect(data.sprintStats.employees[1]).toMatchObject({ completionPercentage: 0, counts: { DONE: 0 } });
    expect(names((await app.gql(connect.token, employees)).data.sprintStats)).toEqual(['Ann A', 'Cem C']);
  });

  it('are for an admin everybody, and people marked invisible stay out of totals and averages', async () => {
    const { data } = await app.gql(admin.token, employees);
    expect(names(data.sprintStats)).toEqual(['Ann A', 'Person Approver', 'Ben B', 'Cem C', 'Dan D']);
    expect(data.sprintStats.totals).toMatchObject({ people: 4, counts: { DONE: 4 } });
    expect(data.sprintStats.employees.map(({ invisible }: { invisible: boolean }) => invisible)).toEqual([
      ...[false, false, false, false],
      true,
    ]);
    expect(data.sprintStats.scopes).toEqual(['connect', 'arcade', 'codex', 'green', 'give', 'management']);
  });
});

describe('the numbers', () => {
  it('refuse a date range that is no sprint, and % completed is (INREVIEW + DONE) / approved, signed off is DONE / approved', async () => {
    expect((await app.gql(admin.token, employees, { sprintId: '2026 W47' })).code).toBe('BAD_INPUT');
    const { data } = await app.gql(approver.token, employees);
    expect(data.sprintStats.employees[0]).toMatchObject({
      completionPercentage: 50,
      signedOffPercentage: 33.3,
      counts: { TODO: 3, DONE: 2, INAPPROVAL: 1 },
    });
    expect(data.sprintStats.employees[1]).toMatchObject({ completionPercentage: null, signedOffPercentage: null });
  });

  it('of approvals and rework count each task once, and never a decision that was taken back', async () => {
    const owner = await someone(app, {
      permissions: staff,
      approvers: [approver.id],
      lastName: 'Quality',
      team: 'codex',
    });
    const at = (hours: number) => app.clock.now().subtract({ hours }).toString();
    const decide = async (id: string, status: string, decider = approver) => {
      const { code } = await app.gql(
        decider.token,
        'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { id } }',
        { id, status },
      );
      expect(code).toBeNull();
    };
    const move = (id: string, ...statuses: string[]) =>
      statuses.reduce(async (before, status) => {
        await before;
        await app.gql(
          owner.token,
          'mutation ($id: ID!, $status: TaskStatus, $title: String) { updateTask(id: $id, status: $status, title: $title) { id } }',
          status === 'resubmit' ? { id, title: 'Again' } : { id, status },
        );
      }, Promise.resolve());
    const waiting = (hours: number) => prepareTask(app.database, { ownerId: owner.id, sprintId, at: at(hours) });

    const straight = await waiting(2);
    await decide(straight, 'TODO');
    await move(straight, 'INREVIEW');
    await decide(straight, 'INPROGRESS');
    await move(straight, 'INREVIEW');
    await decide(straight, 'DONE');
    const denied = await waiting(10);
    const delegate = await someone(app, { permissions: approving, approvers: [admin.id], lastName: 'Delegate' });
    const absence = 'insert into absences (person_id, first_day, last_day, delegate_id) values ($1, $2, $2, $3)';
    const today = app.clock.now().toZonedDateTimeISO('UTC').toPlainDate().toString();
    await app.database.pool.query(absence, [approver.id, today, delegate.id]);
    await decide(denied, 'DENIED', delegate);
    await app.database.pool.query('delete from absences where person_id = $1', [approver.id]);
    await move(denied, 'resubmit');
    await decide(denied, 'TODO');
    const takenBack = await waiting(4);
    await decide(takenBack, 'DENIED');
    await app.gql(approver.token, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "?") { id } }', {
      id: takenBack,
    });
    await app.gql(approver.token, 'mutation ($id: ID!) { undoDecision(taskId: $id) { id } }', { id: takenBack });
    await decide(takenBack, 'TODO');
    await waiting(1);

    const { data } = await app.gql(
      admin.token,
      'query { sprintStats(scope: "codex") { employees { firstPassPercentage rework waitedHours } totals { firstPassPercentage rework waitedHours } fairClock { approver { id } decided waiting median p90 } } }',
    );
    // Three of four were decided; two of them approved without a denial; one send-back for one sign-off; waits
    // of 0, 0, 0, 2, 4 and 10 hours. The longest was for the approver, though a delegate decided.
    expect(data.sprintStats.employees).toEqual([{ firstPassPercentage: 66.7, rework: 1, waitedHours: 1 }]);
    expect(data.sprintStats.totals).toEqual({ firstPassPercentage: 66.7, rework: 1, waitedHours: 1 });
    expect(data.sprintStats.fairClock).toEqual([
      { approver: { id: approver.id }, decided: 6, waiting: 1, median: 1, p90: 7 },
    ]);
  });

  it('of a trend are those of 13 sprints, the one looked at last, by person and by scope', async () => {
    const { data } = await app.gql(
      admin.token,
      '{ sprintStats(scope: "green") { weeks personTrends { personId percentages } scopeTrends { scope percentages } } }',
    );
    const { weeks, personTrends, scopeTrends } = data.sprintStats;
    expect(weeks.slice(-2)).toEqual(['2026 W46', '2026 W47']);
    const trendOf = (id: string) => personTrends.find(({ personId }: { personId: string }) => personId === id);
    expect(trendOf(ben.id).percentages.slice(-2)).toEqual([75, 100]);
    expect(trendOf(ann.id)).toBeUndefined();
    expect(scopeTrends.find(({ scope }: { scope: string }) => scope === 'green').percentages.slice(-2)).toEqual([
      75, 100,
    ]);
    // Ann's six approved tasks and Cem's one with the category; Dan counts in no average.
    expect(scopeTrends.find(({ scope }: { scope: string }) => scope === 'connect').percentages.at(-1)).toBe(42.9);
  });

  it('of a settled sprint are the recorded ones, with the corrections that came later', async () => {
    const old = await app.sprint('2026-10-28T12:00:00Z');
    const id = await prepareTask(app.database, { ownerId: ann.id, sprintId: old, status: 'INREVIEW' });
    await keepSprints(app.parts);
    await app.gql(approver.token, 'mutation ($id: ID!) { updateTask(id: $id, status: INPROGRESS) { id } }', { id });
    const { data } = await app.gql(
      approver.token,
      'query ($sprintId: ID) { sprintStats(sprintId: $sprintId) { employees { recorded corrections completionPercentage rework counts { INREVIEW INPROGRESS } } personTrends { percentages } } }',
      { sprintId: old },
    );
    expect(data.sprintStats.employees[0]).toMatchObject({
      recorded: true,
      corrections: 1,
      completionPercentage: 100,
      rework: null,
      counts: { INREVIEW: 1, INPROGRESS: 0 },
    });
    expect(data.sprintStats.personTrends[0].percentages.at(-1)).toBe(100);
  });
});

describe('getIssuesByUserBySprint', () => {
  const query =
    'query ($options: SprintOptions) { getIssuesByUserBySprint(options: $options) { userId displayName completionPercentage issues { id summary status taskStatus } } }';

  it('refuses options that it does not know, and a sprint that nobody knows', async () => {
    expect((await app.gql(admin.token, query, { options: { sprint: '1' } })).code).toBe('BAD_INPUT');
    expect((await app.gql(admin.token, query, { options: { sprintId: '999999' } })).code).toBe('NOT_FOUND');
  });

  it('gives the approved tasks of the current sprint by default, with the statuses of the issues', async () => {
    const { data } = await app.gql(approver.token, query);
    const [first] = data.getIssuesByUserBySprint;
    expect(first).toMatchObject({ userId: ann.id, displayName: 'Ann A', completionPercentage: 50 });
    expect(first.issues.map(({ status, taskStatus }: Record<string, string>) => `${taskStatus}: ${status}`)).toEqual([
      'DONE: done',
      'DONE: done',
      'INREVIEW: in review',
      'TODO: to do',
      'TODO: to do',
      'TODO: to do',
    ]);
    expect(first.issues[0].summary).toBe('DONE of Blue');
    expect((await app.gql(approver.token, query, { options: { sprintId } })).data.getIssuesByUserBySprint).toEqual(
      data.getIssuesByUserBySprint,
    );
  });

  it('leaves people marked invisible to their approver and admins', async () => {
    const connect = await someone(app, { permissions: viewing('VIEW_TOP_5_STATS_CONNECT'), lastName: 'Viewer' });
    const seen = async (token: string) =>
      (await app.gql(token, query)).data.getIssuesByUserBySprint.some(
        ({ userId }: { userId: string }) => userId === dan.id,
      );
    expect(await seen(connect.token)).toBe(false);
    expect(await seen(approver.token)).toBe(true);
    expect(await seen(admin.token)).toBe(true);
  });
});
