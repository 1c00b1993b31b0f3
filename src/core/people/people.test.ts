import { describe, expect, it } from 'vitest';
import { approverIdList, displayName, personLabels, withNamesakeEmails } from './people.ts';

describe('approverId (spec 3, D26)', () => {
  it.each([
    [null, []],
    [undefined, []],
    ['', []],
    [[], []],
    [[''], []],
    ['7', ['7']],
    ['42', ['42']],
    [['7'], ['7']],
    [
      ['7', '8', '7', ''],
      ['7', '8'],
    ],
  ] as [string | string[] | null | undefined, string[]][])('%j is normalised to %j', (value, list) => {
    expect(approverIdList(value)).toEqual(list);
  });
  it('gives a list of its own', () => {
    const value = ['7'];
    expect(approverIdList(value)).not.toBe(value);
  });
});

describe('the name of a person', () => {
  it.each([
    ['', '', 'ann@demo.test', 'ann'],
    [' ', ' ', 'ann@demo.test', 'ann'],
    ['', '', '', ''],
    ['', '', '@demo.test', ''],
    ['', '', 'no-at-sign', 'no-at-sign'],
    ['Ann', '', 'x@demo.test', 'Ann'],
    ['', 'Lee', 'x@demo.test', 'Lee'],
    ['Ann', 'Lee', 'x@demo.test', 'Ann Lee'],
  ])('%j %j <%s> is %j', (firstName, lastName, email, name) => {
    expect(displayName({ firstName, lastName, email })).toBe(name);
  });
});

describe('people with the same name', () => {
  const kim = (id: number, more: object = {}) => ({ displayName: 'Alex Kim', email: `kim${id}@company.test`, ...more });
  const nora = { displayName: 'Nora Lind', email: 'nora@company.test' };

  it('are told apart by their addresses, which a list has of nobody else', () => {
    const list = withNamesakeEmails([kim(1), nora, kim(2)]);
    expect(list.map(({ email }) => email)).toEqual(['kim1@company.test', null, 'kim2@company.test']);
    const labels = ['Alex Kim (kim1@company.test)', 'Nora Lind', 'Alex Kim (kim2@company.test)'];
    expect(list.map(personLabels(list))).toEqual(labels);
  });

  it('are told apart where only their names look the same', () => {
    const list = [
      kim(1),
      { ...kim(2), displayName: 'Alex\u200b kim' },
      { ...kim(3), displayName: 'Alex\u00a0\u00a0Kim' },
    ];
    expect(withNamesakeEmails(list).map(({ email }) => email)).toEqual(list.map(({ email }) => email));
    expect(personLabels(list)(list[0]!)).toBe('Alex Kim (kim1@company.test)');
  });

  it('are told apart by their teams where a list has no addresses', () => {
    const list = [
      { displayName: 'Alex Kim', team: 'connect' },
      { displayName: 'Alex Kim', team: null },
    ];
    expect(list.map(personLabels(list))).toEqual(['Alex Kim (Connect)', 'Alex Kim']);
  });
});
