// The faults that matter most, a few times each, in every run of the tests: `npm run faults` does them all and more often.
import 'temporal-polyfill/global';
import { expect, test } from 'vitest';
import { serverKilled } from './f01-server-killed.ts';

const seed = 1;

test.each([[serverKilled, 1]] as const)('nothing that was acknowledged is lost: $title', async (fault, count) => {
  const { failures } = await fault.run({ count, seed, say() {} });
  expect(failures).toEqual([]);
});
