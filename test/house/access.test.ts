import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SchemaBuilder from '@pothos/core';
import Fastify from 'fastify';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canReadProduct, enter, landing, type Viewer } from '#core/access/access.ts';
import { type CallAccess, callRefusal } from '#core/access/call-access.ts';
import { isPermission } from '#core/access/permissions.ts';
import { productsOfRoute } from '#core/access/products.ts';
import { isPath, paths } from '#core/access/routes.ts';
import { displayName } from '#core/people/people.ts';
import { registerAccess } from '#server/access/auth/route-access.ts';
import { demoAccounts, demoRoles } from '#server/demo/demo-accounts.ts';
import { accessOf, accessPlugin } from '#server/platform/graphql/access-plugin.ts';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { leastQuery } from '../least-query.ts';
import { samplePeople, samplePersonKeys } from './sample-people.ts';
import { root } from './source.ts';

const viewers: [string, Viewer | null][] = [
  ['anonymous', null],
  ...samplePersonKeys.map((key): [string, Viewer] => [key, samplePeople[key]]),
];

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test?.stop());

describe('what says nothing of access is refused', () => {
  it('a field of GraphQL stops the building of the schema', () => {
    const builder = new SchemaBuilder<object>({ plugins: [accessPlugin] });
    builder.queryType({ fields: (t) => ({ open: t.string({ resolve: () => 'x' } as never) }) });
    expect(() => builder.toSchema()).toThrow('Query.open does not say who may call it');
  });
  it('a field that came into the schema otherwise shows as a hole', () => {
    const query = new GraphQLObjectType({ name: 'Query', fields: { open: { type: GraphQLString } } });
    expect(accessOf(new GraphQLSchema({ query }))).toEqual({ 'Query.open': undefined });
  });
  it('a route stops the start', () => {
    const app = Fastify();
    registerAccess(app, {} as never);
    expect(() => app.get('/open', () => 'x')).toThrow('GET /open does not say who may call it');
  });
});

const isAccess = (access: CallAccess | undefined): boolean =>
  typeof access === 'string'
    ? ['public', 'signingIn', 'signedIn', 'application', 'admin'].includes(access)
    : Array.isArray(access) && access.length > 0 && access.every(isPermission);

describe('every call declares its access, public included', () => {
  it('of GraphQL', () => {
    const declared = Object.entries(accessOf(schema));
    expect(declared.length).toBeGreaterThan(20);
    expect(declared.filter(([, access]) => !isAccess(access))).toEqual([]);
  });
  it('of REST', () => {
    const declared = [...test.app.routeAccess];
    expect(declared.length).toBeGreaterThan(3);
    expect(declared.filter(([, access]) => !isAccess(access))).toEqual([]);
  });
  it('and no field of GraphQL is open to who is not signed in', () => {
    expect(Object.entries(accessOf(schema)).filter(([, access]) => access === 'public')).toEqual([]);
  });
});

/** The calls that the specification and D38 name, with what they ask for; written from there. */
const wanted: Record<string, CallAccess> = {
  'Query.getSprints': 'application',
  'Query.sprints': 'application',
  'Query.getTasks': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Query.tasks': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Query.getUsers': ['USER_MANAGEMENT'],
  'Query.users': ['USER_MANAGEMENT'],
  'Query.getLoggedUsers': ['USER_MANAGEMENT'],
  'Query.getPermittedUsers': ['USER_MANAGEMENT'],
  'Query.approvers': ['USER_MANAGEMENT'],
  'Query.people': ['VIEW_TOP_5_APPROVALS'],
  'Query.getIssuesByUserBySprint': ['VIEW_TOP_5_STATS'],
  'Mutation.createTask': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Mutation.updateTask': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Mutation.addNoteToTask': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Mutation.removeNoteFromTask': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Mutation.removeAttachmentFromTask': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'Mutation.decideTasks': ['VIEW_TOP_5_APPROVALS'],
  'Mutation.undoDecision': ['VIEW_TOP_5_APPROVALS'],
  'POST /api/auth/login': 'public',
  'GET /api/auth/user': 'signedIn',
  'POST /graphql': 'signedIn',
  'POST /attachment': ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /metrics': 'public',
};

it('the calls of the specification ask for what it and the decisions say', () => {
  const declared = { ...accessOf(schema), ...Object.fromEntries(test.app.routeAccess) };
  expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, declared[name]]))).toEqual(wanted);
});

describe('what a call declares is what the server does', () => {
  const ids = new Map<string, string>();
  /** A session for one call: some calls end it. */
  const tokenOf = (key: string): Promise<string> => test.signIn(ids.get(key) as string);
  beforeAll(async () => {
    for (const key of samplePersonKeys) {
      const { role, permissions } = samplePeople[key];
      // A separate role for each: the accounts share names of roles and differ by grants.
      const id = await test.person({ role: role === null || role === 'admin' ? role : `role of ${key}`, permissions });
      ids.set(key, id);
    }
  });

  const operations = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  const fields = operations.flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      name: `${type?.name}.${field.name}`,
      query: leastQuery(operation, field),
    })),
  );

  it.each(fields)('$name', async ({ name, query }) => {
    const access = accessOf(schema)[name] as CallAccess;
    expect((await test.gql(null, query)).status).toBe(401);
    for (const key of samplePersonKeys) {
      const code = callRefusal(samplePeople[key], access);
      const answer = await test.gql(await tokenOf(key), query);
      if (code !== null)
        expect([key, answer.code, Object.values(answer.data ?? {}).filter((value) => value !== null)]).toEqual([
          key,
          code,
          [],
        ]);
      else
        expect([key, answer.code]).not.toEqual([
          key,
          expect.stringMatching(/^(NO_APPLICATION_PERMISSION|NOT_SIGNED_IN|INTERNAL)$/),
        ]);
    }
  });

  it('nothing that is not public answers who is not signed in', async () => {
    const closed = [...test.app.routeAccess]
      .filter(([, access]) => access !== 'public')
      .map(([name]) => name.split(' ') as ['GET', string]);
    expect(closed.length).toBeGreaterThan(3);
    for (const [method, url] of closed) {
      for (const headers of [
        {},
        { authorization: 'Bearer x' },
        { authorization: `Bearer ${'x'.repeat(43)}` },
        { cookie: `internal-dash-token=${await tokenOf('admin')}` },
      ]) {
        const { statusCode } = await test.call({ method, url: url.replace(':id', '1'), headers });
        expect([400, 401, 403, 415], `${method} ${url}`).toContain(statusCode);
      }
    }
  });
});

describe('the demo accounts', () => {
  it('hold what the list of accounts says', () => {
    const made = demoAccounts.map(({ email, role, grants, approver }) => {
      const ofRole = role === null || role === 'admin' ? [] : demoRoles[role];
      const permissions = role === 'admin' ? samplePeople.admin.permissions : [...ofRole, ...grants];
      return {
        id: email.split('@')[0],
        role,
        permissions: [...new Set(permissions)].sort(),
        approverIds: approver ? [approver.split('@')[0]] : [],
      };
    });
    expect(made).toEqual(
      samplePersonKeys.map((key) => ({ ...samplePeople[key], permissions: [...samplePeople[key].permissions].sort() })),
    );
  });
  it('each have a name', () => {
    expect(new Set(demoAccounts.map(displayName)).size).toBe(9);
  });
});

const short: Readonly<Record<string, string>> = {
  NO_APPLICATION_PERMISSION: 'no app',
  NO_PAGE_PERMISSION: 'no page',
  NOT_APPROVED_BY_MANAGER: 'no approver',
  NOT_SIGNED_IN: 'sign in',
  FORBIDDEN: 'no',
};
const mark = (code: string | null): string => (code === null ? 'yes' : (short[code] ?? code));

/** What happens at an address, for each person. */
function visits(path: string, product: string | null = null): string[] {
  return viewers.map(([, viewer]) => {
    const entry = enter(viewer, { path, search: '', product });
    if (entry.kind === 'refuse') return mark(entry.code);
    if (entry.kind !== 'redirect') return entry.kind === 'enter' ? 'yes' : entry.kind;
    return entry.to.startsWith('/?goto=') ? 'sign in' : `> ${entry.to.replace(`${path}?`, '')}`;
  });
}

function calls(declared: Iterable<readonly [string, CallAccess | undefined]>): string[][] {
  return [...declared]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, access]) => [
      name,
      ...viewers.map(([, viewer]) => (access === undefined ? 'HOLE' : mark(callRefusal(viewer, access)))),
      typeof access === 'string' ? access : (access?.join(' or ') ?? ''),
    ]);
}

/**
 * A page's address gives anyone the web's empty page, and HEAD is GET without its body: neither is worth a
 * line.
 */
function restCalls(): (readonly [string, CallAccess])[] {
  const { routeAccess } = test.app;
  return [...routeAccess].filter(([name, access]) => {
    const [verb = '', path = ''] = name.split(' ');
    if (verb === 'HEAD' && routeAccess.get(`GET ${path}`) === access) return false;
    return !(verb === 'GET' && isPath(path) && access === 'public');
  });
}

/** Columns as wide as their widest cell. */
function table(title: string, rows: readonly (readonly string[])[]): string[] {
  const all = [[title, ...viewers.map(([name]) => name)], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return [
    '',
    ...all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  ];
}

/** The whole of who may what, as text that a reviewer reads. */
function accessMatrix(): string {
  const products = Object.entries(productsOfRoute).flatMap(([path, ofRoute]) =>
    Object.keys(ofRoute).map((key) => [path as '/sales', key] as const),
  );
  return [
    'Who may what. Made by test/house/access.test.ts; a change here is a change of access and is reviewed as one.',
    'Renew it with UPDATE_ACCESS_MATRIX=1. A call may refuse more by the row it is about: whose task, which team.',
    'no app, no page, no approver: the refusals of the specification (6) in the order of the checks; no: FORBIDDEN.',
    ...table(
      'PAGES',
      paths.map((path) => [path, ...visits(path)]),
    ),
    ...table('LANDING', [['', ...viewers.map(([, viewer]) => (viewer ? landing(viewer) : ''))]]),
    ...table(
      'PRODUCTS',
      products.map(([path, key]) => [`${path}?product=${key}`, ...visits(path, key)]),
    ),
    ...table(
      'NUMBERS',
      products.map(([path, key]) => [
        key,
        ...viewers.map(([, viewer]) => (viewer && canReadProduct(viewer, path, key) ? 'yes' : 'no')),
      ]),
    ),
    ...table('GRAPHQL', calls(Object.entries(accessOf(schema)))),
    ...table('REST', calls(restCalls())),
    '',
  ].join('\n');
}

describe('the access matrix', () => {
  const file = join(root, 'test/house/access-matrix.txt');
  it('is the reviewed one', () => {
    const now = accessMatrix();
    if (process.env.UPDATE_ACCESS_MATRIX) writeFileSync(file, now);
    const update =
      'If this change of access is meant, run UPDATE_ACCESS_MATRIX=1 npm test -- --only house, and read what changed';
    expect(now, update).toBe(readFileSync(file, 'utf8'));
  });
});
