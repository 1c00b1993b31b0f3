import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { accessOf } from './access-plugin.ts';

let server: TestApp;
let token: string;
let admin: string;

beforeAll(async () => {
  server = await startTestApp();
  token = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }));
  admin = await server.signIn(await server.person({ role: 'admin' }));
});
afterAll(() => server.stop());

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  server.call({
    method: 'POST',
    url: '/graphql',
    payload: payload as object,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });

test('nobody is known before the token is good, and nothing is parsed until then', async () => {
  for (const payload of ['{', '{"query":"{ nonsense"}', 'x'.repeat(300_000)]) {
    const response = await server.call({
      method: 'POST',
      url: '/graphql',
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([401, 'NOT_SIGNED_IN']);
  }
});

const deep = (levels: number) =>
  `${'{ getUsers'.repeat(1)} ${'{ getLoggedUsers '.repeat(levels)}${'}'.repeat(levels)} }`;
const malformed: [string, unknown, string][] = [
  ['no query', {}, 'BAD_REQUEST'],
  ['an empty query', { query: '' }, 'BAD_REQUEST'],
  ['a query that is a number', { query: 1 }, 'BAD_REQUEST'],
  ['a list of queries', [{ query: '{ people { id } }' }], 'BAD_REQUEST'],
  ['variables that are a list', { query: '{ people { id } }', variables: [] }, 'BAD_REQUEST'],
  ['a syntax error', { query: '{ people { id }' }, 'BAD_REQUEST'],
  ['a tree instead of a text', { query: JSON.stringify({ kind: 'Document', definitions: [] }) }, 'BAD_REQUEST'],
  [
    'two operations',
    { query: 'query A { people { id } } query B { people { id } }', operationName: 'A' },
    'BAD_REQUEST',
  ],
  ['an unknown field', { query: '{ peple { id } }' }, 'BAD_INPUT'],
  ['an unknown argument', { query: '{ people(all: true) { id } }' }, 'BAD_INPUT'],
  [
    'fragments in a circle',
    { query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }' },
    'BAD_REQUEST',
  ],
  ['a fragment that nobody uses', { query: '{ people { id } } fragment A on Query { people { id } }' }, 'BAD_REQUEST'],
  ['a subscription without a socket', { query: 'subscription { taskChanged { taskId } }' }, 'BAD_REQUEST'],
  ['too many tokens', { query: `{ people { id } ${'#\n'} ${'people { id } '.repeat(1100)} }` }, 'BAD_REQUEST'],
  ['more comments than anyone writes', { query: `{ people { id } } ${'#\n'.repeat(101)}` }, 'BAD_REQUEST'],
  ['a comment that is too long', { query: `{ people { id } } #${'x'.repeat(20_000)}` }, 'QUERY_TOO_LARGE'],
  ['too deep a query', { query: deep(9) }, 'QUERY_TOO_LARGE'],
  [
    'too many aliases',
    { query: `{ ${Array.from({ length: 16 }, (_, index) => `a${index}: people { id }`).join(' ')} }` },
    'QUERY_TOO_LARGE',
  ],
  ['too many directives', { query: `{ people { id ${'@include(if: true) '.repeat(51)} } }` }, 'QUERY_TOO_LARGE'],
  ['too many fields through fragments', { query: bomb() }, 'QUERY_TOO_LARGE'],
];

function bomb(): string {
  const layers = Array.from(
    { length: 12 },
    (_, index) => `fragment F${index} on Query { ...F${index + 1} people { id } ...F${index + 1} }`,
  );
  return `{ ...F0 } ${layers.join(' ')} fragment F12 on Query { people { id } }`;
}

test.each(malformed)('a request that cannot be answered is a 400: %s', async (_what, payload, code) => {
  const response = await post(payload);
  expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([400, code]);
  expect(response.body).not.toMatch(/Did you mean|stack|\/src\/|node_modules|MER_|FST_/);
});

test.each([
  ['an array for a text', { title: ['a'], userId: '1' }],
  ['a number for a text', { title: 1, userId: '1' }],
  ['an array for an id', { title: 'a', userId: ['1'] }],
  ['an object for an id', { title: 'a', userId: { $ne: '' } }],
  ['null for what is required', { title: null, userId: '1' }],
  ['nothing for what is required', { userId: '1' }],
])('variables are not coerced: %s', async (_what, variables) => {
  const query = 'mutation ($title: String!, $userId: ID!) { createTask(title: $title, userId: $userId) { id } }';
  // From the second time on, compiled code checks the query.
  for (let round = 0; round < 3; round++) {
    const response = await post({ query, variables });
    expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([400, 'BAD_INPUT']);
    expect(response.body).not.toMatch(/Did you mean/);
  }
});

/** Each is one character away from a valid type, or was once mistaken for one. */
const spellings = [
  ...[
    'application/json\t',
    'application/json \t;',
    'application/json;',
    'application/json; ',
    'application/json;;charset=utf-8',
  ],
  ...['\tapplication/json', 'application\\json', 'application /json', 'application/ json', 'application//json'],
  ...['application/json,text/plain', 'application/json, application/json', 'text/plain, application/json'],
  ...[
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/json; charset=',
    'application/json; a=b',
  ],
  ...[
    'application/json\u00a0',
    'application/json\u0085',
    'application/ld+json',
    'application/json+x',
    'x-application/json',
  ],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=x, application/json',
    'json',
    '/json',
    'application/',
    '*/*',
    '  ',
  ],
];

test('no other spelling of a content type reaches a reader of bodies', async () => {
  const taken = /^application\/json(\s*;\s*charset="?utf-8"?)?$/i;
  const characters = fc.constantFrom(...'aJ/;,= "\\\t\u00a0\u00ff+*()');
  // A valid query with one character added, removed or changed.
  const mutated = fc
    .tuple(fc.constantFrom('application/json', 'application/json; charset=utf-8'), fc.nat(40), fc.nat(1), characters)
    .map(([type, at, removed, added]) => type.slice(0, at) + added + type.slice(at + removed));
  const types = [...spellings, ...fc.sample(mutated, { numRuns: 120, seed: 25 })];
  const login = vi.spyOn(server.database, 'transaction');
  for (const type of types.filter((one) => !taken.test(one.trim()))) {
    for (const url of ['/graphql', '/api/auth/login']) {
      const response = await server.call({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload: '{"query":"{ __typename }","email":"a@example.test","password":"b"}',
      });
      expect([400, 415], `${JSON.stringify(type)} at ${url}`).toContain(response.statusCode);
    }
  }
  expect(types.filter((one) => taken.test(one.trim())).length).toBeLessThan(types.length / 10);
  expect(login).not.toHaveBeenCalled();
  login.mockRestore();
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/graphql', 415],
  ['application/json; charset=utf-8', 200],
  ['application/jsonx', 415],
])('queries come as JSON only: %s', async (type, status) => {
  expect((await post(JSON.stringify({ query: '{ __typename }' }), { 'content-type': type })).statusCode).toBe(status);
});

test('queries come by POST only, and there is no page to try them', async () => {
  const headers = { authorization: `Bearer ${token}` };
  expect((await server.call({ url: '/graphql?query={people{id}}', headers })).statusCode).toBe(400);
  expect((await server.call({ method: 'PUT', url: '/graphql', headers, payload: {} })).statusCode).toBe(404);
  // Like any unknown address, even before the web is built.
  const nowhere = await server.call({ url: '/nowhere' });
  expect(nowhere.statusCode).toBeGreaterThanOrEqual(404);
  expect((await server.call({ url: '/graphiql' })).statusCode).toBe(nowhere.statusCode);
});

test('a body above 256 KB is refused', async () => {
  const response = await post({ query: '{ __typename }', variables: { text: 'x'.repeat(262_144) } });
  expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('a refusal of a field is a 200 with errors, its code and its path', async () => {
  const { status, errors, data } = await server.gql(token, '{ getLoggedUsers { id } }');
  expect([status, data, errors]).toEqual([
    200,
    null,
    [
      {
        message: 'You don’t have permission to do this',
        path: ['getLoggedUsers'],
        extensions: { code: 'FORBIDDEN', statusCode: 403 },
      },
    ],
  ]);
});

test('of a long list with wrong items the first one is named, briefly, however often the query was asked', async () => {
  const query = 'query ($status: [TaskStatus!]) { tasks(status: $status) { id } }';
  const status = [...Array.from({ length: 9 }, () => 'x'.repeat(2_000)), ...Array.from({ length: 500 }, () => null)];
  for (let round = 0; round < 3; round++) {
    const answer = await server.gql(token, query, { status });
    expect([answer.status, answer.code]).toEqual([400, 'BAD_INPUT']);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(25_000);
    await server.gql(token, query, { status: [] });
  }
});

test('variables that nothing asks for are ignored, however deep', async () => {
  const query = JSON.stringify('query ($s: ID) { sprintStats(sprintId: $s) { scopes } }');
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
  const payload = `{"query":${query},"variables":{"s":"1","x":${deep}}}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let round = 0; round < 4; round++)
    expect((await server.call({ method: 'POST', url: '/graphql', headers, payload })).statusCode).toBe(200);
});

test('a fault nobody foresaw tells nothing but that it happened', async () => {
  const query = server.parts.database.drizzle.execute;
  server.parts.database.drizzle.execute = (() => {
    throw new Error('SELECT secret FROM people');
  }) as never;
  try {
    for (let round = 0; round < 3; round++) {
      const { status, errors } = await server.gql(admin, '{ approvers { approverId } }');
      expect([status, errors]).toEqual([
        200,
        [{ message: 'Something went wrong', path: ['approvers'], extensions: { code: 'INTERNAL', statusCode: 500 } }],
      ]);
    }
  } finally {
    server.parts.database.drizzle.execute = query;
  }
});

test('the schema can be asked for while developing and not in production', async () => {
  const production = await startTestApp({ beside: server, env: { APP_ENV: 'production' } });
  try {
    for (const query of ['{ __schema { types { name } } }', '{ __type(name: "User") { fields { name } } }']) {
      expect((await server.gql(token, query)).status).toBe(200);
      const { status, code } = await production.gql(token, query);
      expect([status, code]).toEqual([400, 'BAD_INPUT']);
    }
    expect((await production.gql(token, '{ __typename }')).data).toEqual({ __typename: 'Query' });
  } finally {
    await production.stop();
  }
});

test('the printed schema is the contract', () => {
  expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(
    readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'),
  );
});

test('every query, mutation and subscription says who may call it', () => {
  const access = accessOf(schema);
  expect(Object.keys(access).length).toBeGreaterThanOrEqual(30);
  expect(Object.entries(access).filter(([, declared]) => declared === undefined)).toEqual([]);
  expect(access['Query.getUsers']).toEqual(['USER_MANAGEMENT']);
});
