// The commands of `staff-dashboard admin`. Add new ones here.

import { resolve } from 'node:path';
import * as z from 'zod';
import { type DashboardsSetting, isSetting, readSetting, settings as settingsTable } from '#core/admin/settings.ts';
import { dayWithYear } from '#core/base/day-words.ts';
import { countWords, plural } from '#core/base/formats.ts';
import { refuse } from '#core/base/refusals.ts';
import { datasetKeys, isDataset, personDatasets } from '#core/numbers/datasets.ts';
import { personWord } from '#core/numbers/imports.ts';
import { makeFirstAdmin, resetPassword } from '#server/access/auth/recovery.service.ts';
import { erasePerson, exportPerson } from '#server/admin/personal-data/personal-data.service.ts';
import { assertMetabase, changeSetting } from '#server/admin/settings/settings.service.ts';
import { beginErasure, referenceRows } from '#server/numbers/import/erasure.service.ts';
import {
  previewRetention,
  type Retention,
  retentions,
  setRetention,
} from '#server/numbers/import/retention.service.ts';
import { beginSourceRemoval, removableRows } from '#server/numbers/import/source-removal.service.ts';
import { rebuildDataset } from '#server/numbers/roll-ups.service.ts';
import { savedHead } from '#server/platform/audit/seal-audit.ts';
import { verifyAudit } from '#server/platform/audit/verify-audit.ts';
import { readMetabaseUrl, readMigrationConfig, readPublicUrl } from '#server/platform/config/config.ts';
import { linkSecretFile, readSecretFile } from '#server/platform/db/kept-secret.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { adoptFilesPlace } from '#server/platform/installation/files-place.ts';
import { forgetLinkSecret, leaveProduction } from '#server/platform/installation/installation.service.ts';
import { isServed } from '#server/platform/live/live.service.ts';
import { shellWord } from '#server/platform/shell-word.ts';
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

/** A running server would go on with what it started with, beside one that starts with the new. */
const withoutServers =
  (act: Act): Act =>
  async (parts) => {
    if (await isServed(parts.database.pool))
      throw new RefusalError(
        refuse('CONFLICT', 'A server uses this database, and nothing changed. Stop every server, then run this again'),
      );
    return act(parts);
  };

/** Disabling has permanently removed every other way in. */
const enabledWords =
  'is enabled. An existing password works again. Passkeys, company sign-in, feeds and tokens were removed. Without a password, run: npm run admin -- invite EMAIL';

const countFirst = 'Run the command without ROWS first, then pass the number it prints.';

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
  email: of(
    { parameters: 'EMAIL NEW-EMAIL', does: "Change a person's email address", takes: [2, 2] },
    (email = '', changed = '') =>
      accountCommand(emailOf(email), { email: emailOf(changed) }, `now signs in as ${emailOf(changed)}`),
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
        role ? `now has the role ${role}` : 'no longer has a role',
      ),
  ),
  setting: of(
    {
      parameters: 'KEY [VALUE]',
      does: 'Show or change a setting. Running servers apply it immediately',
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
      does: 'Recount the numbers by day in COMPANY_TIME_ZONE',
      takes: [0, 1],
      details: [`Datasets: ${datasetKeys.join(', ')}`],
    },
    rebuildCommand,
  ),
  'remove-source': of(
    {
      parameters: 'DATASET SOURCE [ROWS]',
      does: 'Remove a source. Without ROWS, only count its rows',
      takes: [2, 3],
      details: [`Datasets: ${datasetKeys.join(', ')}`, countFirst, 'Imports of the source can’t be undone after that.'],
    },
    removeSourceCommand,
  ),
  retention: of(
    {
      parameters: '[DATASET [MONTHS [ROWS]]]',
      does: 'Show how long rows are kept, or delete older ones every night. Without ROWS, only count them',
      takes: [0, 3],
      details: [
        `Datasets: ${datasetKeys.join(', ')}`,
        countFirst,
        'With off as MONTHS, all rows are kept from then on.',
      ],
    },
    retentionCommand,
  ),
  'erase-reference': of(
    {
      parameters: 'DATASET REFERENCE [ROWS]',
      does: 'Erase a customer or donor. Without ROWS, only count the rows',
      takes: [2, 3],
      details: [
        `Datasets: ${personDatasets.join(', ')}`,
        countFirst,
        'Amounts stay. The reference and labels are deleted, in undo data too. All stored refused rows of the dataset are deleted as well.',
        'Later imports leave this reference out.',
      ],
    },
    eraseReferenceCommand,
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
    does: 'Record the location in FILES_URL or DATA_DIR as the new file storage',
    takes: [0, 0],
    options: {
      'from-another-database': {
        does: 'Accept the files of another database that is lost and that no server uses',
      },
      'accept-missing-files': { does: 'Continue even though files that the database references are lost' },
    },
    details: ['Stop every server first: a running server deletes stored files that its database doesn’t reference.'],
    prepare: ({ isSet }) =>
      withoutServers(
        adoptFilesCommand({
          fromAnotherDatabase: isSet('from-another-database'),
          acceptMissing: isSet('accept-missing-files'),
        }),
      ),
  },
  'adopt-link-secret': of(
    {
      parameters: '',
      does: 'If LINK_SECRET is lost: let the next server set a new one',
      takes: [0, 0],
      details: ['Stop every server first. Links stop working, and people with an authenticator app set it up again.'],
    },
    () =>
      withoutServers(async (parts) => {
        const {
          dataDir,
          linkSecret = readSecretFile(linkSecretFile(dataDir)),
          linkSecretAlso,
        } = readMigrationConfig(process.env);
        await forgetLinkSecret(parts.database, parts, { linkSecret, linkSecretAlso });
        return 'Start every server with the same new LINK_SECRET';
      }),
  ),
  'leave-production': of(
    {
      parameters: '',
      does: 'Let servers without APP_ENV=production use this database again',
      takes: [0, 0],
      details: ['Stop every server first.'],
    },
    () =>
      withoutServers(async (parts) => {
        await leaveProduction(parts.database, parts);
        return 'Servers with any APP_ENV may use this database now';
      }),
  ),
  'verify-audit': of(
    {
      parameters: '[ENTRY:HASH]',
      does: 'Check that no audit row was changed or removed',
      takes: [0, 1],
      details: ['As ENTRY:HASH, pass the last entry that an earlier run printed, to check that nothing was cut off.'],
    },
    verifyCommand,
  ),
};

function passwordCommand(text: string, act: (parts: CommandParts, email: string) => Promise<string>): Act {
  const email = emailOf(text);
  return async (parts) => `New password for ${email}: ${await act(parts, email)}`;
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
    if (key === 'dashboards') assertMetabase(current, value as DashboardsSetting, readMetabaseUrl(process.env));
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
      await rebuildDataset(parts, dataset, parts.config.companyTimeZone);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      lines.push(`${dataset} is counted on the days of ${parts.config.companyTimeZone} (${seconds} s)`);
    }
    return lines.join('\n');
  };
}

/** Asks for the number of rows, so a typing error can't remove another source. */
function removeSourceCommand(dataset = '', source = '', confirmed?: string): Act {
  if (!isDataset(dataset)) throw new UsageError(`Unknown dataset "${dataset}"`);
  return async (parts) => {
    const rows = await removableRows(parts, { dataset, source });
    const found = `${dataset} has ${plural(rows, 'row')} from ${source}`;
    const command = `npm run admin -- remove-source ${dataset} ${shellWord(source)} ${rows}`;
    if (confirmed === undefined) return `${found}. To remove them, run: ${command}`;
    if (confirmed.replaceAll(',', '') !== String(rows))
      throw new RefusalError(refuse('CONFLICT', `${found}, not ${confirmed}. Nothing was removed`));
    const remover = { ...parts, viewer: null, zone: parts.config.companyTimeZone };
    const removal = await beginSourceRemoval(remover, { dataset, source });
    if (!removal.isNew)
      throw new RefusalError(refuse('STILL_RUNNING', `Rows from ${source} are already being removed`));
    return `Removed ${plural(await removal.run(), 'row')} from ${source}`;
  };
}

const keptWords = ({ dataset, months }: Retention): string =>
  `${dataset} keeps ${months === null ? 'all rows' : plural(months, 'month')}`;

/** Asks for the number of rows, so a typing error can't delete years. */
function retentionCommand(dataset?: string, text?: string, confirmed?: string): Act {
  if (dataset !== undefined && !isDataset(dataset)) throw new UsageError(`Unknown dataset "${dataset}"`);
  const months = text === 'off' ? null : Number(text);
  return async (parts) => {
    const setter = { ...parts, viewer: null };
    const shown = (await retentions(parts)).filter((one) => dataset === undefined || one.dataset === dataset);
    if (text === undefined) return shown.map(keptWords).join('\n');
    if (months === null)
      return keptWords(await setRetention(setter, parts.config.companyTimeZone, { dataset, months }));
    const { rows, all, before, imports } = await previewRetention(parts, parts.config.companyTimeZone, {
      dataset,
      months,
    });
    const words = `${dataset} has ${plural(rows, 'row')} of ${countWords(all)} from before ${dayWithYear(before)}`;
    const command = `npm run admin -- retention ${dataset} ${months} ${rows}`;
    const lost = imports > 0 ? ` Once they’re deleted, ${plural(imports, 'import')} can’t be undone.` : '';
    if (confirmed === undefined) return `${words}.${lost} To delete older rows every night, run: ${command}`;
    if (confirmed.replaceAll(',', '') !== String(rows))
      throw new RefusalError(refuse('CONFLICT', `${words}, not ${confirmed}. Nothing changed`));
    return `${keptWords(await setRetention(setter, parts.config.companyTimeZone, { dataset, months }))}. Servers delete older rows at night`;
  };
}

/** Asks for the number of rows, so a typing error can't erase another person. */
function eraseReferenceCommand(dataset = '', reference = '', confirmed?: string): Act {
  if (!isDataset(dataset) || !personDatasets.includes(dataset))
    throw new UsageError(`"${dataset}" isn’t ${personDatasets.join(' or ')}`);
  return async (parts) => {
    const found = await referenceRows(parts, { dataset, reference });
    const rows = found.reduce((sum, one) => sum + one.rows, 0);
    const sources = found.map((one) => `${one.source} ${countWords(one.rows)}`).join(', ');
    const words = `${dataset} has ${plural(rows, 'row')} of this ${personWord(dataset)}${sources && ` (${sources})`}`;
    const command = `npm run admin -- erase-reference ${dataset} ${shellWord(reference)} ${rows}`;
    if (confirmed === undefined) return `${words}. To erase the ${personWord(dataset)} from them, run: ${command}`;
    if (confirmed.replaceAll(',', '') !== String(rows))
      throw new RefusalError(refuse('CONFLICT', `${words}, not ${confirmed}. Nothing was erased`));
    const erasure = await beginErasure(
      { ...parts, viewer: null, zone: parts.config.companyTimeZone },
      { dataset, reference },
    );
    if (!erasure.isNew)
      throw new RefusalError(refuse('STILL_RUNNING', `This ${personWord(dataset)} is already being erased`));
    return `Erased the ${personWord(dataset)} from ${plural(await erasure.run(), 'row')}. Earlier backups still hold the data until you delete them`;
  };
}

const searchedOnly = (unclear: string | null): string =>
  unclear === null ? '' : `. Texts were searched only for the email address, because ${unclear}`;

function exportCommand(text = '', folder = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    const files = await openFileStore({ dataDir: parts.dataDir, url: parts.filesUrl, creates: false });
    const path = resolve(folder);
    const { written, missing, unclear } = await exportPerson({ ...parts, files }, email, path);
    const done = `Wrote data.json and ${plural(written, 'file')} to ${path}${searchedOnly(unclear)}`;
    if (missing.length === 0) return done;
    return { partly: `${done}. The file storage has lost ${plural(missing.length, 'file')}:\n${missing.join('\n')}` };
  };
}

function adoptFilesCommand(options: Parameters<typeof adoptFilesPlace>[2]): Act {
  return async (parts) => {
    const files = await openFileStore({ dataDir: parts.dataDir, url: parts.filesUrl });
    const { before, now, hasChanged } = await adoptFilesPlace({ ...parts, files, config: parts }, parts, options);
    if (!hasChanged) return `This database already keeps its files in ${now}. Nothing changed`;
    const was = before && before !== now ? ` (before: ${before})` : '';
    return `This database now keeps its files in ${now}${was}. Start every server with the same FILES_URL or DATA_DIR`;
  };
}

/** Asks for both, so a typing error can't erase anyone. */
function eraseCommand(id = '', text = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    const unclear = await erasePerson(parts, id, email);
    return `Erased ${email}${searchedOnly(unclear)}. Earlier backups still hold the data until you delete them`;
  };
}

function verifyCommand(text?: string): Act {
  const given = text === undefined ? null : /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text);
  if (text !== undefined && given === null) throw new UsageError(`"${text}" isn’t ENTRY:HASH, such as 12:9f8e...`);
  return async (parts) => {
    const kept = savedHead(parts.dataDir);
    const known = [...(given ? [{ position: given[1]!, hash: given[2]! }] : []), ...(kept ? [kept] : [])];
    const { retired, sealed, erased, unsealed, head, fault } = await verifyAudit(parts, known);
    if (fault !== null) throw new RefusalError(refuse('CONFLICT', `The audit log is damaged: ${fault}`));
    return [
      `The audit log is intact: ${sealed} rows sealed, ${erased} of them partly erased, ${unsealed} not sealed yet`,
      ...(retired ? [`It starts after entry ${retired}. Older rows were removed after 400 days`] : []),
      kept
        ? `It includes the end recorded on this machine, entry ${kept.position}`
        : 'No end is recorded on this machine',
      ...(head ? [`Last entry (keep it elsewhere): ${head.position}:${head.hash}`] : []),
    ].join('\n');
  };
}
