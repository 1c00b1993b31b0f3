// What `npm run admin` can do: each command with its arguments, what it does in words, and how. A new one is an entry here.
import { resolve } from 'node:path';
import * as z from 'zod';
import { datasetKeys, isDataset } from '#core/datasets.ts';
import { refuse } from '#core/refusals.ts';
import { isSetting, readSetting, settings as settingsTable } from '#core/settings.ts';
import { keptHead } from '../audit/seal-audit.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { makeFirstAdmin, resetPassword } from '../auth/recovery.service.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import { countAnew } from '../numbers/roll-ups.service.ts';
import { openFileStore } from '../outside/files.ts';
import { erasePerson, exportPerson } from '../personal-data/personal-data.service.ts';
import { changeSetting } from '../settings/settings.service.ts';

import { accountCommand, inviteCommand } from './account-commands.ts';
import type { Act, CommandParts } from './command-act.ts';

type Command = {
  readonly parameters: string;
  readonly does: string;
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [number, number];
  /** Reads the arguments before a database is opened for them. */
  readonly prepare: (...parameters: string[]) => Act;
};

export const adminCommands: Readonly<Record<string, Command>> = {
  setting: {
    parameters: 'KEY [VALUE]',
    does: `shows a setting, or changes it for running servers too: ${Object.keys(settingsTable).join(', ')}`,
    takes: [1, 2],
    prepare: settingCommand,
  },
  'first-admin': {
    parameters: 'EMAIL',
    does: 'makes an admin where none can sign in, and prints the password',
    takes: [1, 1],
    prepare: (email = '') => passwordCommand(email, makeFirstAdmin),
  },
  'reset-password': {
    parameters: 'EMAIL',
    does: 'gives a person a new password, prints it and ends their sessions',
    takes: [1, 1],
    prepare: (email = '') => passwordCommand(email, resetPassword),
  },
  invite: {
    parameters: 'EMAIL',
    does: 'prints a link at PUBLIC_URL by which a person sets a password, once',
    takes: [1, 1],
    prepare: (email = '') => inviteCommand(emailOf(email), process.env.PUBLIC_URL?.trim() || undefined),
  },
  enable: {
    parameters: 'EMAIL',
    does: 'lets a person in again whose account is disabled',
    takes: [1, 1],
    prepare: (email = '') => accountCommand(emailOf(email), { disabled: false }, 'may sign in again'),
  },
  disable: {
    parameters: 'EMAIL',
    does: 'signs a person out everywhere and lets them in no more',
    takes: [1, 1],
    prepare: (email = '') => accountCommand(emailOf(email), { disabled: true }, 'is disabled'),
  },
  role: {
    parameters: 'EMAIL [ROLE]',
    does: 'gives a person a role, admin included; without one takes it away',
    takes: [1, 2],
    prepare: (email = '', role) =>
      accountCommand(emailOf(email), { role: role ?? null }, role ? `has the role ${role} now` : 'has no role now'),
  },
  'rebuild-numbers': {
    parameters: '[DATASET]',
    does: `counts the numbers anew on the days of COMPANY_TIME_ZONE, all or one of ${datasetKeys.join(', ')}`,
    takes: [0, 1],
    prepare: rebuildCommand,
  },
  'export-person': {
    parameters: 'EMAIL FOLDER',
    does: 'writes all that is kept of a person into a new folder, with the files',
    takes: [2, 2],
    prepare: exportCommand,
  },
  'erase-person': {
    parameters: 'ID EMAIL',
    does: 'takes away, for good, everything that names a person whose account is disabled',
    takes: [2, 2],
    prepare: eraseCommand,
  },
  'verify-audit': {
    parameters: '[PLACE:HASH]',
    does: 'checks that no row of the audit log was changed or taken out, up to an end that was kept',
    takes: [0, 1],
    prepare: verifyCommand,
  },
};

const width = 36;
export const adminUsage = [
  ...Object.entries(adminCommands).map(
    ([name, { parameters, does }]) => `npm run admin -- ${`${name} ${parameters}`.padEnd(width - 17)} ${does}`,
  ),
  '',
  '  dashboards is set like connect=metabase,who-lives=builtin',
].join('\n');

export const wrongUse = (message: string): RefusalError =>
  new RefusalError(refuse('BAD_INPUT', `${message}\n${adminUsage}`));

/** Finds the command and reads its arguments; throws what is wrong with them, with the usage. */
export function readAdminCommand([name = '', ...parameters]: readonly string[]): Act {
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (!command) throw wrongUse(name === '' ? 'What is to be done is missing' : `There is no command "${name}"`);
  const [least, most] = command.takes;
  if (parameters.length < least || parameters.length > most)
    throw wrongUse(`${name} takes ${command.parameters || 'nothing'}`);
  return command.prepare(...parameters);
}

function passwordCommand(text: string, act: (parts: CommandParts, email: string) => Promise<string>): Act {
  const email = emailOf(text);
  return async (parts) => `${email} signs in with the password ${await act(parts, email)}`;
}

function emailOf(text: string): string {
  const email = z.email().max(254).safeParse(text);
  if (!email.success) throw wrongUse(`"${text}" is not an e-mail address`);
  return email.data;
}

function settingCommand(key = '', text?: string): Act {
  if (!isSetting(key)) throw wrongUse(`There is no setting "${key}"`);
  return async (parts) => {
    const current = parts.settings();
    if (text === undefined) return `${key} is ${JSON.stringify(current[key])}`;
    const value = orThrow(readSetting(key, text, current));
    await changeSetting(parts, key, value);
    return `${key} is now ${JSON.stringify(value)}`;
  };
}

function rebuildCommand(text?: string): Act {
  if (text !== undefined && !isDataset(text)) throw wrongUse(`There is no dataset "${text}"`);
  const wanted = text === undefined ? datasetKeys : [text];
  return async (parts) => {
    const lines: string[] = [];
    for (const dataset of wanted) {
      const started = performance.now();
      await countAnew(parts, dataset, parts.companyTimeZone);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      lines.push(`${dataset} is counted on the days of ${parts.companyTimeZone} (${seconds} s)`);
    }
    return lines.join('\n');
  };
}

function exportCommand(text = '', folder = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    const files = await openFileStore({ dataDir: parts.dataDir, url: parts.filesUrl });
    const exported = await exportPerson({ ...parts, files }, email, resolve(folder));
    return `${exported.path} holds data.json and ${exported.files} files`;
  };
}

/** Both are asked for, so that a slip of the hand erases nobody. */
function eraseCommand(id = '', text = ''): Act {
  const email = emailOf(text);
  return async (parts) => {
    await erasePerson(parts, id, email);
    return `Nothing names ${email} any more. Backups that were made before still do, until they are thrown away`;
  };
}

function verifyCommand(text?: string): Act {
  const given = text === undefined ? null : /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text);
  if (text !== undefined && given === null) throw wrongUse(`"${text}" is not the end of a chain, as 12:9f8e...`);
  return async (parts) => {
    const kept = keptHead(parts.dataDir);
    const known = [...(given ? [{ position: given[1]!, hash: given[2]! }] : []), ...(kept ? [kept] : [])];
    const { retired, sealed, erased, unsealed, head, fault } = await verifyAudit(parts, known);
    if (fault !== null) throw new RefusalError(refuse('CONFLICT', `The audit log does not hold: ${fault}`));
    return [
      `The audit log holds: ${sealed} rows sealed, ${erased} of them erased in part, ${unsealed} not sealed yet`,
      ...(retired ? [`It begins after place ${retired}: what came before was kept for 400 days and taken away`] : []),
      kept
        ? `It reaches the end that this machine kept, place ${kept.position}`
        : 'No end of it was kept on this machine',
      ...(head ? [`Its end, to be kept elsewhere: ${head.position}:${head.hash}`] : []),
    ].join('\n');
  };
}
