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

const change = (before: object | null, after: object | null, subjectType = 'task', subjectId = '1') => ({
  ...{ subjectType, subjectId, before: before && { ...before }, after: after && { ...after } },
});

describe('the difference', () => {
  it('holds only what differs, in words', () => {
    expect(
      auditDifferences(
        change(
          { title: 'a', same: [1], list: ['x'], flag: true, gone: 'x', nothing: null },
          { title: 'b', same: [1], list: ['x', 'y'], flag: false, deep: { a: 1 } },
        ),
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
    expect(auditDifferences(change({ permissions: before }, { permissions: after }))).toEqual([
      { field: 'permissions', before: '− Sales', after: '+ Tools' },
    ]);
    expect(auditDifferences(change(null, { grants: ['VIEW_TOOLS', 'VIEW_SALES'] }))).toEqual([
      { field: 'grants', before: null, after: '+ Tools, + Sales' },
    ]);
    expect(auditDifferences(change({ grants: ['FORMER'] }, { grants: ['VIEW_TOOLS'] }))).toEqual([
      { field: 'grants', before: 'FORMER', after: 'VIEW_TOOLS' },
    ]);
  });
  it('names people where it has their ids', () => {
    const [before, after] = [
      { approverIds: ['4'], ownerId: 7, limit: 4 },
      { approverIds: ['4', '32'], ownerId: null, limit: 7 },
    ];
    expect(auditPeople(change(before, after))).toEqual(['4', '7', '4', '32']);
    expect(auditPeople(change(null, { personId: "0'", delegateId: '12' }))).toEqual(['12']);
    const names = new Map([
      ['4', 'Ada Admin'],
      ['7', 'Bob Builder'],
    ]);
    expect(auditDifferences(change(before, after), names)).toEqual([
      { field: 'approverIds', before: 'Ada Admin (4)', after: 'Ada Admin (4), 32' },
      { field: 'ownerId', before: 'Bob Builder (7)', after: null },
      { field: 'limit', before: '4', after: '7' },
    ]);
  });
  it('between two people of one name is shown, and of one person in two forms isn’t', () => {
    const names = new Map([
      ['4', 'Alex Kim'],
      ['9', 'Alex Kim'],
    ]);
    expect(auditDifferences(change({ chairId: '4' }, { chairId: '9' }), names)).toEqual([
      { field: 'chairId', before: 'Alex Kim (4)', after: 'Alex Kim (9)' },
    ]);
    expect(auditDifferences(change({ chairId: '4' }, { chairId: 4 }), names)).toEqual([]);
  });
  it('of a setting names the person it chose', () => {
    const setting = (key: string) => change({ value: null }, { value: '4' }, 'setting', key);
    expect(auditPeople(setting('defaultApprover'))).toEqual(['4']);
    expect(auditDifferences(setting('defaultApprover'), new Map([['4', 'Ada Admin']]))).toEqual([
      { field: 'value', before: null, after: 'Ada Admin (4)' },
    ]);
    for (const key of ['taskLimit', 'toString']) expect(auditPeople(setting(key))).toEqual([]);
  });
  it('of nothing is nothing, and inherited names are no fields', () => {
    expect(auditDifferences(change(null, null))).toEqual([]);
    expect(auditDifferences(change({ toString: 'x' }, {}))).toEqual([{ field: 'toString', before: 'x', after: null }]);
  });
});
