import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file that only this user may read, whole or not at all, also through a power cut. */
export function writePrivateFile(file: string, content: string): void {
  const draft = `${file}.draft-${process.pid}`;
  const descriptor = openSync(draft, 'w', 0o600);
  writeSync(descriptor, content);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
}

/** The secret kept in `file`: 32 random bytes in hexadecimal, made the first time. */
export function keptSecret(file: string): string {
  if (!existsSync(file)) writePrivateFile(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}

/** The secret kept in `file`, undefined where none was made yet. */
export const readKeptSecret = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;

/** Where the LINK_SECRET of a server that was given none is kept. */
export const linkSecretFile = (dataDir: string): string => join(dataDir, 'link-secret');
