// A stolen secret gives access only to its own purpose, and only while it is valid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { someone } from '../../../../test/task-fixtures.ts';

let server: TestApp;
/** Another server of the same database. */
let other: TestApp;
let admin: string;

beforeAll(async () => {
  server = await startTestApp();
  other = await startTestApp({ beside: server });
  await server.sprint();
  admin = (await someone(server, { role: 'admin' })).token;
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

type Holder = { readonly id: string; readonly token: string; readonly taskId: string; readonly link: string };

/** A person with a task, a file in it and a link to the file. */
async function holder(): Promise<Holder> {
  const approver = await server.person();
  const { id, token } = await someone(server, {
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_MEETING_SCHEDULE'],
    approvers: [approver],
  });
  const make = 'mutation ($userId: ID!) { createTask(title: "Mine", userId: $userId) { id } }';
  const { data } = await server.gql(token, make, { userId: id });
  const taskId: string = data.createTask.id;
  const { attachment } = (await upload(server, token, taskId)).json();
  return { id, token, taskId, link: attachment.url };
}

const field = (name: string, value: string, more = '') =>
  `--mark\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

const upload = ({ call }: TestApp, token: string, taskId: string) =>
  call({
    method: 'POST',
    url: '/attachment',
    headers: { 'content-type': 'multipart/form-data; boundary=mark' },
    payload: `${field('taskId', taskId)}${field('authorization', token)}${field('attachment', 'text', '; filename="a.txt"')}--mark--\r\n`,
  });

/** Every way in that a session's token could create, with the resulting status. */
async function waysIn(app: TestApp, token: string, taskId: string): Promise<Record<string, number>> {
  const addNote = 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Here I am") { id } }';
  const user = await app.call({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } });
  const query = await app.gql(token, '{ getTasks { id } }');
  const mutation = await app.gql(token, addNote, { id: taskId });
  const file = await upload(app, token, taskId);
  return { user: user.statusCode, query: query.status, mutation: mutation.status, file: file.statusCode };
}

const open = { user: 200, query: 200, mutation: 200, file: 201 };
const closed = { user: 401, query: 401, mutation: 401, file: 401 };

const linkTo = async (id: string): Promise<string> => {
  const make = 'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }';
  return (await server.gql(admin, make, { id })).data.makeSignInLink.token;
};

describe('a stolen token is no way in any more, on any server, from the moment that', () => {
  const setPassword = async (id: string) =>
    server.call({
      method: 'POST',
      url: '/api/auth/password',
      payload: { token: await linkTo(id), password: 'kettle rover eleven' },
    });
  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'the account is disabled',
      (id) => server.gql(admin, 'mutation ($id: ID!) { setUserDisabled(userId: $id, disabled: true) { id } }', { id }),
    ],
    [
      'the sessions are ended',
      (id) => server.gql(admin, 'mutation ($id: ID!) { endUserSessions(userId: $id) }', { id }),
    ],
    ['a new password is set', setPassword],
  ])('%s', async (_what, revoke) => {
    const { id, token, taskId, link } = await holder();
    // The person has a password already, so a new link is a reset.
    await setPassword(id);
    const stolen = await server.signIn(id);
    expect(await waysIn(other, stolen, taskId)).toEqual(open);
    await revoke(id);
    for (const app of [server, other]) {
      expect(await waysIn(app, stolen, taskId)).toEqual(closed);
      expect(await waysIn(app, token, taskId)).toEqual(closed);
    }
    expect((await server.call({ url: link })).json().error.code).toBe('LINK_EXPIRED');
  });
});

test('a secret of one purpose opens nothing of another', async () => {
  const { id, token, taskId, link } = await holder();
  const serviceToken = await server.gql(
    admin,
    'mutation { createServiceToken(name: "The shop", datasets: ["orders"]) { token } }',
  );
  const feed = await server.gql(token, 'mutation { createCalendarFeed { path } }');
  const ticket = await server.gql(admin, 'mutation { createAuditTicket }');
  const secretOf = (text: string): string => /[\w-]{43}/.exec(text)?.[0] as string;
  const secrets: Record<string, string> = {
    session: token,
    invitation: await linkTo(id),
    'service token': serviceToken.data.createServiceToken.token,
    calendar: secretOf(feed.data.createCalendarFeed.path),
    ticket: secretOf(ticket.data.createAuditTicket),
    'link to a file': new URL(link, 'http://here.test').searchParams.get('signature') as string,
  };
  const opened: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThanOrEqual(43);
    const authorization = `Bearer ${secret}`;
    const json = (url: string, payload: object) => server.call({ method: 'POST', url, payload });
    const doors: Record<string, () => Promise<number>> = {
      session: async () => (await waysIn(server, secret, taskId)).user ?? 0,
      'session to query': async () => (await waysIn(server, secret, taskId)).query ?? 0,
      'session to upload': async () => (await waysIn(server, secret, taskId)).file ?? 0,
      invitation: async () => (await json('/api/auth/link', { token: secret })).statusCode,
      'service token': async () =>
        (
          await server.call({
            method: 'POST',
            url: '/api/import/orders?mapping=none',
            headers: { authorization, 'content-type': 'text/csv' },
            payload: 'a,b\n',
          })
        ).statusCode,
      calendar: async () => (await server.call({ url: `/api/calendar/${secret}.ics` })).statusCode,
      ticket: async () => (await server.call({ url: `/api/audit/export?ticket=${secret}` })).statusCode,
      'another ticket': async () => (await server.call({ url: `/api/export?ticket=${secret}` })).statusCode,
      'link to a file': async () =>
        (await server.call({ url: link.replace(/signature=[\w-]+/, `signature=${secret}`) })).statusCode,
    };
    for (const [door, enter] of Object.entries(doors)) {
      const status = await enter();
      // A valid service token gets as far as the missing mapping.
      const isIn = door === 'service token' ? ![401, 403].includes(status) : status < 400;
      if (isIn) opened.push(`${name} opens ${door}`);
      expect(status, `${name} at ${door}`).toBeLessThan(500);
    }
  }
  expect(opened.sort()).toEqual([
    'calendar opens calendar',
    'invitation opens invitation',
    'link to a file opens link to a file',
    'service token opens service token',
    'session opens session',
    'session opens session to query',
    'session opens session to upload',
    'ticket opens ticket',
  ]);
});

test('no call that wants somebody signed in is answered to cookies', async () => {
  const { token } = await holder();
  const cookie = `internal-dash-token=${token}; internal-dash-auth=${token}; token=${token}; authorization=Bearer ${token}`;
  const calls = [...server.app.routeAccess]
    .filter(([, access]) => access !== 'public')
    .map(([call]) => call.split(' '));
  expect(calls.length).toBeGreaterThan(10);
  for (const [method = '', path = ''] of calls) {
    const response = await server.call({
      method: method as 'GET',
      url: path.replace(/:\w+/g, 'x'),
      headers: { cookie, ...(method === 'GET' || method === 'HEAD' ? {} : { 'content-type': 'application/json' }) },
      ...(method === 'POST' ? { payload: '{}' } : {}),
    });
    expect(response.statusCode, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    expect(response.statusCode, `${method} ${path}`).toBeLessThan(500);
  }
});
