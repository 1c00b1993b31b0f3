import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { homePath, loginPath, logoutPath } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';
import { readFailure } from '#web/api/failures.ts';
import { readToken } from '#web/api/session.ts';
import { refusedEverywhere } from '#web/shell/failure-advice.ts';
import { FailureView, WayOn } from '#web/shell/failure-view.tsx';

/** Shows the stored message (spec 2). */
export default function ErrorPage() {
  // Whoever is refused on the way from here stays on this page, with another message.
  const arrival = useLocation({ select: ({ state }) => state.__TSR_key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival reads what was stored for it.
  const failure = useMemo(readFailure, [arrival]);
  const { message, statusCode } = failure ?? refusals.INTERNAL;
  return (
    <FailureView statusCode={statusCode} message={message} what={failure?.what} requestId={failure?.requestId}>
      {failure?.back && (
        <WayOn to={failure.back} primary>
          Back to where you were
        </WayOn>
      )}
      {readToken() ? (
        <>
          <WayOn to={homePath} primary={!failure?.back}>
            Home
          </WayOn>
          {refusedEverywhere(message) && <WayOn to={logoutPath}>Sign out</WayOn>}
        </>
      ) : (
        <WayOn to={loginPath} primary>
          Sign in
        </WayOn>
      )}
    </FailureView>
  );
}
