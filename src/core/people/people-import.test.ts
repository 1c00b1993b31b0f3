import { describe, expect, it } from 'vitest';
import { isRefusal } from '../base/refusals.ts';
import { type PeopleHeader, peopleHeader, readPeopleHeader, readPeopleRow } from './people-import.ts';

const roles = ['admin', 'Staff', 'Team lead'];
const header = readPeopleHeader(peopleHeader) as PeopleHeader;
const row = (part: Record<string, string>) => readPeopleRow(header, part, roles);

describe('the header', () => {
  it('is found whatever its capitals, blanks and hyphens; the rest is told', () => {
    const read = readPeopleHeader([' E-Mail', 'FIRST_NAME', 'Surname', 'Shoe size', 'Top 5', 'email']) as PeopleHeader;
    expect([...read.columns]).toEqual([
      ['email', ' E-Mail'],
      ['firstName', 'FIRST_NAME'],
      ['lastName', 'Surname'],
      ['top5', 'Top 5'],
    ]);
    expect(read.unused).toEqual(['Shoe size', 'email']);
  });
  it.each(['S.T.A.R.T', 'Uses S.T.A.R.T', 's.t.a.r.t.', 'top-5'])('%s is whether someone keeps tasks', (name) => {
    expect((readPeopleHeader(['email', name]) as PeopleHeader).columns.get('top5')).toBe(name);
  });
  it('Start is a day, not S.T.A.R.T', () => {
    expect((readPeopleHeader(['email', 'Start']) as PeopleHeader).unused).toEqual(['Start']);
  });
  it('without an e-mail column is refused', () => {
    expect(readPeopleHeader(['name', 'role'])).toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('a row', () => {
  it('leaves a name that its cell doesn’t show, and imports one without what can’t be seen', () => {
    const shown = { email: 'ada@example.test', 'first name': '\u200b', 'last name': 'La\u00adne' };
    expect(row(shown)).toEqual({ email: 'ada@example.test', change: { lastName: 'Lane' } });
  });
  it('asks for what its cells say', () => {
    expect(
      row({
        email: ' ada@example.test ',
        'first name': 'Ada',
        'last name': 'Lane',
        role: 'team LEAD',
        team: 'Green',
        approvers: 'ben@example.test; cat@example.test',
        'S.T.A.R.T': 'Yes',
        reason: ' Trained elsewhere ',
      }),
    ).toEqual({
      email: 'ada@example.test',
      change: { firstName: 'Ada', lastName: 'Lane', role: 'Team lead', team: 'green', topFive: true },
      approvers: ['ben@example.test', 'cat@example.test'],
      reason: 'Trained elsewhere',
    });
  });
  it('leaves as it is what is empty', () => {
    expect(row({ email: 'ada@example.test', role: ' ', approvers: '' })).toEqual({
      email: 'ada@example.test',
      change: { topFive: undefined },
      approvers: undefined,
    });
  });
  it.each([
    [{ email: '' }, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@example.test', 'S.T.A.R.T': 'perhaps' }, 'top5'],
    [{ email: 'a@example.test', reason: 'x'.repeat(1_001) }, 'reason'],
  ])('%j is refused by its field', (part, field) => {
    expect(row(part as Record<string, string>)).toMatchObject({ code: 'BAD_INPUT', field });
  });
  it('is refused in words that a person reads, and keeps its address', () => {
    const refusal = row({ email: 'no address' });
    expect(isRefusal(refusal) && refusal.message).toMatch(/^The email address /);
    const long = row({ email: 'a@example.test', reason: 'x'.repeat(1_001) });
    expect(isRefusal(long) && long.message).toMatch(/^The reason /);
  });
  it('keeps a role and a team that are not there, for the rules to refuse by name', () => {
    expect(row({ email: 'a@example.test', role: 'Pilot', team: 'Moon' })).toMatchObject({
      change: { role: 'Pilot', team: 'Moon' },
    });
  });
});
