// The one list of faults, in the order in which they are tried.
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
import type { Fault } from './fault.ts';

export const everyFault: readonly Fault[] = [
  serverKilled,
  databaseKilled,
  syncedBeforeAcknowledged,
  databaseRestarted,
  failover,
  brokenLines,
  diskFull,
  slowClients,
  hugeRequests,
  oversizedQueries,
  malformedRequests,
  scanners,
  clockWrong,
  backupDrill,
  upgraded,
  soaked,
  stoppedUnderLoad,
  shortOfResources,
  bucketDown,
];
