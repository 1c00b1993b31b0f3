import { describe, expect, it } from 'vitest';
import type { Permission } from '../access/permissions.ts';
import { approverMap, countsOf, type MappedPerson, reassigned, shownBy } from './approver-map.ts';
import type { approverFilters } from './people-search.ts';

const keeps: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5'];
const decides: Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'];
const person = (id: string, permissions: Permission[], ownApproverIds: string[], more: Partial<MappedPerson> = {}) => ({
  id,
  displayName: `Person ${id}`,
  email: `${id}@company.test`,
  team: null,
  role: 'Some role',
  permissions,
  disabled: false,
  canSignIn: true,
  ownApproverIds,
  toApprove: 0,
  toSignOff: 0,
  ...more,
});
const namesOf = (people: readonly { readonly id: string }[]) => people.map(({ id }) => id);

describe('the map of approvers', () => {
  const people = [
    person('1', decides, []),
    person('2', [...keeps, ...decides], ['1', '3']),
    person('3', [...keeps, ...decides], ['2']),
    person('4', keeps, ['1'], { toApprove: 2, toSignOff: 1 }),
    person('5', keeps, [], { toApprove: 1 }),
    person('6', keeps, ['7']),
    person('7', keeps, ['1']),
    person('8', ['VIEW_DASHBOARD'], []),
    person('9', keeps, ['1'], { disabled: true, toSignOff: 4 }),
  ];
  const without = approverMap(people, null);
  const row = (id: string) => without.people.find((one) => one.person.id === id);
  it('warns of who keeps tasks that nobody decides, and of nobody else', () => {
    expect(namesOf(without.people.filter(({ unapproved }) => unapproved).map((one) => one.person))).toEqual(['5', '6']);
  });
  it('warns of who keeps tasks whose approver has no way to sign in', () => {
    const { people: rows } = approverMap(
      [person('1', decides, [], { canSignIn: false }), person('2', keeps, ['1'])],
      null,
    );
    expect(rows.map(({ unapproved }) => unapproved)).toEqual([false, true]);
  });
  it('warns of the only admin, whose own tasks nobody could decide', () => {
    const admin = person('a', [], [], { role: 'admin' });
    const other = person('b', [], [], { role: 'admin' });
    const warned = (...all: MappedPerson[]) =>
      namesOf(approverMap(all, null).people.flatMap(({ unapproved, person: one }) => (unapproved ? [one] : [])));
    expect(warned(admin)).toEqual(['a']);
    expect(warned(admin, { ...other, disabled: true })).toEqual(['a']);
    expect(warned(admin, other)).toEqual([]);
    expect(warned({ ...admin, ownApproverIds: ['1'] }, person('1', decides, ['a']))).toEqual([]);
  });
  it('names circles', () => {
    expect(row('2')?.circle).toEqual(['Person 3']);
    expect(row('4')?.circle).toEqual([]);
  });
  it('counts the people of each approver and what waits of them, disabled ones included', () => {
    expect(
      without.approvers.map(({ approver, people: own, toApprove, toSignOff, warning }) => [
        approver.id,
        namesOf(own),
        toApprove,
        toSignOff,
        warning,
      ]),
    ).toEqual([
      ['1', ['2', '4', '7', '9'], 2, 5, null],
      ['2', ['3'], 0, 0, null],
      ['3', ['2'], 0, 0, null],
      ['7', ['6'], 0, 0, 'mayNotDecide'],
    ]);
  });
  it('gives those without an approver of their own to the default one', () => {
    const map = approverMap(people, '1');
    expect(map.people.filter(({ byDefault }) => byDefault).map((one) => one.person.id)).toEqual(['5', '8']);
    expect(map.people.filter(({ unapproved }) => unapproved).map((one) => one.person.id)).toEqual(['6']);
    expect(map.approvers[0]).toMatchObject({ toApprove: 3, toSignOff: 5 });
  });
  it('shows the default approver with nobody too', () => {
    expect(approverMap([person('1', decides, [])], '1').approvers).toHaveLength(1);
  });
});

describe('taking over from an approver', () => {
  it.each([
    ['the others stay', { id: '5', ownApproverIds: ['1', '2'] }, '1', ['3'], ['2', '3']],
    ['nobody twice', { id: '5', ownApproverIds: ['1', '2'] }, '1', ['2'], ['2']],
    ['who had none', { id: '5', ownApproverIds: [] }, null, ['3'], ['3']],
    ['nobody takes over from themselves', { id: '3', ownApproverIds: ['1', '2'] }, '1', ['3'], ['2']],
    ['who would have nobody keeps who is there', { id: '3', ownApproverIds: ['1'] }, '1', ['3'], ['1']],
    ['nobody takes over', { id: '5', ownApproverIds: ['1'] }, '1', [], []],
  ] as const)('%s', (_what, one, from, to, expected) => {
    expect(reassigned(one, from, to)).toEqual(expected);
  });
});

describe('the filters of the map', () => {
  const map = approverMap(
    [
      person('1', decides, [], { displayName: 'Zoë Abel', team: 'green' }),
      person('2', keeps, ['1'], { displayName: 'ann Lee', toApprove: 2 }),
      person('3', [...keeps, ...decides], ['4'], { displayName: 'Ben Ode', team: 'connect', toSignOff: 5 }),
      person('4', [...keeps, ...decides], ['3'], { displayName: 'Cem Kaya', disabled: true, canSignIn: false }),
      person('5', keeps, [], { displayName: 'Dan Desk' }),
    ],
    null,
  );
  it.each<[(typeof approverFilters)[number], string[]]>([
    ['undecided', ['3', '5']],
    ['none', ['1', '5']],
    ['circle', ['3', '4']],
    ['waiting', ['2', '3']],
  ])('shows under %s the people %j', (filter, ids) => {
    expect(map.people.filter(shownBy[filter]).map((row) => row.person.id)).toEqual(ids);
  });
  it('comes with the counts of the company', () => {
    expect(countsOf(map)).toEqual({
      ...{ active: 4, disabled: 1, approvers: 3, unable: 1, tasks: 7 },
      ...{ undecided: 2, none: 2, circle: 2, waiting: 2 },
    });
  });
});
