// Every step between two statuses by every kind of person, against a table written from the specification (4,
// D15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeTeam, prepareTask, type Someone, type Team, traces } from '../../../test/task-fixtures.ts';

const relations = [
  'approver of somebody else',
  'stranger',
  'owner',
  'admin on an own task',
  'approver',
  'admin',
] as const;
type Relation = (typeof relations)[number];
type Outcome = 'moves' | 'stays' | 'TRANSITION_NOT_ALLOWED' | 'NOT_FOUND';

const ownersSteps = [
  'TODO>INPROGRESS',
  'TODO>INREVIEW',
  'INPROGRESS>TODO',
  'INPROGRESS>INREVIEW',
  'INREVIEW>TODO',
  'INREVIEW>INPROGRESS',
];
const ownersRepeats = ['TODO>TODO', 'INPROGRESS>INPROGRESS', 'INREVIEW>INREVIEW'];
const approversSteps = ['INAPPROVAL>TODO', 'INAPPROVAL>DENIED', 'INREVIEW>DONE', 'INREVIEW>INPROGRESS'];

function outcome(relation: Relation, from: TaskStatus, to: TaskStatus): Outcome {
  const step = `${from}>${to}`;
  if (relation === 'stranger' || relation === 'approver of somebody else') return 'NOT_FOUND';
  if (relation === 'owner' || relation === 'admin on an own task') {
    if (ownersRepeats.includes(step)) return 'stays';
    return ownersSteps.includes(step) ? 'moves' : 'TRANSITION_NOT_ALLOWED';
  }
  return approversSteps.includes(step) ? 'moves' : 'TRANSITION_NOT_ALLOWED';
}

let app: TestApp;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
afterAll(() => app.stop());

function actorOf(relation: Relation): Someone {
  const actors = { owner: team.owner, approver: team.approver, admin: team.admin, stranger: team.stranger };
  if (relation === 'approver of somebody else') return team.otherApprover;
  return relation === 'admin on an own task' ? team.admin : actors[relation];
}

const update = 'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { status version } }';

describe.each(relations)('%s', (relation) => {
  const cells = taskStatusKeys.flatMap((from) =>
    taskStatusKeys.map((to) => ({ from, to, expected: outcome(relation, from, to) })),
  );

  it.each(cells)('a task that is $from set to $to: $expected', async ({ from, to, expected }) => {
    const ownerId = relation === 'admin on an own task' ? team.admin.id : team.owner.id;
    const id = await prepareTask(app.database, { ownerId, sprintId, status: from });
    const before = await traces(app.database, id);
    const { data, code } = await app.gql(actorOf(relation).token, update, { id, status: to });
    if (expected === 'moves') {
      expect(data.updateTask).toEqual({ status: to, version: 2 });
      expect(await traces(app.database, id)).toMatchObject({
        task: { status: to, version: 2 },
        history: '2',
        audits: '1',
      });
      return;
    }
    expect(code).toBe(expected === 'stays' ? null : expected);
    expect(await traces(app.database, id)).toEqual(before);
  });
});
