// Decides what people are notified of, who and when, in the inbox and by mail. Used by the server where
// events happen and mails are sent, and by the web for the settings.
import { canUseApplication, inArea, refusalAt, type Viewer } from '../access/access.ts';
import { isWorkingDay, type WorkCalendar, workingDayBefore } from '../base/working-hours.ts';
import {
  actsAsApprover,
  canSeeTasksOf,
  decisionEvents,
  isDecider,
  type TaskChanges,
  type TaskEventKind,
  type TaskOwner,
  undoSeconds,
  workFields,
} from '../tasks/task.ts';
import type { BonusComponent } from '../toolbox/bonus.ts';
import type { NoticeFacts, OfTask } from './notice-facts.ts';

type Kind = {
  readonly title: string;
  readonly meaning: string;
  /** The defaults. */
  readonly inApp: boolean;
  readonly mail: boolean;
  /** Seconds before the mail is sent, to wait for related events and undos. */
  readonly mailAfter: number;
  /** Can't be turned off: a thief with a stolen session would do so first. */
  readonly always?: true;
  /** Turning it off requires a proof, for the same reason. */
  readonly guarded?: true;
};

/** Mails wait this long for more, so five decisions make one mail. */
const gatherSeconds = 300;

/** All kinds, in the order of the settings. A new kind is a row here and its texts in `notice-words.ts`. */
export const noticeKinds = {
  waiting: {
    title: 'Waiting for my decision',
    meaning: 'Tasks for you to approve or sign off, in one notification',
    inApp: true,
    mail: true,
    mailAfter: 0,
  },
  handedOver: {
    title: 'Handed over to me',
    meaning: 'Tasks that waited too long for their approver, so you can decide on them too',
    inApp: true,
    mail: true,
    mailAfter: 0,
  },
  decided: {
    title: 'Decision on my task',
    meaning: 'Approved, denied, signed off or sent back, with the reason',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  assigned: {
    title: 'A task for me',
    meaning: 'Someone else created a task for you',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  noted: {
    title: 'A note on a task',
    meaning: 'Notes by others on your tasks and on tasks you approve, in one notification per task',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  mentioned: {
    title: 'I was mentioned',
    meaning: 'Someone mentioned you in a note',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  recap: {
    title: 'Someone closed their week',
    meaning: 'One notification per week when people whose tasks you approve close it',
    inApp: true,
    mail: false,
    mailAfter: gatherSeconds,
  },
  boundary: {
    title: 'The sprint ends soon',
    meaning:
      'On the last working day before the sprint ends and again 2 hours before, if you have unfinished tasks or decisions waiting. Not while you’re away',
    inApp: true,
    mail: true,
    mailAfter: 0,
  },
  meeting: {
    title: 'One of my meetings changed',
    meaning: 'Canceled, moved or restored, or you were added or removed. You aren’t notified of a new place or link',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  asked: {
    title: 'A bonus question for me',
    meaning: 'Someone whose tasks you approve asked about their bonus',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  answered: {
    title: 'My bonus question was answered',
    meaning: 'An answer to your question about your bonus',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  roleAsked: {
    title: 'Someone requested a role',
    meaning: 'For admins: someone requested a role that they can’t assign',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  roleAnswered: {
    title: 'My role request was answered',
    meaning: 'Someone got a role after you requested one for them, or an admin declined your request',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  approvee: {
    title: 'I became someone’s approver',
    meaning: 'You now approve their tasks',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  delegate: {
    title: 'I’m a delegate',
    meaning: 'You became or stopped being an approver’s delegate',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  absence: {
    title: 'My time away changed',
    meaning: 'Someone else entered, changed or ended your time away, or your delegate can’t decide',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
    guarded: true,
  },
  access: {
    title: 'My access changed',
    meaning: 'Your role, your permissions or your approvers',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
    guarded: true,
  },
  accountChanged: {
    title: 'My account changed',
    meaning: 'New sign-ins, and changes to your email address, sign-in methods, sessions, feeds and tokens',
    inApp: true,
    mail: true,
    mailAfter: 0,
    always: true,
  },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeKindKeys = Object.keys(noticeKinds) as NoticeKind[];
export const isMandatory = (kind: NoticeKind): boolean => 'always' in noticeKinds[kind];
/** Whether turning it off requires a proof. */
export const isGuarded = (kind: NoticeKind): boolean => 'guarded' in noticeKinds[kind];
/** What a thief would hide: changes to the account and its access. Only a later proof marks them as read. */
export const alarmKinds: readonly NoticeKind[] = ['accountChanged', 'access'];
/** The kinds with a setting. */
export const choosableKinds = noticeKindKeys.filter((kind) => !isMandatory(kind));

/** A person's choice for a kind. */
export type NoticeChoice = { readonly inApp: boolean; readonly mail: boolean };

/**
 * The notification for a task's owner about a change, or null. `key` identifies the event, so it is sent
 * once.
 */
export function noticeOfChange(
  event: TaskEventKind,
  task: OfTask & { readonly version: number; readonly change: string | null; readonly after?: TaskChanges },
): { readonly key: string; readonly facts: NoticeFacts } | null {
  const decision = decisionEvents.find((kind) => kind === event);
  if (decision === undefined) return null;
  const { taskId, title, by, change, after = {} } = task;
  const edited = workFields.filter((field) => after[field] !== undefined);
  return {
    key: decisionKey(taskId, task.version),
    facts: {
      kind: 'decided',
      event: decision,
      taskId,
      title,
      by,
      change: change && excerpt(change),
      ...(edited.length > 0 && { edited }),
    },
  };
}

/** The decision that led to this version of the task. */
export const decisionKey = (taskId: string, version: number): string => `task:${taskId}:${version}`;
export const createdKey = (taskId: string): string => `created:${taskId}`;
/** Identifies the task: notes that weren't read yet are one notification. */
export const notesKey = (taskId: string): string => `notes:${taskId}`;
/** Mentions by one author in one task: many of them bury no other notification. */
export const mentionsKey = (taskId: string, authorId: string): string => `mentions:${taskId}:${authorId}`;
/** Identifies a line instead of a message: adding to an open question notifies nobody again. */
export const questionKey = (statementId: string, line: BonusComponent): string => `asked:${statementId}:${line}`;
export const answerKey = (messageId: string): string => `answered:${messageId}`;

/** Identifies the sprint: recaps that weren't read yet are one notification. */
export const recapKey = (sprintId: string): string => `recap:${sprintId}`;

export const delegateKey = (absenceId: string): string => `delegate:${absenceId}`;
/** The latest change of an absence that someone else made, for the absent person. */
export const absenceKey = (absenceId: string): string => `absence:${absenceId}`;
export const delegateGapKey = (absenceId: string): string => `delegateGap:${absenceId}`;
export const delegateEndKey = (absenceId: string): string => `delegateEnd:${absenceId}`;

/** One date of a meeting, by its original day, or the whole meeting. */
export const meetingKey = (meetingId: string, day: string | null): string =>
  day === null ? `meeting:${meetingId}` : `meeting:${meetingId}:${day}`;

/** An approver's notification of everyone who is new within the time that mails wait. */
export const approveesKey = (now: Temporal.Instant): string =>
  `approvees:${Math.floor(now.epochMilliseconds / (gatherSeconds * 1_000))}`;

/** The most notifications that one mail lists. */
export const mostInMail = 50;

const longestExcerpt = 500;

/** The start of a possibly long text. */
export function excerpt(text: string): string {
  const plain = text.trim();
  if (plain.length <= longestExcerpt) return plain;
  return `${plain.slice(0, longestExcerpt).toWellFormed().trimEnd()}…`;
}

/**
 * Whether a mention reaches this person: nobody is notified of a task they can't see, or of their own text
 * (D38).
 */
export function receivesMention(person: Viewer, owner: TaskOwner): boolean {
  return canUseApplication(person) && canSeeTasksOf(person, owner);
}

/** Whether the person can open the page for reading and answering bonus questions. */
export const readsBonus = (person: Viewer): boolean => refusalAt(person, '/top-5/tools/bonus') === null;

/**
 * Which of these people are notified of a question: the approvers who can answer it, and admins if none can.
 */
export function questionRecipients<Person extends Viewer>(people: readonly Person[], owner: TaskOwner): Person[] {
  const hearers = people.filter((person) => readsBonus(person) && isDecider(inArea(person, 'bonus'), owner));
  const approvers = hearers.filter((person) => actsAsApprover(inArea(person, 'bonus'), owner));
  return approvers.length > 0 ? approvers : hearers;
}

/** Digests collect new tasks until each full quarter hour. */
const digestMinutes = 15;
/** The shortest time between two digests for the same person. */
const digestPauseHours = 4;

/** The quarter hour of `now`, the same on all servers. */
export function digestSlot(now: Temporal.Instant): Temporal.Instant {
  const slotMs = digestMinutes * 60_000;
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(now.epochMilliseconds / slotMs) * slotMs);
}

export type LastDigest = { readonly at: Temporal.Instant; readonly upTo: Temporal.Instant };

/** Whether a decider gets a digest: something new is waiting, and the last digest was a while ago. */
export function isDigestDue(slot: Temporal.Instant, newest: Temporal.Instant, last: LastDigest | null): boolean {
  const { compare } = Temporal.Instant;
  if (compare(newest, slot) > 0) return false;
  if (last === null) return true;
  return compare(newest, last.upTo) > 0 && compare(slot, last.at.add({ hours: digestPauseHours })) >= 0;
}

/** Reminders before the end of a sprint, in hours. The first comes earlier if days off are before the end. */
export const boundaryHours = [24, 2] as const;
export type BoundaryHours = (typeof boundaryHours)[number];

/**
 * The reminder to send now: one at the end's time on the last working day before it, the other 2 hours before
 * it. None on days off, and none when the sprint has ended.
 */
export function boundaryDue(
  end: Temporal.Instant,
  now: Temporal.Instant,
  calendar: WorkCalendar,
): BoundaryHours | null {
  const [local, localEnd] = [now, end].map((at) => at.toZonedDateTimeISO(calendar.zone)) as [Zoned, Zoned];
  const today = local.toPlainDate();
  const hoursLeft = now.until(end).total('hours');
  if (hoursLeft <= 0 || !isWorkingDay(today, calendar.holidays)) return null;
  if (hoursLeft <= 2) return 2;
  const isLastDay = workingDayBefore(end, calendar).equals(today);
  return isLastDay && Temporal.PlainTime.compare(local.toPlainTime(), localEnd.toPlainTime()) >= 0 ? 24 : null;
}
type Zoned = Temporal.ZonedDateTime;

/**
 * A reminder that had to wait isn't mailed from then on: the next one says the same, and nothing is left to
 * do after the end.
 */
export function boundaryMailBefore(end: Temporal.Instant, hours: BoundaryHours): Temporal.Instant {
  const next = boundaryHours.find((later) => later < hours);
  return next === undefined ? end : end.subtract({ hours: next });
}

/** Mails exclude what can still be undone. */
export const settledAfterSeconds = 2 * undoSeconds;

/** Minutes to wait after each failed try of a mail; after the last one it is given up. Two days in total. */
const triesAfterMinutes = [1, 5, 15, 60, 180, 360, 720, 720, 720];

/** When a mail that failed `tries` times is retried; null to give up. */
export function nextTry(tries: number, now: Temporal.Instant): Temporal.Instant | null {
  const minutes = triesAfterMinutes[tries - 1];
  return minutes === undefined ? null : now.add({ minutes });
}

/** How long read notifications and sent or failed mails are kept. */
export const noticesKeptDays = 90;
/** Unread ones too: people who never open their notifications would have more every week. */
export const allKeptDays = 365;
