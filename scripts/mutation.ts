// Changes every rule of access, tasks and sprints in every way that Stryker knows, and runs the tests beside
// it: a change that no test notices is a gap in the tests. Fails where one survives that
// `test/mutation/equivalent.json` does not list, and where one that it lists is killed. --only FILE takes one
// file of the core; the counts go to docs/results/mutation.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { rules } from '../test/mutation/rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultFile = join(root, 'docs', 'results', 'mutation.json');

/** A change without an effect, and why. The line is not named: it moves. */
type Equivalent = { readonly file: string; readonly code: string; readonly becomes: string; readonly reason: string };

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const asked = options.only === undefined ? rules : rules.filter((name) => name === options.only);
if (asked.length === 0) {
  console.error(`--only ${options.only}: there are ${rules.join(' ')}.`);
  process.exit(2);
}

const results = await new Stryker({
  mutate: asked.map((name) => `src/core/${name}.ts`),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/words.mjs'],
  ignorers: ['words'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  reporters: ['dots'],
  concurrency: 2,
  timeoutMS: 60_000,
  tempDirName: '.cache/stryker',
  allowConsoleColors: false,
}).runMutationTest();

type Result = (typeof results)[number];

const linesOf = new Map<string, string[]>();
/** Stryker counts lines and columns from one. */
function codeOf({ fileName, location: { start, end } }: Result): string {
  const lines = linesOf.get(fileName) ?? readFileSync(fileName, 'utf8').split('\n');
  linesOf.set(fileName, lines);
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = part.at(-1)!.slice(0, end.column - 1);
  part[0] = part[0]!.slice(start.column - 1);
  return part.join('\n');
}
const nameOf = ({ fileName }: Result): string => fileName.replace(/^.*\/src\/core\//, '').replace(/\.ts$/, '');
const keyOf = ({ file, code, becomes }: Omit<Equivalent, 'reason'>): string => JSON.stringify([file, code, becomes]);
const changeOf = (result: Result) => ({ file: nameOf(result), code: codeOf(result), becomes: result.replacement });

const equivalents = (
  JSON.parse(readFileSync(join(root, 'test/mutation/equivalent.json'), 'utf8')) as readonly Equivalent[]
).filter(({ file }) => (asked as readonly string[]).includes(file));
const alive = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
// Each line of the list is for one survivor: a second one that looks the same is another matter.
const stale = [...equivalents];
const survivors = alive.filter((result) => {
  const listed = stale.findIndex((each) => keyOf(each) === keyOf(changeOf(result)));
  if (listed !== -1) stale.splice(listed, 1);
  return listed === -1;
});

const counts = Object.fromEntries(
  asked.map((file) => {
    const of = results.filter((result) => nameOf(result) === file);
    const count = (...statuses: string[]) => of.filter(({ status }) => statuses.includes(status)).length;
    const killed = count('Killed', 'Timeout', 'RuntimeError', 'CompileError');
    return [file, { killed, survived: count('Survived', 'NoCoverage'), words: count('Ignored') }];
  }),
);
for (const [file, { killed, survived, words }] of Object.entries(counts))
  console.log(`${file}: ${killed} killed, ${survived} survived, ${words} in words left out`);
for (const result of survivors)
  console.log(`SURVIVED ${nameOf(result)}:${result.location.start.line} ${codeOf(result)} -> ${result.replacement}`);
for (const { file, code, becomes } of stale)
  console.log(`KILLED, but listed as equivalent: ${file} ${code} -> ${becomes}`);
console.log(`${survivors.length} survive unlisted, ${equivalents.length} are equivalent`);
if (options.only === undefined)
  writeFileSync(
    resultFile,
    `${JSON.stringify({ date: new Date().toISOString(), node: process.version, counts, equivalents, survivors: survivors.map(changeOf) }, null, 2)}\n`,
  );
process.exitCode = survivors.length + stale.length > 0 ? 1 : 0;
