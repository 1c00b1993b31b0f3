// Decides what people are told about, whom an event is told to and when: in the inbox of the top bar and by mail.
// Asked by the server where something happens and where mails leave, and by the web for the choices it shows.
import { canUseApplication, refusalAt, type Viewer } from '../access/access.ts';
import type { AccountEventDetail, AccountEventKind } from '../access/account-events.ts';
import {
  canSeeTasksOf,
  decisionEvents,
  isDecider,
  type TaskEventKind,
  type TaskOwner,
  undoSeconds,
} from '../tasks/task.ts';
import type { BonusComponent } from '../toolbox/bonus.ts';

type Kind = {
  readonly title: string;
  readonly meaning: string;
  /** What holds for who has chosen nothing. */
  readonly inApp: boolean;
  readonly mail: boolean;
  /** Seconds that its mail waits: for what follows, and for what is taken back. */
  readonly mailAfter: number;
  /** Nobody can turn it off: a stolen session would do so first. */
  readonly always?: true;
};

/** How long mails wait for more of the same, so that five decisions make one mail. */
const gatherSeconds = 300;

/** What there is to be told, in the order in which people choose. A new kind is a row here and its words in `notice-words.ts`. */
export const noticeKinds = {
  waiting: {
    title: 'Waiting for my decision',
    meaning: 'Tasks for you to approve or sign off, in one notification',
    inApp: true,
    mail: true,
    mailAfter: 0,
  },
  decided: {
    title: 'My task was decided',
    meaning: 'Approved, denied, signed off or sent back, with the reason',
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
  boundary: {
    title: 'The sprint ends soon',
    meaning: '24 hours and 2 hours before its end, when something of yours is open',
    inApp: true,
    mail: true,
    mailAfter: 0,
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
  access: {
    title: 'My access changed',
    meaning: 'Your role, your permissions or your approvers',
    inApp: true,
    mail: true,
    mailAfter: gatherSeconds,
  },
  accountChanged: {
    title: 'My account changed',
    meaning: 'Ways to sign in to your account, added or removed',
    inApp: true,
    mail: true,
    mailAfter: 0,
    always: true,
  },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeKindKeys = Object.keys(noticeKinds) as NoticeKind[];
export const isAlwaysTold = (kind: NoticeKind): boolean => 'always' in noticeKinds[kind];
/** What people choose for themselves. */
export const choosableKinds = noticeKindKeys.filter((kind) => !isAlwaysTold(kind));

/** Where one is told of a kind: a choice of each person. */
export type NoticeChoice = { readonly inApp: boolean; readonly mail: boolean };

type OfBonusLine = {
  readonly by: string;
  readonly text: string;
  readonly line: BonusComponent;
  readonly sprintId: string;
  readonly sprint: string;
};

type OfTask = { readonly taskId: string; readonly title: string; readonly by: string };

/** What a notice says, as it is kept. Titles and names are those of the moment. */
export type NoticeFacts =
  | { readonly kind: 'waiting'; readonly count: number; readonly upTo: string }
  | ({
      readonly kind: 'decided';
      readonly event: (typeof decisionEvents)[number];
      readonly change: string | null;
    } & OfTask)
  | ({ readonly kind: 'mentioned'; readonly text: string } & OfTask)
  | {
      readonly kind: 'boundary';
      readonly sprint: string;
      readonly endAt: string;
      readonly open: number;
      readonly waiting: number;
    }
  | ({ readonly kind: 'asked'; readonly personId: string } & OfBonusLine)
  | ({ readonly kind: 'answered' } & OfBonusLine)
  | { readonly kind: 'access'; readonly lines: readonly string[] }
  | {
      readonly kind: 'accountChanged';
      readonly event: AccountEventKind;
      readonly detail: AccountEventDetail;
      /** Who did it, if not the person. */
      readonly by: string | null;
      /** "Firefox on macOS, 192.0.2.7"; null for a command. */
      readonly origin: string | null;
    };

/** What is told of a task's change to its owner, or null. `key` names the event: it is told once, however often it is tried. */
export function noticeOfChange(
  event: TaskEventKind,
  task: OfTask & { readonly version: number; readonly change: string | null },
): { readonly key: string; readonly facts: NoticeFacts } | null {
  const decision = decisionEvents.find((kind) => kind === event);
  if (decision === undefined) return null;
  const { taskId, title, by, change } = task;
  return {
    key: decisionKey(taskId, task.version),
    facts: { kind: 'decided', event: decision, taskId, title, by, change: change && excerpt(change) },
  };
}

/** The decision that led to this version of the task. */
export const decisionKey = (taskId: string, version: number): string => `task:${taskId}:${version}`;
export const mentionKey = (noteId: string): string => `note:${noteId}`;
/** Of a line, and not of a message: who adds to a question that waits already tells nobody a second time. */
export const questionKey = (statementId: string, line: BonusComponent): string => `asked:${statementId}:${line}`;
export const answerKey = (messageId: string): string => `answered:${messageId}`;

const longestExcerpt = 500;

/** The beginning of a text that may be very long. */
export function excerpt(text: string): string {
  const plain = text.trim();
  if (plain.length <= longestExcerpt) return plain;
  return `${plain.slice(0, longestExcerpt).toWellFormed().trimEnd()}…`;
}

/** Whether a mention reaches this person: nobody hears of a task that they may not see, or of what they wrote themselves (D38). */
export function hearsOfTask(person: Viewer, owner: TaskOwner): boolean {
  return canUseApplication(person) && canSeeTasksOf(person, owner);
}

/** Whether the page opens where one reads what was asked about a bonus, and answers it. */
export const readsBonus = (person: Viewer): boolean => refusalAt(person, '/top-5/tools/bonus') === null;

/** Who of these people is told of a question: the approvers who may answer it, and admins where no approver may. */
export function hearersOfQuestion<Person extends Viewer>(people: readonly Person[], owner: TaskOwner): Person[] {
  const hearers = people.filter((person) => readsBonus(person) && isDecider(person, owner));
  const approvers = hearers.filter(({ id }) => owner.approverIds.includes(id));
  return approvers.length > 0 ? approvers : hearers;
}

/** New tasks are looked for at every full quarter of an hour; so long they gather. */
const digestMinutes = 15;
/** The shortest time between two notices of what waits for the same person. */
const digestQuietHours = 4;

/** The quarter of an hour that `now` lies in: all servers look at the same ones. */
export function digestSlot(now: Temporal.Instant): Temporal.Instant {
  const slotMs = digestMinutes * 60_000;
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(now.epochMilliseconds / slotMs) * slotMs);
}

export type LastDigest = { readonly at: Temporal.Instant; readonly upTo: Temporal.Instant };

/** Whether to tell a decider what waits: something came that no notice told yet, and the last one is a while ago. */
export function isDigestDue(slot: Temporal.Instant, newest: Temporal.Instant, last: LastDigest | null): boolean {
  const { compare } = Temporal.Instant;
  if (compare(newest, slot) > 0) return false;
  if (last === null) return true;
  return compare(newest, last.upTo) > 0 && compare(slot, last.at.add({ hours: digestQuietHours })) >= 0;
}

/** How many hours before its end a sprint is told to end. */
export const boundaryHours = [24, 2] as const;
export type BoundaryHours = (typeof boundaryHours)[number];

/** Which of the two is to be told now: the later one when both are past, none when the sprint has ended. */
export function boundaryDue(end: Temporal.Instant, now: Temporal.Instant): BoundaryHours | null {
  const { compare } = Temporal.Instant;
  if (compare(now, end) >= 0) return null;
  return boundaryHours.findLast((hours) => compare(now, end.subtract({ hours })) >= 0) ?? null;
}

/** What can still be taken back is in no mail. */
export const settledAfterSeconds = 2 * undoSeconds;

/** How long to wait after each try of a mail that failed, in minutes; after the last one it is given up. Two days in all. */
const triesAfterMinutes = [1, 5, 15, 60, 180, 360, 720, 720, 720];

/** When a mail that failed `tries` times is tried again, or null: no more. */
export function nextTry(tries: number, now: Temporal.Instant): Temporal.Instant | null {
  const minutes = triesAfterMinutes[tries - 1];
  return minutes === undefined ? null : now.add({ minutes });
}

/** Notices that were read are kept this long, and so are mails that left or failed. */
export const noticesKeptDays = 90;
