// A sign-in while its account changes, in every interleaving of their statements.
import { type Algorithm, hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { type Interleaving, stoppedWhile } from '../../../../test/hazards/interleave.ts';
import {
  addAuthenticator,
  addPasskey,
  codeOf,
  nextCode,
  password,
  post,
  type Reply,
  signInWithPassword,
} from '../../../../test/second-factors.ts';
import { makeLink } from './account-links.service.ts';

const next = 'walnut meadow copper tide';
let app: TestApp;
let interleaving: Interleaving;
let outdated: string;
let admin: string;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
  interleaving = await stoppedWhile(app);
  outdated = await hash(password, { algorithm: 2 as Algorithm, memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  admin = await app.person({ role: 'admin' });
});
afterAll(async () => {
  await interleaving.stop();
  await app.stop();
});
beforeEach(() => app.clock.set(wednesday));

type Someone = { readonly id: string; readonly email: string };
async function someone(): Promise<Someone> {
  count += 1;
  const email = `racer${count}@example.test`;
  return { email, id: await app.person({ email, passwordHash: outdated }) };
}

const opens = async (token: string): Promise<boolean> => (await app.gql(token, '{ __typename }')).status === 200;
const changePassword = async ({ id }: Someone) => {
  const change = async () => post(app, 'change-password', await app.signIn(id), { password: next, current: password });
  const reply = await change();
  // A sign-in that renewed the hash on the way refuses the current password that time.
  return reply.status === 403 ? change() : reply;
};
const setDisabled = async ({ id }: Someone, disabled: boolean) =>
  app.gql(await app.signIn(admin), `mutation { setUserDisabled(userId: "${id}", disabled: ${disabled}) { id } }`);

type Prepared = { readonly person: Someone; readonly signIn: () => Promise<Reply> };
const ways: Readonly<Record<string, () => Promise<Prepared>>> = {
  'a password': async () => {
    const person = await someone();
    return { person, signIn: () => signInWithPassword(interleaving.stopped, person.email) };
  },
  'the code after a password': async () => {
    const person = await someone();
    const { key } = await addAuthenticator(app, await app.signIn(person.id));
    nextCode(app, 2);
    const { stepToken } = (await signInWithPassword(app, person.email)).body;
    const code = codeOf(app, key);
    return { person, signIn: () => post(interleaving.stopped, 'second-step', stepToken, { code }) };
  },
  'a passkey': async () => {
    const person = await someone();
    const device = await addPasskey(app, await app.signIn(person.id));
    const options = (await post(app, 'passkey-sign-in/options', null)).body;
    const passkey = device.assert(options);
    return { person, signIn: () => post(interleaving.stopped, 'passkey-sign-in', null, { passkey }) };
  },
};
const changes: Readonly<Record<string, (person: Someone) => Promise<unknown>>> = {
  'the password is changed': changePassword,
  'the account is disabled': (person) => setDisabled(person, true),
};

test.each([
  ['a password', 'the password is changed'],
  ['a password', 'the account is disabled'],
  ['the code after a password', 'the password is changed'],
  ['the code after a password', 'the account is disabled'],
  ['a passkey', 'the account is disabled'],
])('%s opens nothing that lasts when %s meanwhile', async (way, change) => {
  const faults: string[] = [];
  let n = 0;
  while (true) {
    n += 1;
    await app.database.pool.query('truncate sign_in_failures');
    const { person, signIn } = await ways[way]!();
    let reply: Reply | undefined;
    const { before } = await interleaving.run(
      n,
      async () => {
        reply = await signIn();
      },
      () => changes[change]!(person),
    );
    // Enabling the account doesn't reopen an earlier session.
    if (change === 'the account is disabled') await setDisabled(person, false);
    if (before === null) break;
    const token = reply?.body.token ?? reply?.body.stepToken;
    if (token && (await opens(token))) faults.push(before);
    if (change === 'the account is disabled') continue;
    await app.database.pool.query('truncate sign_in_failures');
    const again = await signInWithPassword(app, person.email);
    if (again.status !== 401) faults.push(`the old password is back (${again.status}), before ${before}`);
  }
  expect(faults).toEqual([]);
  expect(n).toBeGreaterThan(8);
});

const proofs: Readonly<Record<string, (token: string) => Promise<object>>> = {
  'the password': async () => ({ password }),
  'a code': async (token) => {
    const { key } = await addAuthenticator(app, token);
    nextCode(app, 2);
    return { code: codeOf(app, key) };
  },
  'a passkey': async (token) => {
    const device = await addPasskey(app, token);
    return { passkey: device.assert((await post(app, 'second-step/options', token)).body) };
  },
};

test.each(Object.keys(proofs))(
  'a session that ends while it confirms with %s confirms nothing and spends nothing',
  async (way) => {
    const faults: string[] = [];
    let n = 0;
    while (true) {
      n += 1;
      app.clock.set(wednesday);
      await app.database.pool.query('truncate sign_in_failures');
      const person = await someone();
      const token = await app.signIn(person.id);
      const proof = await proofs[way]!(token);
      const other = await app.signIn(person.id);
      let reply: Reply | undefined;
      const { before } = await interleaving.run(
        n,
        async () => {
          reply = await post(interleaving.stopped, 'confirm', token, proof);
        },
        () => app.gql(other, 'mutation { signOutEverywhere(also: []) { token } }'),
      );
      if (before === null) break;
      const { rows } = await app.database.pool.query(
        "select kind from account_events where person_id = $1 and kind in ('confirmed', 'signedOutEverywhere') order by id",
        [person.id],
      );
      const order = rows.map(({ kind }) => kind).join();
      const isConfirmed = reply?.status === 200;
      if (order !== (isConfirmed ? 'confirmed,signedOutEverywhere' : 'signedOutEverywhere'))
        faults.push(`${reply?.status} after ${order}, before ${before}`);
      if (isConfirmed || way !== 'a code') continue;
      const { stepToken } = (await signInWithPassword(app, person.email)).body;
      const step = await post(app, 'second-step', stepToken, proof);
      if (step.status !== 200) faults.push(`the code is spent (${step.code}), before ${before}`);
    }
    expect(faults).toEqual([]);
    expect(n).toBeGreaterThan(6);
  },
);

test('a change with a passkey and proofs with the password of one person never wait for each other in a circle', async () => {
  const person = await someone();
  const token = await app.signIn(person.id);
  const device = await addPasskey(app, token);
  await app.database.pool.query("update passkeys set created_at = created_at - interval '1 day' where person_id = $1", [
    person.id,
  ]);
  const others = [await app.signIn(person.id), await app.signIn(person.id)];
  const passkey = device.assert((await post(app, 'second-step/options', token)).body);
  const replies = await Promise.all([
    ...others.map((other) => post(app, 'confirm', other, { password })),
    post(app, 'change-password', token, { password: next, passkey }),
  ]);
  expect(replies.map(({ status }) => status)).not.toContain(429);
  expect(replies.at(-1)?.status).toBe(200);
});

test('a download that is asked for during “Sign out everywhere” opens nothing', async () => {
  const faults: string[] = [];
  let n = 0;
  while (true) {
    n += 1;
    const boss = await app.person({ role: 'admin', passwordHash: outdated });
    const [token, other] = [await app.signIn(boss), await app.signIn(boss)];
    let url: string | undefined;
    const { before } = await interleaving.run(
      n,
      async () => {
        url = (await interleaving.stopped.gql(token, 'mutation { createAuditTicket }')).data?.createAuditTicket;
      },
      async () => expect((await app.gql(other, 'mutation { signOutEverywhere(also: []) { token } }')).code).toBeNull(),
    );
    if (before === null) break;
    if (url && (await app.call({ url })).statusCode !== 403) faults.push(before);
  }
  expect(faults).toEqual([]);
  expect(n).toBeGreaterThan(3);
});

test('a link that its maker saw sets no password once the account has more permissions than they do', async () => {
  const maker = await app.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const faults: string[] = [];
  let n = 0;
  while (true) {
    n += 1;
    const id = await app.person();
    const { token } = await makeLink(app.database.drizzle, app.clock, id, 'invite', { shownTo: maker });
    let reply: Reply | undefined;
    const { before, waited } = await interleaving.run(
      n,
      async () => {
        reply = await post(interleaving.stopped, 'password', null, { token, password: next });
      },
      () => app.database.pool.query(`update people set grants = '{VIEW_SALES}' where id = $1`, [id]),
    );
    if (before === null) break;
    if (!waited && reply?.status !== 403) faults.push(`${reply?.status}, before ${before}`);
  }
  expect(faults).toEqual([]);
  expect(n).toBeGreaterThan(6);
});
