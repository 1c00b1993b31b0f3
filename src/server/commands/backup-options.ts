// What the commands of backups share: whom a backup is sealed for, who opens it, and how a failure is told.
import { readFileSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openedWith, type Sealing, sealedFor, unsealed } from '../backup/backup-folder.ts';
import { RestoreRefused } from '../backup/restore.service.ts';
import { ConfigFaults } from '../config.ts';
import { isUnavailable } from '../db/database-failures.ts';
import { writePrivateFile } from '../db/kept-secret.ts';

/** Wrong arguments, in words. */
export class WrongUse extends Error {
  override name = 'WrongUse';
}

export function sealingFor(recipient: string | undefined): Sealing {
  if (recipient === undefined) return unsealed;
  try {
    return sealedFor(recipient);
  } catch {
    throw new WrongUse(`--recipient is "${recipient}", it wants a key that begins with age1`);
  }
}

export function openingWith(identityFile: string | undefined): Sealing {
  if (identityFile === undefined) return unsealed;
  const identity = readFileSync(identityFile, 'utf8')
    .split('\n')
    .find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identity === undefined) throw new WrongUse(`${identityFile} holds no line that begins with AGE-SECRET-KEY-`);
  return openedWith(identity.trim());
}

/** Writes a new identity to the file and gives its recipient. */
export async function makeKey(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  writePrivateFile(file, `${identity}\n`);
  return identityToRecipient(identity);
}

/** Runs a command: what people can mend is told in words, the rest with its origin. Ends with 1. */
export async function telling(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isForPeople = [RestoreRefused, ConfigFaults, WrongUse].some((kind) => error instanceof kind);
    if (isForPeople || (error as NodeJS.ErrnoException).syscall !== undefined) console.error((error as Error).message);
    else if (isUnavailable(error)) console.error(`The database cannot be reached: ${(error as Error).message}`);
    else console.error(error);
    process.exitCode = 1;
  }
}
