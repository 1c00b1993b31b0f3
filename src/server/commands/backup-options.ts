// What the commands of backups share: whom a backup is sealed for, and who opens it.
import { readFileSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openedWith, type Sealing, sealedFor, unsealed } from '../backup/backup-folder.ts';
import { writePrivateFile } from '../db/kept-secret.ts';
import { UsageError } from './command.ts';

export function sealingFor(recipient: string | undefined): Sealing {
  if (recipient === undefined) return unsealed;
  try {
    return sealedFor(recipient);
  } catch {
    throw new UsageError(`--recipient is "${recipient}", it wants a key that begins with age1`);
  }
}

export function openingWith(identityFile: string | undefined): Sealing {
  if (identityFile === undefined) return unsealed;
  const identity = readFileSync(identityFile, 'utf8')
    .split('\n')
    .find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identity === undefined) throw new UsageError(`${identityFile} holds no line that begins with AGE-SECRET-KEY-`);
  return openedWith(identity.trim());
}

/** Writes a new identity to the file and gives its recipient. */
export async function makeKey(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  writePrivateFile(file, `${identity}\n`);
  return identityToRecipient(identity);
}
