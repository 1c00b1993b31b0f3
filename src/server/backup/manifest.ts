// What a backup says about itself: which version's tables, how many rows, which files with which hashes, and fingerprints of the
// secrets that are not in it.
import { createHmac } from 'node:crypto';
import * as z from 'zod';

const stored = z.object({
  /** Path within the backup. No part begins with a dot, so none leads out of it. */
  file: z.string().regex(/^(tables|files)\/[\w-][\w.-]*(\/[\w-][\w.-]*)*$/),
  bytes: z.number().int().nonnegative(),
  /** Of the bytes as they lie there. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Stored = z.infer<typeof stored>;

export const backupFormat = 1;

const manifest = z.object({
  format: z.literal(backupFormat),
  madeAt: z.string(),
  /** When the newest migration in the database was made, in milliseconds: it names the tables' version. */
  newestMigration: z.number().int().positive(),
  companyTimeZone: z.string(),
  tables: z.array(
    stored.extend({ name: z.string(), columns: z.array(z.string()).min(1), rows: z.number().int().nonnegative() }),
  ),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^\d+$/) })),
  files: z.array(stored.extend({ key: z.string().regex(/^[\w-]{2}\/[\w-]{4,60}$/) })),
  /** Keys of files that rows name and the store did not have. */
  missing: z.array(z.string()),
  fingerprintSalt: z.string(),
  /** By the name of the variable; secrets that were not set are left out. */
  fingerprints: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifest>;

/** Throws what is wrong with it, in words. */
export function readManifest(text: string): Manifest {
  const format = z.object({ format: z.number() }).safeParse(JSON.parse(text));
  if (format.success && format.data.format !== backupFormat)
    throw new Error(`it has format ${format.data.format}, and this version reads ${backupFormat}`);
  return manifest.parse(JSON.parse(text));
}

export type Secrets = Readonly<Record<string, string | undefined>>;

/** Tells whether a secret is the same one, and nothing else about it. */
export function fingerprintsOf(secrets: Secrets, salt: string): Record<string, string> {
  const known = Object.entries(secrets).flatMap(([name, secret]) =>
    secret === undefined
      ? []
      : [[name, createHmac('sha256', salt).update(`${name}\n${secret}`).digest('hex').slice(0, 16)]],
  );
  return Object.fromEntries(known);
}

/** Names of the secrets that are not those of the backup. One that is not set now is not compared: nothing uses it. */
export function otherSecrets({ fingerprints, fingerprintSalt }: Manifest, secrets: Secrets): string[] {
  const now = fingerprintsOf(secrets, fingerprintSalt);
  return Object.keys(now).filter((name) => fingerprints[name] !== undefined && fingerprints[name] !== now[name]);
}
