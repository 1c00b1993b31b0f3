import { setImmediate as afterOthers } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchedRead } from './batched-read.ts';

test('no more reads run at once than allowed, and the next one collects what comes until one ends', async () => {
  const reads: { readonly keys: readonly string[]; readonly end: (fails?: boolean) => void }[] = [];
  const read = (_context: object, keys: readonly string[]) =>
    new Promise<Map<string, string>>((resolve, reject) => {
      const end = (fails = false) =>
        fails ? reject(new Error('lost')) : resolve(new Map(keys.map((key) => [key, key])));
      reads.push({ keys, end });
    });
  const lookUp = batchedRead(read, (context) => context, 2);
  const shared = {};
  const asked: Promise<string | undefined>[] = [];
  const ask = async (key: string) => {
    asked.push(lookUp(shared, key));
    await afterOthers();
    await afterOthers();
  };
  for (const key of ['a', 'b', 'c', 'd']) await ask(key);
  expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
  // A read that fails makes room like any other.
  reads[1]!.end(true);
  await expect(asked[1]).rejects.toThrow('lost');
  await afterOthers();
  expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const { end } of reads) end();
  expect([await asked[0], await asked[2], await asked[3]]).toEqual(['a', 'c', 'd']);
});
