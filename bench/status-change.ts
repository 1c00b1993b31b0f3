// The operation that writes: the status of a task, by its owner and by its approver in turn.
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { type Asked, askOnce, type Next, requestOf } from './load.ts';
import type { Operation, Ports, Side, World } from './operation.ts';
import { tokenOf } from './workload.ts';

type Moved = {
  readonly id: string;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly approverId: number;
  readonly approverName: string;
  status: 'INPROGRESS' | 'INREVIEW';
  version: number;
};

/**
 * The owner completes the task, the approver sends it back, and so on: every other change is a decision with
 * its notice.
 */
const stepFrom = ({ status, ownerId, ownerName, approverId, approverName }: Moved) =>
  status === 'INPROGRESS'
    ? ({ to: 'INREVIEW', event: 'moved', action: 'taskMoved', actorId: ownerId, actorName: ownerName } as const)
    : ({
        to: 'INPROGRESS',
        event: 'sentBack',
        action: 'taskSentBack',
        actorId: approverId,
        actorName: approverName,
      } as const);

const moveQuery =
  'mutation Move($id: ID!, $status: TaskStatus!) { updateTask(id: $id, status: $status) { id status version } }';

function moving(task: Moved, port: number, side: Side): Asked {
  const { to, actorId, ...step } = stepFrom(task);
  const limitBody = { taskId: task.id, from: task.status, to, actorId, ...step, requestId: 'benchmark' };
  const request =
    side === 'limit'
      ? requestOf(port, '/move', limitBody)
      : requestOf(port, '/graphql', { query: moveQuery, variables: { id: task.id, status: to } }, tokenOf(actorId));
  const right = Buffer.from(
    JSON.stringify({ data: { updateTask: { id: task.id, status: to, version: task.version + 1 } } }),
  );
  return {
    request,
    isRight: (status, body) => {
      if (status !== 200 || !body.equals(right)) return false;
      Object.assign(task, { status: to, version: task.version + 1 });
      return true;
    },
  };
}

async function movableTasks({ pool, size }: World): Promise<Moved[]> {
  const { rows } = await pool.query<Moved>(
    `select t.id::text, t.owner_id::int as "ownerId", o.first_name || ' ' || o.last_name as "ownerName", a.approver_id::int as "approverId",
       p.first_name || ' ' || p.last_name as "approverName", t.status, t.version
     from tasks t join people o on o.id = t.owner_id join approvers a on a.person_id = t.owner_id join people p on p.id = a.approver_id
     where t.sprint_id = $1 and t.status in ('INPROGRESS', 'INREVIEW') and p.role = 'approver' order by t.id`,
    [size.weeks],
  );
  return rows;
}

/** How many rows about the task there are, by table. */
async function rowsAbout(pool: pg.Pool, taskId: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(
    `select (select version from tasks where id = $1) as changes, (select count(*)::int from task_history where task_id = $1) as history,
       (select count(*)::int from audit_log where subject_type = 'task' and subject_id = $1::text) as audit,
       (select count(*)::int from notices where task_id = $1) as notices`,
    [taskId],
  );
  return rows[0]!;
}

/** Both steps by both sides, in turn; each step must leave the same rows. */
async function mustWriteTheSame(pool: pg.Pool, task: Moved, ports: Ports): Promise<void> {
  const added: Record<Side, unknown[]> = { limit: [], product: [] };
  for (const side of ['limit', 'product'] as const)
    for (let step = 0; step < 2; step += 1) {
      const before = await rowsAbout(pool, task.id);
      const { request, isRight } = moving(task, ports[side], side);
      const { status, body } = await askOnce(ports[side], request);
      if (!isRight(status, body)) throw new Error(`The ${side} could not move a task (${status}): ${body}`);
      const after = await rowsAbout(pool, task.id);
      added[side].push(Object.entries(after).map(([table, count]) => [table, count - before[table]!]));
    }
  if (!isDeepStrictEqual(added.limit, added.product))
    throw new Error(`They write other rows: ${JSON.stringify(added)}`);
}

export function statusChange(world: World, connections: number): Operation {
  return {
    key: 'd',
    title: 'one status change with everything that goes with it',
    target: 0.7,
    writes: true,
    async prepare(ports) {
      const tasks = await movableTasks(world);
      await mustWriteTheSame(world.pool, tasks[0]!, ports);
      const turns = new Array<number>(connections).fill(0);
      // Each connection has separate tasks, without lock contention.
      const next =
        (side: Side): Next =>
        (connection) => {
          const turn = turns[connection]!++;
          const place = (connection + turn * connections) % (tasks.length - (tasks.length % connections));
          return moving(tasks[place]!, ports[side], side);
        };
      return { limit: next('limit'), product: next('product') };
    },
  };
}
