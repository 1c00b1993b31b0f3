import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file that only this user can read, completely or not at all, even through a power cut. */
export function writePrivateFile(file: string, content: string): void {
  const draft = `${file}.draft-${process.pid}`;
  rmSync(draft, { force: true });
  // Never through a link, nor into a file another user opened.
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    try {
      writeSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The secret in `file`: 32 random bytes in hexadecimal, created on first use. */
export function loadOrCreateSecret(file: string): string {
  if (!existsSync(file)) writePrivateFile(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}

/** The secret in `file`; undefined if none was created. */
export const readSecretFile = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;

/** The file with the generated LINK_SECRET of a server without a configured one. */
export const linkSecretFile = (dataDir: string): string => join(dataDir, 'link-secret');
