import { describe, expect, it } from 'vitest';
import * as rules from './code-rules.ts';
import { against, filesUnder, isTest, type Source, source, sourcesUnder, textOf } from './source.ts';

const everything = sourcesUnder('src', 'scripts', 'test', 'bench', 'faults');
const product = everything.filter(({ path }) => !isTest(path) && !path.startsWith('test/'));
const under = (...folders: string[]) => product.filter(({ path }) => folders.some((folder) => path.startsWith(folder)));

type Law = {
  readonly rule: (file: Source) => string[];
  readonly files: readonly Source[];
  /** Files that may, each with its reason. A folder ends in a slash. */
  readonly exceptions?: Readonly<Record<string, string>>;
  /** What breaks the law, by the path of the file that it is planted in. */
  readonly broken: readonly (readonly [path: string, text: string])[];
  /** What looks like it and is right. */
  readonly kept: readonly (readonly [path: string, text: string])[];
};

const at = 'src/core/x.ts';
const lines = (count: number, text = '') => `${text}\n`.repeat(count);

const laws: Record<string, Law> = {
  'no code is kept in comments': {
    rule: rules.commentedOutCode,
    files: everything,
    broken: [
      [at, '// const a = 1;'],
      [at, '/*\n  if (a) {\n  }\n*/'],
      [at, 'f(); // return a;'],
      [at, '// doThis(a, b);'],
      ['src/web/x.tsx', 'const a = <p>{/* <Old /> */}</p>;'],
    ],
    kept: [
      [at, '// If it is so, return to the start.'],
      [at, '/** For `if (a) {` see below. */'],
      [at, "const a = '// const b = 1;';"],
      [at, "const address = 'https://a.test/x();';"],
    ],
  },
  'a TODO names its issue': {
    rule: rules.promisesWithoutIssue,
    files: everything,
    broken: [
      [at, '// TODO: later'],
      [at, '/* FIXME */'],
    ],
    kept: [
      [at, '// TODO #12: later'],
      [at, "const a = 'TODO';"],
      [at, '/** TODO, INPROGRESS and INREVIEW in any direction. */'],
    ],
  },
  'a check turned off says why': {
    rule: rules.silencedWithoutReason,
    files: everything,
    broken: [
      [at, '// @ts-ignore\nf();'],
      [at, '// @ts-expect-error\nf();'],
      [at, '// biome-ignore lint/style/noVar\nvar a;'],
    ],
    kept: [
      [at, '// @ts-expect-error the package has no types\nf();'],
      [at, '// biome-ignore lint/style/noVar: the old browser\nvar a;'],
    ],
  },
  'a comment stands at what it is about': {
    rule: rules.straySentences,
    files: everything,
    broken: [[at, '/** About f. */\n/** About g. */\nfunction g() {}\nfunction f() {}']],
    kept: [[at, '/** About f. */\nfunction f() {}\n\n/** About g. */\nfunction g() {}']],
  },
  'tests use real modules': {
    rule: rules.replacedModules,
    files: everything.filter(({ path }) => !path.startsWith('test/house/')),
    broken: [
      ['src/web/x.test.ts', "vi.mock('#web/api/config.ts', () => ({}));"],
      ['src/web/x.test.ts', 'const live = vi.hoisted(() => ({}));'],
    ],
    kept: [['src/web/x.test.ts', "vi.spyOn(performance, 'now').mockImplementation(() => 0);"]],
  },
  'SQL has values and parts, not functions': {
    rule: rules.functionsInSql,
    files: product,
    broken: [
      [at, `const columns = (a: string) => a;\nsql\`select \${columns} from people\`;`],
      [at, `function table() {}\nsql<Row>\`select from \${table} where a = \${1}\`;`],
    ],
    kept: [
      [at, `const columns = (a: string) => a;\nconst b = sql\`\`;\nsql\`select \${columns(b)} from \${b}\`;`],
      [at, `const words = () => 1;\nconst text = \`\${words}\`;`],
      [at, `const one = () => 1;\nfunction f(one: SQL) { return sql\`\${one}\`; }`],
    ],
  },
  'files and functions are short': {
    rule: rules.tooLong,
    files: product,
    exceptions: {
      'src/core/tasks/task.ts': 'every rule about a task in one place: split, a rule would be looked for in two',
      'src/web/charts/heat-map.tsx': 'the markup of one drawing: its parts would share eight values',
    },
    broken: [
      [at, lines(401, 'a;')],
      [at, `function f() {\n${lines(60, 'a;')}}`],
      [at, `const f = () => {\n${lines(60, 'a;')}};`],
    ],
    kept: [
      [at, lines(400, 'a;')],
      [at, `function f() {\n${lines(58, 'a;')}}`],
    ],
  },
  'names say something': {
    rule: rules.emptyNames,
    files: everything,
    broken: [
      ['src/core/utils.ts', ''],
      ['src/server/common/task.ts', ''],
      ['src/web/task-helpers.ts', ''],
      [at, 'class TaskManager {}'],
      [at, 'const stringUtils = 1;'],
    ],
    kept: [
      ['src/core/approver-management.ts', ''],
      [at, 'const isApprovedByManager = 1;'],
      [at, 'const commonest = 1;'],
    ],
  },
  'time is counted with Temporal': {
    rule: rules.dateArithmetic,
    files: under('src/core/', 'src/server/'),
    exceptions: {
      'src/server/platform/db/clock.ts': 'measures how far the machine is off the database',
      'src/server/platform/db/folder-lock.ts': 'the age of a file on this machine',
      'src/server/platform/db/migrate.ts': 'reads the millisecond stamps of the migrations',
    },
    broken: [
      [at, 'const a = new Date();'],
      [at, 'const a = Date.now() + 1;'],
      [at, 'const a = Date();'],
    ],
    kept: [
      [at, 'type Birth = Date;'],
      [at, "const Dates = 'new Date()';"],
    ],
  },
  'the core is pure': {
    rule: rules.impurity,
    files: under('src/core/'),
    broken: [
      [at, 'const a = Math.random();'],
      [at, 'const a = Temporal.Now.instant();'],
      [at, 'console.log(1);'],
      [at, 'process.env;'],
      [at, 'const a = globalThis;'],
    ],
    kept: [
      [at, 'const a = Math.round(1);'],
      [at, 'const a = { process: 1 };'],
      [at, 'const a = row.process;'],
    ],
  },
  'markup is React’s to write': {
    rule: rules.unsafeMarkup,
    files: under('src/web/'),
    broken: [
      ['src/web/x.tsx', 'const a = <p dangerouslySetInnerHTML={{ __html: a }} />;'],
      ['src/web/x.tsx', 'const a = <style>{css}</style>;'],
      ['src/web/x.tsx', 'const a = <script src="x" />;'],
      ['src/web/x.ts', 'element.innerHTML = a;'],
      ['src/web/x.ts', 'eval(a);'],
    ],
    kept: [
      ['src/web/x.tsx', 'const a = <p style={{ width: 1 }}>style</p>;'],
      ['src/web/x.ts', 'element.textContent = a;'],
    ],
  },
  'the server asks nobody but who is configured': {
    rule: rules.asksOutside,
    files: under('src/server/'),
    exceptions: {
      'src/server/platform/storage/': 'the bucket of files, by the configuration',
      'src/server/access/single-sign-on/identity-provider.ts': 'the identity provider, by the configuration',
      'src/server/numbers/embed/reachability.ts': 'the configured address of Metabase',
      'src/server/platform/mail/mailer.ts': 'the configured mail server',
      'src/server/platform/telemetry/exporter.ts': 'the configured collector of traces',
      'src/server/admin/health/metrics.routes.ts': 'only listens, at METRICS_ADDRESS',
    },
    broken: [
      ['src/server/x.ts', "import { get } from 'node:https';"],
      ['src/server/x.ts', "const { request } = await import('node:http');"],
      ['src/server/x.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
      ['src/server/x.ts', 'await fetch(meeting.link);'],
      ['src/server/x.ts', "import { connect as open } from 'node:net';"],
    ],
    kept: [
      ['src/server/x.ts', "import { isIP } from 'node:net';"],
      ['src/server/x.ts', 'client.connect();'],
      ['src/server/x.ts', "const a = 'fetch(b)';"],
    ],
  },
  'no pattern runs for ever': {
    rule: rules.slowPatterns,
    files: product,
    exceptions: {
      'src/core/base/addresses.ts': 'each part of a name ends with a dot, which no part holds',
      'src/server/admin/backup/manifest.ts': 'each part begins with a slash, which no part holds',
      'src/server/platform/config/config-values.ts': 'each scope begins with a space, which no scope holds',
    },
    broken: [
      [at, 'const a = /^(a+)+$/;'],
      [at, 'const a = /(\\w*,?)*$/;'],
      [at, 'const a = /((ab)*c?)+/u;'],
      [at, 'const a = /([^a]{2,}b?)*/;'],
    ],
    kept: [
      [at, 'const a = /^[a+]+$/;'],
      [at, 'const a = /^(ab){2,3}$/;'],
      [at, 'const a = /(a|b)+c*/;'],
      [at, 'const a = /\\(a+\\)+/;'],
    ],
  },
  'no type is any': {
    rule: rules.anyType,
    files: everything,
    broken: [
      [at, 'const a = b as any;'],
      [at, 'type A = Record<string, any>;'],
    ],
    kept: [
      [at, "const any = 'any';"],
      [at, '// biome-ignore lint/suspicious/noExplicitAny: the driver has no types\nlet a: any;'],
    ],
  },
  'what is fetched late is guarded': {
    rule: rules.unguardedParts,
    files: product,
    exceptions: {
      'src/web/ui/lazy-part.tsx': 'the guard',
      'src/web/router.tsx': 'a route shows its own failure',
    },
    broken: [
      ['src/web/x.tsx', "import { lazy, useState } from 'react';"],
      ['src/web/x.tsx', "import { Suspense } from 'react';"],
    ],
    kept: [
      ['src/web/x.tsx', "import { useState } from 'react';"],
      ['src/web/x.tsx', "import { lazyPart } from '#web/ui/lazy-part.tsx';"],
    ],
  },
  'a failed reread takes nothing away': {
    rule: rules.failedRereads,
    files: under('src/web/'),
    broken: [
      ['src/web/x.tsx', 'if (error) return <PanelError sentence="Couldn’t load it." />;'],
      ['src/web/x.tsx', 'const a = people.isError ? <PanelError sentence="Couldn’t load it." /> : <People />;'],
    ],
    kept: [
      ['src/web/x.tsx', 'if (error && !data) return <PanelError sentence="Couldn’t load it." />;'],
      ['src/web/x.tsx', 'const a = <>{people.isError && <PanelError sentence="Couldn’t load it." />}</>;'],
    ],
  },
  'tests have manners': {
    rule: rules.testManners,
    files: everything,
    broken: [
      ['src/core/x.test.ts', "it('should work', f);"],
      ['src/core/x.test.ts', "it.only('works', f);"],
      ['src/core/x.test.ts', "describe.skip('works', f);"],
      ['src/core/x.test.ts', "it.runIf(isRoot)('works', f);"],
    ],
    kept: [
      ['src/core/x.test.ts', "it('says You should be approved by the manager', f);"],
      ['src/core/x.test.ts', "it('works', () => expect('should').toBe(1));"],
    ],
  },
};

describe.each(Object.entries(laws))('%s', (_name, { rule, files, exceptions = {}, broken, kept }) => {
  it.each(broken)('catches in %s: %s', (path, text) => {
    expect(rule(source(path, text))).not.toEqual([]);
  });
  it.each(kept)('leaves alone in %s: %s', (path, text) => {
    expect(rule(source(path, text))).toEqual([]);
  });
  it('holds in every file', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(against(files.flatMap(rule), exceptions)).toEqual([]);
  });
});

describe('a file is worth opening', () => {
  const short = (path: string, text = 'export const a = 1;') => source(path, text);
  const importing = (path: string, specifier: string) => source(path, `import { a } from '${specifier}';\na;`);

  it.each([
    ['a neighbor alone', [short('src/web/x/a.ts'), importing('src/web/x/b.ts', './a.ts')]],
    ['a neighbor by the alias', [short('src/core/x/a.ts'), importing('src/core/x/b.ts', '#core/x/a.ts')]],
    ['59 lines', [short('src/web/x/a.ts', lines(59, 'a;')), importing('src/web/x/b.ts', './a.ts')]],
    ['types only', [short('src/web/x/a.ts'), source('src/web/x/b.ts', "import type { A } from './a.ts';")]],
  ])('catches a fragment with %s', (_what, files) => {
    expect(rules.fragments(files)).toHaveLength(1);
  });
  it.each([
    ['60 lines', [short('src/web/x/a.ts', lines(60, 'a;')), importing('src/web/x/b.ts', './a.ts')]],
    ['an importer in another folder', [short('src/web/x/a.ts'), importing('src/web/y/b.ts', '../x/a.ts')]],
    ['two', ['b', 'c'].map((name) => importing(`src/web/x/${name}.ts`, './a.ts')).concat(short('src/web/x/a.ts'))],
    ['none', [short('src/web/x/a.ts')]],
    ['a lazy import', [short('src/web/x/a.ts'), source('src/web/x/b.ts', "const load = () => import('./a.ts');")]],
    [
      'a static and a lazy import',
      [short('src/web/x/a.ts'), source('src/web/x/b.ts', "import { a } from './a.ts';\nawait import('./a.ts');")],
    ],
  ])('leaves alone a file with %s', (_what, files) => {
    expect(rules.fragments(files)).toEqual([]);
  });

  const folders = ['src/core/', 'src/web/'];
  /** Files that stay by themselves, each with its reason. */
  const reasons: Readonly<Record<string, string>> = {};
  it('or belongs to the one file that imports it', () => {
    const faults = rules.fragments(product).filter((fault) => folders.some((folder) => fault.startsWith(folder)));
    expect(against(faults, reasons)).toEqual([]);
  });
});

describe('exceptions', () => {
  it('that cover nothing any more are faults', () => {
    expect(against([], { 'a.ts': 'reason' })).toEqual(['a.ts needs its exception no more: take it out']);
    expect(against(['a.ts:7 x'], { 'a.ts': 'reason' })).toEqual([]);
    expect(against(['b/c.ts:7 x', 'd.ts:1 y'], { 'b/': 'reason' })).toEqual(['d.ts:1 y']);
  });
});

describe('pages of HTML', () => {
  const unsafe = /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=|javascript:/i;
  it.each(['<style>', '<p style="x">', '<script>x</script>', '<p onclick="x">', '<a href="javascript:x">'])(
    'are refused with %s',
    (html) => {
      expect(html).toMatch(unsafe);
    },
  );
  it('carry no style and no script of their own: the content security policy refuses both', () => {
    const pages = filesUnder('src/web').filter((path) => path.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) expect(textOf(page), page).not.toMatch(unsafe);
  });
});
