// `staff-dashboard check --backups`: whether the newest backup is recent and a restore would take it.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plural } from '#core/base/formats.ts';
import { backupName, newestBackup } from '#server/admin/backup/backup-folder.ts';
import { checkQuickly } from '#server/admin/backup/check-backup.ts';
import { readBackupConfig } from '#server/platform/config/config.ts';
import { keysOfRestore, openingWith } from './backup-options.ts';

/** `skipped`: not configured. */
export type Finding = { readonly state: 'ok' | 'skipped' | 'failed'; readonly says: string };

/** A nightly backup, with two hours to make it. */
const oldestBackupHours = 26;

const faultsShown = 10;

export async function checkBackups(folder: string, identityFile: string | undefined): Promise<Finding[]> {
  const isFolder = statSync(resolve(folder), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [{ state: 'failed', says: `There is no folder ${resolve(folder)}` }];
  const newest = newestBackup(resolve(folder));
  if (newest === null) return [{ state: 'failed', says: `There is no complete backup in ${resolve(folder)}` }];
  const { secrets, linkSecrets } = keysOfRestore(readBackupConfig(process.env));
  const { madeAt, missing, isRead, faults, unreadBytes } = await checkQuickly({
    folder: join(resolve(folder), newest.name),
    sealing: openingWith(identityFile),
    ...{ secrets, linkSecrets },
    acceptsUnverified: linkSecrets.length === 0,
    acceptsOtherSecrets: false,
  });
  const left = faults.length - faultsShown;
  const lines = [...faults.slice(0, faultsShown), ...(left > 0 ? [`and ${plural(left, 'more file')}`] : [])];
  if (lines.length > 0) return lines.map((line) => ({ state: 'failed', says: `${newest.name} is damaged: ${line}` }));
  // It is authenticated; a name is not. An earlier backup under a later name would hide the newest.
  if (backupName(Temporal.Instant.from(madeAt)) !== newest.name)
    return [{ state: 'failed', says: `${newest.name} was renamed or copied: its backup was made at ${madeAt}` }];
  const hours = Math.floor(Temporal.Instant.from(madeAt).until(Temporal.Now.instant()).total('hours'));
  const says = `${newest.name}, ${plural(hours, 'hour')} old`;
  if (hours >= oldestBackupHours)
    return [{ state: 'failed', says: `The newest is ${says}. See what the last backup run printed` }];
  const unchecked = [
    ...(linkSecrets.length === 0 ? ['who made it, because LINK_SECRET isn’t set'] : []),
    ...(isRead ? [] : ['whether it can be decrypted, because --identity isn’t given']),
    ...(unreadBytes > 0 ? [`${(unreadBytes / 1e9).toFixed(1)} GB of large files, except for their sizes`] : []),
  ];
  const without = missing > 0 ? `, without ${plural(missing, 'file')} that could not be found` : '';
  return [
    { state: 'ok', says: `${says}${without}` },
    ...unchecked.map((what) => ({ state: 'skipped' as const, says: `Didn’t check ${what}` })),
  ];
}
