// The faults that matter most, a few times each, in every run of the tests: `npm run faults` does them all and more often.
import 'temporal-polyfill/global';
import { expect, test } from 'vitest';
import { serverKilled } from './f01-server-killed.ts';
import { databaseRestarted } from './f04-database-restarted.ts';
import { oversizedQueries } from './f10-oversized-queries.ts';
import { malformedRequests } from './f11-malformed-requests.ts';

const seed = 1;

test.each([
  [serverKilled, 1],
  [databaseRestarted, 2],
] as const)('nothing that was acknowledged is lost: $title', async (fault, count) => {
  const { failures } = await fault.run({ count, seed, say() {} });
  expect(failures).toEqual([]);
});

// Side by side, as they mostly wait. Slow clients and endless bodies need minutes: `npm run faults -- --only F8,F9`.
test.concurrent.each([
  [oversizedQueries, 56],
  [malformedRequests, 400],
] as const)('a caller who misbehaves harms nobody: $title', async (fault, count) => {
  const { failures } = await fault.run({ count, seed, say() {} });
  expect(failures).toEqual([]);
});
