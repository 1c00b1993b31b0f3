// Puts what the database or a calendar can't take into every text and number that a call accepts: the answer
// is never an internal error. A full run tries every value; otherwise one in ten.
import {
  type GraphQLInputType,
  type GraphQLScalarType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '#server/schema.ts';
import { isFull } from '../sampling.ts';
import { askGraphql, cells, wholeQueryOf } from './cells.ts';
import { principals } from './principals.ts';
import { type Answer, type Ask, samples } from './samples.ts';
import type { Surface } from './spec-table.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await world.become(principals.find(({ tells }) => tells === 'all')!);
});
afterAll(() => world?.stop());

const texts = ['a\0', '\ud800', '0001-01-01', '9999-12-31', '0', '-1', '9'.repeat(15), '9'.repeat(18), '9'.repeat(25)];
const strange: Readonly<Record<string, readonly (string | number)[]>> = {
  String: texts,
  ID: texts,
  Int: [0, -1, 2 ** 31 - 1, -(2 ** 31)],
  Float: [-1, 0.1, 1e300],
};

const isObject = (value: unknown): value is Record<string, Answer> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value once for each strange one in its place, with where that is. */
function* variants(type: GraphQLInputType, value: Answer, at: string): Generator<readonly [string, Answer]> {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const [first, ...others] = Array.isArray(value) ? value : [];
    for (const [place, item] of variants(nullable.ofType, first, `${at}.0`)) yield [place, [item, ...others]];
  } else if (isInputObjectType(nullable)) {
    if (!isObject(value)) return;
    for (const field of Object.values(nullable.getFields()))
      for (const [place, one] of variants(field.type, value[field.name], `${at}.${field.name}`))
        yield [place, { ...value, [field.name]: one }];
  } else if (isScalarType(nullable)) {
    const { name } = getNamedType(nullable) as GraphQLScalarType;
    for (const one of strange[name] ?? []) yield [`${at}: ${JSON.stringify(one)}`, one];
  }
}

const once = new Map<string, Surface>();
for (const { surface } of cells)
  if (surface.kind !== 'rest' && !once.has(surface.call)) once.set(surface.call, surface);

async function faultsOf({ name, call, kind }: Surface, number: number): Promise<string[]> {
  const header = `Bearer ${world.token}`;
  const field = (kind === 'query' ? schema.getQueryType() : schema.getMutationType())!.getFields()[
    call.split('.')[1]!
  ]!;
  const ask: Ask = async (asked, variables) =>
    (await askGraphql(world, header, wholeQueryOf(asked).text, variables)).data;
  const faults: string[] = [];
  const given = samples.get(name)?.variables;
  if (!given || field.args.length === 0) return [];
  const { answer: sample } = await world.taking.takeBack(async () => given(world, world.things.own, ask));
  let index = number;
  for (const { name: argument, type } of field.args)
    for (const [place, value] of variants(type, (sample as Answer)[argument], argument)) {
      index += 1;
      if (!isFull && index % 10 !== 0) continue;
      const go = () => askGraphql(world, header, wholeQueryOf(call).text, { ...sample, [argument]: value });
      // It fails itself where the database refused a statement.
      const answer = await world.taking.takeBack(go).then(
        (taken) => taken.answer,
        () => null,
      );
      if (answer === null || answer.code === 'INTERNAL') faults.push(`${call} ${place}`);
    }
  return faults;
}

it('no call answers a strange text or number with an internal error', async () => {
  const faults: string[] = [];
  for (const [number, surface] of [...once.values()].entries()) faults.push(...(await faultsOf(surface, number)));
  expect(faults).toEqual([]);
});
