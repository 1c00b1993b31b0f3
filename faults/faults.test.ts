// Every fault a few times, in every run of the tests: `npm run faults` does them more often. What wants a
// program that the machine has not (a cluster of Patroni, the scanners) is skipped by its name.
import 'temporal-polyfill/global';
import { expect, type TestContext, test } from 'vitest';
import { skipFor } from '../test/needs.ts';
import { serverKilled } from './f01-server-killed.ts';
import { databaseKilled } from './f02-database-killed.ts';
import { syncedBeforeAcknowledged } from './f03-synced-before-acknowledged.ts';
import { databaseRestarted } from './f04-database-restarted.ts';
import { failover } from './f05-failover.ts';
import { brokenLines } from './f06-broken-lines.ts';
import { diskFull } from './f07-disk-full.ts';
import { slowClients } from './f08-slow-clients.ts';
import { hugeRequests } from './f09-huge-requests.ts';
import { oversizedQueries } from './f10-oversized-queries.ts';
import { malformedRequests } from './f11-malformed-requests.ts';
import { scanners } from './f12-scanners.ts';
import { clockWrong } from './f13-clock.ts';
import { backupDrill } from './f14-backup-drill.ts';
import { upgraded } from './f15-upgrade.ts';
import { soaked } from './f16-soak.ts';
import { stoppedUnderLoad } from './f19-stopped-under-load.ts';
import { shortOfResources } from './f20-short-of.ts';
import { bucketDown } from './f21-bucket-down.ts';
import { CannotRun, type Fault } from './fault.ts';

const seed = 1;

async function mustHold(context: TestContext, fault: Fault, count: number): Promise<void> {
  const outcome = await fault.run({ count, seed, say() {} }).catch((error) => {
    if (error instanceof CannotRun) return skipFor(context, error.needs);
    throw error;
  });
  expect(outcome.failures).toEqual([]);
}

test.for([
  { fault: serverKilled, count: 1 },
  { fault: databaseKilled, count: 1 },
  { fault: syncedBeforeAcknowledged, count: 5 },
  { fault: databaseRestarted, count: 2 },
  { fault: diskFull, count: 1 },
  { fault: clockWrong, count: 1 },
  { fault: backupDrill, count: 50 },
  { fault: upgraded, count: 50 },
  { fault: stoppedUnderLoad, count: 1 },
  { fault: shortOfResources, count: 1 },
  { fault: failover, count: 1 },
])('nothing that was acknowledged is lost: $fault.title', ({ fault, count }, context) =>
  mustHold(context, fault, count),
);

// Side by side, as they mostly wait.
test.concurrent.for([
  { fault: brokenLines, count: 1 },
  { fault: slowClients, count: 60 },
  { fault: hugeRequests, count: 1 },
  { fault: oversizedQueries, count: 56 },
  { fault: malformedRequests, count: 400 },
  { fault: scanners, count: 1 },
  { fault: soaked, count: 1 },
  { fault: bucketDown, count: 1 },
])('whoever works beside it is not harmed: $fault.title', ({ fault, count }, context) =>
  mustHold(context, fault, count),
);
