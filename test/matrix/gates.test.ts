// What makes the matrix whole: nothing of the API and no page is missing in the table, nothing in the table
// is missing in the API, each has a sample, and no resolver of a call runs before its access was asked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLField, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPermission, permissionKeys } from '#core/access/permissions.ts';
import { paths } from '#core/access/routes.ts';
import { schema } from '#server/schema.ts';
import { cells, Matrix } from './cells.ts';
import { samples } from './samples.ts';
import { permissionsIn, relations, surfaceKinds, surfaces, typeRows } from './spec-table.ts';
import { makeWorld, type World } from './world.ts';

const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!] as const;
const rootFields = roots.flatMap((root) =>
  Object.values(root.getFields()).map((field) => [`${root.name}.${field.name}`, field] as const),
);
const callsOf = (...kinds: string[]): string[] => [
  ...new Set(surfaces.filter(({ kind }) => kinds.includes(kind)).map(({ call }) => call)),
];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

describe('the table', () => {
  it('names each surface once, with where it was read', () => {
    expect(new Set(surfaces.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(surfaces.length);
    expect(surfaces.filter(({ kind, source }) => !surfaceKinds.includes(kind) || source === '')).toEqual([]);
  });
  it('has a rule or nobody in every cell, in words that are known', () => {
    const words = new Set([
      ...permissionKeys,
      'admin',
      'anyone',
      'application',
      'approver',
      'nobody',
      'public',
      'guest',
      'signed',
      'in',
    ]);
    for (const { name, opens, of } of surfaces)
      for (const rule of [opens, ...of.values()]) {
        const parts = rule.split(';').map((part) => part.split('>')[0] ?? '');
        for (const word of parts.flatMap((part) => part.split(/[\s|+]+/)).filter(Boolean))
          expect(words.has(word), `${name}: ${word}`).toBe(true);
      }
    expect(surfaces.filter(({ of }) => of.size > 0 && of.size < 2)).toEqual([]);
    expect(relations.filter((relation) => !surfaces.some(({ of }) => of.has(relation)))).toEqual([]);
  });
});

describe('nothing is missing in the table, and nothing is left over in it', () => {
  it('of the fields of Query, Mutation and Subscription', () => {
    expect(callsOf('query', 'mutation', 'subscription').sort()).toEqual(rootFields.map(([name]) => name).sort());
  });
  it('of their arguments', () => {
    for (const [name, { args }] of rootFields)
      for (const row of surfaces.filter(({ call }) => call === name))
        expect([row.name, [...row.takes].sort()]).toEqual([row.name, args.map((arg) => arg.name).sort()]);
  });
  it('of the fields of every type and of every input', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) =>
        (isObjectType(type) || isInputObjectType(type)) &&
        !type.name.startsWith('__') &&
        !roots.some((root) => root.name === type.name),
    );
    const real = types.map((type) => [
      isInputObjectType(type) ? 'input' : 'type',
      type.name,
      Object.keys((isInputObjectType(type) || isObjectType(type) ? type : roots[0]).getFields()).sort(),
    ]);
    expect(
      typeRows
        .map(({ kind, name, fields }) => [kind, name, [...fields].sort()])
        .sort(([, a], [, b]) => (a! < b! ? -1 : 1)),
    ).toEqual(real.sort(([, a], [, b]) => (a! < b! ? -1 : 1)));
  });
  it('of the routes, HEAD with the access of its GET and no other verb', () => {
    const { routeAccess } = world.app.app;
    const tabled = [...callsOf('rest'), ...callsOf('page').map((path) => `GET ${path}`)];
    const real = [...routeAccess.keys()].filter((name) => !name.startsWith('HEAD '));
    expect(real.sort()).toEqual(tabled.sort());
    for (const [name, access] of routeAccess)
      if (name.startsWith('HEAD '))
        expect([name, access]).toEqual([name, routeAccess.get(name.replace('HEAD', 'GET'))]);
  });
  // The router is made of the record `pageOfRoute: Record<Path, …>`: what is no path of the core does not
  // compile there.
  it('of the pages', () => {
    expect([...paths].sort()).toEqual(callsOf('page').sort());
  });
  it('of the permissions: each opens something, and no code asks for one that is not listed', () => {
    const asked = new Set(surfaces.flatMap(({ opens, of }) => [opens, ...of.values()].flatMap(permissionsIn)));
    expect([...asked].sort()).toEqual([...permissionKeys].sort());
    const inCode = sourceFiles('src').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'((?:I?E?VIEW|IEW|READ|USER)_[A-Z0-9_]+)'/g)].map(([, name]) => name!),
    );
    expect(inCode.length).toBeGreaterThan(50);
    expect([...new Set(inCode)].filter((name) => !isPermission(name))).toEqual(['IEW_WHO_LIVES_DONATIONS']);
  });
});

/** Product code, without its tests. */
function sourceFiles(folder: string): string[] {
  const root = join(import.meta.dirname, '../..', folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(root, name));
}

describe('every surface has a sample', () => {
  it('and every sample a surface', () => {
    const tabled = surfaces.filter(({ kind }) => ['rest', 'query', 'mutation'].includes(kind)).map(({ name }) => name);
    expect([...samples.keys()].sort()).toEqual(tabled.sort());
  });
});

describe('nobody without good credentials gets anything', () => {
  it('whatever they call, and nothing is changed by it', async () => {
    const matrix = new Matrix(world);
    const tried = cells.filter(({ surface }) => {
      const sample = samples.get(surface.name);
      return sample && sample.credentials !== 'link' && surface.opens !== 'public';
    });
    const once = tried.filter(({ relation }) => relation === null || relation === 'own');
    expect(once.length).toBeGreaterThan(200);
    // Nobody at all everywhere, each of the others at some of them: the same check is asked by all.
    for (const [number, [who, { header, code }]] of Object.entries(world.badTokens).entries())
      for (const cell of once.filter((_, index) => header === '' || (index + number) % 10 === 0)) {
        const { fault } = await matrix.run(cell, null, header, code);
        expect(fault && `${who}: ${fault}`).toBeNull();
      }
  });
});

describe('no call runs before its access was asked', () => {
  /** Anything that is touched but the viewer shows that something ran. */
  const trap = (touched: string[]) =>
    new Proxy(
      { viewer: null, impersonator: undefined },
      {
        get: (target, key) => {
          if (!(key in target)) touched.push(String(key));
          return Reflect.get(target, key);
        },
      },
    );
  it.each(rootFields)('%s', async (name, field: GraphQLField<unknown, unknown>) => {
    const run = name.startsWith('Subscription.') ? field.subscribe : field.resolve;
    const touched: string[] = [];
    const asked = async () => run!(undefined, {}, trap(touched), {} as never);
    await expect(asked()).rejects.toMatchObject({ name: 'RefusalError', refusal: { code: 'NOT_SIGNED_IN' } });
    expect(touched).toEqual([]);
  });
});
