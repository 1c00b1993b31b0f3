// Carries out what core/access decides when somebody opens an address.
import { notFound, redirect } from '@tanstack/react-router';
import { enter as decide, refusalMessage } from '#core/access/access.ts';
import { errorPath, loginPath } from '#core/access/routes.ts';
import { type RefusalCode, refusals } from '#core/base/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { storeFailure } from '#web/api/failures.ts';
import { queryClient } from '#web/api/query-client.ts';
import { readToken, signOut } from '#web/api/session.ts';
import { keepSignedOutReason } from '#web/api/signed-out-reason.ts';
import { type SignedIn, viewerQuery } from '#web/api/viewer.ts';
import { writeSearch } from './address.ts';
import { cameFrom, forgetCameFrom } from './came-from.ts';
import { leave } from './leave.ts';

/** Thrown where a refusal is shown in place, because no other page is permitted (D7). */
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
    signOut();
    keepSignedOutReason(code === 'NOT_SIGNED_IN' ? 'ended' : 'disabled');
    return null;
  }
}

/** Nothing more is drawn here: the browser is on its way to another document. */
const never = () => new Promise<never>(() => {});

/** Returns when the page may be shown; otherwise throws what the router makes of it. */
export async function enter(path: string, search: Readonly<Record<string, string>>): Promise<void> {
  const from = cameFrom();
  const query = writeSearch(search).slice(1);
  const visit = { path, search: query, product: search.product ?? null, ...(from ? { from } : {}) };
  const known = queryClient.getQueryState(viewerQuery.queryKey)?.status === 'success';
  let viewer = await currentViewer(false);
  let entry = decide(viewer, visit);
  // Access may have been given since the last answer: a refusal is never decided by a remembered one.
  if (known && (entry.kind === 'refuse' || entry.kind === 'logout')) {
    viewer = await currentViewer(true);
    entry = decide(viewer, visit);
  }
  // The mark holds through the redirects of one arrival.
  if (entry.kind !== 'redirect') forgetCameFrom();
  switch (entry.kind) {
    case 'enter':
      return;
    case 'notFound':
      throw notFound();
    case 'logout':
      if (viewer?.viewing) {
        storeFailure({
          message: `${viewer.viewing.as} would be logged out here: this page is for admins`,
          statusCode: 403,
        });
        throw redirect({ to: errorPath });
      }
      leave();
      return never();
    case 'refuse':
      if (entry.inPlace) throw new RefusedHere(entry.code);
      storeFailure({
        message: refusalMessage(entry.code),
        statusCode: refusals[entry.code].statusCode,
        wanted: query ? `${path}?${query}` : path,
      });
      throw redirect({ to: errorPath });
    case 'redirect':
      // The sign-in page is another document.
      if (entry.to === loginPath || entry.to.startsWith(`${loginPath}?`)) {
        location.replace(entry.to);
        return never();
      }
      throw redirect({ href: entry.to, replace: true });
  }
}
