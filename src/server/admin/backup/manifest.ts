// A backup's manifest: the version of its tables, row counts, hashes of its parts, and fingerprints of the
// secrets that aren't in it. A code made with LINK_SECRET, which the backup store doesn't have, proves that
// nobody changed it. The attached files are listed next to it, in lists that it names like tables: they may be
// millions.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

const count = z.number().int().nonnegative();
const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`));
/** Names of tables, columns and sequences. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

/** Each at most once. */
const unique = <Schema extends z.ZodType>(item: Schema, nameOf: (value: z.output<Schema>) => string) =>
  z.array(item).refine((values) => new Set(values.map(nameOf)).size === values.length, 'something is listed twice');

const stored = {
  /** A path within the backup. No part starts with a dot, so none leads out of it. */
  file: z
    .string()
    .max(300)
    .regex(/^(tables|files|lists)\/[\w-][\w.-]*(\/[\w-][\w.-]*)*$/),
  bytes: count,
  /** Hash of the stored bytes. */
  sha256: hex(64),
};
const storedObject = z.object(stored);
export type Stored = z.infer<typeof storedObject>;

export const backupFormat = 2;

export const backupLimits = {
  /** Bytes of a manifest or list, which are read whole. A backup beyond it fails while it's written. */
  wholeBytes: 100 * 1024 * 1024,
  /** How many files a new list names. */
  filesInList: 50_000,
  /** From how many rows on a restore says which table it fills. */
  largeTable: 1_000_000,
};

const fileList = z.strictObject({
  files: unique(z.strictObject({ ...stored, key: z.string().regex(/^[\w-]{2}\/[\w-]{4,60}$/) }), (item) => item.key),
  /** Keys of files that rows name but the store didn't have. */
  missing: unique(z.string().max(1000), String),
});
export type FileList = z.infer<typeof fileList>;

const lists = unique(z.strictObject({ ...stored, bytes: count.max(backupLimits.wholeBytes) }), (item) => item.file);

const table = z.strictObject({
  ...stored,
  name,
  columns: unique(name, String).min(1),
  rows: count,
  /** Bytes of its rows before they are packed. Older backups don't say. */
  unpacked: count.optional(),
});
export type StoredTable = z.infer<typeof table>;

const bothFormats = {
  madeAt: z.iso.datetime(),
  /** When the newest migration was created, in milliseconds: it identifies the tables' version. */
  newestMigration: count.positive(),
  companyTimeZone: z.string().min(1).max(100),
  /** Whether the database ran in production. Backups of older versions don't say. */
  isProduction: z.boolean().optional(),
  tables: unique(table, (item) => item.name).min(1),
  sequences: unique(z.strictObject({ name, lastValue: z.string().regex(/^\d{1,19}$/) }), (item) => item.name),
  fingerprintSalt: hex(32),
  /** By variable name; unset secrets are left out. */
  fingerprints: z.record(z.string().regex(/^[A-Z_]{1,60}$/), hex(16)),
};
const manifest = z.strictObject({
  format: z.literal(backupFormat),
  ...bothFormats,
  lists,
  /** How many files were missing. */
  missing: count,
});
export type Manifest = z.infer<typeof manifest>;

/** Its lists are stored ones, or the only one of a backup of format 1. */
export type ReadManifest = Omit<Manifest, 'format' | 'lists'> & { readonly lists: readonly (Stored | FileList)[] };

const manifestWithFiles = z.strictObject({ format: z.literal(1), ...bothFormats, ...fileList.shape });

/** What is known of an encrypted backup without decrypting it. */
const partList = z.strictObject({
  format: z.union([z.literal(backupFormat), z.literal(1)]),
  madeAt: z.iso.datetime(),
  /** Hash of the manifest's stored bytes: the list belongs to no other backup. */
  manifest: hex(64),
  /** How many files were missing. */
  missing: count,
  /** Except for the files in `lists`. */
  parts: unique(z.strictObject(stored), (item) => item.file),
  lists: lists.default([]),
});
export type PartList = z.infer<typeof partList>;

/** The manifest's list of parts. The manifest is encrypted; `sha256` is the hash of its stored bytes. */
export function partListOf({ madeAt, missing, tables, lists }: Manifest, sha256: string): PartList {
  const parts = tables.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
  return { format: backupFormat, madeAt, manifest: sha256, missing, parts, lists };
}

/** Null for anything else. */
export function readPartList(text: string): PartList | null {
  try {
    return partList.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether a manifest begins like one with lists of files. It isn't verified, so it isn't parsed: a hundred
 * megabytes of brackets would take gigabytes.
 */
export const namesLists = (bytes: Buffer): boolean => {
  const beginning = Buffer.from(`{\n "format": ${backupFormat},`);
  return bytes.subarray(0, beginning.length).equals(beginning);
};

/** Throws its errors in one line. */
export function readManifest(text: string): ReadManifest {
  const content: unknown = JSON.parse(text);
  const { data } = z.object({ format: z.number() }).safeParse(content);
  if (data?.format === 1) {
    const { files, missing, ...rest } = parsed(manifestWithFiles, content, 'its manifest');
    return { ...rest, lists: [{ files, missing }], missing: missing.length };
  }
  if (data !== undefined && data.format !== backupFormat)
    throw new Error(`it has format ${data.format}, and this version reads 1 and ${backupFormat}`);
  return parsed(manifest, content, 'its manifest');
}

/** Throws its errors in one line. */
export const readFileList = (text: string, name: string): FileList => parsed(fileList, JSON.parse(text), name);

function parsed<Schema extends z.ZodType>(schema: Schema, content: unknown, name: string): z.output<Schema> {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  const [fault] = read.error.issues;
  throw new Error(`${name} is wrong at ${fault!.path.join('.') || 'its beginning'}: ${fault!.message}`);
}

export type Authenticated = 'manifest' | 'parts';

/** Authenticates the stored bytes with one of the keys. A code of the manifest is none of the parts. */
export function authenticationCode(linkSecret: string, content: Uint8Array, what: Authenticated = 'manifest'): string {
  const key = new Uint8Array(hkdfSync('sha256', linkSecret, '', `${what} of a backup 1`, 32));
  return createHmac('sha256', key).update(content).digest('hex');
}

/** The one of the secrets that the code was made with, for exactly these bytes. */
export function secretOfCode(
  code: string,
  linkSecrets: readonly string[],
  content: Uint8Array,
  what: Authenticated = 'manifest',
): string | undefined {
  const given = Buffer.from(code);
  return linkSecrets.find((secret) => {
    const right = Buffer.from(authenticationCode(secret, content, what));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

export type Secrets = Readonly<Record<string, string | undefined>>;

/** Shows whether a secret is the same, and nothing else about it. */
export function fingerprintsOf(secrets: Secrets, salt: string): Record<string, string> {
  const known = Object.entries(secrets).flatMap(([variable, secret]) =>
    secret === undefined
      ? []
      : [[variable, createHmac('sha256', salt).update(`${variable}\n${secret}`).digest('hex').slice(0, 16)]],
  );
  return Object.fromEntries(known);
}

/** Names of the secrets that differ from the backup's. Unset ones are skipped: nothing uses them. */
export function otherSecrets({ fingerprints, fingerprintSalt }: ReadManifest, secrets: Secrets): string[] {
  const now = fingerprintsOf(secrets, fingerprintSalt);
  return Object.keys(now).filter(
    (variable) => fingerprints[variable] !== undefined && fingerprints[variable] !== now[variable],
  );
}
