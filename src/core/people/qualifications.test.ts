import { describe, expect, it } from 'vitest';
import { readInput } from '../base/inputs.ts';
import {
  type Evidence,
  evidencePeopleRefusal,
  isExcepted,
  lastGoodDay,
  missingFor,
  openException,
  overallState,
  planAssignment,
  qualificationLimits,
  qualificationStates,
  type Requirement,
  recordEvidenceForPeopleInput,
  requirementKindKeys,
  standingOf,
} from './qualifications.ts';

const today = Temporal.PlainDate.from('2026-11-18');
const training: Requirement = { id: '1', kind: 'training', title: 'GDPR training', validMonths: 12 };
const years: Requirement = { id: '2', kind: 'years', title: 'Two years in support', validMonths: null };
const evidence = (requirementId: string, day: string, goodUntil: string | null = null): Evidence => ({
  requirementId,
  day,
  goodUntil,
});
const role = { name: 'Support', requirements: [training, years] };

describe('assigning a role', () => {
  it('is refused without a reason to whoever lacks something, and names what', () => {
    for (const reason of [undefined, null, '', '  \n'])
      expect(planAssignment(role, { evidence: [] }, reason, today)).toMatchObject({
        kind: 'refusal',
        code: 'REASON_NEEDED',
        field: 'reason',
        message: expect.stringMatching(/Support requires “GDPR training”, “Two years in support”/),
      });
  });
  it('is allowed with a reason, which is kept with what is missing', () => {
    expect(planAssignment(role, { evidence: [evidence('2', '2024-01-01')] }, ' Covers for Ada ', today)).toEqual({
      missing: [training],
      reason: 'Covers for Ada',
    });
  });
  it('asks for no reason where nothing is missing, and keeps none', () => {
    const all = { evidence: [evidence('1', '2026-01-01'), evidence('2', '2024-01-01')] };
    expect(planAssignment(role, all, 'anyway', today)).toEqual({ missing: [], reason: null });
    expect(planAssignment({ name: 'Free', requirements: [] }, { evidence: [] }, null, today)).toEqual({
      missing: [],
      reason: null,
    });
  });
  it('takes evidence that is about to end, and none that has ended', () => {
    expect(missingFor(role, { evidence: [evidence('1', '2025-11-18'), evidence('2', '2020-01-01')] }, today)).toEqual(
      [],
    );
    expect(missingFor(role, { evidence: [evidence('1', '2025-11-17'), evidence('2', '2020-01-01')] }, today)).toEqual([
      training,
    ]);
  });
});

describe('where a person stands with a requirement', () => {
  it.each([
    ['nothing to show', training, [], 'missing', null],
    ['evidence for another requirement', training, [evidence('2', '2026-01-01')], 'missing', null],
    ['a day that is still to come', training, [evidence('1', '2026-11-19')], 'missing', null],
    ['no term at all', years, [evidence('2', '2001-01-01')], 'met', null],
    ['more than thirty days left', training, [evidence('1', '2025-12-19')], 'met', '2026-12-19'],
    ['thirty days left', training, [evidence('1', '2025-12-18')], 'expiring', '2026-12-18'],
    ['the last day is today', training, [evidence('1', '2025-11-18')], 'expiring', '2026-11-18'],
    ['the last day was yesterday', training, [evidence('1', '2025-11-17')], 'expired', '2026-11-17'],
    [
      'an end of its own counts before the term',
      training,
      [evidence('1', '2020-01-01', '2027-01-01')],
      'met',
      '2027-01-01',
    ],
    [
      'an end of its own where the requirement has no term',
      years,
      [evidence('2', '2020-01-01', '2026-11-01')],
      'expired',
      '2026-11-01',
    ],
    [
      'the evidence that lasts longest decides',
      training,
      [evidence('1', '2026-06-01'), evidence('1', '2024-01-01')],
      'met',
      '2027-06-01',
    ],
    [
      'evidence without an end lasts longest',
      years,
      [evidence('2', '2020-01-01', '2021-01-01'), evidence('2', '2020-01-01')],
      'met',
      null,
    ],
  ] as const)('%s', (_case, requirement, given, state, goodUntil) => {
    expect(standingOf(requirement, given, today)).toEqual({ state, goodUntil });
  });
  it('months end on the last day that a month has', () => {
    expect(lastGoodDay({ validMonths: 1 }, evidence('1', '2026-01-31'))).toBe('2026-02-28');
  });
  it('the worst requirement speaks for the person', () => {
    const standing = (state: (typeof qualificationStates)[number]) => ({ state, goodUntil: null });
    expect(overallState([])).toBe('met');
    expect(overallState([standing('met'), standing('expiring')])).toBe('expiring');
    expect(overallState([standing('expiring'), standing('expired'), standing('met')])).toBe('expired');
    expect(overallState(qualificationStates.map(standing))).toBe('missing');
  });
  it('a role asks for guidelines read, training, years and recommendations', () => {
    expect(requirementKindKeys).toEqual(['guideline', 'training', 'years', 'recommendation']);
  });
});

describe('a role given as an exception', () => {
  const [missing, expired, met] = (['missing', 'expired', 'met'] as const).map((state, at) => ({
    ...{ state, requirementId: `${at}` },
  })) as [StandingOf, StandingOf, StandingOf];
  type StandingOf = { readonly state: 'missing' | 'expired' | 'met'; readonly requirementId: string };
  const exception = { reason: 'Trial', requirementIds: ['0', '2'] };

  it('names what is lacking now, and is over when nothing is', () => {
    expect(openException([missing, expired, met], exception)).toEqual({ reason: 'Trial', requirementIds: ['0'] });
    expect(openException([expired, met], exception)).toBeNull();
  });
  it('explains a state only if it names everything that is lacking', () => {
    expect(isExcepted([missing, met], exception)).toBe(true);
    expect(isExcepted([missing, expired], exception)).toBe(false);
    expect(isExcepted([met], exception)).toBe(false);
    expect(isExcepted([missing], null)).toBe(false);
  });
});

describe('evidence for several people', () => {
  const person = (displayName: string, records = 0, disabled = false) => ({ displayName, records, disabled });
  it('is refused if someone is disabled or has too much, and names the first five', () => {
    const refusal = (...people: ReturnType<typeof person>[]) => evidencePeopleRefusal(people, 'personIds');
    const most = qualificationLimits.evidence;
    expect(refusal(person('Ada', most), person('Bo', 0, true))).toEqual({
      ...{ kind: 'refusal', code: 'BAD_INPUT', field: 'personIds' },
      message: 'Bo has a disabled account. Nothing was recorded',
    });
    expect(refusal(person('Ada', most), person('Bo', most - 1), person('Cy', most))?.message).toBe(
      'Ada and Cy already have 100 pieces of evidence for this requirement. Nothing was recorded. Edit or withdraw one',
    );
    const many = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus'].map((name) => person(name, 0, true));
    expect(refusal(...many)?.message).toMatch(/^Ada, Bo, Cy, Di, Ed,? and 2 others have disabled accounts\./);
    expect(refusal(person('Ada'), person('Bo', most - 1))).toBeNull();
  });
  it('is for 1 to 100 people, each of them once', () => {
    const read = (personIds: string[]) =>
      readInput(recordEvidenceForPeopleInput, { requirementId: '1', personIds, day: '2026-01-10' });
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);
    for (const wrong of [[], ids(qualificationLimits.people + 1), ['x']])
      expect(read(wrong)).toMatchObject({ code: 'BAD_INPUT', field: expect.stringMatching(/^personIds/) });
    expect(read(ids(qualificationLimits.people))).toMatchObject({ personIds: { length: 100 } });
    expect(read(['7', '5', '7'])).toMatchObject({ personIds: ['7', '5'] });
  });
});
