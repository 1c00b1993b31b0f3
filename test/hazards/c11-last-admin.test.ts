// C11: the rule that keeps a last admin, under the lock that every change of a role or an account takes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastAdminRefusal } from '#core/people/last-admin.ts';
import { lockAdmins } from '#server/access/roles/lock-admins.ts';
import type { Database } from '#server/platform/db/database.ts';
import { type FreshDatabase, freshDatabase } from '../database.ts';
import { rounds } from '../sampling.ts';
import { expectNone } from './rounds.ts';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  ({ database } = fresh);
});
afterAll(() => fresh.drop());

const makeAdmins = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into people (email, first_name, last_name, role, password_hash)
     values ('a@example.test', '', '', 'admin', 'x'), ('b@example.test', '', '', 'admin', 'x')
     on conflict (lower(email)) do update set role = 'admin', disabled_at = null returning id::text`,
  );
  return rows.map(({ id }) => id);
};

/** As every change of a person's role or account does it. */
const remove = (id: string, change: string): Promise<boolean> =>
  database.transaction(async (queries) => {
    if (lastAdminRefusal(await lockAdmins(queries), [id])) return false;
    await queries.execute(`update people set ${change} where id = ${id}`);
    return true;
  });

test.for([
  ['taking the role', 'role = null'],
  ['disabling the account', 'disabled_at = now()'],
] as const)(
  '%s from the last two admins by both at once: exactly one stays each time',
  async ([_, change], context) => {
    const races = rounds(30, 500);
    const left: boolean[][] = [];
    for (let round = 0; round < races; round++) {
      const [first = '', second = ''] = await makeAdmins();
      // The starting order varies.
      const order = round % 2 === 0 ? [first, second] : [second, first];
      left.push(await Promise.all(order.map((id) => remove(id, change))));
    }
    expectNone(
      context,
      'C11',
      races,
      left.filter((removed) => removed.filter(Boolean).length !== 1),
    );
  },
);

test('a disabled admin does not count as one who stays', async () => {
  const [first = '', second = ''] = await makeAdmins();
  await database.pool.query('update people set disabled_at = now() where id = $1', [second]);
  expect(await remove(first, 'role = null')).toBe(false);
});
