// Tries every permission: every call of the API by every kind of caller, about a thing in every relation,
// against the table that was copied from the specification. A full run tries every cell; otherwise those by
// which a principal could differ from another, and of the rest one in fifty, another one for each principal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '#server/schema.ts';
import { isFull } from '../sampling.ts';
import { type Cell, cells, Matrix, wholeQueryOf } from './cells.ts';
import { heldBy, type Principal, principals } from './principals.ts';
import { isForSomebody, permissionsIn, surfaces, typeRows } from './spec-table.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
let matrix: Matrix;
const succeeded = new Set<string>();

beforeAll(async () => {
  world = await makeWorld();
  matrix = new Matrix(world);
});
afterAll(() => world?.stop());

const oneIn = 50;

/** Whether the principal could get something else in the cell than its neighbours. */
function isTelling({ surface, relation }: Cell, { tells }: Principal): boolean {
  if (tells === undefined || tells === 'all') return tells === 'all';
  return permissionsIn(`${surface.opens} ${relation === null ? '' : surface.of.get(relation)}`).includes(tells);
}

const chosen = (principal: Principal, number: number): Cell[] =>
  cells.filter((cell, index) => isFull || isTelling(cell, principal) || (index + number) % oneIn === 0);

describe('everybody gets what the table gives them, and a refusal changes nothing', () => {
  it.each(principals.map((principal, number) => [principal.name, principal, number] as const))(
    '%s',
    async (_name, principal, number) => {
      await world.become(principal);
      const held = heldBy(principal);
      const faults: string[] = [];
      for (const cell of chosen(principal, number)) {
        const verdict = await matrix.run(cell, held, `Bearer ${world.token}`);
        if (verdict.succeeded) succeeded.add(cell.surface.name);
        if (verdict.fault) faults.push(verdict.fault);
      }
      expect(faults).toEqual([]);
    },
  );

  it('and each surface was a success for somebody, with every field of every type', () => {
    const tried = [...new Set(cells.map(({ surface }) => surface))];
    const never = tried.filter((surface) => isForSomebody(surface) === !succeeded.has(surface.name));
    console.log(
      `matrix: ${matrix.cellsRun} cells of ${cells.length * principals.length} run, ${matrix.mismatches} mismatches, ${surfaces.length} surfaces, ${never.length} without a sample that succeeds`,
    );
    expect(never.map(({ name }) => name)).toEqual([]);
    const answered = new Set(
      tried.flatMap(({ kind, call }) => (kind === 'rest' ? [] : [...wholeQueryOf(call).fields])),
    );
    // What only a subscription sends.
    const heard = schema.getSubscriptionType()?.getFields().taskChanged?.type.toString().replace('!', '');
    const all = typeRows
      .filter(({ kind, name }) => kind === 'type' && name !== heard)
      .flatMap(({ name, fields }) => fields.map((field) => `${name}.${field}`));
    expect(all.filter((field) => !answered.has(field))).toEqual([]);
  });
});
