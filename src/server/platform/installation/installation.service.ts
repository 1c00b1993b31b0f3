// What a database remembers about its servers. A server with another LINK_SECRET, or one that opened
// production's database by mistake, doesn't start.
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { Services } from '../context.ts';
import type { Database } from '../db/database.ts';
import { orThrow } from '../graphql/refusal-error.ts';
import { settingsFile } from '../program.ts';
import { StartRefused } from '../start-refused.ts';
import {
  type Installation,
  lockInstallation,
  readInstallationOf,
  recordInstallation,
  recordOriginOf,
} from './installation.store.ts';

/** Doesn't reveal the secret, and differs between databases. */
const fingerprintOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`installation ${id}`).digest('hex');

type LinkSecrets = {
  /** Undefined when none is set and none was generated. */
  readonly linkSecret: string | undefined;
  readonly linkSecretAlso: string | undefined;
};
type InstallationSettings = Pick<Services['config'], 'appEnv'> & LinkSecrets;

/** Whether one of them is the database's secret. A new database accepts any. */
const knowsSecret = (
  { id, linkSecretFingerprint: known }: Installation,
  { linkSecret, linkSecretAlso }: LinkSecrets,
): boolean => known === null || [linkSecret, linkSecretAlso].some((one) => one && fingerprintOf(one, id) === known);

const secretFault = ({ linkSecret }: LinkSecrets): string =>
  linkSecret === undefined
    ? "LINK_SECRET isn't set, but this database has one"
    : "LINK_SECRET doesn't match this database";

/** Throws StartRefused if the settings don't belong to the database. */
function assertFits(installation: Installation, settings: InstallationSettings): void {
  const { appEnv } = settings;
  if (installation.isProduction && appEnv !== 'production')
    throw new StartRefused(
      `This database is in production, and APP_ENV is "${appEnv}". Use its servers’ ${settingsFile}. If it’s no longer in production: npm run admin -- leave-production`,
    );
  if (!knowsSecret(installation, settings))
    throw new StartRefused(
      `${secretFault(settings)}, so links and authenticator apps would stop working. Use the LINK_SECRET of its other servers, or set the previous one as LINK_SECRET_ALSO. If it’s lost: npm run admin -- adopt-link-secret`,
    );
}

/**
 * The same check before a migration, for any version of the tables. Changes nothing and returns what the
 * database remembers.
 */
export async function assertInstallationFits(
  client: Pick<pg.ClientBase, 'query'>,
  settings: InstallationSettings,
): Promise<Installation | null> {
  const installation = await readInstallationOf(client);
  if (installation) assertFits(installation, settings);
  return installation;
}

/** Throws StartRefused if a backup with these secrets can't be restored with the servers' secret. */
export async function assertBackupSecret(client: Pick<pg.ClientBase, 'query'>, secrets: LinkSecrets): Promise<void> {
  const installation = await readInstallationOf(client);
  if (installation && !knowsSecret(installation, secrets))
    throw new StartRefused(
      `${secretFault(secrets)}, so its servers couldn't restore this backup. Use the LINK_SECRET from their ${settingsFile}`,
    );
}

/** Records both on the first start; later throws StartRefused for a server that doesn't belong. */
export async function checkInstallation(
  database: Database,
  settings: Pick<Services['config'], 'appEnv' | 'linkSecret' | 'linkSecretAlso'>,
): Promise<void> {
  await database.transaction(async (queries) => {
    const installation = await lockInstallation(queries);
    assertFits(installation, settings);
    const { appEnv, linkSecret } = settings;
    const { id, isProduction, linkSecretFingerprint: known } = installation;
    const current = fingerprintOf(linkSecret, id);
    if (known === current && isProduction === (appEnv === 'production')) return;
    await recordInstallation(queries, { linkSecretFingerprint: current, isProduction: appEnv === 'production' });
  });
}

/** Undefined if no server has recorded it. */
export const readIsProduction = async (client: Pick<pg.ClientBase, 'query'>): Promise<boolean | undefined> =>
  (await readInstallationOf(client))?.isProduction;

/** Records what restored rows belong to. Without a known secret, the next server sets one. */
export const recordOrigin = (
  client: Pick<pg.ClientBase, 'query'>,
  id: string,
  { linkSecret, isProduction }: Pick<LinkSecrets, 'linkSecret'> & Pick<Installation, 'isProduction'>,
): Promise<void> =>
  recordOriginOf(client, {
    linkSecretFingerprint: linkSecret === undefined ? null : fingerprintOf(linkSecret, id),
    isProduction,
  });

type Actor = Parameters<typeof recordAudit>[1];

/** The next server that starts sets the LINK_SECRET. Refused while the settings have the right one. */
export const forgetLinkSecret = (database: Database, actor: Actor, secrets: LinkSecrets) =>
  forget(database, actor, 'linkSecretForgotten', { linkSecretFingerprint: null }, (installation) => {
    if (installation.linkSecretFingerprint !== null && knowsSecret(installation, secrets))
      orThrow(
        refuse(
          'CONFLICT',
          'LINK_SECRET is the one of this database, so it isn’t lost. To change it: node scripts/rotate-link-secret.mjs',
        ),
      );
  });

export const leaveProduction = (database: Database, actor: Actor) =>
  forget(database, actor, 'productionLeft', { isProduction: false });

async function forget(
  database: Database,
  actor: Actor,
  action: string,
  change: Parameters<typeof recordInstallation>[1],
  check: (installation: Installation) => void = () => {},
): Promise<void> {
  await database.transaction(async (queries) => {
    const installation = await lockInstallation(queries);
    check(installation);
    await recordInstallation(queries, change);
    await recordAudit(queries, actor, { action, subjectType: 'installation', subjectId: installation.id });
  });
}
