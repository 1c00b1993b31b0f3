// C1: two who decide one task at once on two servers. Exactly one of them wins, and the other one is told.
import { afterAll, beforeAll, test } from 'vitest';
import { rounds } from '../sampling.ts';
import { approving, prepareTasks, type Someone, someone, staff } from '../task-fixtures.ts';
import { expectNone } from './rounds.ts';
import { type Call, inGroups, type TwoServers, twoServers } from './two-servers.ts';

let servers: TwoServers;
let sprintId: string;
let owner: Someone;
let deciders: readonly [Someone, Someone];

beforeAll(async () => {
  servers = await twoServers();
  const { app } = servers;
  sprintId = await app.sprint();
  deciders = [await someone(app, { permissions: approving }), await someone(app, { permissions: approving })];
  owner = await someone(app, { permissions: staff, approvers: deciders.map(({ id }) => id) });
});
afterAll(() => servers.stop());

const update =
  'mutation ($id: ID!, $status: TaskStatus, $version: Int) { updateTask(id: $id, status: $status, version: $version) { status } }';
const decide = 'mutation ($decisions: [TaskDecision!]!) { decideTasks(decisions: $decisions) { ok code } }';

type Act = 'approve' | 'deny';
const leadsTo = {
  INAPPROVAL: { approve: 'TODO', deny: 'DENIED' },
  INREVIEW: { approve: 'DONE', deny: 'INPROGRESS' },
} as const;

const acts = ['approve', 'deny'] as const;
/**
 * What both do, whether they name the version that they saw, and whether the second decides several at once.
 */
const kinds = acts.flatMap((one) =>
  acts.flatMap((two) =>
    [true, false].flatMap((isNamed) => [true, false].map((many) => ({ both: [one, two] as const, isNamed, many }))),
  ),
);

function callOf(status: keyof typeof leadsTo, id: string, index: number, who: 0 | 1): Call {
  const { both, isNamed, many } = kinds[index % kinds.length] as (typeof kinds)[number];
  const decision: Act = both[who];
  const known = isNamed ? { version: 1 } : {};
  const { token } = deciders[who];
  return many && who === 1
    ? { server: who, token, query: decide, variables: { decisions: [{ taskId: id, decision, ...known }] } }
    : { server: who, token, query: update, variables: { id, status: leadsTo[status][decision], ...known } };
}

type Row = { id: string; version: number; lines: number; audits: number };
const traces = `select t.id::text, t.version,
    (select count(*)::int from task_history h where h.task_id = t.id and h.event <> 'created') as lines,
    (select count(*)::int from audit_log a where a.subject_type = 'task' and a.subject_id = t.id::text) as audits
  from tasks t where t.id = any($1) order by t.id`;

test.for(['INAPPROVAL', 'INREVIEW'] as const)(
  'of two decisions about a task that is %s one is made',
  async (status, context) => {
    const count = rounds(2 * kinds.length, 512);
    const ids = await prepareTasks(servers.app.database, count, { ownerId: owner.id, sprintId, status });
    const outcomes = await inGroups(ids, 8, async (id, index) => {
      const answers = await servers.atOnce([callOf(status, id, index, 0), callOf(status, id, index, 1)]);
      return answers.map(({ code, data }) => code ?? data.decideTasks?.[0].code ?? 'made').sort();
    });
    const { rows } = await servers.app.database.pool.query<Row>(traces, [ids]);
    const wrong = ids.flatMap((id, index) => {
      const [refused = '', made] = outcomes[index] ?? [];
      const isTold = ['CONFLICT', 'TRANSITION_NOT_ALLOWED'].includes(refused) && made === 'made';
      const left = rows.find((row) => row.id === id);
      const isOnce = left?.version === 2 && left.lines === 1 && left.audits === 1;
      return isTold && isOnce ? [] : [{ kind: kinds[index % kinds.length], refused, made, left }];
    });
    expectNone(context, 'C1', count, wrong);
  },
);
