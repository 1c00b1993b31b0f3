import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { enter, type Viewer } from '#core/access/access.ts';
import { homePath, loginPath, logoutPath } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';
import { useLive } from '#web/api/live.ts';
import { readToken } from '#web/api/session.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { refusedEverywhere } from '#web/shell/failure-advice.ts';
import { FailureView, WayOn } from '#web/shell/failure-view.tsx';

/** Shows the stored message (spec 2). */
export default function ErrorPage() {
  const failure = useLocation({ select: ({ state }) => state.failure });
  const { message, statusCode } = failure ?? refusals.INTERNAL;
  return (
    <FailureView
      statusCode={failure ? statusCode : null}
      message={message}
      code={failure?.code}
      what={failure?.what}
      typed={(failure?.drafts?.length ?? 0) > 0}
      requestId={failure?.requestId}
    >
      {failure?.wanted && readToken() && <Recovery wanted={failure.wanted} drafts={failure.drafts ?? []} />}
      {failure?.back && (
        <WayOn to={failure.back} drafts={failure.drafts} primary>
          Back to where you were
        </WayOn>
      )}
      {readToken() ? (
        <>
          <WayOn to={homePath} primary={!failure?.back}>
            Home
          </WayOn>
          {refusedEverywhere({ message, statusCode, code: failure?.code }) && <WayOn to={logoutPath}>Sign out</WayOn>}
        </>
      ) : (
        <WayOn to={loginPath} primary>
          Sign in
        </WayOn>
      )}
    </FailureView>
  );
}

type RecoveryProps = { readonly wanted: string; readonly drafts: readonly string[] };

/** Opens the refused page, or home, as soon as access is given. */
function Recovery({ wanted, drafts }: RecoveryProps) {
  const client = useQueryClient();
  const router = useRouter();
  const known = client.getQueryData(viewerQuery.queryKey);
  const openedHome = useRef(known !== undefined && opens(known, homePath));
  useLive(async (change) => {
    if (change !== null) return;
    const viewer = await client.fetchQuery({ ...viewerQuery, staleTime: 0 }).catch(() => null);
    const to = viewer && [wanted, homePath].find((address) => opens(viewer, address));
    // Home was already open for someone who was refused only one page.
    if (viewer && to && (to === wanted || !openedHome.current))
      await router.navigate({ href: to, replace: true, state: { drafts } });
  });
  return null;
}

function opens(viewer: Viewer, address: string): boolean {
  const { pathname, search, searchParams } = new URL(address, location.href);
  const entry = enter(viewer, { path: pathname, search: search.slice(1), product: searchParams.get('product') });
  return entry.kind === 'enter' || entry.kind === 'redirect';
}
