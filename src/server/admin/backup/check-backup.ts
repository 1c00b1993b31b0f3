// Checks a backup without a database: who made it, and whether its parts are whole.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { plural } from '#core/base/formats.ts';
import { isKnownMigration, newestMigration } from '#server/platform/db/migrate.ts';
import { settingsFile } from '#server/platform/program.ts';
import {
  faultOf,
  manifestName,
  manifestSidecars,
  openPlain,
  readStored,
  type Sealing,
  sizeFaultOf,
  unsealed,
} from './backup-folder.ts';
import {
  backupLimits,
  type FileList,
  namesLists,
  otherSecrets,
  type PartList,
  type ReadManifest,
  readFileList,
  readManifest,
  readPartList,
  type Secrets,
  type Stored,
  secretOfCode,
} from './manifest.ts';

type BackupAtRest = {
  /** The folder of this backup. */
  readonly folder: string;
  readonly sealing: Sealing;
  /** One of them must have authenticated the backup. */
  readonly linkSecrets: readonly string[];
  readonly secrets: Secrets;
};

type Accepted = {
  /** A backup without proof of origin: from before 0.2.0, or with a lost LINK_SECRET. */
  readonly acceptsUnverified: boolean;
  readonly acceptsOtherSecrets: boolean;
};

const acceptsNothing: Accepted = { acceptsUnverified: false, acceptsOtherSecrets: false };

export type CheckJob = BackupAtRest & Accepted;

/** The backup, the database or the secrets don't fit; the database has no rows. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

const faultsShown = 10;

/** The longest hash and code next to the manifest. */
const mostSidecarBytes = 1024;

export type CheckedBackup = {
  readonly manifest: ReadManifest;
  readonly isAuthenticated: boolean;
  /** The one its rows belong to; undefined if it's unknown. */
  readonly linkSecret: string | undefined;
};

/** Reads the manifest and every byte of the backup before opening a database. */
export async function checkBackup(job: CheckJob): Promise<CheckedBackup> {
  const checked = await decodeManifest(job, await readAuthenticated(job));
  const { manifest } = checked;
  const isSame = assertFits(job, checked);
  const { faults } = await findDamage(job.folder, manifest.tables, manifest.lists);
  if (faults.length > 0)
    throw new RestoreRefused(
      `The backup is damaged in ${plural(faults.length, 'file')}: ${faults.slice(0, faultsShown).join('; ')}`,
    );
  return { ...checked, linkSecret: checked.linkSecret ?? (isSame ? job.secrets.LINK_SECRET : undefined) };
}

/** Throws if this program or its secrets don't fit. Returns whether LINK_SECRET is known to be the same. */
function assertFits({ secrets, acceptsOtherSecrets }: CheckJob, { manifest, isAuthenticated }: CheckedBackup): boolean {
  if (manifest.newestMigration > newestMigration())
    throw new RestoreRefused(
      'The backup was made by a newer version of this program. Restore it with that version or a newer one',
    );
  if (!isKnownMigration(manifest.newestMigration))
    throw new RestoreRefused('The backup was made by a program with other migrations. Restore it with that program');
  // Made with one of our secrets, possibly LINK_SECRET_ALSO.
  const others = otherSecrets(manifest, secrets).filter((name) => !isAuthenticated || name !== 'LINK_SECRET');
  const isSame = manifest.fingerprints.LINK_SECRET !== undefined && !others.includes('LINK_SECRET');
  if (others.length > 0 && !acceptsOtherSecrets)
    throw new RestoreRefused(
      `The backup was made with another ${others.join(', ')}. Set the secrets used then, or restore it with --accept-other-secrets: everything signed or encrypted with them stops working`,
    );
  return isSame;
}

export type QuickCheck = {
  readonly madeAt: string;
  /** How many files were missing when it was made. */
  readonly missing: number;
  /** Whether its manifest was read. An encrypted one without an identity isn't. */
  readonly isRead: boolean;
  readonly faults: readonly string[];
  /** How much was compared by size only. */
  readonly unreadBytes: number;
};

/** Monitoring asks every few minutes. */
const quickBytes = 1_000_000_000;

/** Finds what a restore would refuse. Reads the first gigabyte; for the rest it checks sizes only. */
export async function checkQuickly(backup: BackupAtRest): Promise<QuickCheck> {
  const job = { ...backup, ...acceptsNothing };
  const stored = await readAuthenticated(job);
  if (isEncrypted(stored.file) && job.sealing.suffix === '') {
    const { madeAt, missing, parts, lists } = await readAuthenticatedParts(job, stored);
    return { madeAt, missing, isRead: false, ...(await findDamage(job.folder, parts, lists, quickBytes)) };
  }
  const checked = await decodeManifest(job, stored);
  assertFits(job, checked);
  const { madeAt, missing, tables, lists } = checked.manifest;
  return { madeAt, missing, isRead: true, ...(await findDamage(job.folder, tables, lists, quickBytes)) };
}

type Lists = ReadManifest['lists'];

/** Reads parts until `mostBytes`, of each list the smallest first, and compares the sizes of the others. */
export async function findDamage(
  folder: string,
  parts: readonly Stored[],
  lists: Lists,
  mostBytes = Number.POSITIVE_INFINITY,
) {
  const faults: string[] = [];
  let readable = mostBytes;
  let unreadBytes = 0;
  const compare = async (items: readonly Stored[]) => {
    for (const item of items.toSorted((one, other) => one.bytes - other.bytes)) {
      const isRead = item.bytes <= readable;
      if (isRead) readable -= item.bytes;
      else unreadBytes += item.bytes;
      const fault = await (isRead ? faultOf : sizeFaultOf)(folder, item);
      if (fault !== null) faults.push(fault);
    }
  };
  await compare(parts);
  try {
    for await (const files of readFileLists(folder, lists)) await compare(files);
  } catch (error) {
    faults.push(oneLine(error));
  }
  return { faults, unreadBytes };
}

/** The files of one list after the other, because all may be too many for the memory. */
export async function* readFileLists(folder: string, lists: Lists): AsyncGenerator<FileList['files']> {
  let last = '';
  for (const list of lists) {
    if (!('file' in list)) {
      yield list.files;
      continue;
    }
    const { content, verified } = await readStored(folder, list, unsealed);
    const bytes = await buffer(content);
    await verified;
    const { files } = readFileList(bytes.toString(), list.file);
    // Lists are sorted, which shows that none names a file of another.
    for (const { key } of files) {
      if (key <= last) throw new Error(`${list.file} is wrong: ${key} is out of order`);
      last = key;
    }
    yield files;
  }
}

const isEncrypted = (file: string): boolean => file !== manifestName;

type AuthenticatedBytes = { readonly file: string; readonly bytes: Buffer; readonly linkSecret: string | undefined };

/** The manifest as it's stored, maybe encrypted. */
async function readAuthenticated({ folder, linkSecrets, acceptsUnverified }: CheckJob): Promise<AuthenticatedBytes> {
  const refuse = refusalOf(folder);
  const readSmall = async (name: string) => (await readLimited(folder, name, mostSidecarBytes))?.toString() ?? null;
  const [hash, code] = await Promise.all([manifestSidecars.hash, manifestSidecars.code].map(readSmall));
  if (hash == null) throw noBackupIn(folder);
  const [sha256, file = ''] = hash.trim().split(/\s+/);
  if (![manifestName, `${manifestName}.age`].includes(file)) throw refuse(`${manifestSidecars.hash} was changed`);
  const bytes = await readLimited(folder, file, backupLimits.wholeBytes);
  if (bytes === null) throw refuse(`${file} is missing`);
  if (sha256Of(bytes) !== sha256) throw refuse(`${file} was changed`);
  const linkSecret = code == null ? undefined : secretOfCode(code.trim(), linkSecrets, bytes);
  if (linkSecret === undefined && !acceptsUnverified) {
    const hasLists = existsSync(join(folder, 'lists')) || namesLists(bytes);
    throw refuse(unverified({ hasCode: code != null, hasSecret: linkSecrets.length > 0, hasLists }));
  }
  return { file, bytes, linkSecret };
}

/** A mistyped path must not be reported as a damaged backup. */
function noBackupIn(folder: string): RestoreRefused {
  if (!existsSync(folder)) return new RestoreRefused(`There is no folder ${folder}`);
  return refusalOf(folder)('it has no complete backup');
}

const refusalOf = (folder: string) => (why: string) => new RestoreRefused(`${folder} cannot be restored: ${why}`);

async function decodeManifest(
  { folder, sealing }: BackupAtRest,
  { file, bytes, linkSecret }: AuthenticatedBytes,
): Promise<CheckedBackup> {
  const refuse = refusalOf(folder);
  if (isEncrypted(file) !== isEncrypted(`${manifestName}${sealing.suffix}`))
    throw refuse(
      isEncrypted(file) ? 'it is encrypted, use --identity FILE' : 'it is not encrypted, leave --identity out',
    );
  try {
    const manifest = readManifest(await text(await sealing.through(Readable.from([bytes]))));
    return { manifest, isAuthenticated: linkSecret !== undefined, linkSecret };
  } catch (error) {
    throw refuse(sealing.suffix === '' ? oneLine(error) : 'it wasn’t encrypted for this identity, or was changed');
  }
}

/** The list of an encrypted backup's parts, which needs no identity. */
async function readAuthenticatedParts(
  { folder, linkSecrets }: BackupAtRest,
  { bytes }: AuthenticatedBytes,
): Promise<PartList> {
  const { parts: name } = manifestSidecars;
  const refuse = (why: string) => new RestoreRefused(`${folder} can’t be checked without --identity FILE: ${why}`);
  const stored = (await readLimited(folder, name, backupLimits.wholeBytes))?.toString();
  if (stored === undefined)
    throw refuse(`it has no ${name}. An older version made the backup, or someone removed that file. Back up again`);
  const [code = '', text = ''] = stored.split('\n', 2);
  const isSigned = secretOfCode(code, linkSecrets, Buffer.from(text), 'parts') !== undefined;
  const parts = isSigned ? readPartList(text) : null;
  if (parts?.manifest !== sha256Of(bytes)) throw refuse(`${name} was changed, or belongs to another backup`);
  return parts;
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Null if it can't be read. */
async function readLimited(folder: string, name: string, most: number): Promise<Buffer | null> {
  // At most one byte more is read.
  const read = async () => buffer((await openPlain(folder, name)).createReadStream({ end: most }));
  const bytes = await read().catch(() => null);
  if (bytes && bytes.length > most) throw refusalOf(folder)(`${name} is larger than ${most / 1024} KB`);
  return bytes;
}

/** `hasLists`: every backup with lists of files was signed when it was made. */
type Unverified = { readonly hasCode: boolean; readonly hasSecret: boolean; readonly hasLists: boolean };

function unverified({ hasCode, hasSecret, hasLists }: Unverified): string {
  const sure = 'If you’re sure nobody changed it, restore it with --accept-unverified';
  if (!hasCode && hasLists)
    return `its signature, ${manifestSidecars.code}, is missing. This version signs every backup, so someone removed it or it wasn’t copied. ${sure}`;
  if (!hasCode) return `it isn’t signed. It’s older than version 0.2.0, or someone changed it. ${sure}`;
  if (!hasSecret)
    return `LINK_SECRET isn’t set, so its signature can’t be checked. Take it from the server’s ${settingsFile}, or set LINK_SECRET_FILE to the file link-secret in its DATA_DIR. Only if it’s lost, restore with --accept-unverified`;
  return `it was made with another LINK_SECRET, or someone changed it. Set the one that was in use when the backup was made. ${sure} --accept-other-secrets`;
}

/** An error of a library, which may have several lines. */
export const oneLine = (error: unknown): string => (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 500);
