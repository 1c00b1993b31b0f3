// C9 and C11: people who are changed by several at once on two servers.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { expectNone } from './rounds.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ beside: one });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

test('a person who is moved between the lists is in exactly one of them for every reader meanwhile', async (context) => {
  const moves = rounds(30, 500);
  const keeper = await one.signIn(
    await one.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5'] }),
  );
  const moved = await one.person({ role: 'Staff' });
  const wrong: unknown[] = [];
  let isMoving = true;
  let reads = 0;
  const read = async (server: TestApp, query: string) => {
    while (isMoving) {
      const { data } = await server.gql(keeper, query);
      const { getLoggedUsers: logged, getPermittedUsers: permitted } = data.getUsers ?? data;
      const places = [...logged, ...permitted].filter(({ id }: { id: string }) => id === moved);
      if (places.length !== 1) wrong.push(data);
      reads += 1;
      // The one who moves is to come through as well.
      await sleep(5);
    }
  };
  const move = async () => {
    for (let round = 0; round < moves; round++) {
      const { code } = await (round % 2 ? one : two).gql(
        keeper,
        'mutation ($id: ID!, $on: Boolean!) { setTop5(userId: $id, on: $on) { id } }',
        { id: moved, on: round % 2 === 0 },
      );
      expect(code).toBeNull();
    }
    isMoving = false;
  };
  const both = '{ getUsers { getLoggedUsers { id } getPermittedUsers { id } } }';
  await Promise.all([move(), read(one, both), read(two, both)]);
  expect(reads).toBeGreaterThan(moves / 5);
  expectNone(context, 'C9', reads, wrong);
});

test('of two admins who take the role from each other or disable each other one stays each time', async (context) => {
  const races = rounds(30, 500);
  await one.database.pool.query("update people set disabled_at = now() where role = 'admin'");
  const admin = { role: 'admin', passwordHash: 'x' };
  const pair = [await one.person(admin), await one.person(admin)] as const;
  const tokens = [await one.signIn(pair[0]), await two.signIn(pair[1])] as const;
  const asked = 'query ($id: ID!) { managedUser(userId: $id) { version } }';
  const versions = await Promise.all(
    pair.map(async (id) => (await one.gql(tokens[0], asked, { id })).data.managedUser.version as string),
  );
  const takeRole =
    'mutation ($id: ID!, $version: String!) { updateUser(userId: $id, version: $version, role: "Staff") { id } }';
  const disable = 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }';
  const left: string[] = [];
  for (let round = 0; round < races; round++) {
    const { rows } = await one.database.pool.query<{ admins: string }>(
      `with seen as (select count(*)::text as admins from people where role = 'admin' and disabled_at is null),
         sessions as (update sessions set expires_at = '2100-01-01')
       update people set role = 'admin', disabled_at = null from seen where id = any($1::bigint[]) returning admins`,
      [pair],
    );
    left.push(rows[0]?.admins ?? '');
    const [first, second] = round % 4 < 2 ? [takeRole, disable] : [disable, takeRole];
    const removes = [
      () => one.gql(tokens[0], first, { id: pair[1], version: versions[1] }),
      () => two.gql(tokens[1], second, { id: pair[0], version: versions[0] }),
    ];
    // The starting order varies.
    await Promise.all((round % 2 ? removes : removes.reverse()).map((remove) => remove()));
  }
  // The first round begins with both of them.
  expectNone(
    context,
    'C11',
    races,
    left.slice(1).filter((admins) => admins !== '1'),
  );
});
