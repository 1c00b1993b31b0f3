// `staff-dashboard migrate`: migrates the database to this version's tables, or lists the pending migrations.
import { plural } from '#core/base/formats.ts';
import { settingOf } from '#server/admin/setting-failures.ts';
import { assertOwnSettings } from '#server/own-database.ts';
import { readMigrationConfig } from '#server/platform/config/config.ts';
import { assertKnownSchema, migrate, pendingMigrations, schemaVersionAt } from '#server/platform/db/migrate.ts';
import { assertNoOtherDatabase } from '#server/platform/installation/files-place.ts';
import { type Command, exitCodes, type Given } from './command.ts';
import { commandLog, joinCommandDatabase } from './command-database.ts';

export const migrateCommand: Command = {
  does: 'Migrate the database, all steps or none',
  options: { 'dry-run': { does: 'List the migrations that would run' } },
  details: [
    '`serve` migrates automatically unless it is started with --no-migrate. Servers of the previous version keep working.',
    'To migrate a production database, use its servers’ APP_ENV and LINK_SECRET.',
  ],
  run,
};

async function run({ isSet }: Given): Promise<number> {
  const config = readMigrationConfig(process.env);
  const isDryRun = isSet('dry-run');
  if (!isDryRun && !config.databaseUrl) await assertNoOtherDatabase(config);
  const { url, stop } = await joinCommandDatabase(config, 'a migration', { creates: !isDryRun });
  try {
    const fits = schemaVersionAt(url, async (client) => isDryRun || assertOwnSettings(client, config));
    const version = await settingOf('database', fits);
    assertKnownSchema(version);
    const names = isDryRun
      ? pendingMigrations(version)
      : (await settingOf('database', migrate({ url, log: commandLog(config) }))).applied;
    const count = plural(names.length, 'migration');
    if (names.length === 0) console.log(`Nothing to migrate: the database is at version ${version.expected}`);
    else console.log([`${isDryRun ? 'Would run' : 'Ran'} ${count}:`, ...names.map((name) => `  ${name}`)].join('\n'));
    return exitCodes.ok;
  } finally {
    await stop();
  }
}
