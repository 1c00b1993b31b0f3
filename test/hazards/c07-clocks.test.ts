// C7: two servers whose machines are two hours apart and in other zones. The time that counts is the
// database's.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../../faults/calls.ts';
import { Product } from '../../faults/product.ts';
import { type FreshDatabase, freshDatabase } from '../database.ts';
import { openFolder } from '../database-folder.ts';
import { hasProgram, needs } from '../needs.ts';
import { makePerson, makeSession } from '../people.ts';
import { approving, staff } from '../task-fixtures.ts';
import { expectNone } from './rounds.ts';

const isThere = hasProgram('faketime', '--version');
const faketime = needs('faketime', isThere);
const machines = [
  { offset: '-1h', zone: 'Pacific/Pago_Pago', said: 'is 3600 s behind the database' },
  { offset: '+1h', zone: 'Pacific/Kiritimati', said: 'is 3600 s ahead of the database' },
] as const;

let fresh: FreshDatabase;
let products: Product[] = [];
const folder = openFolder('clocks');
beforeAll(async () => {
  fresh = await freshDatabase();
  if (!isThere) return;
  products = machines.map(
    ({ offset, zone }) =>
      new Product({
        database: { url: fresh.url },
        dataDir: join(folder, 'data'),
        under: ['faketime', '-f', offset],
        // What passes is to be counted as it passes: only the time of the day is another one.
        env: {
          TZ: zone,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
          LINK_SECRET: 'one-secret-for-both-of-the-servers',
        },
      }),
  );
  await Promise.all(products.map((product) => product.start()));
});
afterAll(async () => {
  for (const product of products) await product.end();
  rmSync(folder, { recursive: true, force: true });
  await fresh.drop();
});

const week = '{ myWeek { sprint { id name startDate } } }';

test(
  'two servers an hour before and an hour after the database agree on the sprint, on sessions and on what is too late',
  faketime,
  async (context) => {
    const { pool } = fresh.database;
    const now = Temporal.Now.instant();
    const approver = await makePerson(pool, { permissions: approving });
    const owner = await makePerson(pool, { permissions: staff, approvers: [approver] });
    const decides = { token: await makeSession(pool, approver, now.subtract({ minutes: 30 })) };
    const owns = { token: await makeSession(pool, owner, now.subtract({ minutes: 30 })) };
    const endsSoon = { token: await makeSession(pool, owner, now.subtract({ minutes: 61 })) };
    const ask = async (at: number, call: { token: string }, query: string, variables: object = {}) => {
      const answer = await graphql(products[at]!.url, call, query, variables);
      return answer.kind === 'done' ? answer.body.data : answer;
    };
    const wrong: unknown[] = [];
    const [one, two] = [await ask(0, owns, week), await ask(1, owns, week)];
    const { start } = { start: Temporal.Instant.from(one.myWeek.sprint.startDate) };
    if (JSON.stringify(one) !== JSON.stringify(two)) wrong.push({ one, two });
    if (Temporal.Instant.compare(start, now) > 0 || now.since(start).total('hours') >= 168) wrong.push({ start, now });
    for (const at of [0, 1]) {
      const ended = await ask(at, endsSoon, week);
      if (ended.code !== 'NOT_SIGNED_IN') wrong.push({ at, ended });
    }
    // Made and decided by the one, taken back by the other: half a minute is half a minute.
    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const make = 'mutation ($id: ID!) { createTask(title: "Now", userId: $id) { id created } }';
      const { createTask } = await ask(first, owns, make, { id: owner });
      const variables = { id: createTask.id };
      const { updateTask } = await ask(
        second,
        decides,
        'mutation ($id: ID!) { updateTask(id: $id, status: TODO) { status } }',
        variables,
      );
      const undone = await ask(
        first,
        decides,
        'mutation ($id: ID!) { undoDecision(taskId: $id) { status } }',
        variables,
      );
      const late = Math.abs(Temporal.Instant.from(createTask.created).since(now).total('minutes'));
      if (updateTask?.status !== 'TODO' || undone.undoDecision?.status !== 'INAPPROVAL' || late > 20)
        wrong.push({ createTask, undone });
    }
    expectNone(context, 'C7', 2 + 2 + 2 + 6, wrong);
  },
);

test('a server whose clock is off works, and says so in its log and to those who ask', faketime, async () => {
  for (const [at, { said }] of machines.entries()) {
    const answer = await fetch(`${products[at]!.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true, warnings: { clock: said } }]);
    expect(products[at]!.server.output()).toContain("this machine's clock differs from the database's");
  }
});
