// The signed-in person: read before the first page, and again whenever the session changes.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Viewer } from '#core/access/access.ts';
import { type Permission, readPermission } from '#core/access/permissions.ts';
import { approverIdList, displayName } from '#core/people/people.ts';
import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { send } from './send.ts';
import { personOfTab, rememberPerson } from './session.ts';
import { showEnd } from './signed-in-again.ts';

/**
 * The person or role this tab views as, and who the signed-in person is. `readable`: the permissions that
 * apply to data.
 */
export type Look = {
  readonly kind: 'person' | 'role';
  readonly as: string;
  readonly by: string;
  readonly email: string;
  readonly readable: readonly Permission[];
};

/** With `viewing` set, this is the person being viewed as. */
export type SignedIn = Viewer & { readonly name: string; readonly email: string; readonly viewing: Look | null };

/** Why nothing can be changed now, or null: viewing as someone else is read-only. */
export function readOnlyReason({ viewing }: SignedIn): string | null {
  if (viewing === null) return null;
  return `You’re viewing as ${viewing.kind === 'role' ? 'the role ' : ''}${viewing.as}. You can’t change anything`;
}

/** The answer of `GET /api/auth/user` (spec 7). */
type AuthUser = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly permissions: readonly string[];
  readonly approverId: string | readonly string[] | null;
  readonly delegateOf?: Viewer['delegateOf'];
  readonly delegateIn?: Viewer['delegateIn'];
};

async function readViewer(signal: AbortSignal): Promise<SignedIn> {
  const response = await send(`${config().dashboardServerUrl}/api/auth/user`, { signal });
  const body = (await response.json().catch(() => null)) as { user?: AuthUser; viewing?: Look; error?: object } | null;
  if (!response.ok || !body?.user) throw readApiError(body?.error ?? {}, response);
  const { user } = body;
  return {
    id: user.id,
    role: user.role,
    permissions: user.permissions.map(readPermission).filter((permission) => permission !== null),
    approverIds: approverIdList(user.approverId),
    delegateOf: user.delegateOf,
    delegateIn: user.delegateIn,
    name: displayName(user),
    email: user.email,
    viewing: body.viewing ?? null,
  };
}

/** The tab's person stays the same: an older server doesn't refuse the page of someone else. */
async function readOwnViewer(signal: AbortSignal): Promise<SignedIn> {
  const viewer = await readViewer(signal);
  if (viewer.viewing) return viewer;
  const person = personOfTab();
  if (person !== null && person !== viewer.id) {
    showEnd('otherPerson');
    throw readApiError({ code: 'OTHER_PERSON' });
  }
  rememberPerson(viewer.id);
  return viewer;
}

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: ({ signal }) => readOwnViewer(signal),
  staleTime: 60_000,
  // Nothing is rendered before this answer, so a failure must show immediately.
  retry: false,
  gcTime: Number.POSITIVE_INFINITY,
});

/** The address that the session's person signs in with, also while viewing as someone else. */
export const signInEmail = ({ viewing, email }: SignedIn): string => viewing?.email ?? email;

/** Whether it is this person's session now. The known viewer stays: another person's page isn't theirs. */
export async function isSessionOf(email: string, signal: AbortSignal): Promise<boolean> {
  return signInEmail(await readViewer(signal)) === email;
}

/** The signed-in person. Every page below the shell has one. */
export function useViewer(): SignedIn {
  return useSuspenseQuery(viewerQuery).data;
}
