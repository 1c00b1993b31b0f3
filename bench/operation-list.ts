// The operations of the benchmark: what the product is asked, what the limit is asked, and what both have to
// answer.
import { isDeepStrictEqual } from 'node:util';
import { type Asked, askOnce, type Next, requestOf } from './load.ts';
import type { Operation, Ports, Side, World } from './operation.ts';
import { statusChange } from './status-change.ts';
import { approverCount, tokenOf } from './workload.ts';

/** A question as both are asked it. */
type Question = {
  readonly query: string;
  readonly variables: object;
  readonly personId: number;
  readonly limit: readonly [path: string, body: object];
};

const requestsOf = ({ query, variables, personId, limit }: Question, ports: Ports): Record<Side, Buffer> => ({
  product: requestOf(ports.product, '/graphql', { query, variables }, tokenOf(personId)),
  limit: requestOf(ports.limit, ...limit),
});

/** PostgreSQL spells instants its own way inside of JSON: the limit gives them as they come. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
const meaningOf = (body: Buffer): unknown =>
  JSON.parse(body.toString(), (_key, value) =>
    typeof value === 'string' && instant.test(value) ? new Date(value).toISOString() : value,
  );

/**
 * Questions that change nothing. Each is asked once beforehand; from then on every answer must be the same to
 * the byte.
 */
function reading(questions: readonly Question[]): Operation['prepare'] {
  return async (ports) => {
    const asked: Record<Side, Asked[]> = { limit: [], product: [] };
    for (const question of questions) {
      const requests = requestsOf(question, ports);
      const answers = {
        limit: await askOnce(ports.limit, requests.limit),
        product: await askOnce(ports.product, requests.product),
      };
      if (!isDeepStrictEqual(meaningOf(answers.limit.body), meaningOf(answers.product.body)))
        throw new Error(
          `The two differ over ${JSON.stringify(question.variables)}:\n${answers.limit.body}\n${answers.product.body}`.slice(
            0,
            4_000,
          ),
        );
      for (const side of ['limit', 'product'] as const) {
        const right = answers[side].body;
        asked[side].push({
          request: requests[side],
          isRight: (status, body) => status === 200 && body.equals(right),
        });
      }
    }
    return { limit: inTurn(asked.limit), product: inTurn(asked.product) };
  };
}

function inTurn(asked: readonly Asked[]): Next {
  let turn = 0;
  return () => asked[turn++ % asked.length]!;
}

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const taskFields =
  'id title status summary change category created version notes { id text userName timeStamp edited }';

function myTasks({ size }: World): Operation {
  const sprintId = String(size.weeks);
  const query = `query MyTasks($userId: ID!, $sprintId: ID!) { tasks(userId: $userId, sprintId: $sprintId) { ${taskFields} } }`;
  const question = (personId: number): Question => ({
    query,
    variables: { userId: String(personId), sprintId },
    personId,
    limit: ['/tasks', { userId: personId, sprintId }],
  });
  return {
    key: 'a',
    title: 'my tasks of the current sprint with notes',
    target: 0.75,
    prepare: reading(numbersFrom(1, size.people).map(question)),
  };
}

function approvalsInbox({ size }: World): Operation {
  const query = `query Inbox { inbox { ${taskFields} owner { displayName } } }`;
  const question = (personId: number): Question => ({
    query,
    variables: {},
    personId,
    limit: ['/inbox', { approverId: personId }],
  });
  // The first approver is the admin, whose inbox holds the tasks of people without approver besides.
  return {
    key: 'b',
    title: 'the approvals inbox of one approver',
    target: 0.8,
    prepare: reading(numbersFrom(2, approverCount(size)).map(question)),
  };
}

const completionQuery = `query Completion($sprintId: ID!) { sprintStats(sprintId: $sprintId) { employees {
  person { id displayName } counts { INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE } completionPercentage } } }`;

function completion({ size }: World): Operation {
  const sprintId = String(size.weeks);
  return {
    key: 'c',
    title: `completion of all ${size.people.toLocaleString('en')} people in one sprint`,
    target: 1,
    prepare: reading([
      { query: completionQuery, variables: { sprintId }, personId: 1, limit: ['/completion', { sprintId }] },
    ]),
  };
}

const salesQuery = `query Sales($scope: String!, $currency: String!, $from: String!, $to: String!) {
  numbers(dataset: "orders", metrics: ["net_sales", "lines"], scope: $scope, currency: $currency, from: $from, to: $to, by: ["day"]) {
    rows { keys values } } }`;

function salesByDay({ orders }: World): Operation {
  const question = (scope: string): Question => {
    const asked = { scope, currency: 'EUR', ...orders };
    return { query: salesQuery, variables: asked, personId: 1, limit: ['/sales', asked] };
  };
  return {
    key: 'e',
    title: 'sales by day over a year for one product',
    target: 30,
    prepare: reading(['connect', 'green', 'codex', 'bgp'].map(question)),
  };
}

/** The one that writes comes last, as it changes what the others read. */
export const operationsOf = (world: World, connections: number): Operation[] => [
  myTasks(world),
  approvalsInbox(world),
  completion(world),
  salesByDay(world),
  statusChange(world, connections),
];
