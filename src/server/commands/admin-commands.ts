// The commands of `staff-dashboard admin`. Add new ones here.

import { resolve } from 'node:path';
import * as z from 'zod';
import { isSetting, readSetting, settings as settingsTable } from '#core/admin/settings.ts';
import { plural } from '#core/base/formats.ts';
import { refuse } from '#core/base/refusals.ts';
import { datasetKeys, isDataset } from '#core/numbers/datasets.ts';
import { makeFirstAdmin, resetPassword } from '#server/access/auth/recovery.service.ts';
import { erasePerson, exportPerson } from '#server/admin/personal-data/personal-data.service.ts';
import { changeSetting } from '#server/admin/settings/settings.service.ts';
import { rebuildDataset } from '#server/numbers/roll-ups.service.ts';
import { savedHead } from '#server/platform/audit/seal-audit.ts';
import { verifyAudit } from '#server/platform/audit/verify-audit.ts';
import { readMigrationConfig, readPublicUrl } from '#server/platform/config/config.ts';
import { linkSecretFile, readSecretFile } from '#server/platform/db/kept-secret.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { adoptFilesPlace } from '#server/platform/installation/files-place.ts';
import { forgetLinkSecret, leaveProduction } from '#server/platform/installation/installation.service.ts';
import { openFileStore } from '#server/platform/storage/files.ts';

import { accountCommand, inviteCommand, resetSecondFactorCommand } from './account-commands.ts';
import { type Command, type Given, UsageError } from './command.ts';
import type { Act, CommandParts } from './command-act.ts';
import { listPeopleCommand } from './list-people.ts';

type AdminCommand = Omit<Command, 'run'> & {
  /** Reads the arguments before a database is opened. */
  readonly prepare: (given: Given) => Act;
};

/** A command without options. */
const of = (shape: Omit<AdminCommand, 'prepare'>, prepare: (...parameters: string[]) => Act): AdminCommand => ({
  ...shape,
  prepare: ({ parameters }) => prepare(...parameters),
});

/** Disabling removed every other way in for good. */
const enabledWords =
  'is enabled. An existing password works again. Passkeys, company sign-in, feeds and tokens were removed. Without a password, run: npm run admin -- invite EMAIL';

export const adminCommands: Readonly<Record<string, AdminCommand>> = {
  'list-people': listPeopleCommand,
  'first-admin': of(
    { parameters: 'EMAIL', does: 'Create an admin when none can sign in, and print the password', takes: [1, 1] },
    (email = '') => passwordCommand(email, makeFirstAdmin),
  ),
  'reset-password': of(
    { parameters: 'EMAIL', does: "Set a new password, print it and end the person's sessions", takes: [1, 1] },
    (email = '') => passwordCommand(email, resetPassword),
  ),
  'reset-second-factor': of(
    {
      parameters: 'EMAIL',
      does: "Remove a person's passkeys, authenticator app and recovery codes, and end their sessions",
      takes: [1, 1],
    },
    (email = '') => resetSecondFactorCommand(emailOf(email)),
  ),
  invite: of(
    { parameters: 'EMAIL', does: 'Print a one-time link at PUBLIC_URL for setting a password', takes: [1, 1] },
    (email = '') => inviteCommand(emailOf(email), readPublicUrl(process.env)),
  ),
  enable: of({ parameters: 'EMAIL', does: 'Enable a disabled account', takes: [1, 1] }, (email = '') =>
    accountCommand(emailOf(email), { disabled: false }, enabledWords),
  ),
  disable: of({ parameters: 'EMAIL', does: 'Disable an account and end its sessions', takes: [1, 1] }, (email = '') =>
    accountCommand(emailOf(email), { disabled: true }, 'is disabled'),
  ),
  role: of(
    { parameters: 'EMAIL [ROLE]', does: 'Give a person a role, admin included; without ROLE remove it', takes: [1, 2] },
    (email = '', role) =>
      accountCommand(
        emailOf(email),
        { role: role ?? null },
        role ? `has the role ${role} now` : 'no longer has a role',
      ),
  ),
  setting: of(
    {
      parameters: 'KEY [VALUE]',
      does: 'Show or change a setting. Running servers follow at once',
      takes: [1, 2],
      details: [
        `Settings: ${Object.keys(settingsTable).join(', ')}`,
        'Example: setting dashboards connect=metabase,who-lives=builtin',
      ],
    },
    settingCommand,
  ),
  'rebuild-numbers': of(
    {
      parameters: '[DATASET]',
      does: 'Rebuild the numbers for the days of COMPANY_TIME_ZONE',
      takes: [0, 1],
      details: [`Datasets: ${datasetKeys.join(', ')}`],
    },
    rebuildCommand,
  ),
  'export-person': of(
    { parameters: 'EMAIL FOLDER', does: 'Write all data about a person, with files, into a new folder', takes: [2, 2] },
    exportCommand,
  ),
  'erase-person': of(
    { parameters: 'ID EMAIL', does: 'Erase all personal data of a person with a disabled account', takes: [2, 2] },
    eraseCommand,
  ),
  'adopt-files': {
    does: 'Record the place that FILES_URL or DATA_DIR names as the new place of the files',
    takes: [0, 0],
    options: {
      'from-another-database': {
        does: 'Accept the files of another database that is lost and that no server uses',
      },
      'accept-missing-files': { does: 'Accept that files named by the database are missing, because they are lost' },
    },
    details: ['Servers delete stored files that their database doesn’t name.'],
    prepare: ({ isSet }) =>
      adoptFilesCommand({
        fromAnotherDatabase: isSet('from-another-database'),
        acceptMissing: isSet('accept-missing-files'),
      }),
  },
  'adopt-link-secret': of(
    {
      parameters: '',
      does: 'If LINK_SECRET is lost: let the next server set a new one',
      takes: [0, 0],
      details: ['Links stop working, and people with an authenticator app set it up again.'],
    },
    () => async (parts) => {
      const {
        dataDir,
        linkSecret = readSecretFile(linkSecretFile(dataDir)),
        linkSecretAlso,
      } = readMigrationConfig(process.env);
      await forgetLinkSecret(parts.database, parts, { linkSecret, linkSecretAlso });
      return 'Start every server with the same new LINK_SECRET';
    },
  ),
  'leave-production': of(
    { parameters: '', does: 'Let servers without APP_ENV=production use this database again', takes: [0, 0] },
    () => async (parts) => {
      await leaveProduction(parts.database, parts);
      return 'Servers with any APP_ENV may use this database now';
    },
  ),
  'verify-audit': of(
    {
      parameters: '[PLACE:HASH]',
      does: 'Check that no audit row was changed or removed',
      takes: [0, 1],
      details: ['PLACE:HASH is an end of the log that an earlier run printed.'],
    },
    verifyCommand,
  ),
};

function passwordCommand(text: string, act: (parts: CommandParts, email: string) => Promise<string>): Act {
  const email = emailOf(text);
  return async (parts) => `${email} signs in with the password ${await act(parts, email)}`;
}

function emailOf(text: string): string {
  const email = z.email().max(254).safeParse(text);
  if (!email.success) throw new UsageError(`"${text}" is not an email address`);
  return email.data;
}

function settingCommand(key = '', text?: string): Act {
  if (!isSetting(key)) throw new UsageError(`Unknown setting "${key}"`);
  return async (parts) => {
    const current = parts.settings();
    if (text === undefined) return `${key} is ${JSON.stringify(current[key])}`;
    const value = orThrow(readSetting(key, text, current));
    await changeSetting(parts, key, value);
    return `${key} is now ${JSON.stringify(value)}`;
  };
}

function rebuildCommand(text?: string): Act {
  if (text !== undefined && !isDataset(text)) throw new UsageError(`Unknown dataset "${text}"`);
  const wanted = text === undefined ? datasetKeys : [text];
  return async (parts) => {
    const lines: string[] = [];
    for (const dataset of wanted) {
      const started = performance.now();
      await rebuildDataset(parts, dataset, parts.companyTimeZone);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      lines.push(`${dataset} is counted on the days of ${parts.companyTimeZone} (${seconds} s)`);
    }
    return lines.join('\n');
  };
}

function exportCommand(text = '', folder = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    const files = await openFileStore({ dataDir: parts.dataDir, url: parts.filesUrl, creates: false });
    const path = resolve(folder);
    const count = await exportPerson({ ...parts, files }, email, path);
    return `Wrote data.json and ${plural(count, 'file')} to ${path}`;
  };
}

function adoptFilesCommand(options: Parameters<typeof adoptFilesPlace>[2]): Act {
  return async (parts) => {
    const files = await openFileStore({ dataDir: parts.dataDir, url: parts.filesUrl });
    const { before, now } = await adoptFilesPlace({ ...parts, files, config: parts }, parts, options);
    if (before === now) return `The files of this database are already in ${now}. Nothing changed`;
    return `The files of this database are now in ${now}${before ? ` (before: ${before})` : ''}. Restart every server with the same FILES_URL or DATA_DIR`;
  };
}

/** Asks for both, so a typing error can't erase anyone. */
function eraseCommand(id = '', text = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    await erasePerson(parts, id, email);
    return `Erased ${email}. Earlier backups still hold the data until you delete them`;
  };
}

function verifyCommand(text?: string): Act {
  const given = text === undefined ? null : /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text);
  if (text !== undefined && given === null) throw new UsageError(`"${text}" isn’t PLACE:HASH, such as 12:9f8e...`);
  return async (parts) => {
    const kept = savedHead(parts.dataDir);
    const known = [...(given ? [{ position: given[1]!, hash: given[2]! }] : []), ...(kept ? [kept] : [])];
    const { retired, sealed, erased, unsealed, head, fault } = await verifyAudit(parts, known);
    if (fault !== null) throw new RefusalError(refuse('CONFLICT', `The audit log is damaged: ${fault}`));
    return [
      `The audit log is intact: ${sealed} rows sealed, ${erased} of them partly erased, ${unsealed} not sealed yet`,
      ...(retired ? [`It starts after place ${retired}. Older rows were removed after 400 days`] : []),
      kept
        ? `It includes the end recorded on this machine, place ${kept.position}`
        : 'No end is recorded on this machine',
      ...(head ? [`End of the log, to keep elsewhere: ${head.position}:${head.hash}`] : []),
    ].join('\n');
  };
}
