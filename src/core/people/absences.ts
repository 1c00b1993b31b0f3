// Decides who is away, who decides for an absent approver, and what a new absence does (D40). Used by the
// server before every change and with every viewer, and by the web for the form and the texts.
import * as z from 'zod/mini';
import { type DelegatedArea, isAdmin, type Viewer } from '../access/access.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { daySpan, dayWithYear, dayWords, weekdayOf } from '../base/day-words.ts';
import { capital, listWords, plural } from '../base/formats.ts';
import type { Holidays } from '../base/holidays.ts';
import { day, id, line, version } from '../base/inputs.ts';
import { isHalfUsed, limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { staleRefusal } from '../base/versions.ts';
import { isWorkingDay } from '../base/working-hours.ts';

/** A few words, such as “Vacation”. */
export const longestAbsenceNote = 80;
const mostDays = 366;
/** Absences of one person that haven't ended. */
const mostPlanned = 20;
/** How far ahead an absence can start. */
const mostMonthsAhead = 24;

/** First and last day on the company's calendar, both away. */
export type DaySpan = { readonly firstDay: string; readonly lastDay: string };

export type Absence = DaySpan & {
  readonly id: string;
  readonly note: string;
  readonly delegateId: string | null;
  readonly version: number;
};

export const saveAbsenceInput = z.strictObject({
  id: z.optional(id),
  userId: z.optional(id),
  firstDay: day,
  lastDay: day,
  note: z.optional(line(longestAbsenceNote)),
  /** Empty: nobody. Left out, the delegate and the note stay. */
  delegateId: z.optional(z.union([z.literal(''), id], 'must be an ID')),
  version: z.optional(version),
});
export const endAbsenceInput = z.strictObject({ id, version: z.optional(version) });
export const absencesInput = z.strictObject({ userId: z.optional(id) });
export const delegateChoicesInput = z.strictObject({ userId: z.optional(id), name: z.optional(line(limits.title)) });

/** The days compare as texts. */
export const isOn = ({ firstDay, lastDay }: DaySpan, today: string): boolean => firstDay <= today && today <= lastDay;

/** The Monday of this week, and when an absence must end for someone to be back on a working day of it. */
export function returnWeek(today: string, holidays: Holidays): DaySpan & { readonly monday: string } {
  const day = Temporal.PlainDate.from(today);
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const isOff = (one: Temporal.PlainDate) => !isWorkingDay(one, holidays);
  let firstDay = monday.subtract({ days: 1 });
  while (isOff(firstDay)) firstDay = firstDay.subtract({ days: 1 });
  let last = monday.add({ days: 6 });
  // Without a working day, nobody is back.
  while (isOff(last) && Temporal.PlainDate.compare(last, firstDay) > 0) last = last.subtract({ days: 1 });
  // The last working day before this week, and the day before its own last.
  return { monday: monday.toString(), firstDay: firstDay.toString(), lastDay: last.subtract({ days: 1 }).toString() };
}

/** Whether someone can be a delegate, or have one. */
export const mayDecide = (viewer: Viewer): boolean => callRefusal(viewer, callAccess.decisions) === null;

/** A delegate, with what keeps them from deciding. */
export type Delegate = Viewer & { readonly disabled: boolean; readonly isAway: boolean };

/** Why no delegate decides for an absent person: no delegate counts, or the person can't decide either. */
export type DelegateProblem = 'none' | 'approverCannotDecide' | 'cannotDecide' | 'away';

/**
 * Whether the delegate of someone who is away decides for them today, or why not. Delegates hold the
 * permission themselves, never get more than the absent approver can do, and pass nothing on.
 */
export function delegateProblem(absent: Viewer, delegate: Delegate | null): DelegateProblem | null {
  if (delegate === null) return 'none';
  if (!mayDecide(absent)) return 'approverCannotDecide';
  if (delegate.disabled || !mayDecide(delegate)) return 'cannotDecide';
  return delegate.isAway ? 'away' : null;
}

/** Why the delegate of an absence doesn't decide on all of its days, and when they are away then. */
export type DelegateGap = { readonly problem: string; readonly away: readonly DaySpan[] };

/** "is away too (26–27 Nov)", after the delegate's name; null if it isn't about the delegate. */
export function delegateGapWords(gap: DelegateGap | null): string | null {
  if (gap?.problem === 'cannotDecide') return 'can’t approve tasks';
  if (gap?.problem !== 'away') return null;
  return `is away too (${listWords(
    gap.away.map(({ firstDay, lastDay }) => daySpan(firstDay, lastDay)),
    'and',
  )})`;
}

/**
 * For the absent person: "Your delegate Dana Kim is away too (26–27 Nov), so tasks will wait for you, another
 * approver or an admin"
 */
export const delegateGapSentence = (delegate: string, words: string): string =>
  `Your delegate ${delegate} ${words}, so tasks will wait for you, another approver or an admin`;

/** What the delegate of these people, who are away today, does for them. */
export function delegationsToday(
  delegate: Delegate,
  absent: readonly Viewer[],
): Required<Pick<Viewer, 'delegateOf' | 'delegateIn'>> {
  const decidedFor = absent.filter((one) => delegateProblem(one, delegate) === null);
  const idsWith = (area: DelegatedArea) =>
    decidedFor.filter((one) => callRefusal(one, callAccess[area]) === null).map(({ id }) => id);
  return {
    delegateOf: decidedFor.map(({ id }) => id),
    delegateIn: { stats: idsWith('stats'), bonus: idsWith('bonus'), time: idsWith('time') },
  };
}

/** The person who will be away. `planned`: their absences that haven't ended. */
export type AbsentPerson = Viewer & { readonly displayName: string; readonly planned: readonly Absence[] };

/** Someone who could be the delegate. */
export type DelegateChoice = Viewer & { readonly displayName: string; readonly disabled: boolean };

export type AbsenceWish = DaySpan & {
  /** Changes this absence; otherwise it is a new one. */
  readonly id?: string | undefined;
  readonly note?: string | undefined;
  readonly delegateId?: string | undefined;
  /** The version that was read. Without it, the change applies to the current state. */
  readonly version?: number | undefined;
};

export type AbsencePlan = { readonly kind: 'plan'; readonly before: Absence | null; readonly after: Absence };

/**
 * What saving this absence does, or why it is refused. People set their own absences, admins anyone's: a
 * delegate gets power only by the choice of the approver who has it.
 */
export function planAbsence(
  viewer: Viewer,
  person: AbsentPerson | null,
  wish: AbsenceWish,
  delegate: DelegateChoice | null,
  today: string,
): AbsencePlan | { readonly kind: 'unchanged'; readonly absence: Absence } | Refusal {
  if (person === null || !canSetAbsences(viewer, person.id)) return refuse('NOT_FOUND');
  const before = person.planned.find((one) => one.id === wish.id) ?? null;
  if (wish.id !== undefined && before === null)
    return refuse('NOT_FOUND', 'This time away is over or was deleted. Reload the page');
  const { firstDay, lastDay, note = before?.note ?? '' } = wish;
  const delegateId = wish.delegateId === undefined ? (before?.delegateId ?? null) : wish.delegateId || null;
  const values = { firstDay, lastDay, note, delegateId };
  // A repeated call finds what it saved. Any other change needs the id.
  const same = person.planned.find((one) => (before === null || one === before) && isSame(one, values));
  if (same) return { kind: 'unchanged', absence: same };
  const others = person.planned.filter((other) => other !== before);
  const refusal =
    (before && staleAbsence(before, wish.version)) ??
    daysRefusal(wish, before, others, today) ??
    (delegateId === before?.delegateId ? null : delegateRefusal(person, delegateId, delegate));
  if (refusal) return refusal;
  if (before === null && others.length >= mostPlanned)
    return refuse('BAD_INPUT', `A person can have up to ${mostPlanned} planned times away. Delete one first`, {
      field: 'firstDay',
    });
  return { kind: 'plan', before, after: { id: before?.id ?? '', version: (before?.version ?? 0) + 1, ...values } };
}

/** Why an absence that was read as this version can't be changed, or null. */
export const staleAbsence = ({ version: stored }: Absence, known: number | undefined): Refusal | null =>
  staleRefusal(stored, known) &&
  refuse('CONFLICT', 'Someone else changed this time away. Open it again to see the changes');

/** Whether only the note changed, which concerns nobody else. */
export const changesOnlyNote = (before: Absence | null, after: Absence | null): boolean =>
  before !== null &&
  after !== null &&
  (['firstDay', 'lastDay', 'delegateId'] as const).every((key) => before[key] === after[key]);

/** Whether days or words of the absence are lost: moving it and emptying its note take away as much as its end. */
export const takesAway = (before: Absence | null, after: Absence | null): boolean =>
  before !== null &&
  (after === null ||
    after.firstDay > before.firstDay ||
    after.lastDay < before.lastDay ||
    !after.note.includes(before.note));

/**
 * Whether the change affects who decides on some days, which requires a proof (T44): people who are away
 * decide for nobody else, and a delegate decides for them.
 */
export const changesDeciders = (person: Viewer, before: Absence | null, after: Absence | null): boolean =>
  !changesOnlyNote(before, after) &&
  (mayDecide(person) || [before, after].some((absence) => absence !== null && absence.delegateId !== null));

/** Days away, in all, that are planned without a recent proof: a stolen token must not plan years. */
const mostDaysUnproven = 30;

const lengthOf = ({ firstDay, lastDay }: DaySpan): number =>
  Temporal.PlainDate.from(firstDay).until(Temporal.PlainDate.from(lastDay), { largestUnit: 'days' }).days + 1;

/** Whether saving the absence requires a recent proof (T44): it changes deciders, or adds to many. */
export function absenceNeedsProof(person: AbsentPerson, { before, after }: AbsencePlan): boolean {
  if (changesDeciders(person, before, after)) return true;
  const others = person.planned.filter(({ id }) => id !== before?.id);
  if (before === null && isHalfUsed(others.length, mostPlanned)) return true;
  const days = [...others, after].reduce((sum, one) => sum + lengthOf(one), 0);
  return days > mostDaysUnproven && lengthOf(after) > (before ? lengthOf(before) : 0);
}

export const canSetAbsences = (viewer: Viewer, personId: string): boolean => viewer.id === personId || isAdmin(viewer);

const isSame = (one: Omit<Absence, 'id' | 'version'>, other: Omit<Absence, 'id' | 'version'>): boolean =>
  (['firstDay', 'lastDay', 'note', 'delegateId'] as const).every((key) => one[key] === other[key]);

function daysRefusal(
  { firstDay, lastDay }: DaySpan,
  before: Absence | null,
  others: readonly Absence[],
  today: string,
): Refusal | null {
  const [first, last, now] = [firstDay, lastDay, today].map((text) => Temporal.PlainDate.from(text)) as [
    Temporal.PlainDate,
    Temporal.PlainDate,
    Temporal.PlainDate,
  ];
  if (lastDay < firstDay) return badDays('lastDay', 'The last day is before the first. Choose a later one');
  if (lastDay < today) return badDays('lastDay', 'These days are in the past. Choose today or later');
  if (firstDay < today && firstDay !== before?.firstDay)
    return badDays('firstDay', 'The first day can’t be in the past. Choose today or later');
  if (first.until(last, { largestUnit: 'days' }).days >= mostDays)
    return badDays('lastDay', 'Time away can last at most a year. Choose an earlier last day');
  if (Temporal.PlainDate.compare(first, now.add({ months: mostMonthsAhead })) > 0)
    return badDays('firstDay', 'The first day is more than two years away. Choose an earlier one');
  const overlap = others.find((other) => other.firstDay <= lastDay && firstDay <= other.lastDay);
  return overlap
    ? badDays('firstDay', `This overlaps time away on ${daySpan(overlap.firstDay, overlap.lastDay)}. Edit that instead`)
    : null;
}

const badDays = (field: string, message: string): Refusal => refuse('BAD_INPUT', message, { field });

function delegateRefusal(
  person: AbsentPerson,
  delegateId: string | null,
  delegate: DelegateChoice | null,
): Refusal | null {
  if (delegateId === null) return null;
  if (delegateId === person.id) return badDelegate('BAD_INPUT', 'You can’t be your own delegate. Choose someone else');
  if (!mayDecide(person)) return badDelegate('FORBIDDEN', 'Only people who approve tasks can choose a delegate');
  // One answer for everyone who can't: an id must not reveal an account or its name.
  return delegate !== null && !delegate.disabled && mayDecide(delegate)
    ? null
    : badDelegate('BAD_INPUT', 'This person can’t approve tasks. Choose someone else');
}

const badDelegate = (code: 'BAD_INPUT' | 'FORBIDDEN', message: string): Refusal =>
  refuse(code, message, { field: 'delegateId' });

/** What ending an absence does: it keeps the days that were, or goes if there were none. */
export function planEnd(absence: Absence, today: string): { readonly lastDay: string } | 'delete' | 'unchanged' {
  if (absence.lastDay < today) return 'unchanged';
  if (absence.firstDay >= today) return 'delete';
  return { lastDay: Temporal.PlainDate.from(today).subtract({ days: 1 }).toString() };
}

/** "Fri 27 Nov", "Mon 4 Jan 2027" after the year of `today`. */
export const absenceDay = (text: string, today = text): string =>
  `${weekdayOf(text)} ${text.slice(0, 4) === today.slice(0, 4) ? dayWords(text) : dayWithYear(text)}`;

/** "Wed 25 Nov to Fri 27 Nov", "Wed 25 Nov", "Tue 29 Dec 2026 to Mon 4 Jan 2027" */
export function absenceSpan({ firstDay, lastDay }: DaySpan): string {
  if (firstDay === lastDay) return absenceDay(firstDay);
  return `${absenceDay(firstDay, lastDay)} to ${absenceDay(lastDay, firstDay)}`;
}

/** "from Wed 25 Nov to Fri 27 Nov", "on Wed 25 Nov" */
export const absenceDays = (days: DaySpan): string =>
  `${days.firstDay === days.lastDay ? 'on' : 'from'} ${absenceSpan(days)}`;

export const awayUntilWords = (until: string): string => `Away until ${absenceDay(until)}`;

/** An approver's absence, as pages show it. */
export type Away = {
  readonly until: string;
  /** Who decides for them today. */
  readonly delegate: string | null;
  /** Why nobody does: a DelegateProblem, or `own` for the tasks of the delegate. */
  readonly problem: string | null;
};

const problemWords: Readonly<Record<string, string>> = {
  none: 'no delegate',
  own: 'the delegate can’t approve their own tasks',
  approverCannotDecide: 'no delegate who can decide',
  cannotDecide: 'the delegate can’t decide',
  away: 'the delegate is away today',
};

/** "away until Fri 27 Nov (delegate: Dana Kim)" */
export function awayWords({ until, delegate, problem }: Away): string {
  const who = delegate === null ? problemWords[problem ?? 'none'] : `delegate: ${delegate}`;
  return `away until ${absenceDay(until)} (${who})`;
}

/** The effect of an absence, shown before it is saved. */
export type AbsenceEffect = DaySpan & {
  /** The absent person's name; null if they read this themselves. */
  readonly name: string | null;
  readonly people: number;
  readonly waiting: number;
  readonly delegate: string | null;
  /** The absent person approves the delegate too. */
  readonly approvesDelegate: boolean;
  /** When the delegate is away as well. */
  readonly delegateAway: readonly DaySpan[];
  /** The absences of others, on these days, for which the absent person is the delegate. */
  readonly delegateFor: readonly (DaySpan & { readonly name: string })[];
};

/** "Dana Kim decides for 3 people (5 tasks waiting) from Wed 25 Nov to Fri 27 Nov." and what stays. */
export function effectSentences(effect: AbsenceEffect): string[] {
  const others = effect.delegateFor.map(
    (one) =>
      `${effect.name === null ? 'You’re' : `${effect.name} is`} ${one.name}’s delegate ${absenceDays(one)}. ` +
      `We’ll ask ${one.name} to choose someone else.`,
  );
  const approvesNobody = effect.people === 0 && !effect.approvesDelegate;
  return [...(approvesNobody && others.length > 0 ? [] : ownSentences(effect)), ...others];
}

/** For someone who approves nobody besides the delegate. */
function sentenceWithoutPeople({ name, delegate, approvesDelegate }: AbsenceEffect, others: string): string {
  if (delegate !== null && approvesDelegate) {
    const who = name === null ? 'You approve' : `${name} approves`;
    return `${who} only ${delegate}, who can’t approve their own tasks. ${capital(others)}.`;
  }
  return name === null
    ? 'You don’t approve anyone’s tasks, so you don’t need a delegate.'
    : `${name} doesn’t approve anyone’s tasks.`;
}

function ownSentences(effect: AbsenceEffect): string[] {
  const { name, people, waiting, delegate, approvesDelegate } = effect;
  const others = `${name ?? 'you'} and the admins decide`;
  if (people === 0) return [sentenceWithoutPeople(effect, others)];
  const approvees = plural(people, 'person', 'people');
  if (delegate === null)
    return [`No delegate: tasks from ${approvees} will wait for ${name ?? 'you'}, another approver or an admin.`];
  const tasks = plural(waiting, 'task', 'tasks');
  const sentences = [
    `${delegate} decides for ${approvees} (${tasks} waiting) ${absenceDays(effect)}.`,
    `${delegate} can also see what ${name ?? 'you'} can see about them, including stats and bonuses. ${name ?? 'You'} can still decide too.`,
  ];
  if (approvesDelegate) sentences.push(`${capital(others)} on ${delegate}’s own tasks.`);
  if (effect.delegateAway.length > 0) {
    const spans = effect.delegateAway.map((span) => daySpan(span.firstDay, span.lastDay));
    sentences.push(`While ${delegate} is away (${listWords(spans, 'and')}), ${others}.`);
  }
  return sentences;
}
