// Writes the account's log in the transaction of each event, and notifies the person of changed ways in.
import {
  type AccountEventDetail,
  type AccountEventKind,
  accountEventsKeptDays,
  accountNoticeWords,
  isNewDevice,
  type SignInMethod,
} from '#core/access/account-events.ts';
import { deviceWords } from '#core/access/devices.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { accessHook } from '../access-hook.ts';
import * as store from './account-events.store.ts';
import { storedAgent } from './caller.ts';

export { signedInBefore } from './account-events.store.ts';

/** Who acts on an account, and from where: a request, or a command without agent or mailer. */
export type EventActor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly agent?: string | undefined;
  /** Null when nobody is signed in. */
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly mail?: Pick<Mailer, 'configured'> | undefined;
};

export type AccountEvent = {
  readonly personId: string;
  readonly kind: AccountEventKind;
  readonly method?: SignInMethod;
  readonly detail?: AccountEventDetail;
  /** Defaults to now. */
  readonly at?: string;
  /** The mail's address if it isn't the person's current one. */
  readonly mailTo?: string;
};

/** Changes that people could repeat on their account without end. They remove only what they added. */
const repeatable: ReadonlySet<AccountEventKind> = new Set([
  'passkeyAdded',
  'authenticatorAdded',
  'recoveryCodesCreated',
  'passwordChanged',
  'identityConnected',
  'tokenCreated',
]);

export async function recordAccountEvent(
  queries: Queries,
  actor: EventActor,
  { personId, kind, method, detail = {}, at, mailTo }: AccountEvent,
): Promise<void> {
  const { clock, address, viewer } = actor;
  if (viewer?.id === personId && repeatable.has(kind))
    await assertFew(queries, actor, personId, [kind], 'You did this');
  const agent = storedAgent(actor.agent);
  const actorId = viewer === null || viewer.id === personId ? null : viewer.id;
  await store.insertEvent(queries, {
    ...{ personId, kind, address, detail, actorId },
    at: at ?? clock.now().toString(),
    agent,
    method: method ?? null,
  });
  if (accountNoticeWords(kind, detail) === null) return;
  const by = actorId === null ? undefined : await store.readName(queries, actorId);
  const change = { personId, event: kind, detail, agent: agent ?? undefined, address, mailTo };
  await accessHook.handlers().accountChanged(actor, queries, { ...change, by: by ? displayName(by) : null });
}

export type SignInEvent = {
  readonly personId: string;
  readonly method: SignInMethod;
  /** When the session started, which identifies its own sign-in. */
  readonly at: string;
  /** Identifies the browser if it keeps a token, and whether it had one before. */
  readonly browser: string | undefined;
  readonly isKnown: boolean | undefined;
};

/** Of a person in an hour, on new devices and on known ones: one a minute. */
const mostLoggedSignIns = 60;

/**
 * Records a sign-in in both logs, and notifies the person if the device is new. Too many are neither recorded
 * nor refused: a thief with the password must not fill the logs, or lock the owner out.
 */
export async function recordSignIn(
  queries: Queries,
  actor: EventActor,
  { personId, method, at, browser, isKnown }: SignInEvent,
): Promise<void> {
  const device = deviceWords(actor.agent ?? null);
  const isStranger = browser === undefined && (await store.hasNamedBrowser(queries, personId));
  const isNew = isStranger || isNewDevice(device, await store.readDevices(queries, personId), isKnown);
  const kind = isNew ? 'signedInNewDevice' : 'signedIn';
  const since = actor.clock.now().subtract({ hours: 1 }).toString();
  if ((await store.countEvents(queries, { personId, kinds: [kind], since })) >= mostLoggedSignIns) return;
  const subject = { subjectType: 'person', subjectId: personId };
  const by = method === 'password' ? {} : { after: { by: method } };
  await recordAudit(queries, actor, { action: 'signedIn', ...subject, ...by });
  const detail = { device, ...(browser !== undefined && { browser }) };
  await recordAccountEvent(queries, actor, { personId, kind, method, at, detail });
}

export type EventRow = store.EventRow;

const perHour = 10;

/** Whether this happened to the account ten times within the last hour. */
export async function isFrequent(
  queries: Queries,
  { clock }: Pick<EventActor, 'clock'>,
  personId: string,
  kinds: readonly AccountEventKind[],
  only: { readonly byOthers?: boolean; readonly method?: SignInMethod } = {},
): Promise<boolean> {
  const since = clock.now().subtract({ hours: 1 }).toString();
  return (await store.countEvents(queries, { personId, kinds, since, ...only })) >= perHour;
}

/** Throws if this happened to the account too often: each time, a mail goes to its owner or to a stranger. */
export async function assertFew(
  queries: Queries,
  { clock }: Pick<EventActor, 'clock'>,
  personId: string,
  kinds: readonly AccountEventKind[],
  what: string,
  byOthers = false,
): Promise<void> {
  if (!(await isFrequent(queries, { clock }, personId, kinds, { byOthers }))) return;
  const reason = `${what} ${perHour} times in the last hour. Try again later`;
  throw new RefusalError(refuse('TOO_MANY_ATTEMPTS', reason), { retryAfter: 3_600 });
}

/** A first invitation speaks for itself: a notification about it would alarm someone new. */
export async function recordLink(
  queries: Queries,
  actor: EventActor,
  { personId, kind }: { readonly personId: string; readonly kind: 'invite' | 'reset' },
): Promise<void> {
  await assertFew(queries, actor, personId, ['invited', 'linkCreated'], 'Someone created a link for this account');
  const isFirst = kind === 'invite' && !(await store.wasEverUsed(queries, personId));
  await recordAccountEvent(queries, actor, { personId, kind: isFirst ? 'invited' : 'linkCreated' });
}

export const readPersonName = store.readName;

export const readEvents = store.readEvents;
export const unansweredSignIns = store.readUnanswered;
export const canAnswerSignIn = store.canAnswer;
export const isUnansweredSignIn = store.isUnanswered;

/**
 * Returns false if the person has no such sign-in to confirm. A new sign-in can't confirm itself or others,
 * and a session without a browser token can't confirm any.
 */
export async function acknowledgeSignIn(
  queries: Queries,
  { viewer, session, clock }: Pick<RequestContext, 'viewer' | 'session' | 'clock'>,
  id: string,
): Promise<boolean> {
  if (!(await store.canAnswer(queries, viewer.id, session, id)))
    throw new RefusalError(
      refuse('FORBIDDEN', 'Answer this in a browser that you used before. A new sign-in can’t confirm itself'),
    );
  return store.acknowledge(queries, viewer.id, id, clock.now().toString());
}

/** The person has acted on the warning, so the sign-ins need no answer, whether or not they were theirs. */
export const acknowledgeAllSignIns = (
  queries: Queries,
  personId: string,
  { now, session }: { now: Temporal.Instant; session: Buffer },
): Promise<void> => store.acknowledgeAll(queries, personId, { at: now.toString(), session });

export function removeOldEvents(queries: Queries, now: Temporal.Instant): Promise<void> {
  return store.deleteEvents(queries, now.subtract({ hours: 24 * accountEventsKeptDays }).toString());
}
