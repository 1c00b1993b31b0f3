// A stolen token: what it can't do, and what "Sign out everywhere", a new password and disabling the account
// revoke.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClosableWay, closableWays } from '#core/access/account-inputs.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { type Someone, someone } from '../../../../test/task-fixtures.ts';
import { makeLink } from '../auth/account-links.service.ts';
import { hashPassword } from '../auth/passwords.ts';
import { resetPassword } from '../auth/recovery.service.ts';

const password = 'correct horse battery';
let server: TestApp;
let admin: Someone;
let passwordHash: string;

beforeAll(async () => {
  server = await startTestApp();
  passwordHash = await hashPassword(password);
  admin = await someone(server, { role: 'admin', firstName: 'Ada', lastName: 'Admin', passwordHash });
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.set(wednesday);
  admin = { ...admin, token: await server.signIn(admin.id) };
});

const query = (sql: string, values: unknown[] = []) => server.database.pool.query(sql, values);
const later = (minutes: number) => server.clock.set(server.clock.now().add({ minutes }));
const statusOf = async (token: string) =>
  (await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } })).statusCode;
const feedIsThere = async (path: string) => (await server.call({ url: path })).statusCode;

type Victim = Someone & { readonly feed: string };

/** A person with every way into an account: two sessions, a feed, a link, an identity, a service token. */
async function victim(role: string | null = null): Promise<Victim> {
  const person = await someone(server, {
    ...(role === null ? { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'] } : { role }),
    passwordHash,
  });
  const feed = (await server.gql(person.token, 'mutation { createCalendarFeed { path } }')).data.createCalendarFeed
    .path;
  await makeLink(server.database.drizzle, server.clock, person.id, 'reset');
  await query(
    `insert into identities (issuer, subject, person_id, connected_at) values ('https://id.test/', $1, $2, now())`,
    [`of ${person.id}`, person.id],
  );
  await query(
    `insert into sign_in_flows (key_hash, state, nonce, verifier, person_id, address_key, created_at, expires_at)
     values (sha256($1::text::bytea), '', '', '', $2, '', now(), now() + interval '10 years')`,
    [`flow of ${person.id}`, person.id],
  );
  return { ...person, feed };
}

/** How many ways in of each kind are open. */
async function open(personId: string): Promise<Record<string, number>> {
  const { rows } = await query(
    `select (select count(*)::int from sessions where person_id = $1 and expires_at > $2) as sessions,
       (select count(*)::int from calendar_feeds where person_id = $1 and revoked_at is null) as feeds,
       (select count(*)::int from service_tokens where created_by = $1 and revoked_at is null) as tokens,
       (select count(*)::int from account_links where person_id = $1) as links,
       (select count(*)::int from identities where person_id = $1) as identities,
       (select count(*)::int from sign_in_flows where person_id = $1) as flows`,
    [personId, server.clock.now().toString()],
  );
  return rows[0];
}

const noticesOf = async (personId: string): Promise<string[]> => {
  const { rows } = await query(
    `select facts->>'event' as event from notices where person_id = $1 and kind = 'accountChanged' and in_app order by id`,
    [personId],
  );
  return rows.map(({ event }) => event);
};

const signOut = (token: string, also: readonly ClosableWay[] = []) =>
  server.gql(
    token,
    'mutation ($also: [String!]!) { signOutEverywhere(also: $also) { token waysIn { sessions { current } } } }',
    { also },
  );

describe('a token that was stolen more than ten minutes after its sign-in can’t', () => {
  const calls: readonly [string, (stolen: Someone) => Promise<string | null>][] = [
    ['create a calendar feed', ({ token }) => codeOf(token, 'mutation { createCalendarFeed { path } }')],
    [
      'create a service token',
      ({ token }) => codeOf(token, 'mutation { createServiceToken(name: "x", datasets: ["orders"]) { token } }'),
    ],
    [
      'create a link to set somebody’s password',
      ({ token }) => codeOf(token, 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }', { id: admin.id }),
    ],
    [
      'sign somebody else out',
      ({ token }) => codeOf(token, 'mutation ($id: ID!) { endUserSessions(userId: $id) }', { id: admin.id }),
    ],
    [
      'remove a way in of somebody else',
      ({ token }) =>
        codeOf(token, 'mutation ($id: ID!) { removeWayIn(userId: $id, kind: "link", id: "1") { version } }', {
          id: admin.id,
        }),
    ],
    [
      'change an email address',
      async ({ token }) => {
        const { id } = admin;
        const { data } = await server.gql(token, 'query ($id: ID!) { managedUser(userId: $id) { version } }', { id });
        return codeOf(
          token,
          'mutation ($id: ID!, $v: String!) { updateUser(userId: $id, version: $v, email: "mine@example.test") { id } }',
          { id, v: data.managedUser.version },
        );
      },
    ],
    ['sign its owner out everywhere', ({ token }) => signOut(token).then(({ code }) => code)],
    [
      'unlink the company sign-in',
      ({ token }) =>
        codeOf(token, 'mutation ($id: ID!) { disconnectIdentity(id: $id) { sessions { id } } }', {
          id: 'a'.repeat(64),
        }),
    ],
  ];
  const codeOf = async (token: string, call: string, variables = {}) => (await server.gql(token, call, variables)).code;
  test.each(calls)('%s', async (_what, call) => {
    const stolen = await someone(server, { role: 'admin', passwordHash });
    later(11);
    expect(await call(stolen)).toBe('CONFIRM_IDENTITY');
    expect(await noticesOf(stolen.id)).toEqual([]);
  });
});

test('“Sign out everywhere” ends every session but the own one, and everything that was begun with them', async () => {
  const person = await victim();
  const stolen = await server.signIn(person.id);
  const { data } = await signOut(person.token);
  expect(data.signOutEverywhere.waysIn.sessions).toEqual([{ current: true }]);
  expect(await statusOf(data.signOutEverywhere.token)).toBe(200);
  // The requesting token may be the copied one.
  expect(await statusOf(person.token)).toBe(401);
  expect(await statusOf(stolen)).toBe(401);
  // Only the selected ways close besides the sessions.
  expect(await open(person.id)).toEqual({ sessions: 1, feeds: 1, tokens: 0, links: 1, identities: 1, flows: 0 });
});

test('“Sign out everywhere” with all its offers leaves the own session and the password', async () => {
  const person = await victim('admin');
  await server.gql(person.token, 'mutation { createServiceToken(name: "x", datasets: ["orders"]) { token } }');
  expect((await open(person.id)).tokens).toBe(1);
  await signOut(person.token, closableWays);
  expect(await open(person.id)).toEqual({ sessions: 1, feeds: 0, tokens: 0, links: 0, identities: 0, flows: 0 });
  expect(await feedIsThere(person.feed)).toBe(404);
});

test('a passkey that a thief added goes with “Sign out everywhere”, and so do the recovery codes that came with it', async () => {
  const person = await victim();
  await query(
    `insert into passkeys (person_id, credential_id, public_key, counter, name, device_type, backed_up, created_at)
     values ($1, 'thief'::bytea, 'key'::bytea, 0, 'Not mine', 'singleDevice', false, now())`,
    [person.id],
  );
  await query("insert into recovery_codes (person_id, code_hash, created_at) values ($1, 'hash'::bytea, now())", [
    person.id,
  ]);
  const refused = await signOut(person.token, ['factors']);
  expect(refused.code).toBe('CONFIRM_WITH_FACTOR');
  // The person has shown their own second factor.
  await query('update sessions set factor_verified_at = $2 where person_id = $1', [
    person.id,
    server.clock.now().toString(),
  ]);
  await signOut(person.token, ['factors']);
  const { rows } = await query(
    `select (select count(*)::int from passkeys where person_id = $1) as passkeys,
       (select count(*)::int from recovery_codes where person_id = $1) as codes`,
    [person.id],
  );
  expect(rows).toEqual([{ passkeys: 0, codes: 0 }]);
  expect(await noticesOf(person.id)).toEqual(expect.arrayContaining(['passkeyRemoved', 'recoveryCodesRemoved']));
});

test('the only way in stays: who has no password can’t unlink the company sign-in', async () => {
  const person = await victim();
  await query('update people set password_hash = null where id = $1', [person.id]);
  const { code } = await signOut(person.token, ['identities']);
  expect(code).toBe('CONFLICT');
  expect(await open(person.id)).toMatchObject({ sessions: 1, identities: 1 });
});

test('a disabled account has no way in left, and enabling it brings none back', async () => {
  const person = await victim('admin');
  await server.gql(person.token, 'mutation { createServiceToken(name: "x", datasets: ["orders"]) { token } }');
  const disable = (disabled: boolean) =>
    server.gql(admin.token, 'mutation ($id: ID!, $d: Boolean!) { setUserDisabled(userId: $id, disabled: $d) { id } }', {
      id: person.id,
      d: disabled,
    });
  await disable(true);
  await disable(false);
  expect(await open(person.id)).toEqual({ sessions: 0, feeds: 0, tokens: 0, links: 0, identities: 0, flows: 0 });
  expect(await feedIsThere(person.feed)).toBe(404);
  expect(await noticesOf(person.id)).toContain('enabled');
});

test('an admin removes each way in by itself, and the person is told of each', async () => {
  const person = await victim();
  await query('delete from notices');
  const ways = async () =>
    (
      await server.gql(
        admin.token,
        `query ($id: ID!) { managedUser(userId: $id) { waysIn {
          sessions { id } identities { id } calendarFeeds { id } serviceTokens { id } openLink { kind } } } }`,
        { id: person.id },
      )
    ).data.managedUser.waysIn;
  const before = await ways();
  const remove = (kind: string, id: string) =>
    server.gql(
      admin.token,
      'mutation ($u: ID!, $k: String!, $id: ID!) { removeWayIn(userId: $u, kind: $k, id: $id) { version } }',
      { u: person.id, k: kind, id },
    );
  for (const [kind, id] of [
    ['session', before.sessions[0].id],
    ['identity', before.identities[0].id],
    ['calendarFeed', before.calendarFeeds[0].id],
    ['link', '1'],
  ]) {
    expect([kind, (await remove(kind, id)).code]).toEqual([kind, null]);
    expect([kind, (await remove(kind, id)).code]).toEqual([kind, 'NOT_FOUND']);
  }
  expect(await ways()).toEqual({ sessions: [], identities: [], calendarFeeds: [], serviceTokens: [], openLink: null });
  expect(await noticesOf(person.id)).toEqual(['sessionEnded', 'identityRemoved', 'feedRevoked', 'linkRevoked']);
  const { rows } = await query(`select facts->>'by' as by from notices where person_id = $1`, [person.id]);
  expect(new Set(rows.map(({ by }) => by))).toEqual(new Set(['Ada Admin']));
});

test('a revoked one-time link is in the audit log, whichever way it was revoked', async () => {
  const setDisabled = 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }';
  const removeLink = 'mutation ($id: ID!) { removeWayIn(userId: $id, kind: "link", id: "1") { version } }';
  const revokings: readonly ((person: Victim) => Promise<unknown>)[] = [
    ({ token }) => signOut(token, ['links']),
    ({ id }) => server.gql(admin.token, setDisabled, { id }),
    ({ id }) => server.gql(admin.token, removeLink, { id }),
  ];
  for (const revoke of revokings) {
    const person = await victim();
    await revoke(person);
    const { rowCount } = await query("select from audit_log where action = 'passwordLinkRevoked' and subject_id = $1", [
      person.id,
    ]);
    expect(rowCount).toBe(1);
  }
});

test('somebody who manages people but is no admin neither sees nor removes an admin’s ways in', async () => {
  const keeper = await someone(server, { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  const { data } = await server.gql(
    keeper.token,
    'query ($id: ID!) { managedUser(userId: $id) { waysIn { sessions { id } } } }',
    { id: admin.id },
  );
  expect(data.managedUser.waysIn).toBeNull();
  const { code } = await server.gql(
    keeper.token,
    'mutation ($id: ID!) { removeWayIn(userId: $id, kind: "link", id: "1") { version } }',
    { id: admin.id },
  );
  expect(code).toBe('FORBIDDEN');
});

test('the operator’s new password ends sessions and an open link, and the person is told', async () => {
  const person = await victim();
  const { rows } = await query('select email from people where id = $1', [person.id]);
  const { database, clock, live } = server.parts;
  await resetPassword({ database, clock, live, requestId: 'command', address: 'command' }, rows[0].email);
  expect(await open(person.id)).toMatchObject({ sessions: 0, links: 0 });
  expect(await noticesOf(person.id)).toContain('passwordReplaced');
});

test('a service token ends after its time, and while its owner is no admin', async () => {
  const owner = await someone(server, { role: 'admin', passwordHash });
  const { data } = await server.gql(
    owner.token,
    'mutation { createServiceToken(name: "x", datasets: ["orders"], days: 30) { token serviceToken { expiresAt } } }',
  );
  const { token, serviceToken } = data.createServiceToken;
  expect(serviceToken.expiresAt).toBe('2026-12-18T12:00:00.000Z');
  const use = async () =>
    (
      await server.call({
        method: 'POST',
        url: '/api/import/orders?mapping=none',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
        payload: 'a',
      })
    ).statusCode;
  expect(await use()).not.toBe(401);
  await query(`update people set role = null where id = $1`, [owner.id]);
  expect(await use()).toBe(401);
  await query(`update people set role = 'admin', disabled_at = now() where id = $1`, [owner.id]);
  expect(await use()).toBe(401);
  await query(`update people set disabled_at = null where id = $1`, [owner.id]);
  expect(await use()).not.toBe(401);
  later(30 * 24 * 60);
  expect(await use()).toBe(401);
});

test('a service token is good for a year at most', async () => {
  const make = (days: number) =>
    server.gql(
      admin.token,
      'mutation ($days: Int) { createServiceToken(name: "x", datasets: ["orders"], days: $days) { serviceToken { expiresAt } } }',
      { days },
    );
  for (const days of [0, -1, 366]) expect((await make(days)).code).toBe('BAD_INPUT');
  expect((await make(365)).data.createServiceToken.serviceToken.expiresAt).toBe('2027-11-18T12:00:00.000Z');
});

test('60 sign-ins an hour on new devices are recorded and told, as many on known ones, and all succeed', async () => {
  const person = await someone(server, { email: 'often@example.test', passwordHash });
  const login = async (device: string) => {
    const payload = { email: 'often@example.test', password, device };
    const answer = await server.call({ method: 'POST', url: '/api/auth/login', payload });
    expect(answer.statusCode).toBe(200);
    return answer.json<{ device: string }>().device;
  };
  const counts = async () => {
    const { rows } = await server.database.pool.query(
      `select (select count(*)::int from audit_log where action = 'signedIn' and actor_id = $1) as audited,
        (select count(*)::int from account_events where person_id = $1 and kind like 'signedIn%') as logged`,
      [person.id],
    );
    return [rows[0].audited, rows[0].logged, (await noticesOf(person.id)).length];
  };
  const own = await login('');
  await server.database.pool.query(
    `insert into account_events (person_id, at, kind, address)
     select $1, $2, 'signedInNewDevice', '127.0.0.1' from generate_series(1, 59)`,
    [person.id, server.clock.now().toString()],
  );
  const before = await counts();
  await login('');
  expect(await counts()).toEqual(before.map((count) => count + 1));
  const last = await counts();
  await login('');
  expect(await counts()).toEqual(last);
  await login(own);
  expect(await counts()).toEqual([last[0] + 1, last[1] + 1, last[2]]);
  later(61);
  await login('');
  expect(await counts()).toEqual(last.map((count, at) => count + (at < 2 ? 2 : 1)));
});

test('a sign-in on a device that wasn’t used before is told and asked about, once', async () => {
  const person = await someone(server, { email: 'device@example.test', passwordHash });
  const login = async (agent: string, device?: string) => {
    later(1);
    const answer = await server.call({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': agent },
      payload: { email: 'device@example.test', password, ...(device !== undefined && { device }) },
    });
    return answer.json<{ token: string }>().token;
  };
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  await login(firefox);
  const own = await login(firefox, '');
  const ask = async (token = own) =>
    (await server.gql(token, '{ newSignIns { id device address } }')).data.newSignIns as { id: string }[];
  expect(await ask()).toEqual([]);
  await login('curl/8.9.1');
  const asked = await ask();
  expect(asked).toMatchObject([{ device: 'curl', address: '127.0.0.1' }]);
  expect(await noticesOf(person.id)).toEqual(['signedInNewDevice']);
  const answer = () => server.gql(own, 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }', { id: asked[0]?.id });
  expect((await answer()).data.acknowledgeSignIn).toBe(true);
  expect(await ask()).toEqual([]);
  expect((await answer()).code).toBe('NOT_FOUND');
  await login('Wget/1.25');
  expect(await ask()).toHaveLength(1);
  const { token } = (await signOut(own)).data.signOutEverywhere;
  expect(await ask(token)).toEqual([]);
});

test.each([
  ['a sign-in', 'mutation { acknowledgeSignIn(id: "987654321") }', 0, 'NOT_FOUND'],
  ['an identity', `mutation { disconnectIdentity(id: "${'0'.repeat(64)}") { sessions { id } } }`, 0, 'NOT_FOUND'],
  ['a session', `mutation { endSession(id: "${'0'.repeat(64)}") { sessions { id } } }`, 0, 'NOT_FOUND'],
  ['a passkey', 'mutation { removePasskey(id: "987654321") { required } }', 0, 'NOT_FOUND'],
  ['new codes without a proof', 'mutation { newRecoveryCodes }', 11, 'CONFIRM_IDENTITY'],
])('%s that is refused anyway never waits for the lock of its owner', async (_what, mutation, minutes, code) => {
  const { id, token } = await someone(server, { passwordHash });
  later(minutes);
  const client = await server.database.pool.connect();
  await client.query('begin');
  await client.query('select from people where id = $1 for update', [id]);
  try {
    let isAnswered = false;
    const answering = server.gql(token, mutation).finally(() => {
      isAnswered = true;
    });
    const isWaiting = async () =>
      (
        await server.asOwner(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%people%'",
        )
      ).length > 0;
    let waited = false;
    while (!isAnswered && !waited) waited = await isWaiting();
    expect(waited).toBe(false);
    expect((await answering).code).toBe(code);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a stolen token answers for no sign-in and marks no alarm as read, until its owner confirmed', async () => {
  const email = 'silenced@example.test';
  const person = await someone(server, { email, passwordHash });
  const login = async () => {
    const payload = { email, password, device: '' };
    return (await server.call({ method: 'POST', url: '/api/auth/login', payload })).json().token as string;
  };
  const own = await login();
  later(11);
  const thief = await login();
  const [asked] = (await server.gql(own, '{ newSignIns { id } }')).data.newSignIns;
  const answer = 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }';
  expect((await server.gql(own, answer, { id: asked.id })).code).toBe('CONFIRM_IDENTITY');
  const unread = async () =>
    (await query('select from notices where person_id = $1 and read_at is null', [person.id])).rowCount;
  const mark = async (token: string) => {
    const [newest] = (await server.gql(token, '{ notices { id } }')).data.notices;
    await server.gql(token, 'mutation ($id: ID!) { markNotices(ids: [$id], read: true) }', { id: newest.id });
    await server.gql(token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: newest.id });
  };
  const admin = await someone(server, { role: 'admin' });
  await server.gql(admin.token, 'mutation ($id: ID!) { setTop5(userId: $id, on: true) { id } }', { id: person.id });
  const alarms = await unread();
  expect(alarms).toBeGreaterThan(1);
  for (const token of [own, thief]) {
    await mark(token);
    expect(await unread()).toBe(alarms);
  }
  later(1);
  const confirmed = await server.call({
    method: 'POST',
    url: '/api/auth/confirm',
    headers: { authorization: `Bearer ${own}` },
    payload: { password },
  });
  const { token } = confirmed.json();
  await mark(token);
  expect(await unread()).toBe(0);
  expect((await server.gql(token, answer, { id: asked.id })).data.acknowledgeSignIn).toBe(true);
});

test('a proof covers what it changed, so “Mark all as read” leaves only what came after it', async () => {
  const person = await someone(server, {
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'],
    passwordHash,
  });
  const markAll = async (token: string) => {
    const [newest] = (await server.gql(token, '{ notices { id } }')).data.notices;
    return (await server.gql(token, 'mutation ($id: ID!) { markAllNotices(upTo: $id) }', { id: newest.id })).data
      .markAllNotices;
  };
  later(1);
  const started = server.clock.now().epochMilliseconds;
  // Time goes on during the call.
  const ticking = vi.spyOn(server.clock, 'now').mockImplementation(() => {
    const now = Temporal.Instant.fromEpochMilliseconds(started + ticking.mock.calls.length);
    server.clock.set(now);
    return now;
  });
  const answer = await server.call({
    method: 'POST',
    url: '/api/auth/change-password',
    headers: { authorization: `Bearer ${person.token}` },
    payload: { current: password, password: 'another horse battery' },
  });
  ticking.mockRestore();
  const changed = answer.json<{ token: string }>().token;
  expect(await noticesOf(person.id)).toEqual(['passwordChanged']);
  expect(await markAll(changed)).toBe(0);
  later(1);
  await server.gql(changed, 'mutation { createCalendarFeed { path } }');
  expect(await markAll(changed)).toBe(1);
});

test('a new sign-in can’t answer for itself, and a browser without a known token is a new device', async () => {
  const email = 'own-answer@example.test';
  const person = await someone(server, { email, passwordHash });
  const login = async (device: string) => {
    later(1);
    const answer = await server.call({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
      payload: { email, password, device },
    });
    return answer.json() as { token: string; device: string };
  };
  const asked = async (token: string) =>
    (await server.gql(token, '{ newSignIns { id } }')).data.newSignIns.map(({ id }: { id: string }) => id) as string[];
  const answer = async (token: string, id: string | undefined) =>
    (await server.gql(token, 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }', { id })).code;
  const own = await login('');
  const again = await login(own.device);
  expect(await asked(again.token)).toEqual([]);
  // The same browser and system, but no remembered token.
  const thief = await login('');
  const [first] = await asked(own.token);
  expect(await asked(thief.token)).toEqual([]);
  expect(await answer(thief.token, first)).toBe('FORBIDDEN');
  const thiefAgain = await login(thief.device);
  expect(await asked(thiefAgain.token)).toEqual([]);
  expect(await answer(thiefAgain.token, first)).toBe('FORBIDDEN');
  const elsewhere = await login('');
  expect(await asked(elsewhere.token)).toEqual([first]);
  const answerable = async (token: string) =>
    (await server.gql(token, '{ newSignIns { answerable } }')).data.newSignIns as unknown[];
  expect(await answerable(elsewhere.token)).toEqual([{ answerable: false }]);
  expect(await answerable(own.token)).toEqual([{ answerable: true }, { answerable: true }]);
  expect(await answer(elsewhere.token, first)).toBe('FORBIDDEN');
  expect(await answer(again.token, first)).toBeNull();
  expect(await noticesOf(person.id)).toEqual(['signedInNewDevice', 'signedInNewDevice']);
});

test('leaving the browser’s token out makes no known device, and lets nobody answer', async () => {
  await someone(server, { email: 'bare@example.test', passwordHash });
  const login = async (device?: string) => {
    later(1);
    return (
      await server.call({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'user-agent': 'curl/8.9.1' },
        payload: { email: 'bare@example.test', password, ...(device !== undefined && { device }) },
      })
    ).json<{ token: string }>().token;
  };
  const ask = async () => (await server.gql(own, '{ newSignIns { id } }')).data.newSignIns as { id: string }[];
  const own = await login('');
  expect(await ask()).toEqual([]);
  await login();
  const [asked] = await ask();
  expect(asked).toBeDefined();
  const again = await login();
  expect(await ask()).toHaveLength(2);
  const answer = 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }';
  expect((await server.gql(again, answer, { id: asked?.id })).code).toBe('FORBIDDEN');
  expect((await server.gql(own, answer, { id: asked?.id })).data.acknowledgeSignIn).toBe(true);
});

test('a sign-in without a browser’s token is told each time, also in the words of an earlier one', async () => {
  const { id } = await someone(server, { email: 'wordless@example.test', passwordHash });
  const login = async (device?: string) => {
    later(1);
    await server.call({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': 'curl/8.9.1' },
      payload: { email: 'wordless@example.test', password, ...(device !== undefined && { device }) },
    });
  };
  await login();
  await login('');
  expect(await noticesOf(id)).toEqual([]);
  await login();
  await login();
  expect(await noticesOf(id)).toEqual(['signedInNewDevice', 'signedInNewDevice']);
});

describe('a browser that signed in before is no longer known after', () => {
  const email = 'known@example.test';
  const login = async (device = '') => {
    const answer = await server.call({ method: 'POST', url: '/api/auth/login', payload: { email, password, device } });
    return answer.json<{ token: string; device: string }>();
  };
  const call = (token: string, path: string, payload: object) =>
    server.call({ method: 'POST', url: path, payload, headers: { authorization: `Bearer ${token}` } });
  const replacePassword = (whose: string) => {
    const { database, clock, live } = server.parts;
    return resetPassword({ database, clock, live, requestId: 'command', address: 'command' }, whose);
  };
  const disable = (id: string, disabled: boolean) =>
    server.gql(admin.token, 'mutation ($id: ID!, $d: Boolean!) { setUserDisabled(userId: $id, disabled: $d) { id } }', {
      id,
      d: disabled,
    });
  let id: string;
  beforeAll(async () => {
    ({ id } = await someone(server, { email, passwordHash }));
  });

  test.each<[string, (token: string) => Promise<unknown>, number]>([
    ['“Sign out everywhere”', (token) => signOut(token), 1],
    [
      'a new password',
      (token) => call(token, '/api/auth/change-password', { current: password, password: 'another horse battery' }),
      1,
    ],
    ['an operator’s new password', () => replacePassword(email), 0],
    ['the account was disabled', async () => [await disable(id, true), await disable(id, false)], 0],
  ])('%s, but for the one that asked', async (_, act, kept) => {
    await query('delete from known_devices where person_id = $1', [id]);
    await query('update people set password_hash = $2 where id = $1', [id, passwordHash]);
    await login();
    const own = await login();
    await act(own.token);
    const { rows } = await query(
      `select token_hash = sha256(convert_to($2, 'utf8')) as own from known_devices where person_id = $1`,
      [id, own.device],
    );
    expect(rows).toEqual(kept === 0 ? [] : [{ own: true }]);
  });
});

test('a sign-out that ends nothing is recorded ten times in an hour, one that ends a session always', async () => {
  const person = await victim();
  let { token } = person;
  const again = async () => {
    token = (await signOut(token)).data.signOutEverywhere.token;
  };
  const count = async () =>
    (
      await query(
        "select count(*)::int as n from account_events where person_id = $1 and kind = 'signedOutEverywhere'",
        [person.id],
      )
    ).rows[0].n;
  for (let n = 0; n < 12; n += 1) await again();
  expect(await count()).toBe(10);
  await server.signIn(person.id);
  await again();
  expect(await count()).toBe(11);
});

test('the log of an account is its owner’s alone, newest first, a page at a time', async () => {
  const person = await victim();
  const { token } = (await signOut(person.token)).data.signOutEverywhere;
  const read = async (token: string, variables = {}) =>
    (
      await server.gql(
        token,
        'query ($before: ID, $limit: Int) { accountEvents(before: $before, limit: $limit) { id words } }',
        variables,
      )
    ).data.accountEvents as { id: string; words: string }[];
  const all = await read(token);
  expect(all.map(({ words }) => words)).toEqual(['Signed out everywhere', 'Created the calendar feed “My meetings”']);
  expect(await read(token, { limit: 1 })).toEqual(all.slice(0, 1));
  expect(await read(token, { before: all[0]?.id })).toEqual(all.slice(1));
  const other = await someone(server, { permissions: ['VIEW_DASHBOARD'] });
  expect(await read(other.token)).toEqual([]);
});
