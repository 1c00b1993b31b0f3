import { randomBytes } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { leastQuery } from '../../../../test/least-query.ts';
import { uploadForm } from '../../../../test/matrix/samples.ts';
import { PasskeyDevice } from '../../../../test/passkey-device.ts';
import {
  addAuthenticator,
  addPasskey,
  codeOf,
  nextCode,
  origin,
  password,
  post,
  type Reply,
  signInWithPassword,
  withPassword,
} from '../../../../test/second-factors.ts';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await startTestApp({ env: { REQUIRE_SECOND_FACTOR: 'admins' } });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.stop());
beforeEach(() => app.clock.set(wednesday));

async function admin() {
  count += 1;
  const email = `admin${count}@example.test`;
  return { email, id: await withPassword(app, { email, role: 'admin' }) };
}

const needed = [401, 'SECOND_FACTOR_NEEDED'];

/** An admin's sessions that open nothing, each with the reason. */
async function closedSessions(): Promise<[string, string][]> {
  const enrolled = await admin();
  const strong = await app.signIn(enrolled.id);
  await app.database.pool.query("update sessions set method = 'singleSignOn' where person_id = $1", [enrolled.id]);
  await addAuthenticator(app, strong);
  const other = await admin();
  return [
    ['waits for its second step', (await signInWithPassword(app, enrolled.email)).body.stepToken],
    ['waits for the first factor', (await signInWithPassword(app, other.email)).body.stepToken],
    ['is of one factor, from before the policy asked', await app.signIn(other.id)],
  ];
}

describe('a session that needs a second factor', () => {
  it('opens no route but those of that step: tried at every route of the server', async () => {
    const routes = [...app.app.routeAccess].filter(([name, access]) => access !== 'public' && !name.startsWith('HEAD'));
    expect(routes.length).toBeGreaterThan(15);
    const steps = routes.filter(([, access]) => access === 'signingIn').map(([name]) => name);
    expect(steps.sort()).toEqual([
      'POST /api/auth/authenticator',
      'POST /api/auth/authenticator/options',
      'POST /api/auth/passkeys',
      'POST /api/auth/passkeys/options',
      'POST /api/auth/second-step',
      'POST /api/auth/second-step/options',
    ]);
    // A signed link, ticket or feed address comes from a full session's call; a token opens nothing there.
    const byLink = [
      'GET /attachment/:id',
      'GET /api/export',
      'GET /api/audit/export',
      'GET /api/people/export',
      'GET /api/bonus/export',
      'GET /api/import/report',
      'GET /api/calendar/:token.ics',
    ];
    const faults: string[] = [];
    for (const [reason, token] of await closedSessions())
      for (const [name] of routes.filter(([route]) => !steps.includes(route))) {
        const [method, path] = name.split(' ') as [InjectOptions['method'], string];
        const url = path.replace(/:\w+|\*/g, '1');
        const answer = await app.call({ method, url, headers: { authorization: `Bearer ${token}` } });
        const code = answer.json().error?.code ?? answer.json().errors?.[0]?.extensions?.code;
        const isClosed =
          byLink.includes(name) || name === 'POST /attachment' ? answer.statusCode >= 400 : code === needed[1];
        if (!isClosed) faults.push(`${name} answers ${answer.statusCode} ${code} to a session that ${reason}`);
      }
    expect(faults).toEqual([]);
  });

  it('reads and changes nothing: tried at every field of the API', async () => {
    const roots = [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const;
    const calls = roots.flatMap(([kind, root]) =>
      Object.values(root?.getFields() ?? {}).map((field) => leastQuery(kind, field)),
    );
    expect(calls.length).toBeGreaterThan(60);
    const faults: string[] = [];
    for (const [reason, token] of await closedSessions())
      for (const call of calls) {
        const { status, code, data } = await app.gql(token, call);
        if (status !== needed[0] || code !== needed[1] || data != null)
          faults.push(`${call}: ${status} ${code}, ${reason}`);
      }
    expect(faults).toEqual([]);
  });

  it('uploads no file and opens no socket', async () => {
    for (const [, token] of await closedSessions()) {
      const upload = await app.call({ method: 'POST', url: '/attachment', ...uploadForm('1', `Bearer ${token}`) });
      expect([upload.statusCode, upload.json().error.code]).toEqual(needed);
      expect(await connects(token)).toBe(false);
    }
    const staff = await app.person();
    expect(await connects(await app.signIn(staff))).toBe(true);
  });

  it('is one of an hour ago, when its person is made an admin: the next call is refused and the socket ends', async () => {
    const id = await app.person({ permissions: ['VIEW_DASHBOARD'] });
    const token = await app.signIn(id);
    expect((await app.gql(token, '{ __typename }')).status).toBe(200);
    await app.database.pool.query("update people set role = 'admin' where id = $1", [id]);
    const answer = await app.gql(token, '{ __typename }');
    expect([answer.status, answer.code]).toEqual(needed);
  });
});

/** Whether a socket with this token is accepted. */
function connects(token: string): Promise<boolean> {
  const { port } = app.app.server.address() as { port: number };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.onopen = () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
  socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)).type === 'connection_ack');
  socket.onclose = () => resolve(false);
  return promise.finally(() => socket.close());
}

const signOutWithFactors = (token: string) =>
  app.gql(token, 'mutation { signOutEverywhere(also: ["factors"]) { token next } }');

describe('an admin without a second factor', () => {
  it('sets one up while signing in, with an app or a passkey, and is signed in by that', async () => {
    const first = await admin();
    const answer = (await signInWithPassword(app, first.email)).body;
    expect(answer).toMatchObject({ next: 'setUpSecondStep', steps: [] });
    const { key } = (await post(app, 'authenticator/options', answer.stepToken)).body;
    const done = (await post(app, 'authenticator', answer.stepToken, { code: codeOf(app, key) })).body;
    expect(done.recoveryCodes).toHaveLength(10);
    expect((await app.gql(done.token, '{ __typename }')).status).toBe(200);
    expect((await post(app, 'authenticator/options', answer.stepToken)).code).toBe('NOT_SIGNED_IN');

    const second = await admin();
    const { stepToken } = (await signInWithPassword(app, second.email)).body;
    const device = new PasskeyDevice(origin);
    const passkey = device.register((await post(app, 'passkeys/options', stepToken)).body);
    const { token } = (await post(app, 'passkeys', stepToken, { name: 'Laptop', passkey })).body;
    expect((await app.gql(token, '{ __typename }')).status).toBe(200);
  });

  it('sets one up in a browser that is known, and is told of no new sign-in', async () => {
    const open = await startTestApp({ beside: app, env: { REQUIRE_SECOND_FACTOR: 'nobody' } });
    const setUps: Readonly<Record<string, (stepToken: string, device: string) => Promise<Reply>>> = {
      app: async (stepToken, device) => {
        const { key } = (await post(app, 'authenticator/options', stepToken)).body;
        return post(app, 'authenticator', stepToken, { code: codeOf(app, key), device });
      },
      passkey: async (stepToken, device) => {
        const passkey = new PasskeyDevice(origin).register((await post(app, 'passkeys/options', stepToken)).body);
        return post(app, 'passkeys', stepToken, { name: 'Laptop', passkey, device });
      },
    };
    for (const setUp of Object.values(setUps)) {
      const { email, id } = await admin();
      const { device } = (await post(open, 'login', null, { email, password, device: '' })).body;
      const { stepToken } = (await post(app, 'login', null, { email, password, device })).body;
      const done = await setUp(stepToken, device);
      expect(done.body.device).toBe(device);
      const { rows } = await app.database.pool.query(
        "select kind from account_events where person_id = $1 and kind in ('signedIn', 'signedInNewDevice')",
        [id],
      );
      expect(rows.map(({ kind }) => kind)).toEqual(['signedIn', 'signedIn']);
    }
    await open.stop();
  });

  it('can’t add or replace a factor with a session from before the first one', async () => {
    const { email } = await admin();
    const tokens = [];
    for (let count = 0; count < 2; count += 1) tokens.push((await signInWithPassword(app, email)).body.stepToken);
    const [stranger, own] = tokens;
    const begun = (await post(app, 'authenticator/options', stranger)).body;
    const { key } = await addAuthenticator(app, own);
    nextCode(app);
    // Even a session that was started in the meantime and not ended.
    const reopen =
      "update sessions set expires_at = created_at + interval '10 minutes' where level = 'needsEnrollment'";
    for (const isReopened of [false, true]) {
      if (isReopened) await app.database.pool.query(reopen);
      const [status, code] = isReopened ? needed : [401, 'NOT_SIGNED_IN'];
      // Its unfinished flows are gone with it.
      for (const [path, payload] of [
        ['authenticator/options', {}],
        ['authenticator', { code: codeOf(app, begun.key) }],
        ['passkeys/options', {}],
      ] as const)
        expect(await post(app, path, stranger, payload)).toMatchObject(
          isReopened && path === 'authenticator' ? { status: 403, code: 'WRONG_CODE' } : { status, code },
        );
    }
    const { stepToken } = (await signInWithPassword(app, email)).body;
    expect((await post(app, 'second-step', stepToken, { code: codeOf(app, key) })).status).toBe(200);
  });

  it('that two sessions set up at once has one factor', async () => {
    const { email, id } = await admin();
    const tokens = [];
    for (let count = 0; count < 2; count += 1) tokens.push((await signInWithPassword(app, email)).body.stepToken);
    const keys: string[] = [];
    for (const token of tokens) keys.push((await post(app, 'authenticator/options', token)).body.key);
    const answers = await Promise.all(
      tokens.map((token, at) => post(app, 'authenticator', token, { code: codeOf(app, keys[at] as string) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await app.database.pool.query("select from sessions where person_id = $1 and level = 'full'", [
      id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('keeps one factor while the policy asks for it, and may take the other away', async () => {
    const { email, id } = await admin();
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const { key } = (await post(app, 'authenticator/options', stepToken)).body;
    const { token } = (await post(app, 'authenticator', stepToken, { code: codeOf(app, key) })).body;
    const ofPerson =
      'mutation ($id: ID!) { removeSecondFactor(userId: $id, kind: "authenticator") { recoveryCodesLeft } }';
    expect((await app.gql(token, ofPerson, { id })).code).toBe('CONFLICT');
    const remove = 'mutation { removeAuthenticator { recoveryCodesLeft } }';
    const refused = await app.gql(token, remove);
    expect([refused.status, refused.code]).toEqual([200, 'CONFLICT']);
    expect(refused.errors?.[0]?.message).toBe(
      'Your company requires a second step. Add another one before you remove this',
    );
    await addPasskey(app, token);
    expect((await app.gql(token, remove)).data.removeAuthenticator).toEqual({ recoveryCodesLeft: 10 });
    expect((await signInWithPassword(app, email)).body.steps).toEqual(['passkey', 'recoveryCode']);
  });

  it('who signs out everywhere with the factors goes on at setting one up, and everybody else is out', async () => {
    const { email, id } = await admin();
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const { key } = (await post(app, 'authenticator/options', stepToken)).body;
    const own = (await post(app, 'authenticator', stepToken, { code: codeOf(app, key) })).body.token;
    const thief = (await signInWithPassword(app, email)).body.stepToken;
    nextCode(app, 18);
    const { data } = await signOutWithFactors(own);
    const { token, next } = data.signOutEverywhere;
    expect(next).toBe('setUpSecondStep');
    expect([(await app.gql(token, '{ __typename }')).code, (await app.gql(own, '{ __typename }')).code]).toEqual([
      'SECOND_FACTOR_NEEDED',
      'NOT_SIGNED_IN',
    ]);
    expect((await post(app, 'authenticator/options', thief)).code).toBe('NOT_SIGNED_IN');
    const rival = (await signInWithPassword(app, email)).body.stepToken;
    // The step's ten minutes start with the sign-out, however old the proof was.
    nextCode(app, 18);
    const again = (await post(app, 'authenticator/options', token)).body;
    const done = (await post(app, 'authenticator', token, { code: codeOf(app, again.key) })).body;
    expect((await app.gql(done.token, '{ __typename }')).status).toBe(200);
    expect((await post(app, 'authenticator/options', rival)).code).toBe('NOT_SIGNED_IN');
    const { rows } = await app.database.pool.query(
      'select level from sessions where person_id = $1 and expires_at > $2',
      [id, app.clock.now().toString()],
    );
    expect(rows).toEqual([{ level: 'full' }]);
  });

  it('who has no password stays signed in without factors: the provider has its own', async () => {
    const { id } = await admin();
    await app.database.pool.query('update people set password_hash = null where id = $1', [id]);
    await app.database.pool.query(
      `insert into identities (issuer, subject, person_id, connected_at) values ('https://id.test/', 'of admin', $1, now())`,
      [id],
    );
    const token = await app.signIn(id);
    await app.database.pool.query("update sessions set method = 'singleSignOn' where person_id = $1", [id]);
    await addPasskey(app, token);
    const { data } = await signOutWithFactors(token);
    expect(data.signOutEverywhere.next).toBeNull();
    expect((await app.gql(data.signOutEverywhere.token, '{ __typename }')).status).toBe(200);
  });

  it('who comes through the identity provider keeps the provider’s factors', async () => {
    const { id } = await admin();
    const token = await app.signIn(id);
    expect((await app.gql(token, '{ __typename }')).code).toBe(needed[1]);
    await app.database.pool.query("update sessions set method = 'singleSignOn' where person_id = $1", [id]);
    expect((await app.gql(token, '{ __typename }')).status).toBe(200);
  });

  it('and staff sign in with the password alone, as before', async () => {
    count += 1;
    const email = `staff${count}@example.test`;
    await withPassword(app, { email });
    expect(Object.keys((await signInWithPassword(app, email)).body)).toEqual(['token']);
  });
});

describe('LINK_SECRET', () => {
  it('is changed with LINK_SECRET_ALSO, after which the old one is not needed any more', async () => {
    const { email } = await admin();
    const { stepToken } = (await signInWithPassword(app, email)).body;
    const { key } = (await post(app, 'authenticator/options', stepToken)).body;
    await post(app, 'authenticator', stepToken, { code: codeOf(app, key) });
    nextCode(app, 3);
    const before = app.parts.config.linkSecret;
    const after = randomBytes(32).toString('hex');
    const both = await startTestApp({ beside: app, env: { LINK_SECRET: after, LINK_SECRET_ALSO: before } });
    await both.stop();
    const alone = await startTestApp({ beside: app, env: { LINK_SECRET: after } });
    const step = (await signInWithPassword(alone, email)).body.stepToken;
    expect((await post(alone, 'second-step', step, { code: codeOf(alone, key) })).status).toBe(200);
    const back = await startTestApp({ beside: app, env: { LINK_SECRET: before, LINK_SECRET_ALSO: after } });
    await back.stop();
    await alone.stop();
    // It can't be decrypted without the right secret, and the person learns what to do.
    const lost = await startTestApp({ beside: app, env: { LINK_SECRET: randomBytes(32).toString('hex') } });
    const lostStep = (await signInWithPassword(lost, email)).body.stepToken;
    const answer = await post(lost, 'second-step', lostStep, { code: codeOf(lost, key) });
    expect(answer.body.error.message).toContain('Your authenticator app stopped working here');
    await lost.stop();
  });
});
