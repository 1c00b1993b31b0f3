// Every way into an account, for its owner and for people who manage accounts.

import { accountEventWords, isSignInMethod, newDeviceAskedDays, signInMethods } from '#core/access/account-events.ts';
import { eventsPerPage } from '#core/access/account-inputs.ts';
import { deviceWords, isHandheld } from '#core/access/devices.ts';
import { ownAddress } from '#core/admin/audit-log.ts';
import { displayName } from '#core/people/people.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { canAnswerSignIn, type EventRow, readEvents, unansweredSignIns } from '../auth/account-events.service.ts';
import { type OpenLink, openLinkOf } from '../auth/account-links.service.ts';
import { type PasswordState, passwordStateOf } from '../auth/password-changes.service.ts';
import { type Session, sessionsOf } from '../auth/sessions.service.ts';
import { identitiesOf, issuerName, type LinkedIdentity } from '../single-sign-on/identities.service.ts';
import { type CalendarFeedWay, type ServiceTokenWay, waysInHook } from './ways-in-hook.ts';

export type AccountSession = Session & {
  readonly device: string;
  readonly handheld: boolean;
  readonly how: string | null;
};

export type AccountEvent = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly words: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly how: string | null;
  /** The person who did it; null for the account's owner. */
  readonly by: string | null;
  /** For a sign-in to confirm: whether the requesting browser can. */
  readonly answerable?: boolean;
};

export type WaysIn = {
  readonly personId: string;
  readonly password: PasswordState;
  readonly identities: readonly (LinkedIdentity & { readonly name: string })[];
  readonly sessions: readonly AccountSession[];
  readonly calendarFeeds: readonly CalendarFeedWay[];
  readonly serviceTokens: readonly ServiceTokenWay[];
  readonly openLink: OpenLink | null;
};

const methodWords = (method: string | null): string | null => (isSignInMethod(method) ? signInMethods[method] : null);

const withDevice = (session: Session): AccountSession => ({
  ...session,
  device: deviceWords(session.agent),
  handheld: isHandheld(session.agent),
  how: methodWords(session.method),
});

function eventOf({ id, at, kind, detail, agent, address, method, actor }: EventRow): AccountEvent | null {
  const words = accountEventWords(kind, detail);
  if (words === null) return null;
  const isCommand = address === ownAddress.command;
  return {
    ...{ id, at, kind, words },
    device: isCommand || actor !== null ? null : deviceWords(agent),
    address: isCommand || actor !== null ? null : address,
    how: methodWords(method),
    by: isCommand ? 'a server command' : actor && displayName(actor),
  };
}

/** Read in one snapshot. `session` is the requesting one. */
export async function waysInOf(
  queries: Queries,
  { clock, session }: Pick<RequestContext, 'clock' | 'session'>,
  personId: string,
): Promise<WaysIn> {
  const now = clock.now();
  const { calendarFeeds, serviceTokens } = waysInHook.handlers();
  const identities = await identitiesOf(queries, personId);
  return {
    personId,
    password: await passwordStateOf(queries, personId),
    identities: identities.map((identity) => ({ ...identity, name: issuerName(identity.issuer) })),
    sessions: (await sessionsOf(queries, personId, now, session)).map(withDevice),
    calendarFeeds: await calendarFeeds.list(queries, personId, now),
    serviceTokens: await serviceTokens.list(queries, personId, now),
    openLink: await openLinkOf(queries, personId, now),
  };
}

export async function eventsOf(
  { database }: Pick<RequestContext, 'database'>,
  personId: string,
  { before, limit = eventsPerPage }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<AccountEvent[]> {
  const rows = await readEvents(database.drizzle, personId, { before, limit });
  return rows.map(eventOf).filter((event) => event !== null);
}

/** Sign-ins on new devices that the person should confirm from another browser. */
export async function signInsToAnswer(
  { database, clock, session }: RequestContext,
  personId: string,
): Promise<AccountEvent[]> {
  const since = clock.now().subtract({ hours: 24 * newDeviceAskedDays });
  const rows = await unansweredSignIns(database.drizzle, personId, { since: since.toString(), session });
  const [first] = rows;
  const answerable = first !== undefined && (await canAnswerSignIn(database.drizzle, personId, session, first.id));
  return rows.flatMap((row) => {
    const event = eventOf(row);
    return event === null ? [] : { ...event, answerable };
  });
}
