import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adminRole, delegatedAreas, inArea, type Viewer } from '../access/access.ts';
import { isRefusal } from '../base/refusals.ts';
import { isDecider } from '../tasks/task.ts';
import { canSeeBonusOf } from '../toolbox/bonus-plans.ts';
import { canSeeTimeOf } from '../toolbox/time-entries.ts';
import {
  type Absence,
  type AbsenceEffect,
  type AbsenceWish,
  type AbsentPerson,
  absenceDay,
  absenceDays,
  absenceSpan,
  awayWords,
  changesDeciders,
  type DelegateChoice,
  delegateProblem,
  delegationsToday,
  effectSentences,
  isOn,
  planAbsence,
  planEnd,
  returnWeek,
} from './absences.ts';
import { effectiveApprovers, ownApproversSentence } from './approvers.ts';

const deciding = ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] as const;
const viewer = (id: string, more: Partial<Viewer> = {}): Viewer => ({
  ...{ id, role: 'Lead', permissions: deciding, approverIds: [] },
  ...more,
});
const choice = (id: string, more: Partial<DelegateChoice> = {}): DelegateChoice => ({
  ...viewer(id),
  ...{ displayName: id, disabled: false },
  ...more,
});
const alex = (planned: readonly Absence[] = [], more: Partial<Viewer> = {}): AbsentPerson => ({
  ...viewer('alex', more),
  ...{ displayName: 'Alex', planned },
});
const today = '2026-11-25';
const wish = (more: Partial<AbsenceWish> = {}): AbsenceWish => ({ firstDay: today, lastDay: '2026-11-27', ...more });
const begun: Absence = { id: '6', firstDay: today, lastDay: '2026-11-27', note: '', delegateId: null, version: 1 };
const known: Absence = {
  id: '7',
  firstDay: '2026-11-20',
  lastDay: '2026-11-27',
  note: '',
  delegateId: null,
  version: 3,
};
const save = (more: Partial<AbsenceWish>, person = alex(), delegate = choice('dana'), by = viewer('alex')) =>
  planAbsence(by, person, wish(more), delegate, today);

describe('an absence', () => {
  it.each([
    ['of a stranger', () => save({}, alex(), choice('dana'), viewer('dana'))],
    [
      'of someone who manages people',
      () => save({}, alex(), choice('dana'), viewer('x', { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] })),
    ],
    ['of an unknown person', () => planAbsence(viewer('a', { role: adminRole }), null, wish(), null, today)],
    ['with its days turned round', () => save({ firstDay: '2026-11-28' })],
    ['that is over', () => save({ firstDay: '2026-11-23', lastDay: '2026-11-24' })],
    ['that begins in the past', () => save({ firstDay: '2026-11-24' })],
    ['of more than a year', () => save({ lastDay: '2027-11-26' })],
    ['in three years', () => save({ firstDay: '2029-11-25', lastDay: '2029-11-26' })],
    ['that overlaps with another', () => save({ firstDay: '2026-11-26' }, alex([known]))],
    ['that begins with another, and is longer', () => save({ lastDay: '2026-11-30' }, alex([begun]))],
    ['that begins with another, with a note', () => save({ note: 'Vacation' }, alex([begun]))],
    ['that begins with another, with a delegate', () => save({ delegateId: 'dana' }, alex([begun]))],
    ['with oneself as delegate', () => save({ delegateId: 'alex' }, alex(), choice('alex'))],
    [
      'with a delegate who can’t decide',
      () => save({ delegateId: 'dana' }, alex(), choice('dana', { permissions: ['VIEW_DASHBOARD'] })),
    ],
    ['with a delegate without a role', () => save({ delegateId: 'dana' }, alex(), choice('dana', { role: null }))],
    ['with a disabled delegate', () => save({ delegateId: 'dana' }, alex(), choice('dana', { disabled: true }))],
    ['with an unknown delegate', () => planAbsence(viewer('alex'), alex(), wish({ delegateId: '9' }), null, today)],
    [
      'that hands over what one can’t do',
      () => save({ delegateId: 'dana' }, alex([], { permissions: ['VIEW_DASHBOARD'] })),
    ],
    ['that was deleted', () => save({ id: '8' })],
  ])('%s is refused', (_what, attempt) => {
    expect(isRefusal(attempt())).toBe(true);
  });

  it('is planned by the person or an admin, with a delegate who can decide', () => {
    for (const by of [viewer('alex'), viewer('root', { role: adminRole })])
      expect(save({ delegateId: 'dana' }, alex(), choice('dana'), by)).toMatchObject({
        kind: 'plan',
        before: null,
        after: { firstDay: today, lastDay: '2026-11-27', delegateId: 'dana', note: '' },
      });
    // Everyone can be away; only who approves can choose a delegate.
    expect(save({}, alex([], { permissions: [] })).kind).toBe('plan');
    expect(save({ delegateId: 'root' }, alex(), choice('root', { role: adminRole, permissions: [] })).kind).toBe(
      'plan',
    );
  });

  it('sent twice is saved once, and one that runs keeps its first day', () => {
    expect(save({}, alex([begun]))).toEqual({ kind: 'unchanged', absence: begun });
    expect(save({ id: '7', firstDay: '2026-11-20', lastDay: '2026-11-30' }, alex([known])).kind).toBe('plan');
    expect(isRefusal(save({ id: '7', firstDay: '2026-11-19' }, alex([known])))).toBe(true);
  });

  it('keeps what a change leaves out, and is refused to who read an older version', () => {
    const standing = { ...known, note: 'Vacation', delegateId: 'dana' };
    const edit = (more: Partial<AbsenceWish>) =>
      planAbsence(
        viewer('alex'),
        alex([standing]),
        { ...standing, note: undefined, delegateId: undefined, ...more },
        null,
        today,
      );
    // The delegate need not be able to decide any longer: nobody chose them again.
    expect(edit({ lastDay: '2026-11-28' })).toMatchObject({
      after: { note: 'Vacation', delegateId: 'dana', lastDay: '2026-11-28', version: 4 },
    });
    expect(edit({ delegateId: '' })).toMatchObject({ after: { note: 'Vacation', delegateId: null } });
    expect(edit({ note: '' })).toMatchObject({ after: { note: '', delegateId: 'dana' } });
    expect(edit({ version: 2, note: 'Mine' })).toMatchObject({ kind: 'refusal', code: 'CONFLICT' });
    expect(edit({ version: 2 })).toEqual({ kind: 'unchanged', absence: standing });
  });

  it.each([
    [false, null, known],
    [false, known, { ...known, lastDay: '2026-11-28', note: 'x' }],
    [false, known, null],
    [true, null, { ...known, delegateId: 'dana' }],
    [true, { ...known, delegateId: 'dana' }, null],
    [true, { ...known, delegateId: 'dana' }, { ...known, delegateId: 'kim' }],
    [true, { ...known, delegateId: 'dana' }, { ...known, delegateId: 'dana', lastDay: '2026-11-28' }],
    [false, { ...known, delegateId: 'dana' }, { ...known, delegateId: 'dana', note: 'x' }],
  ])('of someone who decides nothing changes who is a delegate when: %s', (changes, before, after) => {
    const nobody = { ...viewer('alex'), permissions: [] };
    expect(changesDeciders(nobody, before, after)).toBe(changes);
  });

  it.each([
    [true, null, known],
    [true, known, { ...known, lastDay: '2026-11-28' }],
    [true, known, null],
    [false, known, { ...known, note: 'x' }],
  ])('an absence of someone who may decide affects who decides: %s', (changes, before, after) => {
    expect(changesDeciders(viewer('alex'), before, after)).toBe(changes);
  });

  it('leaves room for twenty', () => {
    const planned = Array.from({ length: 20 }, (_, index) => ({
      ...{ ...known, id: `${index + 1}` },
      ...{ firstDay: `2027-01-${index + 10}`, lastDay: `2027-01-${index + 10}` },
    }));
    expect(isRefusal(save({}, alex(planned)))).toBe(true);
    expect(save({}, alex(planned.slice(1))).kind).toBe('plan');
  });

  it.each([
    ['2026-11-19', 'delete'],
    ['2026-11-20', 'delete'],
    ['2026-11-21', { lastDay: '2026-11-20' }],
    ['2026-11-27', { lastDay: '2026-11-26' }],
    ['2026-11-28', 'unchanged'],
  ])('ended on %s: %j', (day, result) => {
    expect(planEnd(known, day)).toEqual(result);
  });
});

describe('a delegate', () => {
  const dana = { ...viewer('dana'), disabled: false, isAway: false };
  it.each([
    ['none', viewer('alex'), null],
    ['approverCannotDecide', viewer('alex', { permissions: ['VIEW_DASHBOARD'] }), dana],
    ['approverCannotDecide', viewer('alex', { role: null }), dana],
    ['cannotDecide', viewer('alex'), { ...dana, disabled: true }],
    ['cannotDecide', viewer('alex'), { ...dana, permissions: [] }],
    ['away', viewer('alex'), { ...dana, isAway: true }],
    [null, viewer('alex'), dana],
    [null, viewer('alex', { role: adminRole, permissions: [] }), { ...dana, role: adminRole, permissions: [] }],
  ] as const)('counts, or does not: %s', (problem, absent, delegate) => {
    expect(delegateProblem(absent, delegate)).toBe(problem);
  });

  it('decides for the absent approver’s people, never their own tasks or other people’s', () => {
    const standIn = viewer('dana', { delegateOf: ['alex'] });
    expect(isDecider(standIn, { id: 'nina', approverIds: ['alex'] })).toBe(true);
    expect(isDecider(viewer('alex'), { id: 'nina', approverIds: ['alex'] })).toBe(true);
    expect(isDecider(standIn, { id: 'dana', approverIds: ['alex'] })).toBe(false);
    expect(isDecider(standIn, { id: 'nina', approverIds: ['kim'] })).toBe(false);
    expect(isDecider({ ...standIn, permissions: ['VIEW_DASHBOARD'] }, { id: 'nina', approverIds: ['alex'] })).toBe(
      false,
    );
  });
});

describe('an area with its own permission', () => {
  const areas = {
    stats: 'VIEW_TOP_5_STATS',
    bonus: 'VIEW_TOP_5_BONUS_STRUCTURE',
    time: 'VIEW_TOP_5_TIME_TRACKER',
  } as const;
  it.each(delegatedAreas)('%s opens to the delegate only if the absent approver could open it', (area) => {
    const dana = {
      ...viewer('dana', { permissions: [...deciding, ...Object.values(areas)] }),
      disabled: false,
      isAway: false,
    };
    const withIt = viewer('alex', { permissions: [...deciding, areas[area]] });
    const standIn = { ...dana, ...delegationsToday(dana, [withIt, viewer('kim')]) };
    expect(standIn.delegateOf).toEqual(['alex', 'kim']);
    expect(inArea(standIn, area).delegateOf).toEqual(['alex']);
    for (const other of delegatedAreas) if (other !== area) expect(inArea(standIn, other).delegateOf).toEqual([]);
    expect(canSeeBonusOf(standIn, { id: 'nina', approverIds: ['alex'] })).toBe(area === 'bonus');
    expect(canSeeTimeOf(standIn, { id: 'nina', approverIds: ['alex'] })).toBe(area === 'time');
    expect(canSeeBonusOf(standIn, { id: 'nina', approverIds: ['kim'] })).toBe(false);
  });
});

describe('what is said', () => {
  const effect: AbsenceEffect = {
    ...{ firstDay: '2026-11-25', lastDay: '2026-11-27', name: null, people: 3, waiting: 5 },
    ...{ delegate: 'Dana Kim', approvesDelegate: false, delegateAway: [], delegateFor: [] },
  };
  it.each([
    [{}, 'Dana Kim decides for 3 people (5 tasks waiting) from Wed 25 Nov to Fri 27 Nov.'],
    [{ people: 1, waiting: 1, lastDay: '2026-11-25' }, 'Dana Kim decides for 1 person (1 task waiting) on Wed 25 Nov.'],
    [{ approvesDelegate: true }, 'You and the admins decide on Dana Kim’s own tasks.'],
    [{ name: 'Alex Ray', approvesDelegate: true }, 'Alex Ray and the admins decide on Dana Kim’s own tasks.'],
    [
      { delegateAway: [{ firstDay: '2026-11-26', lastDay: '2026-11-27' }] },
      'While Dana Kim is away (26–27 Nov), you and the admins decide.',
    ],
    [{ delegate: null }, 'No delegate: tasks from 3 people will wait for you, another approver or an admin.'],
    [
      { people: 0, waiting: 0, approvesDelegate: true },
      'You approve only Dana Kim, who can’t approve their own tasks. You and the admins decide.',
    ],
    [
      { name: 'Alex Ray', people: 0, waiting: 0, approvesDelegate: true },
      'Alex Ray approves only Dana Kim, who can’t approve their own tasks. Alex Ray and the admins decide.',
    ],
    [{ people: 0 }, 'You don’t approve anyone’s tasks, so you don’t need a delegate.'],
    [
      { people: 0, delegateFor: [{ name: 'Kim Low', firstDay: '2026-11-26', lastDay: '2026-11-27' }] },
      'You’re Kim Low’s delegate from Thu 26 Nov to Fri 27 Nov. We’ll ask Kim Low to choose someone else.',
    ],
    [
      { name: 'Alex Ray', delegateFor: [{ name: 'Kim Low', firstDay: '2026-11-26', lastDay: '2026-11-26' }] },
      'Alex Ray is Kim Low’s delegate on Thu 26 Nov. We’ll ask Kim Low to choose someone else.',
    ],
  ])('before saving %j', (more, sentence) => {
    expect(effectSentences({ ...effect, ...more })).toContain(sentence);
  });

  it('names who is away until when, and who decides or why nobody does', () => {
    const until = '2026-11-27';
    expect(awayWords({ until, delegate: 'Dana Kim', problem: null })).toBe(
      'away until Fri 27 Nov (delegate: Dana Kim)',
    );
    expect(awayWords({ until, delegate: null, problem: 'away' })).toBe(
      'away until Fri 27 Nov (the delegate is away today)',
    );
    const alone = { displayName: 'Alex Ray', decides: true };
    const sentence = (away: Parameters<typeof awayWords>[0] | null) =>
      ownApproversSentence([{ ...alone, away }], [], viewer('nina'));
    expect(sentence(null).sentence).toBe('Alex Ray approves your tasks.');
    expect(sentence({ until, delegate: 'Dana Kim', problem: null })).toEqual({
      sentence: 'Alex Ray approves your tasks, but is away until Fri 27 Nov (delegate: Dana Kim).',
      names: 'Dana Kim for Alex Ray',
      isMissing: false,
    });
    expect(sentence({ until, delegate: null, problem: 'none' })).toEqual({
      sentence: 'Alex Ray approves your tasks, but is away until Fri 27 Nov (no delegate).',
      names: 'Alex Ray (away until Fri 27 Nov)',
      isMissing: false,
    });
  });
});

// A company over some weeks: who decides whose tasks each day, by the product and by the words of D40.
type Someone = {
  readonly id: string;
  readonly role: string | null;
  readonly decides: boolean;
  readonly approverIds: readonly string[];
  /** The day this person leaves: from then on the account is disabled. */
  readonly leaves: number;
};
type Away = { readonly who: string; readonly first: number; readonly last: number; readonly delegate: string | null };
const weeks = 4;
const size = 9;
const idOf = (index: number): string => `p${index}`;
const dayOf = (day: number): string => Temporal.PlainDate.from('2026-11-02').add({ days: day }).toString();

const company = fc.record({
  people: fc.array(
    fc.record({
      hasRole: fc.integer({ min: 0, max: 9 }),
      decides: fc.boolean(),
      approvers: fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: 2 }),
      leaves: fc.option(fc.integer({ min: 1, max: weeks * 7 }), { nil: 1_000, freq: 3 }),
    }),
    { minLength: size, maxLength: size },
  ),
  absences: fc.array(
    fc.record({
      who: fc.integer({ min: 0, max: size - 1 }),
      first: fc.integer({ min: 0, max: weeks * 7 }),
      days: fc.integer({ min: 0, max: 12 }),
      delegate: fc.option(fc.integer({ min: 0, max: size - 1 }), { freq: 4 }),
    }),
    { minLength: 8, maxLength: 20 },
  ),
  defaultApprover: fc.option(fc.integer({ min: 0, max: size - 1 })),
});

it('in any company, on any day, every task has somebody who can decide it, and exactly the allowed people do', () => {
  let standIns = 0;
  fc.assert(
    fc.property(company, ({ people: drafts, absences: away, defaultApprover }) => {
      // The product keeps one admin who can sign in; a second one decides the first one's tasks.
      const people = drafts.map(
        ({ hasRole, decides, approvers, leaves }, index): Someone => ({
          ...{ id: idOf(index), decides, leaves: index < 2 ? 1_000 : leaves },
          role: index < 2 ? adminRole : hasRole === 0 ? null : 'Staff',
          approverIds: approvers.map(idOf).filter((id) => id !== idOf(index)),
        }),
      );
      const byId = new Map(people.map((person) => [person.id, person]));
      const absences = away.map(
        ({ who, first, days, delegate }): Away => ({
          ...{ who: idOf(who), first, last: first + days },
          delegate: delegate === null || delegate === who ? null : idOf(delegate),
        }),
      );
      const standing = (id: string | null, day: number): boolean => day < (byId.get(id ?? '')?.leaves ?? 0);
      const decides = (id: string): boolean => {
        const { role, decides: holds } = byId.get(id)!;
        return role === adminRole || (role !== null && holds);
      };
      const defaultId = defaultApprover === null ? null : idOf(defaultApprover);

      for (let day = 0; day < weeks * 7; day++) {
        const isAway = (id: string) => absences.some((one) => one.who === id && one.first <= day && day <= one.last);
        const asViewer = ({ id, role, decides: holds }: Someone): Viewer => ({
          ...{ id, role, approverIds: [], permissions: holds ? deciding : ['VIEW_DASHBOARD'] },
        });
        // By the product, as the server gathers it.
        const viewers = people
          .filter(({ id }) => standing(id, day))
          .map((person): Viewer => {
            const running = absences.filter(
              ({ who, first, last, delegate }) =>
                delegate === person.id &&
                standing(who, day) &&
                isOn({ firstDay: dayOf(first), lastDay: dayOf(last) }, dayOf(day)),
            );
            const delegate = { ...asViewer(person), disabled: false, isAway: isAway(person.id) };
            const absent = running.map(({ who }) => asViewer(byId.get(who)!));
            return { ...asViewer(person), ...delegationsToday(delegate, absent) };
          });
        for (const owner of people) {
          const approverIds = effectiveApprovers(owner.id, owner.approverIds, defaultId);
          const deciders = viewers
            .filter((one) => one.role !== null && isDecider(one, { id: owner.id, approverIds }))
            .map(({ id }) => id);
          // By the words.
          const allowed = people
            .map(({ id }) => id)
            .filter((id) => {
              if (id === owner.id || !standing(id, day)) return false;
              if (byId.get(id)!.role === adminRole) return true;
              if (!decides(id)) return false;
              if (approverIds.includes(id)) return true;
              const isDelegate = absences.some(
                (one) =>
                  one.delegate === id &&
                  approverIds.includes(one.who) &&
                  standing(one.who, day) &&
                  decides(one.who) &&
                  one.first <= day &&
                  day <= one.last,
              );
              if (isDelegate && !isAway(id)) standIns += 1;
              return isDelegate && !isAway(id);
            });
          expect(deciders).toEqual(allowed);
          expect(deciders.length).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 150 },
  );
  expect(standIns).toBeGreaterThan(100);
});

it.each(['2026-11-23', '2026-11-26', '2026-11-29'])(
  'on %s, who was away until Friday to Thursday is back this week',
  (today) => {
    expect(returnWeek(today, [])).toEqual({ monday: '2026-11-23', firstDay: '2026-11-20', lastDay: '2026-11-26' });
  },
);

it('with holidays, the working days around a return are others', () => {
  const off = (firstDay: string, lastDay: string) => ({ firstDay, lastDay, name: 'Holiday' });
  const around = [off('2026-11-19', '2026-11-20'), off('2026-11-27', '2026-11-27')];
  const week = { monday: '2026-11-23', firstDay: '2026-11-18', lastDay: '2026-11-25' };
  expect(returnWeek('2026-11-25', around)).toEqual(week);
  const { firstDay, lastDay } = returnWeek('2026-11-25', [off('2026-11-23', '2026-11-27')]);
  expect(lastDay >= '2026-11-22').toBe(false);
  expect(firstDay).toBe('2026-11-20');
});

it('writes a time away over the new year with both years, and a day of another year with that year', () => {
  expect(absenceDays({ firstDay: '2026-12-01', lastDay: '2027-11-29' })).toBe('from Tue 1 Dec 2026 to Mon 29 Nov 2027');
  expect(absenceSpan({ firstDay: '2026-11-25', lastDay: '2026-11-27' })).toBe('Wed 25 Nov to Fri 27 Nov');
  expect(absenceDay('2027-11-29', '2026-11-29')).toBe('Mon 29 Nov 2027');
  expect(absenceDay('2026-12-01', '2026-11-29')).toBe('Tue 1 Dec');
});
