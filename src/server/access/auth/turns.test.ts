import { expect, test } from 'vitest';
import { inTurn } from './turns.ts';

/**
 * Sends the calls at once, each taking a few turns of the event loop; returns the callers in the order they
 * were served.
 */
async function serve(callers: readonly (readonly [by: string, known: boolean, part?: string])[]) {
  const order: string[] = [];
  const answers = await Promise.allSettled(
    callers.map(([by, known, part = by]) =>
      inTurn(
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 2));
          order.push(part);
          return part;
        },
        { by, known, part },
      ),
    ),
  );
  return { order, refused: answers.filter(({ status }) => status === 'rejected').length };
}

const flood = (by: string, known: boolean, count: number) => Array.from({ length: count }, () => [by, known] as const);

test('a flood of one caller waits behind its own, and somebody else behind one of it', async () => {
  const { order, refused } = await serve([...flood('norole', true, 60), ['anna', true], ['10.0.0.9', false]]);
  // One runs, five wait, and the others are told to retry later.
  expect(refused).toBe(54);
  expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['anna', '10.0.0.9']));
});

test('the sessions of a person share a lane: two hundred of them keep nobody else waiting, nor each other', async () => {
  const sessions = Array.from({ length: 200 }, (_, index) => ['norole', true, `session ${index}`] as const);
  const { order, refused } = await serve([...sessions, ['anna', true]]);
  expect([order.indexOf('anna') < 4, refused]).toEqual([true, 99]);
  const owned = await serve([
    ...Array.from({ length: 20 }, () => ['owner', true, 'stolen'] as const),
    ['owner', true, 'own'],
  ]);
  expect([owned.order.indexOf('own') < 3, owned.refused]).toEqual([true, 14]);
});

test('where too many wait, the longest lane makes room for others', async () => {
  const flood = (by: string) => Array.from({ length: 100 }, (_, index) => [by, true, `${by} ${index}`] as const);
  const floods = ['one', 'two', 'three', 'four', 'five'].flatMap(flood);
  const { order } = await serve([...floods, ['anna', true]]);
  expect(order.indexOf('anna')).toBeLessThan(12);
});

test('a flood at one account keeps no other waiting, neither from the same address nor from others', async () => {
  const at = (address: string, account: string, count: number) =>
    Array.from({ length: count }, () => [address, false, account] as const);
  const { order, refused } = await serve([
    ...at('10.0.0.1', 'victim', 60),
    ...at('10.0.0.1', 'anna', 2),
    ...at('10.0.0.1', 'bert', 2),
  ]);
  // One runs and ten wait.
  expect(refused).toBe(49);
  expect(order.lastIndexOf('anna')).toBeLessThan(7);
  expect(order.lastIndexOf('bert')).toBeLessThan(7);
  const many = Array.from({ length: 500 }, (_, index) => [`10.1.${index}.1`, false, 'victim'] as const);
  const everywhere = await serve([...many, ['10.2.0.1', false, 'anna']]);
  expect(everywhere.order).toContain('anna');
});

test('a flood of many strangers keeps no known browser waiting for its end, nor the other way about', async () => {
  const strangers = Array.from({ length: 300 }, (_, index) => [`10.0.${index}.1`, false] as const);
  const known = Array.from({ length: 300 }, (_, index) => [`person ${index}`, true] as const);
  const first = await serve([...strangers, ['anna', true]]);
  expect(first.order.indexOf('anna')).toBeLessThan(6);
  const second = await serve([...known, ['10.9.9.9', false]]);
  expect(second.order.indexOf('10.9.9.9')).toBeLessThan(6);
});

test('two run at once and all come to their end, whatever fails', async () => {
  let running = 0;
  let most = 0;
  const calls = Array.from({ length: 50 }, (_, index) =>
    inTurn(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        if (index % 3 === 0) throw new Error('wrong');
        return index;
      },
      { by: String(index), known: index % 2 === 0 },
    ).catch(({ message }) => (message === 'wrong' ? -1 : null)),
  );
  expect(await Promise.all(calls)).not.toContain(null);
  expect([most, running]).toEqual([2, 0]);
});
