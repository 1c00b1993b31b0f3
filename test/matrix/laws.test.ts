// What must hold beside the cells: other spellings of a call, several calls at once, and what a change of
// permissions does.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canReadProduct, type Viewer } from '#core/access/access.ts';
import { type CallAccess, callAccess, callRefusal } from '#core/access/call-access.ts';
import { type Permission, permissionKeys } from '#core/access/permissions.ts';
import { isDecider } from '#core/tasks/task.ts';
import { askGraphql, cells, Matrix, make, wholeQueryOf } from './cells.ts';
import { heldBy, type Principal, subjectRole } from './principals.ts';
import { samples } from './samples.ts';
import { surfaces } from './spec-table.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
let header: string;
beforeAll(async () => {
  world = await makeWorld();
  header = `Bearer ${world.token}`;
});
afterAll(() => world?.stop());

const having = (...permissions: Permission[]): Principal => ({ name: 'x', role: subjectRole, permissions });
const onlyApplication = having('VIEW_DASHBOARD');
const closed = surfaces.filter(
  ({ kind, opens, of, about }) =>
    (kind === 'query' || kind === 'mutation') &&
    of.size === 0 &&
    about === null &&
    !/^(application|signed in)$/.test(opens),
);

describe('a refusal does not depend on how the call is spelt', () => {
  beforeAll(() => world.become(onlyApplication));
  it.each(closed.map((surface) => [surface.name, surface] as const))('%s', async (_name, { name, call }) => {
    const [type = '', field = ''] = call.split('.');
    const variables = (await samples.get(name)?.variables?.(world, world.things.own, async () => null)) ?? {};
    const [operation = '', inner = ''] = split(wholeQueryOf(call).text);
    const spellings = [
      `${operation}{ other: ${inner} }`,
      `${operation}{ ... on ${type} { ${inner} } }`,
      `${operation}{ ...F } fragment F on ${type} { ${inner} }`,
      `${operation}{ ...F } fragment F on ${type} { other: ${inner} }`,
      `${operation}{ __typename ${inner} }`,
      `${operation}{ ${inner} again: ${inner} }`,
    ];
    for (const text of spellings) {
      const { answer, wrote } = await world.taking.takeBack(() => askGraphql(world, header, text, variables));
      const { data, errors } = JSON.parse(answer.text);
      expect([text, wrote, told(data), errors?.[0]?.extensions.code, errors?.[0]?.path.at(-1)]).toEqual([
        ...[text, false, [], 'FORBIDDEN'],
        text.includes('other:') ? 'other' : field,
      ]);
    }
  });
});

/**
 * What an answer tells beside its errors: a field that may be null is, a required one takes everything with
 * it.
 */
const told = (data: object | null): unknown[] =>
  Object.entries(data ?? {}).filter(([name, value]) => name !== '__typename' && value !== null);

/** The operation with its variables, and what stands between its braces. */
function split(text: string): [string, string] {
  const brace = text.indexOf('{');
  return [text.slice(0, brace), text.slice(brace + 1, text.lastIndexOf('}')).trim()];
}

describe('several calls at once', () => {
  beforeAll(() => world.become(onlyApplication));
  it('of two operations in one document none is executed, whichever is named', async () => {
    const query = 'query A { sendsMails } query B { getUsers { getLoggedUsers { email } } }';
    for (const operationName of ['A', 'B', undefined]) {
      const payload = { query, operationName };
      const answer = await world.app.call({
        method: 'POST',
        url: '/graphql',
        headers: { authorization: header },
        payload,
      });
      expect([answer.statusCode, answer.json().data]).toEqual([400, null]);
    }
  });
  it('of an allowed and a refused field nothing is told but the refusal', async () => {
    for (const { call } of closed.filter(({ kind, takes }) => kind === 'query' && takes.length === 0)) {
      const [, inner] = split(wholeQueryOf(call).text);
      const { text } = await askGraphql(world, header, `{ sendsMails ${inner} }`, {});
      const { data, errors } = JSON.parse(text);
      expect(told({ ...data, sendsMails: null })).toEqual([]);
      expect(errors.map(({ path }: { path: string[] }) => path)).toEqual([[call.split('.')[1]]]);
    }
  });
  it('a mutation that is refused after an allowed one changes nothing', async () => {
    const text = `mutation { chooseNotices(kind: access, inApp: true, mail: false) { kind } createRole(name: "New", permissions: []) { id } }`;
    const roles = () =>
      world.app.database.pool.query('select count(*)::int as n from roles').then(({ rows }) => rows[0].n);
    const before = await roles();
    const { answer } = await world.taking.takeBack(
      async () => [await askGraphql(world, header, text, {}), await roles()] as const,
    );
    expect([answer[0].code, answer[1]]).toEqual(['FORBIDDEN', before]);
  });
});

describe('a permission that is given or taken decides from the next request on', () => {
  it('with the same token', async () => {
    const [roles] = surfaces.filter(({ name }) => name === 'Query.roles');
    const codes: (string | null)[] = [];
    for (const principal of [
      onlyApplication,
      having('VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'),
      onlyApplication,
      having(),
    ]) {
      await world.become(principal);
      codes.push((await make(world, roles!, world.things.own, header)).code);
    }
    expect(codes).toEqual(['FORBIDDEN', null, 'FORBIDDEN', 'NO_APPLICATION_PERMISSION']);
  });
});

const somePermissions = fc.subarray([...permissionKeys]);

describe('any set of permissions', () => {
  it('gets what the table gives it', async () => {
    const matrix = new Matrix(world);
    const sampled = cells.filter(({ surface }) => samples.has(surface.name));
    await fc.assert(
      fc.asyncProperty(
        somePermissions,
        fc.subarray(sampled, { minLength: 1, maxLength: 12 }),
        async (permissions, some) => {
          const principal = having('VIEW_DASHBOARD', ...permissions);
          await world.become(principal);
          for (const cell of some) expect((await matrix.run(cell, heldBy(principal), header)).fault).toBeNull();
        },
      ),
      { numRuns: Number(process.env.MATRIX_RUNS ?? 20) },
    );
  });

  const viewer = (permissions: readonly Permission[]): Viewer => ({
    id: '1',
    role: 'R',
    permissions,
    approverIds: ['2'],
  });
  it('never loses a call, a number or a decision by one more', () => {
    const rules: CallAccess[] = ['application', ...Object.values(callAccess)];
    fc.assert(
      fc.property(somePermissions, fc.constantFrom(...permissionKeys), (permissions, more) => {
        const [less, greater] = [viewer(permissions), viewer([...permissions, more])];
        for (const rule of rules) if (callRefusal(less, rule) === null) expect(callRefusal(greater, rule)).toBeNull();
        for (const product of ['connect', 'green', 'codex', 'bgp'])
          if (canReadProduct(less, '/sales', product)) expect(canReadProduct(greater, '/sales', product)).toBe(true);
        const approvee = { id: '9', approverIds: ['1'] };
        if (isDecider(less, approvee)) expect(isDecider(greater, approvee)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
