import { describe, expect, it, test } from 'vitest';
import { readInput } from '../base/inputs.ts';
import { auditDifferences, auditPageInput, auditPeople, auditSubject, auditWords } from './audit-log.ts';

describe('a filter', () => {
  it.each([
    [{ actorId: '0' }, 'actorId'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-2-3' }, 'from'],
    [{ until: 'yesterday' }, 'until'],
    [{ after: '-1' }, 'after'],
    [{ limit: 201 }, 'limit'],
    [{ search: 'x\0' }, 'search'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is refused', (input, field) => {
    expect(readInput(auditPageInput, input)).toMatchObject({ code: 'BAD_INPUT', field });
  });
  it('may say nothing at all, or everything', () => {
    expect(readInput(auditPageInput, {})).toEqual({});
    const full = {
      actorId: '1',
      action: 'a',
      subjectType: 'b',
      subjectId: 'c',
      from: '2026-01-01',
      until: '2026-12-31',
    };
    expect(readInput(auditPageInput, { ...full, search: ' x ', after: '9', limit: 200 })).toMatchObject({
      search: 'x',
    });
  });
});

it.each([
  ['taskNoteAdded', 'Task note added'],
  ['signedIn', 'Signed in'],
  ['topFiveTaken', 'Stopped using S.T.A.R.T'],
  ['top5Added', 'Top5 added'],
  ['approverIds', 'Approvers'],
  ['lacking', 'Missing requirements'],
  ['grants', 'Direct permissions'],
  ['', ''],
])('%j is said as %j', (name, words) => {
  expect(auditWords(name)).toBe(words);
});

test('a setting has its title, everything else its own name', () => {
  const subject = (subjectType: string, subjectId: string, subjectName: string | null = null) =>
    auditSubject({ subjectType, subjectId, subjectName });
  expect(subject('setting', 'holidayClose')).toBe('Move sprint end past holidays');
  expect(subject('setting', 'toString')).toBeNull();
  expect(subject('role', '3', 'Staff')).toBe('Staff');
});

describe('the difference', () => {
  it('holds only what differs, in words', () => {
    expect(
      auditDifferences(
        { title: 'a', same: [1], list: ['x'], flag: true, gone: 'x', nothing: null },
        { title: 'b', same: [1], list: ['x', 'y'], flag: false, deep: { a: 1 } },
      ),
    ).toEqual([
      { field: 'title', before: 'a', after: 'b' },
      { field: 'list', before: 'x', after: 'x, y' },
      { field: 'flag', before: 'yes', after: 'no' },
      { field: 'gone', before: 'x', after: null },
      { field: 'deep', before: null, after: '{"a":1}' },
    ]);
  });
  it('names permissions by their titles, and only those that come and go', () => {
    const [before, after] = [
      ['VIEW_DASHBOARD', 'VIEW_SALES'],
      ['VIEW_TOOLS', 'VIEW_DASHBOARD'],
    ];
    expect(auditDifferences({ permissions: before }, { permissions: after })).toEqual([
      { field: 'permissions', before: '− Sales', after: '+ Tools' },
    ]);
    expect(auditDifferences(null, { grants: ['VIEW_TOOLS', 'VIEW_SALES'] })).toEqual([
      { field: 'grants', before: null, after: '+ Tools, + Sales' },
    ]);
    expect(auditDifferences({ grants: ['FORMER'] }, { grants: ['VIEW_TOOLS'] })).toEqual([
      { field: 'grants', before: 'FORMER', after: 'VIEW_TOOLS' },
    ]);
  });
  it('names people where it has their ids', () => {
    const [before, after] = [
      { approverIds: ['4'], ownerId: 7, limit: 4 },
      { approverIds: ['4', '32'], ownerId: null, limit: 7 },
    ];
    expect(auditPeople(before, after)).toEqual(['4', '7', '4', '32']);
    expect(auditPeople(null, { personId: "0'", delegateId: '12' })).toEqual(['12']);
    const names = new Map([
      ['4', 'Ada Admin'],
      ['7', 'Bob Builder'],
    ]);
    expect(auditDifferences(before, after, names)).toEqual([
      { field: 'approverIds', before: 'Ada Admin', after: 'Ada Admin, 32' },
      { field: 'ownerId', before: 'Bob Builder', after: null },
      { field: 'limit', before: '4', after: '7' },
    ]);
  });
  it('of nothing is nothing, and inherited names are no fields', () => {
    expect(auditDifferences(null, null)).toEqual([]);
    expect(auditDifferences({ toString: 'x' }, {})).toEqual([{ field: 'toString', before: 'x', after: null }]);
  });
});
