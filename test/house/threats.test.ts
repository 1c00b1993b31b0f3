// SECURITY.md names a control and a test for every threat; here is seen to it that the tests are there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, textOf } from './source.ts';

/** As many as there were once: a row may be added and none lost. */
const leastThreats = 41;

type Row = { readonly threat: string; readonly control: string; readonly proof: string };

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (T\d+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
    ([, threat = '', , control = '', proof = '']) => ({
      threat,
      control,
      proof,
    }),
  );

/** `path` "title": the titles of tests, each behind the file that it stands in. */
const testsOf = (proof: string): [path: string, title: string][] =>
  [...proof.matchAll(/`([\w./-]+)`((?:,? "[^"]+")+)/g)].flatMap(([, path = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']): [string, string] => [path, title]),
  );

/** How a title may stand in the code: its quotation marks escaped or not. */
const isThere = (code: string, title: string): boolean => code.replaceAll("\\'", "'").includes(title);

function faultsOf({ threat, control, proof }: Row): string[] {
  if (/^does not apply, because \S.{10,}/.test(proof)) return [];
  const tests = testsOf(proof);
  if (tests.length === 0 || control.length < 10) return [`${threat} names no control or no test`];
  return tests.flatMap(([path, title]) => {
    if (!existsSync(join(root, path))) return [`${threat}: ${path} is not there`];
    return isThere(textOf(path), title) ? [] : [`${threat}: ${path} has no test "${title}"`];
  });
}

describe('a threat', () => {
  const control = 'something that holds';
  it.each([
    '',
    'does not apply',
    'does not apply, because no',
    'looked at by hand',
    '`test/house/gone.test.ts` "a title"',
    '`test/house/threats.test.ts` "a title of',
    `\`test/house/threats.test.ts\` "${'is not '.repeat(2)}there"`,
  ])('is not covered by %j', (proof) => {
    expect(faultsOf({ threat: 'T1', control, proof })).not.toEqual([]);
  });
  it('is covered by a test that is there, and by a reason', () => {
    const proof =
      '`test/house/threats.test.ts` "is covered by a test that is there, and by a reason", "is not covered by %j"';
    expect(testsOf(proof)).toHaveLength(2);
    expect(faultsOf({ threat: 'T1', control, proof })).toEqual([]);
    expect(faultsOf({ threat: 'T1', control: '–', proof: 'does not apply, because there is no such door' })).toEqual(
      [],
    );
  });
});

describe('SECURITY.md', () => {
  const rows = rowsOf(textOf('SECURITY.md'));
  it('has a row for each threat, once and in order', () => {
    expect(rows.map(({ threat }) => threat)).toEqual(rows.map((_, index) => `T${index + 1}`));
    expect(rows.length).toBeGreaterThanOrEqual(leastThreats);
  });
  it('names a control and a test for each, or why it does not apply', () => {
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });
});
