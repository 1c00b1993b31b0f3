// Writes the log of an account, in the transaction of what it tells, and tells the person of what changes how it is reached.
import {
  type AccountEventDetail,
  type AccountEventKind,
  accountEventsKeptDays,
  accountNoticeWords,
  isNewDevice,
  type SignInMethod,
} from '#core/account-events.ts';
import { deviceWords } from '#core/devices.ts';
import { displayName } from '#core/people.ts';
import type { RequestContext } from '../context.ts';
import type { Queries } from '../db/database.ts';
import type { LiveChanges } from '../live/live.service.ts';
import type { Mailer } from '../mail/mailer.ts';
import { tellOfAccountChange } from '../notices/account-notices.ts';
import * as store from './account-events.store.ts';

/** Who does something to an account, and from where: a request, or a command, which has neither agent nor mailer. */
export type EventActor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly agent?: string | undefined;
  /** Null where nobody is signed in. */
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly mail?: Pick<Mailer, 'configured'> | undefined;
};

export type AccountEvent = {
  readonly personId: string;
  readonly kind: AccountEventKind;
  readonly method?: SignInMethod;
  readonly detail?: AccountEventDetail;
  /** Where the mail goes instead of the person's address. */
  readonly mailTo?: string;
};

const longestAgent = 500;

export async function recordAccountEvent(
  queries: Queries,
  actor: EventActor,
  { personId, kind, method, detail = {}, mailTo }: AccountEvent,
): Promise<void> {
  const { clock, address, viewer } = actor;
  const agent = actor.agent?.slice(0, longestAgent);
  const actorId = viewer === null || viewer.id === personId ? null : viewer.id;
  await store.insertEvent(queries, {
    ...{ personId, kind, address, detail, actorId },
    at: clock.now().toString(),
    agent: agent ?? null,
    method: method ?? null,
  });
  if (accountNoticeWords(kind, detail) === null) return;
  const by = actorId === null ? undefined : await store.readName(queries, actorId);
  const change = { personId, event: kind, detail, agent, address, mailTo };
  await tellOfAccountChange(actor, queries, { ...change, by: by ? displayName(by) : null });
}

/** A sign-in of a person, told to them where it comes from a device that the log doesn't know. */
export async function recordSignIn(
  queries: Queries,
  actor: EventActor,
  personId: string,
  method: SignInMethod,
): Promise<void> {
  const device = deviceWords(actor.agent ?? null);
  const isNew = isNewDevice(device, await store.readDevices(queries, personId));
  const kind = isNew ? 'signedInNewDevice' : 'signedIn';
  await recordAccountEvent(queries, actor, { personId, kind, method, detail: { device } });
}

export type EventRow = store.EventRow;

export const readEvents = store.readEvents;
export const unansweredSignIns = store.readUnanswered;

/** False: there is no such sign-in of this person to answer for. */
export const acknowledgeSignIn = (
  queries: Queries,
  personId: string,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> => store.acknowledge(queries, personId, id, now.toString());

/** The person has acted on what they were asked: whether or not the sign-ins were theirs, they are over. */
export const acknowledgeAllSignIns = (queries: Queries, personId: string, now: Temporal.Instant): Promise<void> =>
  store.acknowledgeAll(queries, personId, now.toString());

export function removeOldEvents(queries: Queries, now: Temporal.Instant): Promise<void> {
  return store.deleteEvents(queries, now.subtract({ hours: 24 * accountEventsKeptDays }).toString());
}
