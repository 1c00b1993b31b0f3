// Viewing the product as a person or a role: read-only, with the impersonator's own session. Each request
// checks the permission again.
import type { FastifyRequest } from 'fastify';
import { readableBy, somebodyWith, viewingHeader, viewingMinutes, viewingRefusal } from '#core/access/viewing.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { readViewerOfPerson } from '#server/platform/viewer.ts';
import { recordOwnChange } from '../auth/recent-proof.ts';
import * as store from './viewing.store.ts';

/** The viewing that a request belongs to. */
export type Viewing = {
  readonly id: string;
  readonly kind: store.Subject['kind'];
  /** The signed-in person. */
  readonly impersonator: SignedInPerson;
  /** The person or role they view as, whose pages, navigation and redirects apply. */
  readonly seen: SignedInPerson;
};

const ended = () => new RefusalError(refuse('VIEWING_ENDED'));
const idShape = /^[1-9]\d{0,17}$/;

/** Whether the request views as someone else. */
export function isViewing({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[viewingHeader] !== undefined;
}

/**
 * No changes and no sockets while viewing: only GraphQL calls can come by POST, and their mutations are
 * refused.
 */
export function assertOnlyLooks(request: FastifyRequest): void {
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.url === '/graphql';
  if (!reads || request.ws) throw new RefusalError(refuse('VIEWING_AS'));
}

async function seenBy(
  services: Services,
  impersonator: SignedInPerson,
  subject: store.Subject,
): Promise<SignedInPerson | null> {
  const refusal = viewingRefusal(impersonator, subject.kind);
  if (refusal) throw new RefusalError(refusal);
  if (subject.kind === 'person') return readViewerOfPerson(services, subject.id);
  const somebody = somebodyWith(subject.name, subject.permissions);
  return {
    ...somebody,
    email: '',
    firstName: 'Someone',
    lastName: `as ${subject.name}`,
    team: null,
    topFiveInvisible: false,
  };
}

/** The viewing in the header, and what it can read. Throws VIEWING_ENDED if it is over or someone else's. */
export async function readViewing(
  services: Services,
  impersonator: SignedInPerson,
  id: string | string[] | undefined,
): Promise<{ viewing: Viewing; reader: SignedInPerson }> {
  if (typeof id !== 'string' || !idShape.test(id)) throw ended();
  const { database, clock } = services;
  const running = await store.readViewing(database.drizzle, id, impersonator.id, clock.now().toString());
  if (!running) throw ended();
  const { subject } = running;
  const seen = await seenBy(services, impersonator, subject);
  if (!seen) throw ended();
  return { viewing: { id, kind: subject.kind, impersonator, seen }, reader: readableBy(impersonator, seen) };
}

export type StartedViewing = { readonly id: string; readonly name: string; readonly endsAt: string };

type Wanted = { readonly personId?: string | undefined; readonly role?: string | undefined };

function auditOf(action: string, subject: store.Subject, after: Record<string, unknown>) {
  const subjectId = subject.kind === 'person' ? subject.id : subject.name;
  return { action, subjectType: subject.kind, subjectId, after };
}

const nameOf = (subject: store.Subject, seen: SignedInPerson): string =>
  subject.kind === 'role' ? subject.name : displayName(seen);

/** The viewing that an earlier call with the same key started, while it is active. */
async function startedBefore(context: RequestContext, queries: Queries, id: string): Promise<StartedViewing> {
  const running = await store.readViewing(queries, id, context.viewer.id, context.clock.now().toString());
  const seen = running && (await seenBy(context, context.viewer, running.subject));
  if (!seen) throw ended();
  return { id, name: nameOf(running.subject, seen), endsAt: running.endsAt };
}

/** Records the viewing, also in the audit log, before anything is shown. */
export async function startViewing(context: RequestContext, { personId, role }: Wanted): Promise<StartedViewing> {
  const { database, clock, viewer: impersonator } = context;
  if ((personId === undefined) === (role === undefined))
    throw new RefusalError(refuse('BAD_INPUT', 'Give a person or a role', { field: 'personId' }));
  const call = callKey(context, 'startViewing', { personId, role });
  return database.transaction(async (queries) => {
    const before = await findReplay(queries, context, call);
    if (before !== null) return startedBefore(context, queries, before);
    const wanted =
      role === undefined ? ({ kind: 'person', id: personId as string } as const) : await store.readRole(queries, role);
    const refusal = viewingRefusal(impersonator, role === undefined ? 'person' : 'role');
    if (refusal) throw new RefusalError(refusal);
    const seen = wanted && (await seenBy(context, impersonator, wanted));
    if (!seen) throw new RefusalError(refuse('NOT_FOUND', 'This account is disabled or doesn’t exist'));
    const now = clock.now();
    const endsAt = instantText(now.add({ minutes: viewingMinutes }));
    const id = await store.insertViewing(queries, {
      impersonatorId: impersonator.id,
      subject: wanted,
      startedAt: now.toString(),
      endsAt,
    });
    await recordResult(queries, context, call, id);
    const name = nameOf(wanted, seen);
    await recordOwnChange(queries, context, auditOf('viewingStarted', wanted, { name, until: endsAt }));
    return { id, name, endsAt };
  });
}

export function viewableRoles({ database }: RequestContext): Promise<string[]> {
  return store.readRoleNames(database.drizzle);
}

/** Ends the viewing; does nothing if it already ended. */
export async function stopViewing(context: RequestContext, id: string): Promise<boolean> {
  const { database, clock, viewer } = context;
  return database.transaction(async (queries) => {
    const subject = await store.deleteViewing(queries, id, viewer.id, clock.now().toString());
    if (subject) await recordAudit(queries, context, auditOf('viewingStopped', subject, {}));
    return subject !== null;
  });
}
