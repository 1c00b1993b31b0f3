// Changes made while a call waits for its task count for the call: it is judged by the state after locking.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { approving, makeTeam, prepareTask, someone, staff, type Team, traces } from '../../../test/task-fixtures.ts';

let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterAll(() => app.stop());

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    // The server's role can't see what others wait for.
    const rows = await app.asOwner(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
    await sleep(10);
  }
}

/** Locks the task, starts the call, makes the change, and releases the lock. */
async function changeDuring<Answer>(
  taskId: string,
  call: () => Promise<Answer>,
  change: (holder: pg.PoolClient) => Promise<unknown>,
): Promise<Answer> {
  const holder = await app.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from tasks where id = $1 for update', [taskId]);
    const answer = call();
    await untilSomebodyWaits();
    await change(holder);
    await holder.query('commit');
    return await answer;
  } finally {
    holder.release();
  }
}

it('an approver who is disabled while a decision waits makes neither it nor the next', async () => {
  const approver = await someone(app, { permissions: approving, approvers: [team.admin.id] });
  const owner = await someone(app, { permissions: staff, approvers: [approver.id] });
  const first = await prepareTask(app.database, { ownerId: owner.id, sprintId });
  const second = await prepareTask(app.database, { ownerId: owner.id, sprintId });
  const decisions = [first, second].map((taskId) => ({ taskId, decision: 'approve' }));
  const decide = 'mutation ($decisions: [TaskDecision!]!) { decideTasks(decisions: $decisions) { ok code } }';
  const { data } = await changeDuring(
    first,
    () => app.gql(approver.token, decide, { decisions }),
    () => app.database.pool.query('update people set disabled_at = now() where id = $1', [approver.id]),
  );
  expect(data.decideTasks).toEqual([
    { ok: false, code: 'NOT_SIGNED_IN' },
    { ok: false, code: 'NOT_SIGNED_IN' },
  ]);
});

it('a note that waits while its author signs out everywhere, or loses rights, is not written', async () => {
  const note = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Late") { id } }';
  for (const [change, refusal] of [
    ['delete from sessions where person_id = $1', 'NOT_SIGNED_IN'],
    ['update people set role = null where id = $1', 'CONFLICT'],
  ] as const) {
    const owner = await someone(app, { permissions: staff, approvers: [team.approver.id] });
    const id = await prepareTask(app.database, { ownerId: owner.id, sprintId });
    const before = await traces(app.database, id);
    const { code } = await changeDuring(
      id,
      () => app.gql(owner.token, note, { id }),
      () => app.database.pool.query(change, [owner.id]),
    );
    expect(code).toBe(refusal);
    expect(await traces(app.database, id)).toEqual(before);
  }
});

it('undoing steps of tasks that the caller can’t see waits for nobody, and nobody waits for it', async () => {
  const own = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
  const stranger = await someone(app, { permissions: staff, approvers: [team.admin.id] });
  const others = await prepareTask(app.database, { ownerId: stranger.id, sprintId });
  const undo = 'mutation ($ids: [ID!]!) { undoTaskSteps(taskIds: $ids) { id } }';
  const holder = await app.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from tasks where id = any($1) for update', [[own, others]]);
    const { code } = await app.gql(team.owner.token, undo, { ids: [own, others] });
    expect(code).toBe('NOT_FOUND');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

it('an approver who is taken off the owner while the decision waits decides nothing', async () => {
  const approver = await someone(app, { permissions: approving, approvers: [team.admin.id] });
  const owner = await someone(app, { permissions: staff, approvers: [approver.id] });
  const id = await prepareTask(app.database, { ownerId: owner.id, sprintId });
  const before = await traces(app.database, id);
  const decide = 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { status } }';
  const { code } = await changeDuring(
    id,
    () => app.gql(approver.token, decide, { id }),
    () => app.database.pool.query('delete from approvers where person_id = $1', [owner.id]),
  );
  expect(code).toBe('NOT_FOUND');
  expect(await traces(app.database, id)).toEqual(before);
});

it.each([
  ['a note', 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Late") { id } }', 'owner'],
  ['a decision', 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { id } }', 'approver'],
] as const)(
  '%s on a task that is withdrawn while it waits is refused, and leaves nothing',
  async (_what, query, who) => {
    const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
    const { code } = await changeDuring(
      id,
      () => app.gql(team[who].token, query, { id }),
      (holder) => holder.query('update tasks set withdrawn_at = now(), version = version + 1 where id = $1', [id]),
    );
    expect(code).toBe('TRANSITION_NOT_ALLOWED');
    expect(await traces(app.database, id)).toMatchObject({ task: { version: 2 }, history: '1', notes: null });
  },
);

it('a decision on a task that is carried over while it waits is made in the sprint it came to', async () => {
  const later = await app.sprint('2026-11-25T12:00:00Z');
  const id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId });
  const { data } = await changeDuring(
    id,
    () =>
      app.gql(team.approver.token, 'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { sprintId } }', { id }),
    (holder) => holder.query('update tasks set sprint_id = $2, version = version + 1 where id = $1', [id, later]),
  );
  expect(data.updateTask.sprintId).toBe(later);
  const { rows } = await app.database.pool.query(
    "select sprint_id::text from task_history where task_id = $1 and event = 'approved'",
    [id],
  );
  expect(rows).toEqual([{ sprint_id: later }]);
});
