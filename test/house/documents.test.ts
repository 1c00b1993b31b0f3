import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guessLanes, type LaneName, mostGuesses, waitInWords, wrongGuessHours } from '#core/access/guess-limits.ts';
import { defaultSettings } from '#core/admin/settings.ts';
import { limits } from '#core/base/limits.ts';
import type { refusals } from '#core/base/refusals.ts';
import { fileLinkSeconds } from '#core/tasks/files.ts';
import { undoSeconds } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { sessionSeconds } from '#server/access/auth/auth.service.ts';
import { demoAccounts } from '#server/demo/demo-accounts.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { workLimits } from '#server/platform/db/work-slots.ts';
import { queryLimits } from '#server/platform/graphql/limits.ts';
import { mostParts } from '#server/platform/http/json-bodies.ts';
import { fetchLimits } from '#server/toolbox/schedule/fetch-limits.ts';
import {
  type Document,
  type Known,
  lineNumbers,
  missingLinks,
  missingNames,
  missingPaths,
  missingScripts,
} from './document-rules.ts';
import { filesUnder, root, textOf } from './source.ts';

const files = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name),
  ...['src', 'test', 'docs', 'scripts', 'bench', 'faults', 'examples'].flatMap(filesUnder),
];
const scripts: Record<string, string> = JSON.parse(textOf('package.json')).scripts;
const sources = files.filter(
  (file) => /\.(tsx?|mjs|cjs|graphql|sql|sh)$/.test(file) && !file.startsWith('test/house/document'),
);
/** Named because nobody may use it. */
const foreign = ['hiddenFrom'];
const words = new Set([...foreign, ...sources.flatMap((file) => textOf(file).match(/\w+/g) ?? [])]);
const known: Known = { files, scripts: Object.keys(scripts), words };
const documents: Document[] = files
  .filter((file) => file.endsWith('.md'))
  .map((path) => ({ path, text: textOf(path) }));

describe('a document', () => {
  const small: Known = {
    files: ['src/core/tasks/task.ts', 'docs/a.md', 'README.md'],
    scripts: ['start'],
    words: new Set(['PORT_NUMBER', 'planUpdate']),
  };
  const faults = (text: string, path = 'docs/a.md') =>
    [missingPaths, missingLinks, missingScripts, missingNames, lineNumbers].flatMap((rule) =>
      rule({ path, text }, small),
    );

  it.each([
    '`src/core/gone.ts`',
    '`src/gone/`',
    '`gone.ts`',
    '`src/core/<area>/*.gone.ts`',
    '[words](gone.md)',
    '[words](../docs/gone.md)',
    '![picture](pictures/gone.png)',
    '`npm run gone`',
    '`npm test`',
    '```\nnpm run gone\n```',
    '`GONE_VARIABLE`',
    '`planGone`',
    '`planGone(viewer, task)`',
    'see task.ts:12',
    'in `src/core/tasks/task.ts#L12`',
  ])('is at fault with %j', (text) => {
    expect(faults(text)).not.toEqual([]);
  });
  it.each([
    '`src/core/tasks/task.ts`',
    '`task.ts`',
    '`src/core/`',
    '`src/core/<area>/*.ts`',
    '[words](a.md)',
    '[words](../README.md#start)',
    '[a site](https://postgresql.org)',
    '`npm start`',
    '`PORT_NUMBER=1 npm run start`',
    '`planUpdate`',
    '`N passed, N failed`',
    '`200 OK`',
  ])('is right with %j', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('the documents tell the truth', () => {
  it('and are there', () => {
    expect(documents.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'README.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'docs/architecture.md',
        'docs/domain-language.md',
        'docs/spec-questions.md',
        'docs/operations.md',
      ]),
    );
  });
  it.each([
    ['paths', missingPaths],
    ['links', missingLinks],
    ['npm scripts', missingScripts],
    ['names', missingNames],
    ['no line numbers', lineNumbers],
  ] as const)('in their %s', (_what, rule) => {
    expect(documents.flatMap((document) => rule(document, known))).toEqual([]);
  });
  it('as every npm script leads to a file', () => {
    for (const [name, command] of Object.entries(scripts)) {
      const wanted = command.split(' ').filter((part) => /\.(ts|mjs)$/.test(part));
      for (const file of wanted) expect(files, `npm run ${name}`).toContain(file);
    }
  });
});

describe('the README', () => {
  it('is a screen and a half', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(75);
  });
  it('names every demo account and their password', () => {
    const readme = textOf('README.md');
    for (const { email } of demoAccounts) expect(readme).toContain(`\`${email}\``);
    expect(readme).toContain(`\`${readConfig({}).demoPassword}\``);
  });
});

describe('the words of the product', () => {
  it('have every status with its title', () => {
    const language = textOf('docs/domain-language.md');
    for (const [status, { title }] of Object.entries(taskStatuses))
      expect(language).toContain(`| \`${status}\` | ${title} |`);
  });
});

describe('the questions of the specification', () => {
  it('have a row for every choice that the code cites', () => {
    const rows = new Set([...textOf('docs/spec-questions.md').matchAll(/^\| (D\d+) \|/gm)].map(([, choice]) => choice));
    const code = sources.filter((file) => /^(src|scripts)\//.test(file));
    const cited = code.flatMap((file) => textOf(file).match(/\bD[1-9]\d?\b(?=[),;. ])/g) ?? []);
    expect(cited.length).toBeGreaterThan(50);
    expect([...new Set(cited)].filter((choice) => !rows.has(choice))).toEqual([]);
  });
});

describe('the picture of the architecture', () => {
  const [, picture = ''] = /```\ncore +server +web\n([\s\S]*?)```/.exec(textOf('docs/architecture.md')) ?? [];
  /** From the lowest to the highest; null where a room has no such area. */
  const areas = picture
    .trimEnd()
    .split('\n')
    .map((line) =>
      ['core', 'server', 'web'].map((_, column) => line.slice(column * 16, column * 16 + 16).trim() || null),
    )
    .reverse();
  const [lowest, ...above] = areas;

  it('has the areas in the order that the walls hold', () => {
    // The first wall names the lowest area, and all above it that it must not import.
    const [{ from, to }] = createRequire(import.meta.url)('../../.dependency-cruiser.cjs').forbidden;
    const areasOf = (path: string) => /\(([^()]*)\)\/$/.exec(path)?.[1]?.split('|') ?? [];
    expect(lowest?.slice(0, 2)).toEqual(areasOf(from.path));
    expect(above.map(([, server]) => server)).toEqual([...areasOf(to.path), 'root']);
  });
  it('has the folders of each room', () => {
    const named = (column: number) => areas.flatMap((row) => row[column] ?? []).toSorted();
    const foldersOf = (room: string) =>
      readdirSync(join(root, 'src', room), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    expect(named(0)).toEqual(foldersOf('core').toSorted());
    expect(named(1)).toEqual([...foldersOf('server').filter((name) => name !== 'commands'), 'root'].toSorted());
    const shared = ['api', 'charts', 'public', 'shell', 'ui'];
    expect(named(2)).toEqual(
      [...foldersOf('web').filter((name) => !shared.includes(name)), 'root', 'shared'].toSorted(),
    );
  });
});

describe('the limits in monitoring', () => {
  const text = textOf('docs/monitoring.md');
  const rowOf = (start: string) => text.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '';

  it('gives the limits that hold, with their codes', () => {
    const count = (value: number) => value.toLocaleString('en-US');
    const guessLimit = (name: LaneName) => {
      const { free, firstSeconds, longestSeconds } = guessLanes[name];
      const most = count(mostGuesses(guessLanes[name], wrongGuessHours));
      return `${free}, then a wait of ${waitInWords(firstSeconds)} that doubles up to ${waitInWords(longestSeconds)}: ${most} a day`;
    };
    const rows: [string, string, keyof typeof refusals][] = [
      [
        'Title,',
        `${[limits.title, limits.summary, limits.change, limits.note].map(count).join(', ')} characters`,
        'BAD_INPUT',
      ],
      ['Decisions', count(limits.decisions), 'BAD_INPUT'],
      ['Rows', count(limits.page), 'BAD_INPUT'],
      ['A file', `${defaultSettings.attachmentMegabytes} MB`, 'FILE_TOO_LARGE'],
      ['Body', `${queryLimits.body / 1024} KB, ${count(mostParts)} items`, 'BODY_TOO_LARGE'],
      [
        'GraphQL',
        `${count(queryLimits.tokens)} tokens, ${queryLimits.depth} levels, ${queryLimits.aliases} aliases \\(${queryLimits.copies} without arguments\\), ${queryLimits.directives} directives, ${count(queryLimits.fields)} fields`,
        'QUERY_TOO_LARGE',
      ],
      ['Wrong passwords for one account from one', guessLimit('own'), 'TOO_MANY_ATTEMPTS'],
      ['Wrong passwords for one account from everywhere', guessLimit('account'), 'TOO_MANY_ATTEMPTS'],
      ['Wrong passwords from one IP address', guessLimit('address'), 'TOO_MANY_ATTEMPTS'],
      ['A link to a file', `${fileLinkSeconds} seconds`, 'LINK_EXPIRED'],
      [
        'Concurrent jobs',
        `${workLimits.import} imports of numbers \\(1 per service token\\), ${workLimits.importPreview} previews, ${workLimits.peopleImport} imports of people, ${workLimits.export} exports or reports \\(2 per person\\), ${workLimits.auditExport} exports`,
        'TOO_MANY_ATTEMPTS',
      ],
      [
        'Fetching',
        `${fetchLimits.feed} per feed, and ${fetchLimits.unknownPerAddress} per IP address for unknown feeds`,
        'TOO_MANY_ATTEMPTS',
      ],
      ['Undoing', `${undoSeconds} seconds`, 'TOO_LATE'],
      ['A session', `${count(sessionSeconds)} seconds`, 'NOT_SIGNED_IN'],
    ];
    for (const [start, limit, code] of rows)
      expect(rowOf(start)).toMatch(new RegExp(`\\| ${limit}.*\\| \`${code}\` \\|`));
  });
});
