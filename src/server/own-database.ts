// Refuses another installation's database before changing it: its tables may have another version.
import type pg from 'pg';
import { assertDemoAllowed } from '#server/demo/demo-guard.ts';
import type { Config } from '#server/platform/config/config.ts';
import { linkSecretFile, readSecretFile } from '#server/platform/db/kept-secret.ts';
import { assertFilesPlace, newDatabase } from '#server/platform/installation/files-place.ts';
import { assertInstallationFits } from '#server/platform/installation/installation.service.ts';
import type { FileStore } from '#server/platform/storage/files.ts';

type Client = Pick<pg.ClientBase, 'query'>;
type SecretSettings = Pick<Config, 'appEnv' | 'dataDir' | 'linkSecret' | 'linkSecretAlso'>;

/**
 * Throws StartRefused unless APP_ENV and LINK_SECRET match the database. Returns what the database remembers
 * about its servers.
 */
export const assertOwnSettings = (client: Client, { appEnv, dataDir, linkSecretAlso, ...settings }: SecretSettings) =>
  assertInstallationFits(client, {
    appEnv,
    linkSecretAlso,
    linkSecret: settings.linkSecret ?? readSecretFile(linkSecretFile(dataDir)),
  });

/** The same for a server, which also checks the demo company and, unless `files` is null, the file store. */
export async function assertOwnDatabase(
  client: Client,
  config: Config,
  files: Pick<FileStore, 'readMark'> | null,
): Promise<void> {
  await assertDemoAllowed(client, config.demo);
  const installation = await assertOwnSettings(client, config);
  if (files) await assertFilesPlace({ files, config }, installation ?? newDatabase);
}
