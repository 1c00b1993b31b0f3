import { describe, expect, test } from 'vitest';
import { columnsOfMapping, tasksMapping } from '#server/tasks/import/tasks-mapping.ts';
import { find } from './find-value.ts';
import { columnsRead, type Row, type Rule, rule } from './mapping-rules.ts';

const minimal = {
  dataset: 'tasks',
  source: 'x',
  fields: { id: 'key', title: 't', status: 's', owner: 'o', created: 'c', sprint: 'c' },
};
const issuesOf = (mapping: unknown) =>
  (tasksMapping.safeParse(mapping).error?.issues ?? []).map(
    ({ path, message, ...issue }) => `${path.join('.')}: ${'keys' in issue ? issue.keys : message}`,
  );

describe('a mapping that is not right', () => {
  test.each<[string, unknown, string]>([
    ['a field that nobody knows', { ...minimal, fields: { ...minimal.fields, titel: 'x' } }, 'fields: titel'],
    [
      'a misspelt word inside of a rule',
      { ...minimal, fields: { ...minimal.fields, category: { value: 'p', map: {}, defualt: 'x' } } },
      'fields.category: defualt',
    ],
    [
      'a misspelt word deep inside',
      { ...minimal, fields: { ...minimal.fields, owner: { first: ['a', { constant: 'b', x: 1 }] } } },
      'fields.owner.first.1: x',
    ],
    [
      'a rule of no form',
      { ...minimal, fields: { ...minimal.fields, owner: { frist: ['a'] } } },
      'fields.owner: isn’t a rule',
    ],
    [
      'a condition without a check',
      { ...minimal, fields: { ...minimal.fields, owner: { when: [{ value: 'a' }], give: 'b' } } },
      'fields.owner.when.0: needs exactly one',
    ],
    ['a source that is no name', { ...minimal, source: 'My Jira' }, 'source: must be lowercase'],
  ])('%s is named where it stands', (_, mapping, expected) => {
    const issues = issuesOf(mapping);
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.join('\n')).toContain(expected);
  });

  test('the smallest mapping is right', () => {
    expect(issuesOf(minimal)).toEqual([]);
  });
});

describe('rules', () => {
  const row: Row = {
    a: 'A',
    blank: ' ',
    none: null,
    n: 5,
    'x.y': 'dotted',
    deep: { er: 'D' },
    list: [{ v: 1 }, { v: 2 }],
    empty: [],
  };
  test.each<[string, Rule, unknown]>([
    ['a column', 'a', 'A'],
    ['a column that has a dot in its name', 'x.y', 'dotted'],
    ['a path', 'deep.er', 'D'],
    ['a column that is not there', 'zzz', undefined],
    ['a name that every object inherits', 'constructor', undefined],
    ['a path through what every object inherits', '__proto__.constructor', undefined],
    ['a constant', { constant: 'C' }, 'C'],
    ['the first that is not blank', { first: ['none', 'blank', 'zzz', 'a', 'n'] }, 'A'],
    ['the first of nothing', { first: ['none', 'zzz'] }, undefined],
    ['a join leaves out what is blank', { join: ['a', 'none', 'n'], with: '-' }, 'A-5'],
    ['a value map', { value: 'a', map: { A: 'one' } }, 'one'],
    ['a value map with a default', { value: 'zzz', map: { A: 'one' }, default: 'other' }, 'other'],
    ['a number in a value map', { value: 'n', map: { '5': 'five' } }, 'five'],
    ['when', { when: [{ value: 'a', in: ['A', 'B'] }], give: 'n', else: { constant: 'no' } }, 5],
    ['else', { when: [{ value: 'a', in: ['B'] }], give: 'n', else: { constant: 'no' } }, 'no'],
    ['no else', { when: [{ value: 'a', in: ['B'] }], give: 'n' }, undefined],
    [
      'all conditions have to hold',
      {
        when: [
          { value: 'a', in: ['A'] },
          { value: 'n', blank: true },
        ],
        give: 'a',
      },
      undefined,
    ],
    ['differsFrom', { when: [{ value: 'a', differsFrom: 'n' }], give: 'a' }, 'A'],
    ['the last of a list', { last: 'list', take: 'v' }, 2],
    ['the last of an empty list', { last: 'empty', take: 'v' }, undefined],
  ])('%s', (_, given, expected) => {
    expect(rule.safeParse(given).success).toBe(true);
    expect(find(given, row)).toMatchObject({ value: expected });
    expect(find(given, row).fault).toBeUndefined();
  });

  test('a value that the map does not know is a fault, also one that objects inherit', () => {
    expect(find({ value: 'a', map: { B: 'x' } }, row)).toMatchObject({
      column: 'a',
      fault: 'has the value "A", which isn’t in the mapping',
    });
    expect(find({ value: 'a', map: {} }, { a: 'constructor' }).fault).toBeDefined();
    expect(find({ last: 'a', take: 'v' }, row).fault).toBe('is not a list');
  });

  test('the columns that a mapping reads are known, so that misspelt ones can be told', () => {
    expect(
      columnsRead({
        first: [
          { last: 'list', take: 'v' },
          { value: 'a', map: {} },
          { when: [{ value: 'b', differsFrom: 'c' }], give: 'd', else: 'e' },
        ],
      }),
    ).toEqual(['list', 'a', 'b', 'c', 'd', 'e']);
    expect(columnsOfMapping(tasksMapping.parse(minimal))).toEqual(['key', 't', 's', 'o', 'c']);
  });
});
