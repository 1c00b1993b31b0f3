// The texts of notifications, their links, and their mails. Used by the inbox and the mailer, so both say the
// same.

import { isAdmin, refusalAt, type Viewer } from '../access/access.ts';
import { accountNoticeWords } from '../access/account-events.ts';
import { type Permission, permissions } from '../access/permissions.ts';
import { accountPath } from '../access/routes.ts';
import { formatInstant } from '../base/day-words.ts';
import { countWords, plural } from '../base/formats.ts';
import { oneLine } from '../base/one-line.ts';
import { plainText } from '../base/plain-text.ts';
import { withPlainMentions } from '../tasks/mentions.ts';
import { bonusComponents } from '../toolbox/bonus.ts';
import type { NoticeFacts } from './notices.ts';

export type NoticeWords = {
  readonly sentence: string;
  readonly detail: string | null;
  /** The page it links to, which requires a sign-in like any other. */
  readonly path: string;
};

/** "3 tasks wait for your decision". */
const waitingWords = (count: number): string => plural(count, 'task waits', 'tasks wait').concat(' for your decision');
const openWords = (count: number): string => plural(count, 'of your tasks is', 'of your tasks are').concat(' open');

const decisionWords = {
  approved: ({ by, title }) => `${by} approved “${title}”`,
  denied: ({ by, title }) => `${by} denied “${title}”`,
  signedOff: ({ by, title }) => `${by} signed off “${title}”`,
  sentBack: ({ by, title }) => `${by} sent “${title}” back`,
} as const satisfies Record<string, (facts: { by: string; title: string }) => string>;

/** Links to a task where the person can open it: on their page, or among the approvals. */
function taskPath(viewer: Viewer, taskId: string): string {
  const page = refusalAt(viewer, '/top-5/tasks') === null ? '/top-5/tasks' : '/top-5/approvals';
  return `${page}?task=${taskId}`;
}

type BonusFacts = Extract<NoticeFacts, { readonly kind: 'asked' | 'answered' }>;

/** "“Signed-off share” of sprint 2026 W47" */
const lineWords = ({ line, sprint }: BonusFacts): string => `“${bonusComponents[line].title}” of sprint ${sprint}`;
const lineAddress = ({ line, sprintId }: BonusFacts): string => `sprint=${sprintId}&line=${line}`;

/** The sentence is one line, whatever the texts it quotes contain. */
export function noticeWords(viewer: Viewer, facts: NoticeFacts, zone: string): NoticeWords {
  const words = wordsOf(viewer, facts, zone);
  return { ...words, sentence: oneLine(words.sentence) };
}

function wordsOf(viewer: Viewer, facts: NoticeFacts, zone: string): NoticeWords {
  switch (facts.kind) {
    case 'waiting':
      return { sentence: waitingWords(facts.count), detail: null, path: '/top-5/approvals' };
    case 'decided':
      return {
        sentence: decisionWords[facts.event](facts),
        detail: facts.change && plainText(facts.change),
        path: taskPath(viewer, facts.taskId),
      };
    case 'mentioned':
      return {
        sentence: `${facts.by} mentioned you in “${facts.title}”`,
        detail: plainText(withPlainMentions(facts.text)),
        path: taskPath(viewer, facts.taskId),
      };
    case 'boundary':
      return {
        sentence: `Sprint ${facts.sprint} ends ${formatInstant(facts.endAt, zone)}`,
        detail: [facts.open > 0 ? openWords(facts.open) : '', facts.waiting > 0 ? waitingWords(facts.waiting) : '']
          .filter(Boolean)
          .join(', '),
        path: facts.open > 0 ? '/dashboard' : '/top-5/approvals',
      };
    case 'asked':
      return {
        sentence: `${facts.by} asked about ${lineWords(facts)}`,
        detail: plainText(facts.text),
        path: `/top-5/tools/bonus?person=${facts.personId}&${lineAddress(facts)}`,
      };
    case 'answered':
      return {
        sentence: `${facts.by} answered about ${lineWords(facts)}`,
        detail: plainText(facts.text),
        path: `/top-5/tools/bonus?${lineAddress(facts)}`,
      };
    case 'roleAsked':
      return {
        sentence: `${facts.by} asks you to give ${facts.person} a role`,
        detail: 'Without a role, this person can’t open anything.',
        path: `/usermanagement?person=${facts.personId}`,
      };
    case 'approvee':
      return {
        sentence: `You now approve the tasks of ${facts.count && facts.count > 1 ? plural(facts.count, 'person', 'people') : facts.person}`,
        detail: null,
        path: refusalAt(viewer, '/top-5/approvals') === null ? '/top-5/approvals' : '/dashboard',
      };
    case 'access':
      return { sentence: 'Your access was changed', detail: facts.lines.map(oneLine).join('\n'), path: '/dashboard' };
    case 'accountChanged':
      return {
        sentence: accountNoticeWords(facts.event, facts.detail) ?? 'Your account was changed',
        detail: accountDetail(facts),
        path: accountPath,
      };
  }
}

const accountDetail = ({ by, origin }: Extract<NoticeFacts, { readonly kind: 'accountChanged' }>): string =>
  [
    by === null ? '' : `By ${oneLine(by)}.`,
    origin === null ? '' : `From ${oneLine(origin)}.`,
    'If this wasn’t you, open My account, sign out everywhere and change your password. If you can’t sign in, tell an admin at once.',
  ]
    .filter(Boolean)
    .join(' ');

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
    const given = after.permissions.filter((key) => !before.permissions.includes(key));
    const taken = before.permissions.filter((key) => !after.permissions.includes(key));
    if (given.length > 0) lines.push(`You now have: ${titles(given)}`);
    if (taken.length > 0) lines.push(`You no longer have: ${titles(taken)}`);
  }
  if (before.approvers.toSorted().join('\n') !== after.approvers.toSorted().join('\n'))
    lines.push(
      after.approvers.length === 0
        ? 'You no longer have an approver'
        : `Your tasks are approved by ${after.approvers.join(', ')}`,
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
