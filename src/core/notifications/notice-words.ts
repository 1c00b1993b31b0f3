// The texts of notifications, their links, and their mails. Used by the inbox and the mailer, so both say the
// same.

import { isAdmin, refusalAt, type Viewer } from '../access/access.ts';
import { accountNoticeWords } from '../access/account-events.ts';
import { usableChanges } from '../access/holdings.ts';
import { type Permission, permissions } from '../access/permissions.ts';
import { accountPath } from '../access/routes.ts';
import { dayWords, formatInstant, weekdayOf, weekdays } from '../base/day-words.ts';
import { countWords, listWords, plural } from '../base/formats.ts';
import { oneLine } from '../base/one-line.ts';
import { plainText } from '../base/plain-text.ts';
import { absenceDays, absenceSpan, delegateGapSentence } from '../people/absences.ts';
import { withPlainMentions } from '../tasks/mentions.ts';
import { fieldTitles } from '../tasks/task.ts';
import { bonusComponents } from '../toolbox/bonus.ts';
import type { MeetingTime } from '../toolbox/meeting-changes.ts';
import { type NoticeFacts, noticeFacts } from './notice-facts.ts';
import { type NoticeKind, noticeKinds } from './notices.ts';

export type NoticeWords = {
  readonly sentence: string;
  readonly detail: string | null;
  /** The page it links to, which requires a sign-in like any other. */
  readonly path: string;
};

/** "3 tasks are waiting for your decision". */
const waitingWords = (count: number): string =>
  plural(count, 'task is', 'tasks are').concat(' waiting for your decision');
const openWords = (count: number): string =>
  plural(count, 'of your tasks is', 'of your tasks are').concat(' unfinished');

type DecidedFacts = Extract<NoticeFacts, { readonly kind: 'decided' }>;

/** " and changed its title" */
const editedWords = (edited: NonNullable<DecidedFacts['edited']>): string =>
  edited.length === 0 ? '' : ` and changed its ${listWords(edited.map((field) => fieldTitles[field].toLowerCase()))}`;

const decisionWords = {
  approved: ({ by, title, edited = [] }) => `${by} approved “${title}”${editedWords(edited)}`,
  denied: ({ by, title }) => `${by} denied “${title}”`,
  signedOff: ({ by, title }) => `${by} signed off “${title}”`,
  sentBack: ({ by, title }) => `${by} sent “${title}” back`,
  undone: ({ by, title }) => `${by} undid the decision on “${title}”`,
} as const satisfies Record<DecidedFacts['event'], (facts: DecidedFacts) => string>;

const approvalsPath = (viewer: Viewer): string =>
  refusalAt(viewer, '/top-5/approvals') === null ? '/top-5/approvals' : '/dashboard';

/** Links to a task where the person can open it: on their page, or among the approvals. */
function taskPath(viewer: Viewer, taskId: string): string {
  const page = refusalAt(viewer, '/top-5/tasks') === null ? '/top-5/tasks' : '/top-5/approvals';
  return `${page}?task=${taskId}`;
}

type BonusFacts = Extract<NoticeFacts, { readonly kind: 'asked' | 'answered' }>;

/** "“Signed-off share” for sprint 2026 W47" */
const lineWords = ({ line, sprint }: BonusFacts): string => `“${bonusComponents[line].title}” for sprint ${sprint}`;
const lineAddress = ({ line, sprintId }: BonusFacts): string => `sprint=${sprintId}&line=${line}`;

/** The sentence is one line, whatever the texts it quotes contain. */
export function noticeWords(viewer: Viewer, facts: NoticeFacts, zone: string): NoticeWords {
  const words = wordsOf(viewer, facts, zone);
  return { ...words, sentence: oneLine(words.sentence) };
}

/** The same of a stored notification. What a newer version wrote, and this one can't read, is only named. */
export function storedNoticeWords(
  viewer: Viewer,
  { kind, facts }: { readonly kind: NoticeKind; readonly facts: unknown },
  zone: string,
): NoticeWords {
  const { data } = noticeFacts.safeParse(facts);
  return data?.kind === kind
    ? noticeWords(viewer, data, zone)
    : { sentence: noticeKinds[kind].title, detail: null, path: '/dashboard' };
}

function wordsOf(viewer: Viewer, facts: NoticeFacts, zone: string): NoticeWords {
  switch (facts.kind) {
    case 'waiting':
    case 'handedOver':
      return { ...wordsToDecider(facts), path: '/top-5/approvals' };
    case 'decided':
    case 'assigned':
    case 'noted':
    case 'mentioned':
      return { ...wordsOfTask(facts), path: taskPath(viewer, facts.taskId) };
    case 'boundary':
      return {
        sentence: `Sprint ${facts.sprint} ends ${formatInstant(facts.endAt, zone)}`,
        detail: [facts.open > 0 ? openWords(facts.open) : '', facts.waiting > 0 ? waitingWords(facts.waiting) : '']
          .filter(Boolean)
          .join(', and '),
        path: facts.open > 0 ? '/dashboard' : '/top-5/approvals',
      };
    case 'recap':
      return { ...recapWords(facts), path: '/dashboard' };
    case 'meeting':
      return { sentence: meetingSentence(facts), detail: null, path: meetingPath(facts) };
    case 'asked':
      return {
        sentence: `${facts.by} asked about ${lineWords(facts)}`,
        detail: plainText(facts.text),
        path: `/top-5/tools/bonus?person=${facts.personId}&${lineAddress(facts)}`,
      };
    case 'answered':
      return {
        sentence: `${facts.by} answered your question about ${lineWords(facts)}`,
        detail: plainText(facts.text),
        path: `/top-5/tools/bonus?${lineAddress(facts)}`,
      };
    case 'roleAsked':
      return { ...roleRequestWords(facts), path: `/usermanagement?person=${facts.personId}` };
    case 'roleAnswered':
      return { sentence: roleAnswerWords(facts), detail: null, path: `/usermanagement?person=${facts.personId}` };
    case 'approvee': {
      const others = (facts.count ?? 1) - 1;
      return {
        sentence: `You’re now an approver for ${facts.person}${others ? ` and ${plural(others, 'other')}` : ''}`,
        detail: null,
        path: approvalsPath(viewer),
      };
    }
    case 'delegate':
      return { ...delegateWords(facts), path: approvalsPath(viewer) };
    case 'absence':
      return { ...absenceWords(facts), path: accountPath };
    case 'access':
      return { sentence: 'Your access changed', detail: facts.lines.map(oneLine).join('\n'), path: '/dashboard' };
    case 'accountChanged':
      return {
        sentence: accountNoticeWords(facts.event, facts.detail) ?? 'Your account changed',
        detail: accountDetail(facts),
        path: accountPath,
      };
  }
}

function wordsToDecider({ kind, count }: Extract<NoticeFacts, { readonly kind: 'waiting' | 'handedOver' }>) {
  if (kind === 'waiting') return { sentence: waitingWords(count), detail: null };
  const approvers = count === 1 ? 'Its approver' : 'Their approvers';
  return {
    sentence: `${plural(count, 'task was', 'tasks were')} handed over to you`,
    detail: `${approvers} didn’t decide in time. Now you can decide too.`,
  };
}

type TaskFacts = Extract<NoticeFacts, { readonly taskId: string }>;

function wordsOfTask(facts: TaskFacts): Omit<NoticeWords, 'path'> {
  switch (facts.kind) {
    case 'decided':
      return {
        sentence: decisionWords[facts.event](facts),
        detail: facts.change && plainText(facts.change),
      };
    case 'assigned':
      return {
        sentence: `${facts.by} created a task for you: “${facts.title}”`,
        detail: null,
      };
    case 'noted':
      return {
        sentence:
          facts.count === 1 && facts.text !== null
            ? `${facts.by} wrote a note on “${facts.title}”`
            : `${plural(facts.count, 'new note')} on “${facts.title}”`,
        detail: facts.text && plainText(withPlainMentions(facts.text)),
      };
    case 'mentioned':
      return {
        sentence: `${facts.by} mentioned you ${timesWords(facts.count)}in “${facts.title}”`,
        detail: facts.text && plainText(withPlainMentions(facts.text)),
      };
  }
}

const timesWords = (count = 1): string => (count === 1 ? '' : `${count} times `);

function roleRequestWords({ by, person, role, roleBefore }: Extract<NoticeFacts, { readonly kind: 'roleAsked' }>) {
  return {
    sentence: `${by} requested ${role ? `the role ${role}` : 'a role'} for ${person}`,
    detail: roleBefore
      ? `${oneLine(person)}’s current role is ${oneLine(roleBefore)}.`
      : `${oneLine(person)} has no role and can open only My account.`,
  };
}

function roleAnswerWords({ by, person, role, given }: Extract<NoticeFacts, { readonly kind: 'roleAnswered' }>): string {
  if (given === null) return `${by} declined the role ${role} for ${person}`;
  return `${person} now has the role ${given}${given === role ? '' : `, not ${role} as you requested`}`;
}

function recapWords({ person, count, sprint, text }: Extract<NoticeFacts, { readonly kind: 'recap' }>) {
  const others = count > 1 ? ` and ${plural(count - 1, 'other')}` : '';
  return { sentence: `${person}${others} closed sprint ${sprint}`, detail: text === '' ? null : plainText(text) };
}

type MeetingFacts = Extract<NoticeFacts, { readonly kind: 'meeting' }>;

/** "Mon 23 Nov, 10:00" or "Mondays, 10:00" */
const meetingTimeWords = (when: MeetingTime): string =>
  `${'day' in when ? dateWords(when.day) : `${weekdays[when.weekday - 1]}s`}, ${when.time}`;
/** "Mon 23 Nov" */
const dateWords = (day: string): string => `${weekdayOf(day)} ${dayWords(day)}`;

function meetingSentence({ event, by, title, day, before, after }: MeetingFacts): string {
  const meeting = `“${title}”`;
  const dayBefore = before && 'day' in before ? before.day : null;
  const dated = dayBefore === null ? meeting : `${meeting} on ${dateWords(dayBefore)}`;
  const isByOthers = event === 'added' && day !== null;
  if (before && after) {
    const isSameDay = 'day' in after && after.day === dayBefore;
    const to = isSameDay ? after.time : meetingTimeWords(after);
    return isByOthers ? `${dated} was moved to ${to}` : `${by} moved ${dated} to ${to}`;
  }
  if (isByOthers && !after) return `${dated} was canceled`;
  const timed = after ? `${meeting} on ${meetingTimeWords(after)}` : meeting;
  if (event === 'canceled') return `${by} canceled ${dated}`;
  if (event === 'removed') return `${by} removed ${meeting} from the schedule`;
  if (event === 'left') return `${by} removed you from ${meeting}`;
  return event === 'added' ? `${by} added you to ${timed}` : `${by} restored ${timed}`;
}

/** The date in its week, or the meeting, unless it was removed. */
function meetingPath({ event, meetingId, day, before, after }: MeetingFacts): string {
  const page = '/top-5/tools/schedule';
  if (event === 'removed') return page;
  const when = event === 'canceled' ? before : after;
  const opened = day ?? (when && 'day' in when ? when.day : null);
  return `${page}?meeting=${meetingId}${opened === null ? '' : `&day=${opened}`}`;
}

function delegateWords({ ended = false, person, note, ...days }: Extract<NoticeFacts, { readonly kind: 'delegate' }>) {
  if (ended) return { sentence: `You’re no longer ${person}’s delegate (${absenceSpan(days)})`, detail: null };
  return {
    sentence: `You’re ${person}’s delegate ${absenceDays(days)}`,
    detail: [note, 'You can see and decide on tasks from the people they approve.'].filter(Boolean).join('\n'),
  };
}

function absenceWords(facts: Extract<NoticeFacts, { readonly kind: 'absence' }>) {
  if ('gap' in facts) {
    const detail = `You’re away ${absenceDays(facts)}. Choose another delegate in My account.`;
    return { sentence: delegateGapSentence(facts.delegate, facts.gap), detail };
  }
  const { by, delegate, ended, ...days } = facts;
  const who = oneLine(by);
  if (ended) return { sentence: `${who} ended your time away: ${absenceSpan(days)}`, detail: null };
  const detail = delegate === null ? 'No delegate was chosen.' : `${oneLine(delegate)} is your delegate.`;
  return { sentence: `${who} entered time away for you: ${absenceSpan(days)}`, detail };
}

const accountDetail = ({ by, origin }: Extract<NoticeFacts, { readonly kind: 'accountChanged' }>): string =>
  [
    by === null ? '' : `Changed by ${oneLine(by)}.`,
    origin === null ? '' : `Device: ${oneLine(origin)}.`,
    'If you didn’t expect this, sign out your other sessions in My account and change your password. If you can’t sign in, tell an admin.',
  ]
    .filter(Boolean)
    .join(' ');

export type WaitingTask = {
  readonly title: string;
  readonly owner: string;
  readonly since: string;
  readonly overdue: boolean;
};

/** The first of the tasks that wait, a line each: "Ada North: “Call shops”, since Tue 24 Nov 09:12". */
export function waitingLines(tasks: readonly WaitingTask[], total: number, zone: string): string {
  const lines = tasks.map(({ owner, title, since, overdue }) =>
    oneLine(`${owner}: “${title}”, since ${formatInstant(since, zone)}${overdue ? ', overdue' : ''}`),
  );
  return [...lines, ...(total > tasks.length ? [`And ${countWords(total - tasks.length)} more`] : [])].join('\n');
}

/** A person's access, compared before and after a change. Names are the approvers'. */
export type Access = {
  readonly role: string | null;
  readonly permissions: readonly Permission[];
  readonly approvers: readonly string[];
};

const titles = (keys: readonly Permission[]): string => keys.map((key) => permissions[key].title).join(', ');

/** The lines that describe a change of access; empty if the person wouldn't notice. */
export function accessLines(before: Access, after: Access): string[] {
  const lines: string[] = [];
  if (before.role !== after.role)
    lines.push(after.role === null ? 'You no longer have a role' : `Your role is now ${after.role}`);
  if (!isAdmin(before) && !isAdmin(after)) {
    // Not those that wait for a role or the application permission.
    const { gained, lost } = usableChanges(before, after);
    if (gained.length > 0) lines.push(`New permissions: ${titles(gained)}`);
    if (lost.length > 0) lines.push(`Removed permissions: ${titles(lost)}`);
  }
  if (before.approvers.toSorted().join('\n') !== after.approvers.toSorted().join('\n'))
    lines.push(
      after.approvers.length === 0
        ? 'You no longer have an approver'
        : `Your ${after.approvers.length === 1 ? 'approver is' : 'approvers are'} now ${after.approvers.join(', ')}`,
    );
  return lines;
}

/** Opens the settings on the page everyone lands on. */
export const noticeChoicesPath = '/dashboard?dialog=notices';

type MailOf = {
  readonly name: string;
  readonly appName: string;
  /** The server's public address without a trailing slash. */
  readonly publicUrl: string;
  readonly notices: readonly NoticeWords[];
  /** How many others are only in the app. */
  readonly more: number;
};

/**
 * One mail for one or more notifications: plain text with links to pages. Opening a link never changes
 * anything.
 */
export function noticeMail({ name, appName, publicUrl, notices, more }: MailOf): { subject: string; text: string } {
  const [first] = notices;
  const count = notices.length + more;
  const subject = count === 1 && first ? first.sentence : `${countWords(count)} notifications from ${appName}`;
  const parts = notices.map(({ sentence, detail, path }) =>
    [sentence, ...(detail ? [indented(detail)] : []), `${publicUrl}${path}`].join('\n'),
  );
  if (more > 0) parts.push(`And ${countWords(more)} more:\n${publicUrl}/dashboard`);
  const ending = `Choose which notifications ${appName} sends you:\n${publicUrl}${noticeChoicesPath}`;
  return {
    subject,
    text: [`Hello ${oneLine(name)},`, ...parts, '-- ', ending].join('\n\n').replace('-- \n\n', '-- \n'),
  };
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
