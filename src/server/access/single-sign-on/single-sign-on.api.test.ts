import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invitationEndings } from '#core/access/sign-in-endings.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import {
  client,
  type Lie,
  type LyingProvider,
  startIdentityProvider,
  startLyingProvider,
  type TestProvider,
} from '../../../../test/identity-provider.ts';
import { makeLink } from '../auth/account-links.service.ts';
import { resetPassword } from '../auth/recovery.service.ts';
import { unlinkIdentitiesOf } from './identities.service.ts';

const publicUrl = 'http://127.0.0.1:9';
const callback = `${publicUrl}/api/auth/sso/callback`;
const settingsOf = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_GROUP_ROLES: 'it-admins=admin,staff=Staff',
  PUBLIC_URL: publicUrl,
});

let provider: TestProvider;
let server: TestApp;
let cat: string;

beforeAll(async () => {
  provider = await startIdentityProvider(callback);
  server = await startTestApp({ env: settingsOf(provider.issuer) });
  await server.person({ role: 'Staff', permissions: ['VIEW_DASHBOARD'] });
  await server.person({ role: 'admin', passwordHash: 'x' });
  cat = await server.person({ email: 'cat@example.test', role: null });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
beforeEach(async () => {
  provider.account = { subject: 'cat-at-provider', groups: [] };
  await server.database.pool.query('delete from identities');
  await server.database.pool.query('delete from sign_in_flows');
  await server.database.pool.query('update people set disabled_at = null, role = null where id = $1', [cat]);
});

/** A browser: it keeps our cookie and the provider's. */
function browser(app: TestApp = server) {
  let cookie = '';
  const keep = (header: string | string[] | undefined) => {
    for (const one of [header ?? []].flat()) cookie = one.split(';')[0] ?? '';
  };
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, token?: string, payload?: object) => {
    const response = await app.call({
      method,
      url,
      headers: { cookie, ...(token && { authorization: `Bearer ${token}` }) },
      ...(payload && { payload }),
    });
    keep(response.headers['set-cookie']);
    return response;
  };
  return {
    get cookie() {
      return cookie;
    },
    send,
    start: async (goto?: string) =>
      (await send('POST', '/api/auth/sso/start', undefined, { goto })).json().url as string,
    accept: (invitation: string) => send('POST', '/api/auth/sso/start', undefined, { invitation }),
    connect: async (token: string) => (await send('POST', '/api/auth/sso/connect', token)).json().url as string,
    /** Where our callback redirects, after the path. */
    back: async (address: string) => (await send('GET', address.slice(publicUrl.length))).headers.location as string,
    token: async () => (await send('POST', '/api/auth/sso/session')).json().token as string | undefined,
  };
}

/** Goes through the real provider and returns the address it redirects to. */
async function throughProvider(url: string): Promise<string> {
  const jar = new Map<string, string>();
  for (let next = url, steps = 0; steps < 10; steps += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const one of response.headers.getSetCookie()) {
      const [pair = ''] = one.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    next = new URL(response.headers.get('location') ?? '', next).href;
    if (next.startsWith(publicUrl)) return next;
  }
  throw new Error('The provider never sends the browser back');
}

const connected = (subject = 'cat-at-provider') =>
  server.database.pool.query(
    'insert into identities (issuer, subject, person_id, connected_at) values ($1, $2, $3, now())',
    [new URL(provider.issuer).href, subject, cat],
  );
const sessions = async () => (await server.database.pool.query('select count(*)::int as n from sessions')).rows[0].n;
const roleOf = async (id: string) =>
  (await server.database.pool.query('select role from people where id = $1', [id])).rows[0].role;

describe('is refused, and no session begins', () => {
  test('an identity that nobody here is connected to, whatever email it has', async () => {
    provider.account = { subject: 'cat@example.test', groups: ['it-admins'] };
    const one = browser();
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=unknown');
    expect(await one.token()).toBeUndefined();
    expect(await roleOf(cat)).toBeNull();
  });
  test('an account that is disabled', async () => {
    await connected();
    await server.database.pool.query('update people set disabled_at = now() where id = $1', [cat]);
    const one = browser();
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=disabled');
    expect(await one.token()).toBeUndefined();
  });
  test('whoever cancels at the provider', async () => {
    await connected();
    provider.account = null;
    const one = browser();
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=cancelled');
  });
  test('the answer of one browser in another, a second time, and with no cookie', async () => {
    await connected();
    const before = await sessions();
    const [one, other, none] = [browser(), browser(), browser()];
    const [own, strange] = [await throughProvider(await one.start()), await throughProvider(await other.start())];
    expect(await none.back(own)).toBe('/#sign-in=expired');
    expect(await one.back(strange)).toBe('/#sign-in=failed');
    // The wrong answer used up the flow: the right one comes too late.
    expect(await one.back(own)).toBe('/#sign-in=expired');
    expect(await other.back(strange)).toBe('/#sign-in=done');
    const key = other.cookie;
    expect(await other.back(strange)).toBe('/#sign-in=expired');
    expect(key).not.toBe(other.cookie);
    expect(await sessions()).toBe(before);
  });
  test.each(['state', 'code', 'iss'])('an answer with another %s, without one, or with two', async (name) => {
    await connected();
    const wrongs = [
      (url: URL) => url.searchParams.set(name, 'https://elsewhere.test'),
      (url: URL) => url.searchParams.delete(name),
      (url: URL) => url.searchParams.append(name, url.searchParams.get(name) ?? ''),
    ];
    for (const wrong of wrongs) {
      const one = browser();
      const url = new URL(await throughProvider(await one.start()));
      wrong(url);
      expect([name, await one.back(url.href)]).toEqual([name, '/#sign-in=failed']);
      expect(await one.token()).toBeUndefined();
    }
  });
  test('a code that was used', async () => {
    await connected();
    const [one, other] = [browser(), browser()];
    const first = new URL(await throughProvider(await one.start()));
    expect(await one.back(first.href)).toBe('/#sign-in=done');
    const second = new URL(await throughProvider(await other.start()));
    second.searchParams.set('code', first.searchParams.get('code') as string);
    expect(await other.back(second.href)).toBe('/#sign-in=failed');
  });
  test('somebody who takes more than ten minutes, and a token that is fetched after a minute', async () => {
    await connected();
    const one = browser();
    const late = await throughProvider(await one.start());
    const was = server.clock.now();
    server.clock.set(was.add({ seconds: 601 }));
    expect(await one.back(late)).toBe('/#sign-in=expired');
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
    server.clock.set(server.clock.now().add({ seconds: 61 }));
    expect(await one.token()).toBeUndefined();
    server.clock.set(was);
  });
});

describe('a provider that lies', () => {
  let liar: LyingProvider;
  let misled: TestApp;
  beforeAll(async () => {
    liar = await startLyingProvider();
    misled = await startTestApp({ beside: server, env: settingsOf(liar.issuer) });
  });
  afterAll(async () => {
    await misled.stop();
    await liar.stop();
  });
  const lies: readonly [string, Lie, string][] = [
    ['in another name', { issuer: 'https://elsewhere.test' }, 'failed'],
    ['to another client', { audience: 'another client' }, 'failed'],
    ['with another nonce', { nonce: 'of another sign-in' }, 'failed'],
    ['with a token that has run out', { expired: true }, 'failed'],
    ['with a signature of another key', { badSignature: true }, 'failed'],
    ['with no signature', { unsigned: true }, 'failed'],
    ['with no token', { noToken: true }, 'failed'],
    ['with ten megabytes', { large: true }, 'failed'],
    ['by being broken', { status: 503 }, 'unreachable'],
  ];
  test.each(lies)('%s is not believed', async (_how, lie, ending) => {
    await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [
      new URL(liar.issuer).href,
      'liar',
      cat,
    ]);
    const one = browser(misled);
    const asked = new URL(await one.start());
    Object.assign(liar, { lie, nonce: asked.searchParams.get('nonce') });
    const answer = `${callback}?code=any&state=${asked.searchParams.get('state')}`;
    expect(await one.back(answer)).toBe(`/#sign-in=${ending}`);
    expect(await one.token()).toBeUndefined();
  });
  test('confirms nobody who signed in there before, or without saying when', async () => {
    await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [
      new URL(liar.issuer).href,
      'liar',
      cat,
    ]);
    const token = await server.signIn(cat);
    const now = Math.floor(server.clock.now().epochMilliseconds / 1_000);
    const endings = [];
    for (const lie of [{}, { signedInAt: now - 600 }, { signedInAt: now }]) {
      const one = browser(misled);
      const { url } = (await one.send('POST', '/api/auth/sso/confirm', token, { goto: '/account' })).json();
      const asked = new URL(url).searchParams;
      Object.assign(liar, { lie, nonce: asked.get('nonce') });
      endings.push(await one.back(`${callback}?code=any&state=${asked.get('state')}`));
    }
    expect(endings.map((ending) => ending.split('=')[1])).toEqual(['failed', 'failed', 'confirmed']);
  });
  test('is believed when it tells the truth, so that the lies above are what was refused', async () => {
    await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [
      new URL(liar.issuer).href,
      'liar',
      cat,
    ]);
    const one = browser(misled);
    const asked = new URL(await one.start());
    Object.assign(liar, { lie: {}, nonce: asked.searchParams.get('nonce') });
    expect(await one.back(`${callback}?code=any&state=${asked.searchParams.get('state')}`)).toBe('/#sign-in=done');
  });
});

test('a provider that cannot be reached is said so at once, and the next try asks again', async () => {
  const gone = await startTestApp({ beside: server, env: settingsOf('http://127.0.0.1:1') });
  for (const _time of [1, 2]) {
    const response = await gone.call({ method: 'POST', url: '/api/auth/sso/start', payload: {} });
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'SIGN_IN_UNREACHABLE']);
  }
  const { token: invitation } = await makeLink(server.database.drizzle, server.clock, cat, 'invite');
  const { message } = (await browser(gone).accept(invitation)).json().error;
  expect(message).toBe(invitationEndings.unreachable);
  await gone.stop();
});

test('where no provider is configured there is no such address', async () => {
  const plain = await startTestApp({ beside: server });
  expect((await plain.call({ method: 'POST', url: '/api/auth/sso/start', payload: {} })).statusCode).toBe(404);
  await plain.stop();
});

test('who is connected signs in: the token comes once, by POST, and works', async () => {
  await connected();
  const one = browser();
  const url = new URL(await one.start('/top-5/tasks?view=list'));
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  expect(url.searchParams.get('redirect_uri')).toBe(callback);
  const begun = one.cookie;
  const location = await one.back(await throughProvider(url.href));
  expect(location).toBe('/?goto=%2Ftop-5%2Ftasks%3Fview%3Dlist#sign-in=done');
  expect(one.cookie).not.toBe(begun);
  const key = one.cookie;
  const token = (await one.token()) as string;
  expect(JSON.stringify([location, url.href])).not.toContain(token);
  const user = await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });
  expect(user.json().user.id).toBe(cat);
  const again = await server.call({ method: 'POST', url: '/api/auth/sso/session', headers: { cookie: key } });
  expect(again.statusCode).toBe(401);
  expect(one.cookie).toBe('sign-in=');
});

test('the cookie is for this host alone, closed to scripts, and Secure behind https', async () => {
  const response = await server.call({ method: 'POST', url: '/api/auth/sso/start', payload: {} });
  expect(response.headers['set-cookie']).toMatch(/^sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const https = await startTestApp({
    beside: server,
    env: { ...settingsOf(provider.issuer), PUBLIC_URL: 'https://dashboard.example.test' },
  });
  const secure = await https.call({
    method: 'POST',
    url: '/api/auth/sso/start',
    payload: { goto: 'https://elsewhere.test' },
  });
  expect(secure.headers['set-cookie']).toMatch(
    /^__Host-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  await https.stop();
});

const linked = async (token: string): Promise<{ id: string; name: string }[]> =>
  (await server.gql(token, '{ myAccount { identities { id name } } }')).data.myAccount.identities;
const unlink = async (token: string, id: string | undefined): Promise<string | null> =>
  (await server.gql(token, 'mutation ($id: ID!) { disconnectIdentity(id: $id) { openLink { kind } } }', { id })).code;
const endSessions = () =>
  server.database.pool.query('update sessions set expires_at = created_at where person_id = $1', [cat]);

test('an identity that is unlinked while somebody signs in with it lets nobody in', async () => {
  await connected();
  const [one, other] = [browser(), browser()];
  expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
  await server.database.transaction((queries) =>
    unlinkIdentitiesOf(queries, { ...server.parts, requestId: 'test', address: '', viewer: null }, cat),
  );
  expect(await one.token()).toBeUndefined();
  await connected();
  const answer = await throughProvider(await other.start());
  const unlinking = new pg.Client(server.databaseUrl);
  await unlinking.connect();
  await unlinking.query('begin');
  await unlinking.query('select from people where id = $1 for no key update', [cat]);
  const back = other.back(answer);
  const waits = async () =>
    (await server.asOwner<{ waits: boolean }>(`select exists (select from pg_locks where not granted) as waits`))[0]
      ?.waits;
  while (!(await waits()));
  await unlinking.query('delete from identities where person_id = $1', [cat]);
  await unlinking.query('commit');
  await unlinking.end();
  expect(await back).toBe('/#sign-in=unknown');
});

test('a sign-in that waits for its token is over when the account is disabled', async () => {
  await connected();
  const one = browser();
  expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [cat]);
  expect(await one.token()).toBeUndefined();
});

test('a stolen token links no identity: it is asked for a proof, and what it began ends with it', async () => {
  const one = browser();
  const token = await server.signIn(cat);
  const begun = await throughProvider(await one.connect(token));
  await endSessions();
  expect(await one.back(begun)).toBe('/account#sign-in=sessionOver');
  const old = await server.signIn(cat);
  const was = server.clock.now();
  server.clock.set(was.add({ minutes: 11 }));
  const refused = await one.send('POST', '/api/auth/sso/connect', old);
  expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'CONFIRM_IDENTITY']);
  server.clock.set(was);
  const { rowCount } = await server.database.pool.query('select 1 from identities where person_id = $1', [cat]);
  expect(rowCount).toBe(0);
});

test('a session is confirmed by signing in at the provider again, with the linked identity only', async () => {
  await connected();
  const one = browser();
  const token = await server.signIn(cat);
  const was = server.clock.now();
  server.clock.set(was.add({ minutes: 11 }));
  const connectCode = async (bearer = token) => (await one.send('POST', '/api/auth/sso/connect', bearer)).statusCode;
  const confirm = async () => {
    const { url } = (await one.send('POST', '/api/auth/sso/confirm', token, { goto: '/account' })).json();
    expect(new URL(url).searchParams.get('prompt')).toBe('login');
    return one.back(await throughProvider(url));
  };
  expect(await connectCode()).toBe(403);
  provider.account = { subject: 'somebody-else', groups: [] };
  expect(await confirm()).toBe('/account#sign-in=anotherPerson');
  expect(await connectCode()).toBe(403);
  provider.account = { subject: 'cat-at-provider', groups: [] };
  expect(await confirm()).toBe('/account#sign-in=confirmed');
  // Nothing is confirmed until the page takes the new token.
  expect(await connectCode()).toBe(403);
  const renewed = await one.token();
  expect([await connectCode(), await connectCode(renewed)]).toEqual([401, 200]);
  expect(await one.token()).toBeUndefined();
  server.clock.set(was);
});

test('a person connects the own sign-in, and nobody else’s', async () => {
  const one = browser();
  const token = await server.signIn(cat);
  expect((await one.send('POST', '/api/auth/sso/connect')).statusCode).toBe(401);
  expect(await one.back(await throughProvider(await one.connect(token)))).toBe('/account#sign-in=connected');
  const [identity] = await linked(token);
  expect(identity?.name).toBe(new URL(provider.issuer).host);
  const stranger = await server.signIn(await server.person({ role: 'Staff' }));
  expect(await one.back(await throughProvider(await one.connect(stranger)))).toBe('/account#sign-in=taken');
  // Without a password or a passkey it is the only way in.
  expect(await unlink(token, identity?.id)).toBe('CONFLICT');
  await server.database.pool.query(
    `insert into passkeys (person_id, credential_id, public_key, counter, transports, name, device_type, backed_up, aaguid, created_at)
     values ($1, 'x', 'x', 0, '{}', 'Laptop', 'singleDevice', false, '', now())`,
    [cat],
  );
  expect(await unlink(token, identity?.id)).toBeNull();
  expect(await linked(token)).toEqual([]);
  await server.database.pool.query('delete from passkeys where person_id = $1', [cat]);
});

test('whoever signs in through the provider alone has no password path', async () => {
  await connected();
  const recovery = { ...server.parts, requestId: 'test', address: '127.0.0.1' };
  await expect(resetPassword(recovery, 'cat@example.test')).rejects.toMatchObject({ refusal: { code: 'CONFLICT' } });
  await expect(makeLink(server.database.drizzle, server.clock, cat, 'invite')).rejects.toMatchObject({
    refusal: { code: 'CONFLICT' },
  });
  const { rows } = await server.database.pool.query('select password_hash from people where id = $1', [cat]);
  expect(rows).toEqual([{ password_hash: null }]);
});

test('of two admins whose groups are gone and who come at once, one stays admin', async () => {
  const { pool } = server.database;
  const { rows: others } = await pool.query("update people set disabled_at = now() where role = 'admin' returning id");
  const pair = [await server.person({ role: null }), await server.person({ role: null })];
  const issuer = new URL(provider.issuer).href;
  const names = ['one', 'other'];
  for (const [index, id] of pair.entries())
    await pool.query('insert into identities values ($1, $2, $3, null, now())', [issuer, names[index], id]);
  const left: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await pool.query("update people set role = 'admin' where id = any($1::bigint[])", [pair]);
    await pool.query("update identities set of_groups = 'admin'");
    const returns: (() => Promise<string>)[] = [];
    for (const subject of names) {
      provider.account = { subject, groups: [] };
      const one = browser();
      const address = await throughProvider(await one.start());
      returns.push(() => one.back(address));
    }
    await Promise.all(returns.map((back) => back()));
    const roles = await Promise.all(pair.map(roleOf));
    left.push(roles.filter((role) => role === 'admin').length);
  }
  await pool.query('update people set disabled_at = null where id = any($1::bigint[])', [others.map(({ id }) => id)]);
  await pool.query('update people set role = null where id = any($1::bigint[])', [pair]);
  expect(left).toEqual(Array(10).fill(1));
});

test('groups leave the role to the only admin who can sign in, beside one who was only invited', async () => {
  const { pool } = server.database;
  const { rows: others } = await pool.query("update people set role = null where role = 'admin' returning id");
  const invited = await server.person({ role: 'admin' });
  await connected();
  await pool.query("update people set role = 'admin' where id = $1", [cat]);
  await pool.query("update identities set of_groups = 'admin' where person_id = $1", [cat]);
  const one = browser();
  expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
  expect(await roleOf(cat)).toBe('admin');
  await pool.query('update people set role = null where id = $1', [invited]);
  await pool.query("update people set role = 'admin' where id = any($1::bigint[])", [others.map(({ id }) => id)]);
});

test('groups give the roles that they are mapped to, and take them with them', async () => {
  await connected();
  const after = async (groups: string[]) => {
    provider.account = { subject: 'cat-at-provider', groups };
    const one = browser();
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
    return roleOf(cat);
  };
  expect(await after(['wheel', 'admin'])).toBeNull();
  const asker = await server.person({ role: 'admin' });
  const ask = `mutation ($id: ID!) { askForRole(userId: $id, role: "Staff") { __typename } }`;
  expect((await server.gql(await server.signIn(asker), ask, { id: cat })).code).toBeNull();
  expect(await after(['staff'])).toBe('Staff');
  const { rows: answers } = await server.database.pool.query(
    `select kind, facts ->> 'given' as given from notices where kind in ('roleAsked', 'roleAnswered')`,
  );
  expect(answers).toEqual([{ kind: 'roleAnswered', given: 'Staff' }]);
  expect(await after(['staff', 'it-admins'])).toBe('admin');
  expect(await after([])).toBeNull();
  const { rows } = await server.database.pool.query(
    `select before, after from audit_log where action = 'roleOfGroups' and subject_id = $1 order by id`,
    [cat],
  );
  expect(rows).toEqual([
    { before: { role: null }, after: { role: 'Staff' } },
    { before: { role: 'Staff' }, after: { role: 'admin' } },
    { before: { role: 'admin' }, after: { role: null } },
  ]);
  const { rows: told } = await server.database.pool.query(
    `select facts -> 'lines' ->> 0 as line from notices where kind = 'access' and person_id = $1 order by id`,
    [cat],
  );
  expect(told.map(({ line }) => line)).toEqual([
    'Your role is now Staff',
    'Your role is now admin',
    'You no longer have a role',
  ]);
});

describe('an invitation', () => {
  const invite = async (kind: 'invite' | 'reset' = 'invite') => {
    const { token } = await makeLink(server.database.drizzle, server.clock, cat, kind);
    return token;
  };
  const subjects = async () =>
    (await server.database.pool.query('select subject, person_id::text as id from identities order by subject')).rows;
  const goOn = async (one: ReturnType<typeof browser>, invitation: string) => {
    const begun = await one.accept(invitation);
    expect(begun.statusCode).toBe(200);
    return throughProvider(begun.json().url);
  };

  test('that is made up, has run out, or is a link for a new password sends nobody to the provider', async () => {
    const one = browser();
    const codeOf = async (token: string) => (await one.accept(token)).json().error.code;
    expect([await codeOf('x'), await codeOf('A'.repeat(43))]).toEqual(['BAD_INPUT', 'LINK_EXPIRED']);
    expect(await codeOf(await invite('reset'))).toBe('LINK_EXPIRED');
    const late = await invite();
    const was = server.clock.now();
    server.clock.set(was.add({ hours: 7 * 24 + 1 }));
    expect(await codeOf(late)).toBe('LINK_EXPIRED');
    server.clock.set(was);
  });

  test('is accepted with the account at the provider: connected, signed in, used up, and without a password', async () => {
    const invitation = await invite();
    const one = browser();
    expect(await one.back(await goOn(one, invitation))).toBe('/#sign-in=done');
    const token = (await one.token()) as string;
    const user = await server.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });
    expect(user.json().user.id).toBe(cat);
    expect(await subjects()).toEqual([{ subject: 'cat-at-provider', id: cat }]);
    expect((await server.gql(token, '{ myAccount { password { set } } }')).data.myAccount.password.set).toBe(false);
    expect((await browser().accept(invitation)).json().error.code).toBe('LINK_EXPIRED');
    const { rows } = await server.database.pool.query(
      `select actor_id::text as actor, after from audit_log where action = 'invitationAccepted' and subject_id = $1 order by id desc limit 1`,
      [cat],
    );
    expect(rows).toMatchObject([{ actor: cat, after: { subject: 'cat-at-provider' } }]);
    const later = browser();
    expect(await later.back(await throughProvider(await later.start()))).toBe('/#sign-in=done');
  });

  test('that is accepted with the account at the provider tells the person that it was linked', async () => {
    await server.database.pool.query('delete from notices where person_id = $1', [cat]);
    const one = browser();
    expect(await one.back(await goOn(one, await invite()))).toBe('/#sign-in=done');
    const { rows } = await server.database.pool.query(
      `select facts->>'event' as event from notices where kind = 'accountChanged' and person_id = $1`,
      [cat],
    );
    expect(rows).toEqual([{ event: 'identityConnected' }]);
  });

  test('that two browsers leave with is accepted by the first that comes back', async () => {
    const invitation = await invite();
    const [one, other] = [browser(), browser()];
    const first = await goOn(one, invitation);
    provider.account = { subject: 'somebody-with-the-link', groups: [] };
    const second = await goOn(other, invitation);
    const endings = await Promise.all([one.back(first), other.back(second)]);
    expect(endings.toSorted()).toEqual(['/#sign-in=done', '/#sign-in=invitationOver']);
    expect(await subjects()).toHaveLength(1);
  });

  test.each([
    ['has expired', 'update account_links set expires_at = $2 where person_id = $1', '2020-01-01'],
    ['was replaced by another', "update account_links set token_hash = 'x' where person_id = $1 and $2 <> ''", 'x'],
    ['is of an account that was disabled', 'update people set disabled_at = $2 where id = $1', '2020-01-01'],
  ])('that %s while somebody was at the provider connects nobody', async (_what, change, value) => {
    const one = browser();
    const back = await goOn(one, await invite());
    await server.database.pool.query(change, [cat, value]);
    expect(await one.back(back)).toBe('/#sign-in=invitationOver');
    expect([await one.token(), await subjects()]).toEqual([undefined, []]);
  });

  test('with an account there that is somebody else’s here changes nothing and stays good', async () => {
    const somebody = await server.person({ role: 'Staff' });
    await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [
      new URL(provider.issuer).href,
      'cat-at-provider',
      somebody,
    ]);
    const invitation = await invite();
    const one = browser();
    expect(await one.back(await goOn(one, invitation))).toBe('/#sign-in=taken');
    expect([await one.token(), await subjects()]).toEqual([undefined, [{ subject: 'cat-at-provider', id: somebody }]]);
    provider.account = { subject: 'cat-of-her-own', groups: [] };
    expect(await one.back(await goOn(one, invitation))).toBe('/#sign-in=done');
  });

  test('answered with another state, or cancelled there, stays good', async () => {
    const invitation = await invite();
    const one = browser();
    const url = new URL(await goOn(one, invitation));
    url.searchParams.set('state', 'of another sign-in');
    expect(await one.back(url.href)).toBe('/#sign-in=failed');
    provider.account = null;
    expect(await one.back(await goOn(one, invitation))).toBe('/#sign-in=cancelled');
    expect(await subjects()).toEqual([]);
    expect((await one.accept(invitation)).statusCode).toBe(200);
  });
});

test('a browser keeps its token through the provider: it is told as new once, and answers for others', async () => {
  await connected();
  await server.database.pool.query('delete from account_events where person_id = $1', [cat]);
  const was = server.clock.now();
  const signIn = async (device: string) => {
    server.clock.set(server.clock.now().add({ seconds: 1 }));
    const one = browser();
    expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
    return (await one.send('POST', '/api/auth/sso/session', undefined, { device })).json<{
      token: string;
      device: string;
    }>();
  };
  const own = await signIn('');
  const again = await signIn(own.device);
  expect(again.device).toBe(own.device);
  const stranger = await signIn('');
  const asked = async (token: string) =>
    (await server.gql(token, '{ newSignIns { id } }')).data.newSignIns as { id: string }[];
  const [question, ...more] = await asked(again.token);
  expect([question, more]).toEqual([{ id: expect.any(String) }, []]);
  const answer = async (token: string) =>
    (await server.gql(token, 'mutation ($id: ID!) { acknowledgeSignIn(id: $id) }', question)).code;
  expect(await answer(stranger.token)).toBe('FORBIDDEN');
  expect(await answer(again.token)).toBeNull();
  server.clock.set(was);
});

test('who tries to connect somebody else’s account keeps the own', async () => {
  await connected('cat-of-her-own');
  await server.database.pool.query('insert into identities values ($1, $2, $3, null, now())', [
    new URL(provider.issuer).href,
    'cat-at-provider',
    await server.person({ role: 'Staff' }),
  ]);
  const one = browser();
  const token = await server.signIn(cat);
  expect(await one.back(await throughProvider(await one.connect(token)))).toBe('/account#sign-in=taken');
  expect(await linked(token)).toHaveLength(1);
});

test('a stranger who starts many sign-ins keeps nobody at the address from theirs', async () => {
  await connected();
  for (let batch = 0; batch < 51; batch += 1) await Promise.all(Array.from({ length: 10 }, () => browser().start()));
  const one = browser();
  expect(await one.back(await throughProvider(await one.start()))).toBe('/#sign-in=done');
  const { rows } = await server.database.pool.query('select count(*)::int as n from sign_in_flows');
  expect(rows[0].n).toBeLessThanOrEqual(510);
});
