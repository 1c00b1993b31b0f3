// What the backup commands share: who a backup is encrypted for, who decrypts it, and what authenticates it.
import { readFileSync } from 'node:fs';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openedWith, type Sealing, sealedFor, unsealed } from '#server/admin/backup/backup-folder.ts';
import type { BackupConfig } from '#server/platform/config/config.ts';
import { linkSecretFile, readSecretFile, writePrivateFile } from '#server/platform/db/kept-secret.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { UsageError } from './command.ts';

export function sealingFor(recipient: string | undefined): Sealing {
  if (recipient === undefined) return unsealed;
  try {
    return sealedFor(recipient);
  } catch {
    throw new UsageError(`--recipient is "${recipient}", which must be a key that begins with age1`);
  }
}

export function openingWith(identityFile: string | undefined): Sealing {
  if (identityFile === undefined) return unsealed;
  const identity = readIdentity(identityFile)
    .split('\n')
    .find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identity === undefined) throw new UsageError(`${identityFile} has no line that begins with AGE-SECRET-KEY-`);
  return openedWith(identity.trim());
}

function readIdentity(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--identity is "${file}", but ${code === 'ENOENT' ? 'there is no such file' : `it can’t be read (${code})`}`,
    );
  }
}

/** Writes a new identity to the file, as age does, and returns its recipient. */
export async function makeKey(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  writePrivateFile(file, `# public key: ${recipient}\n${identity}\n`);
  return recipient;
}

type Keys = Pick<BackupConfig, 'secrets' | 'linkSecrets'>;

/** The keys that authenticate a backup: the server's, never a new one that no restore would know. */
export function keysOfBackup({ dataDir, databaseUrl, ...config }: BackupConfig): Keys {
  if (config.linkSecrets.length > 0) return config;
  const kept = databaseUrl ? undefined : readSecretFile(linkSecretFile(dataDir));
  if (kept === undefined)
    throw new StartRefused('LINK_SECRET isn’t set. Use the servers’ LINK_SECRET, which authenticates the backup');
  return withKept(config, kept);
}

/** The keys a restore knows; none in a new folder without LINK_SECRET. */
export function keysOfRestore({ dataDir, ...config }: BackupConfig): Keys {
  const kept = config.linkSecrets.length > 0 ? undefined : readSecretFile(linkSecretFile(dataDir));
  return kept === undefined ? config : withKept(config, kept);
}

const withKept = ({ secrets }: Keys, kept: string): Keys => ({
  secrets: { ...secrets, LINK_SECRET: kept },
  linkSecrets: [kept],
});
