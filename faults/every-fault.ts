// The one list of faults, in the order in which they are tried.

import { serverKilled } from './f01-server-killed.ts';
import { databaseKilled } from './f02-database-killed.ts';
import { databaseRestarted } from './f04-database-restarted.ts';
import { failover } from './f05-failover.ts';
import { backupDrill } from './f14-backup-drill.ts';
import type { Fault } from './fault.ts';

export const everyFault: readonly Fault[] = [serverKilled, databaseKilled, databaseRestarted, failover, backupDrill];
