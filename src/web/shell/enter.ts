// Applies core/access's decision when an address is opened.
import { notFound, redirect } from '@tanstack/react-router';
import { enter as decide, refusalMessage } from '#core/access/access.ts';
import { errorPath, homePath, isPath, loginPath, routes } from '#core/access/routes.ts';
import { type RefusalCode, refusals } from '#core/base/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { openDrafts } from '#web/api/drafts.ts';
import type { StoredFailure } from '#web/api/failures.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, readToken, signOut } from '#web/api/session.ts';
import { keepSignedOutReason } from '#web/api/signed-out-reason.ts';
import { type SignedIn, viewerQuery } from '#web/api/viewer.ts';
import { showError } from '#web/ui/toasts.tsx';
import { writeSearch } from './address.ts';
import { cameFrom, forgetCameFrom } from './came-from.ts';

/** Thrown when a refusal is shown in place, because no other page is permitted (D7). */
export class RefusedHere extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(refusalMessage(code));
    this.code = code;
  }
}

async function currentViewer(fresh: boolean): Promise<SignedIn | null> {
  if (!readToken()) return null;
  try {
    if (fresh) return await queryClient.fetchQuery({ ...viewerQuery, staleTime: 0 });
    return await queryClient.ensureQueryData({ ...viewerQuery, revalidateIfStale: true });
  } catch (error) {
    const { code } = asApiError(error);
    if (code !== 'NOT_SIGNED_IN' && code !== 'ACCOUNT_DISABLED') throw error;
    const isEnded = code === 'NOT_SIGNED_IN';
    if (isEnded) endSession();
    else signOut();
    keepSignedOutReason(isEnded ? 'ended' : 'disabled');
    return null;
  }
}

const refusedTo = (failure: StoredFailure) => redirect({ to: errorPath, state: { failure } });

/** Nothing else is rendered: the browser is opening another document. */
const never = () => new Promise<never>(() => {});

/** Returns when the page can be shown; otherwise throws what the router handles. */
export async function enter(path: string, search: Readonly<Record<string, string>>): Promise<void> {
  const from = cameFrom();
  const query = writeSearch(search).slice(1);
  const visit = { path, search: query, product: search.product ?? null, ...(from ? { from } : {}) };
  const known = queryClient.getQueryState(viewerQuery.queryKey)?.status === 'success';
  let viewer = await currentViewer(false);
  let entry = decide(viewer, visit);
  // Access may have been given since the cached answer, so a refusal always needs a fresh one.
  if (known && (entry.kind === 'refuse' || entry.kind === 'logout')) {
    viewer = await currentViewer(true);
    entry = decide(viewer, visit);
  }
  // The mark survives the redirects of one arrival.
  if (entry.kind !== 'redirect') forgetCameFrom();
  switch (entry.kind) {
    case 'enter':
      return;
    case 'notFound':
      throw notFound();
    case 'logout':
      if (viewer?.viewing) {
        throw refusedTo({
          message: `${viewer.viewing.as} would be signed out here. This page is for admins only`,
          statusCode: 403,
        });
      }
      // Not `signOut`: an address that was followed by mistake deletes no drafts.
      endSession();
      keepSignedOutReason('adminsOnly');
      location.replace(loginPath);
      return never();
    case 'refuse':
      if (entry.inPlace) throw new RefusedHere(entry.code);
      throw refusedTo({
        message: refusalMessage(entry.code),
        statusCode: refusals[entry.code].statusCode,
        drafts: openDrafts(),
        wanted: query ? `${path}?${query}` : path,
      });
    case 'redirect':
      // The sign-in page is another document.
      if (entry.to === loginPath || entry.to.startsWith(`${loginPath}?`)) {
        location.replace(entry.to);
        return never();
      }
      // Signing in leads home, so only a page that the person asked for is worth a word.
      if (entry.refused && isPath(path) && path !== homePath)
        showError(`${routes[path].title}: ${refusalMessage(entry.refused)}`);
      throw redirect({ href: entry.to, replace: true });
  }
}
