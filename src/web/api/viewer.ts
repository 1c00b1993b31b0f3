// Who is signed in: read once before the first page, and again whenever the session changes.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Viewer } from '#core/access/access.ts';
import { type Permission, readPermission } from '#core/access/permissions.ts';
import { approverIdList, displayName } from '#core/people/people.ts';
import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { send } from './send.ts';

/** As whom this tab looks, and who really does. `readable`: the permissions that hold for what is read meanwhile. */
export type Look = {
  readonly kind: 'person' | 'role';
  readonly as: string;
  readonly by: string;
  readonly email: string;
  readonly readable: readonly Permission[];
};

/** With `viewing` set, the person is whom somebody else looks as. */
export type SignedIn = Viewer & { readonly name: string; readonly email: string; readonly viewing: Look | null };

/** Why nothing can be changed just now, or null: who looks as somebody else only looks. */
export function readOnlyReason({ viewing }: SignedIn): string | null {
  if (viewing === null) return null;
  return `You are viewing as ${viewing.kind === 'role' ? 'the role ' : ''}${viewing.as}. You can’t change anything`;
}

/** As `GET /api/auth/user` gives it (spec 7). */
type AuthUser = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly permissions: readonly string[];
  readonly approverId: string | readonly string[] | null;
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
    name: displayName(user),
    email: user.email,
    viewing: body.viewing ?? null,
  };
}

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: ({ signal }) => readViewer(signal),
  staleTime: 60_000,
  // Nothing is drawn before this answer: a failure has to be seen.
  retry: false,
  gcTime: Number.POSITIVE_INFINITY,
});

/** The person signed in. Every page below the shell has one. */
export function useViewer(): SignedIn {
  return useSuspenseQuery(viewerQuery).data;
}
