// Refuses a database that belongs to other servers before anything of it changes: its tables may be of another version.
import type pg from 'pg';
import { assertDemoAllowed } from '#server/demo/demo-guard.ts';
import type { Config } from '#server/platform/config/config.ts';
import { linkSecretFile, readKeptSecret } from '#server/platform/db/kept-secret.ts';
import { assertFilesPlace, newDatabase } from '#server/platform/installation/files-place.ts';
import { assertInstallationFits } from '#server/platform/installation/installation.service.ts';
import type { FileStore } from '#server/platform/storage/files.ts';

type Client = Pick<pg.ClientBase, 'query'>;
type SecretSettings = Pick<Config, 'appEnv' | 'dataDir' | 'linkSecret' | 'linkSecretAlso'>;

/** Throws StartRefused where APP_ENV or LINK_SECRET isn't that of the database. Gives what the database remembers of its servers. */
export const assertOwnSettings = (client: Client, { appEnv, dataDir, linkSecretAlso, ...settings }: SecretSettings) =>
  assertInstallationFits(client, {
    appEnv,
    linkSecretAlso,
    linkSecret: settings.linkSecret ?? readKeptSecret(linkSecretFile(dataDir)),
  });

/** The same for a server, which also looks at the demo company and at the place of the files, unless `files` is null. */
export async function assertOwnDatabase(
  client: Client,
  config: Config,
  files: Pick<FileStore, 'readMark'> | null,
): Promise<void> {
  await assertDemoAllowed(client, config.demo);
  const installation = await assertOwnSettings(client, config);
  if (files) await assertFilesPlace({ files, config }, installation ?? newDatabase);
}
