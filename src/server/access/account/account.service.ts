// What people close in their own account, and which sign-ins they confirm.
import type { RemoveWay, SignOut } from '#core/access/account-inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import {
  acknowledgeAllSignIns,
  acknowledgeSignIn,
  type EventActor,
  isFrequent,
  isUnansweredSignIn,
  recordAccountEvent,
} from '../auth/account-events.service.ts';
import { revokeLinkOf } from '../auth/account-links.service.ts';
import { assertFactorProof, assertRecentProof } from '../auth/recent-proof.ts';
import { endOtherSessions, endSessionsOf } from '../auth/sessions.service.ts';
import { assertWayIn } from '../factors/factors.service.ts';
import { requireSetUp } from '../factors/step-sessions.ts';
import { unlinkIdentitiesOf } from '../single-sign-on/identities.service.ts';
import { closeWaysIn } from './close-ways-in.ts';
import { type WaysIn, waysInOf } from './ways-in.service.ts';
import { waysInHook } from './ways-in-hook.ts';

export function myWaysIn({ database, viewer, ...context }: RequestContext): Promise<WaysIn> {
  return database.transaction((queries) => waysInOf(queries, context, viewer.id), { snapshot: true });
}

/** Makes the change and returns the person's remaining ways in. */
function changeOwn(context: RequestContext, change: (queries: Queries) => Promise<void>): Promise<WaysIn> {
  return context.database.transaction(async (queries) => {
    await change(queries);
    return waysInOf(queries, context, context.viewer.id);
  });
}

const gone = () => new RefusalError(refuse('NOT_FOUND', 'This was already removed'));

export function endOwnSession(context: RequestContext, id: string): Promise<WaysIn> {
  return changeOwn(context, async (queries) => {
    // A thief must not lock the owner out by ending each of their new sessions.
    await assertRecentProof(queries, context, async () => {
      const { sessions } = await waysInOf(queries, context, context.viewer.id);
      if (!sessions.some((session) => session.id === id)) throw gone();
    });
    await removeWay(queries, context, context.viewer.id, { kind: 'session', id });
  });
}

/**
 * The remaining ways in and the session's new token. With `next`, the token only allows setting up a second
 * factor, because the last one was removed and the policy requires one.
 */
export type SignedOut = { readonly token: string; readonly next: 'setUpSecondStep' | null; readonly ways: WaysIn };

/** Ends every other session and closes the other selected ways in. */
export function signOutEverywhere(context: RequestContext, { also }: SignOut): Promise<SignedOut> {
  const { database, viewer, session } = context;
  return database.transaction(async (queries) => {
    await (also.includes('factors') ? assertFactorProof : assertRecentProof)(queries, context);
    if (!session) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    const { ended, ...renewed } = await endOtherSessions(queries, context, viewer.id, session);
    await closeWaysIn(queries, context, viewer.id, { ways: also, keepWayIn: true });
    await acknowledgeAllSignIns(queries, viewer.id, { now: context.clock.now(), session: renewed.session });
    // Without limit, a program could fill both logs.
    if (ended > 0 || !(await isFrequent(queries, context, viewer.id, ['signedOutEverywhere']))) {
      const entry = { action: 'signedOutEverywhere', subjectType: 'person', subjectId: viewer.id };
      await recordAudit(queries, context, { ...entry, after: { ended, also } });
      await recordAccountEvent(queries, context, { personId: viewer.id, kind: 'signedOutEverywhere' });
    }
    const ways = await waysInOf(queries, { clock: context.clock, session: renewed.session }, viewer.id);
    const mustSetUp = also.includes('factors') && (await requireSetUp(context, queries, viewer.id, renewed.session));
    return { token: renewed.token, next: mustSetUp ? 'setUpSecondStep' : null, ways };
  });
}

export function unlinkOwnIdentity(context: RequestContext, id: string): Promise<WaysIn> {
  return changeOwn(context, async (queries) => {
    await assertRecentProof(queries, context, async () => {
      const { identities } = await waysInOf(queries, context, context.viewer.id);
      if (!identities.some((identity) => identity.id === id)) throw gone();
    });
    const unlinked = await unlinkIdentitiesOf(queries, context, context.viewer.id, id);
    if (unlinked.length === 0) throw gone();
    await assertWayIn(queries, context.viewer.id);
  });
}

export async function answerForSignIn(context: RequestContext, id: string): Promise<boolean> {
  const { database, viewer } = context;
  return database.transaction(async (queries) => {
    // A stolen token must not silence the alarm about its thief.
    await assertRecentProof(queries, context, async () => {
      if (!(await isUnansweredSignIn(queries, viewer.id, id))) throw gone();
    });
    if (!(await acknowledgeSignIn(queries, context, id))) throw gone();
    await recordAudit(queries, context, {
      action: 'signInAcknowledged',
      subjectType: 'person',
      subjectId: viewer.id,
      after: { signIn: id },
    });
    return true;
  });
}

type Way = Pick<RemoveWay, 'kind' | 'id'>;

/** Removes one way into a person's account. Throws NOT_FOUND if it is already gone. */
export async function removeWay(
  queries: Queries,
  actor: EventActor,
  personId: string,
  { kind, id }: Way,
): Promise<void> {
  const removed = await removals[kind](queries, actor, personId, id);
  if (!removed) throw gone();
}

type Removal = (queries: Queries, actor: EventActor, personId: string, id: string) => Promise<boolean>;

const removals: Readonly<Record<Way['kind'], Removal>> = {
  session: async (queries, actor, personId, id) => {
    if ((await endSessionsOf(queries, actor, personId, { id })) === 0) return false;
    await recordAudit(queries, actor, {
      action: 'sessionsEnded',
      subjectType: 'person',
      subjectId: personId,
      after: { ended: 1 },
    });
    await recordAccountEvent(queries, actor, { personId, kind: 'sessionEnded' });
    return true;
  },
  identity: async (queries, actor, personId, id) => (await unlinkIdentitiesOf(queries, actor, personId, id)).length > 0,
  calendarFeed: async (queries, actor, personId, id) =>
    (await waysInHook.handlers().calendarFeeds.revoke(queries, actor, personId, id)).length > 0,
  serviceToken: async (queries, actor, personId, id) =>
    (await waysInHook.handlers().serviceTokens.revoke(queries, actor, personId, id)).length > 0,
  link: revokeLinkOf,
};
