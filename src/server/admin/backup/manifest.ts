// What a backup says about itself: the version of its tables, how many rows, which files with which hashes, and fingerprints of
// the secrets that are not in it. A code made with LINK_SECRET, which the store of backups does not hold, shows that nobody
// changed it.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

const count = z.number().int().nonnegative();
const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`));
/** As the database names tables, columns and sequences. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

/** Each at most once. */
const unique = <Schema extends z.ZodType>(item: Schema, nameOf: (value: z.output<Schema>) => string) =>
  z.array(item).refine((values) => new Set(values.map(nameOf)).size === values.length, 'something is listed twice');

const stored = {
  /** Path within the backup. No part begins with a dot, so none leads out of it. */
  file: z
    .string()
    .max(300)
    .regex(/^(tables|files)\/[\w-][\w.-]*(\/[\w-][\w.-]*)*$/),
  bytes: count,
  /** Of the bytes as they lie there. */
  sha256: hex(64),
};
const storedObject = z.object(stored);
export type Stored = z.infer<typeof storedObject>;

export const backupFormat = 1;

const table = z.strictObject({ ...stored, name, columns: unique(name, String).min(1), rows: count });
const manifest = z.strictObject({
  format: z.literal(backupFormat),
  madeAt: z.iso.datetime(),
  /** When the newest migration in the database was made, in milliseconds: it names the version of the tables. */
  newestMigration: count.positive(),
  companyTimeZone: z.string().min(1).max(100),
  tables: unique(table, (item) => item.name).min(1),
  sequences: unique(z.strictObject({ name, lastValue: z.string().regex(/^\d{1,19}$/) }), (item) => item.name),
  files: unique(z.strictObject({ ...stored, key: z.string().regex(/^[\w-]{2}\/[\w-]{4,60}$/) }), (item) => item.key),
  /** Keys of files that rows name and the store did not have. */
  missing: unique(z.string().max(1000), String),
  fingerprintSalt: hex(32),
  /** By the name of the variable; secrets that were not set are left out. */
  fingerprints: z.record(z.string().regex(/^[A-Z_]{1,60}$/), hex(16)),
});
export type Manifest = z.infer<typeof manifest>;

/** Throws what is wrong with it, in one line. */
export function readManifest(text: string): Manifest {
  const content: unknown = JSON.parse(text);
  const format = z.object({ format: z.number() }).safeParse(content);
  if (format.success && format.data.format !== backupFormat)
    throw new Error(`it has format ${format.data.format}, and this version reads ${backupFormat}`);
  const read = manifest.safeParse(content);
  if (read.success) return read.data;
  const [fault] = read.error.issues;
  throw new Error(`its manifest is wrong at ${fault!.path.join('.') || 'its beginning'}: ${fault!.message}`);
}

/** Codes of the manifest's bytes as they lie in the backup, by one of the keys. */
export function authenticationCode(linkSecret: string, content: Uint8Array): string {
  const key = new Uint8Array(hkdfSync('sha256', linkSecret, '', 'manifest of a backup 1', 32));
  return createHmac('sha256', key).update(content).digest('hex');
}

/** Whether the code was made with one of the secrets, for exactly these bytes. */
export function isAuthentic(code: string, linkSecrets: readonly string[], content: Uint8Array): boolean {
  const given = Buffer.from(code);
  return linkSecrets.some((secret) => {
    const right = Buffer.from(authenticationCode(secret, content));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

export type Secrets = Readonly<Record<string, string | undefined>>;

/** Tells whether a secret is the same one, and nothing else about it. */
export function fingerprintsOf(secrets: Secrets, salt: string): Record<string, string> {
  const known = Object.entries(secrets).flatMap(([variable, secret]) =>
    secret === undefined
      ? []
      : [[variable, createHmac('sha256', salt).update(`${variable}\n${secret}`).digest('hex').slice(0, 16)]],
  );
  return Object.fromEntries(known);
}

/** Names of the secrets that are not those of the backup. One that is not set now is not compared: nothing uses it. */
export function otherSecrets({ fingerprints, fingerprintSalt }: Manifest, secrets: Secrets): string[] {
  const now = fingerprintsOf(secrets, fingerprintSalt);
  return Object.keys(now).filter(
    (variable) => fingerprints[variable] !== undefined && fingerprints[variable] !== now[variable],
  );
}
