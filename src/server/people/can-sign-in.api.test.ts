// Which admins count as able to sign in, for everything that asks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLink } from '#server/access/auth/account-links.service.ts';
import { makeFirstAdmin } from '#server/access/auth/recovery.service.ts';
import { assertWayIn, factorsOf } from '#server/access/factors/factors.service.ts';
import { lockAdmins } from '#server/access/roles/lock-admins.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
  await server.person({ role: 'Staff' });
});
afterAll(() => server.stop());

const query = (sql: string, values: unknown[] = []) => server.database.pool.query(sql, values);
const givePassword = (id: string) => query("update people set password_hash = 'x' where id = $1", [id]);
const ways: Readonly<Record<string, readonly [isWayIn: boolean, open: (id: string) => Promise<unknown>]>> = {
  'an open invitation': [false, (id) => makeLink(server.database.drizzle, server.clock, id, 'invite')],
  'a password on a disabled account': [
    false,
    async (id) => {
      await givePassword(id);
      await query('update people set disabled_at = now() where id = $1', [id]);
    },
  ],
  'a password': [true, givePassword],
  'a passkey': [
    true,
    (id) =>
      query(
        `insert into passkeys (person_id, credential_id, public_key, counter, name, device_type, backed_up, created_at)
         values ($1, 'x'::bytea, 'key'::bytea, 0, 'Laptop', 'singleDevice', false, now())`,
        [id],
      ),
  ],
  'a company sign-in': [
    true,
    (id) =>
      query(
        `insert into identities (issuer, subject, person_id, connected_at) values ('https://id.test/', 'x', $1, now())`,
        [id],
      ),
  ],
};

test.each(Object.entries(ways))('an admin with %s counts the same everywhere', async (name, [isWayIn, open]) => {
  await query("update people set role = null where role = 'admin'");
  const me = await server.person({ role: 'admin', passwordHash: 'x' });
  const other = await server.person({ role: 'admin' });
  await open(other);
  const { database, clock, live } = server.parts;
  // Someone who never signed in doesn't count: nobody can step down, or needs a second factor, because of
  // them.
  expect(await database.transaction(lockAdmins)).toEqual(isWayIn ? [me, other] : [me]);
  expect((await factorsOf(database.drizzle, 'severalAdmins', me)).required).toBe(isWayIn);
  const wayIn = assertWayIn(database.drizzle, other);
  await (isWayIn ? wayIn : expect(wayIn).rejects.toMatchObject({ refusal: { code: 'CONFLICT' } }));
  const token = await server.signIn(me);
  const { data } = await server.gql(token, 'query ($id: ID!) { managedUser(userId: $id) { version } }', { id: me });
  const stepDown = await server.gql(
    token,
    'mutation ($id: ID!, $v: String!) { updateUser(userId: $id, version: $v, role: "Staff") { id } }',
    { id: me, v: data.managedUser.version },
  );
  expect(stepDown.code).toBe(isWayIn ? null : 'LAST_ADMIN');
  await query('update people set role = null where id = $1', [me]);
  const recovery = { database, clock, live, requestId: 'command', address: 'command' };
  const made = makeFirstAdmin(recovery, `${name.replaceAll(' ', '-')}@example.test`);
  await (isWayIn ? expect(made).rejects.toMatchObject({ refusal: { code: 'CONFLICT' } }) : made);
});

test('of two admins who unlink each other’s only company sign-in at once, one stays reachable', async () => {
  for (let round = 0; round < 5; round++) {
    await query("update people set role = null where role = 'admin'");
    const admins = await Promise.all([1, 2].map(() => server.person({ role: 'admin' })));
    for (const id of admins) {
      await query(
        `insert into identities (issuer, subject, person_id, connected_at) values ('https://id.test/', $1, $2, now())`,
        [`admin-${id}`, id],
      );
    }
    const unlink = async (by: string, from: string) => {
      const token = await server.signIn(by);
      const { data } = await server.gql(
        token,
        'query ($id: ID!) { managedUser(userId: $id) { waysIn { identities { id } } } }',
        { id: from },
      );
      const [identity] = data.managedUser.waysIn.identities;
      return () =>
        server.gql(
          token,
          'mutation ($u: ID!, $id: ID!) { removeWayIn(userId: $u, kind: "identity", id: $id) { version } }',
          { u: from, id: identity.id },
        );
    };
    const [one = '', other = ''] = admins;
    const calls = [await unlink(one, other), await unlink(other, one)];
    const codes = (await Promise.all(calls.map((call) => call()))).map(({ code }) => code);
    expect(codes.toSorted()).toEqual(['LAST_ADMIN', null].toSorted());
    expect(await server.database.transaction(lockAdmins)).toHaveLength(1);
  }
});
