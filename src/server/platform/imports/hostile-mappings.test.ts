// Mappings made to take for ever. Every format, pattern, count and nesting that one can name has a limit.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isThere, readersOf } from '../../../../test/readers.ts';
import { formatFault, readDate } from './date-formats.ts';
import { type Rule, rule } from './mapping-rules.ts';
import { checkMapping, hasMoreCharacters } from './read-mapping.ts';
import { openRowsInWorker } from './row-worker-client.ts';
import { matchesPattern, patternFault } from './safe-pattern.ts';
import type { SourceRow } from './source-row.ts';

const reasonOf = (given: unknown) =>
  rule
    .safeParse(given)
    .error?.issues.map(({ message }) => message)
    .join();

const nested = (levels: number): unknown => {
  let whole: unknown = 'a';
  for (let level = 0; level < levels; level += 1) whole = { negate: whole };
  return whole;
};

describe('a rule', () => {
  test.each<[string, unknown, string]>([
    ['nests 21 levels', nested(21), 'nests more than 20 levels'],
    ['nests 100,000 levels', nested(100_000), 'nests more than 20 levels'],
    ['multiplies 11 numbers', { multiply: Array(11).fill('a') }, 'Too big'],
    ['names a long column', 'a.'.repeat(300), 'is longer than 500 characters'],
    ['names a long path', { json: 'a', path: 'a.'.repeat(300) }, 'is longer than 500 characters'],
    ['has a long format', { date: 'a', format: `${'YYYY'.padEnd(90)}-MM-DD` }, ''],
    ['has a longer format', { date: 'a', format: `${'YYYY'.padEnd(100)}-MM-DD` }, 'longer than 100 characters'],
    ['names no language', { date: 'a', format: 'D MMM YYYY', language: 'a b' }, 'isn’t a language'],
  ])('that %s is judged before it is used', (_, given, reason) => {
    expect(reasonOf(given) ?? '').toContain(reason);
    if (reason === '') expect(reasonOf(given)).toBeUndefined();
  });

  test('of 20 levels and 10 factors is fine, and so is one after a refused one', () => {
    expect(reasonOf({ multiply: Array(10).fill(nested(19)) })).toBeUndefined();
  });

  test('of a wrong size says which one is right', () => {
    const inWords = (given: unknown) => () => checkMapping('x', { rule: given }, z.strictObject({ rule }));
    expect(inWords({ multiply: Array(11).fill('a') })).toThrow('rule.multiply must have 10 or fewer items');
    expect(inWords({ multiply: ['a'] })).toThrow('rule.multiply must have 2 or more items');
    expect(inWords({ first: [] })).toThrow('rule.first must not be empty');
  });

  test('with many faults names a few of them', () => {
    const faults = { join: Array.from({ length: 5_000 }, () => ({ join: [{}, {}], with: '' })), with: '' };
    expect(rule.safeParse(faults).error?.issues).toHaveLength(20);
    expect(() => checkMapping('x', faults, rule)).toThrow(/isn’t a rule/);
  });
});

test('one part of a pattern reads a run of spaces, however a format writes the run', () => {
  for (const between of ['            ', ' \t \t ', ' [ ] [ ] ', '[ ][][\t]']) {
    const format = `D${between}M YYYY`;
    expect(formatFault(format)).toBeNull();
    expect(readDate('5 3 2016', { format, zone: 'UTC' })).toBe('2016-03-05');
    expect(readDate(`5${' '.repeat(60)}3\t2016`, { format, zone: 'UTC' })).toBe('2016-03-05');
    expect(readDate('53 2016', { format, zone: 'UTC' })).toBeNull();
  }
  expect(readDate(`5${' '.repeat(100)}3 2016`, { format: 'D M YYYY', zone: 'UTC' })).toBeNull();
});

describe('a pattern', () => {
  const ofPartsThatMayBeAbsent = `^${'a?'.repeat(28)}b`;
  const ofAlternatives = `^${'(?:a|aa)'.repeat(24)}$`;
  test.each([
    ofPartsThatMayBeAbsent,
    ofAlternatives,
    `^${'[ab]?'.repeat(24)}[cd]`,
    `^${'a??'.repeat(24)}b`,
    `^${'(?:a|)'.repeat(24)}$`,
    `^${'(?:(?:a|b)?c)?'.repeat(12)}$`,
    `^${'a{0,3}'.repeat(12)}b`,
    `^${'\\p{L}?'.repeat(24)}b`,
    '^a*a*a*b',
    'a*a*b',
    '^x|a*a*b',
    '^a{2,}a{2,}a{2,}b',
    '^(?i:a*a*)a*$',
    '\\w{1,400}\\w{1,400}b',
  ])('that could match in many ways is refused: %s', (pattern) => {
    expect(patternFault(pattern)).toContain('too many ways');
  });

  test.each([
    '^[A-Z]+-\\d+$',
    '^\\d+[.,]\\d+ ?€?$',
    'gift|donation|(?:monthly|yearly) plan',
    '^(?:[A-Z]{2})?\\d{4,6}(?:-\\d{1,2})?$',
    '^\\p{Lu}\\p{L}*$',
    '\\[x\\]{3}\\d+',
    `^(?:${'a|'.repeat(60)}b)$`,
  ])('that people write is fine: %s', (pattern) => {
    expect(patternFault(pattern)).toBeNull();
  });

  test('still matches', () => {
    expect(matchesPattern('^\\d+[.,]\\d+ ?€?$', '12,50 €')).toBe(true);
  });
});

test('a mapping is measured by all its parts, however deep they are', () => {
  expect(hasMoreCharacters({ a: ['bcd', { e: nested(10) }] }, 100_000)).toBe(false);
  expect(hasMoreCharacters(nested(100_000), 100_000)).toBe(true);
  expect(hasMoreCharacters({ a: Array(100_000).fill('') }, 100_000)).toBe(true);
  expect(hasMoreCharacters({ ['a'.repeat(100_001)]: 1 }, 100_000)).toBe(true);
});

describe('the process that reads a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mappings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'rows.csv');
  writeFileSync(file, `id,text\n1,${'a'.repeat(100)}b\n2,x\n`);
  const rulesOf = (matches: string): { rules: readonly Rule[]; zone: string; missing: string[] } => ({
    rules: ['id', { when: [{ value: 'text', matches }], give: { constant: 'yes' } }, { occurrence: ['missing'] }],
    zone: 'UTC',
    missing: ['x'],
  });

  const read = async (work: Parameters<typeof openRowsInWorker>[1]) => {
    const rows: SourceRow[] = [];
    const source = await openRowsInWorker(undefined, work)(file, { name: 'The file' });
    for await (const row of source.rows) rows.push(row);
    return rows.map(({ evaluated }) => evaluated);
  };

  test('applies the rules to each row', async () => {
    expect(await read({ rules: rulesOf('^a+b$') })).toEqual([
      {
        found: [
          { value: '1', column: 'id' },
          { value: 'yes', column: '' },
          { value: '1', column: '' },
        ],
        numbers: [1],
      },
      {
        found: [
          { value: '2', column: 'id' },
          { value: undefined, column: '' },
          { value: '2', column: '' },
        ],
        numbers: [2],
      },
    ]);
  });

  test('is ended when a rule doesn’t end', async () => {
    const reading = read({ rules: rulesOf('^(a+)+$'), longestBatchMs: 2_000 });
    await expect(reading).rejects.toThrow('The file takes too long to read');
  });

  test('ends with its server, also while a rule doesn’t end', async () => {
    const server = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { openRowsInWorker } from ${JSON.stringify(join(import.meta.dirname, 'row-worker-client.ts'))};
       const source = await openRowsInWorker(undefined, ${JSON.stringify({ rules: rulesOf('^(a+)+$') })})(${JSON.stringify(file)}, {});
       console.log('open');
       for await (const _ of source.rows);`,
    ]);
    await once(server.stdout, 'data');
    const [reader] = readersOf(server.pid!);
    server.kill('SIGKILL');
    while (isThere(reader!)) await sleep(50);
  });
});
