import { useState } from 'react';
import { refusals } from '#core/refusals.ts';
import { homePath, loginPath } from '#core/routes.ts';
import { readFailure } from '#web/api/failures.ts';
import { readToken } from '#web/api/session.ts';
import { FailureView, WayOn } from '#web/layouts/failure-view.tsx';

/** Shows the stored message (spec 2). */
export default function ErrorPage() {
  const [failure] = useState(readFailure);
  const { message, statusCode } = failure ?? refusals.INTERNAL;
  return (
    <FailureView statusCode={statusCode} message={message} what={failure?.what} requestId={failure?.requestId}>
      {failure?.back && (
        <WayOn to={failure.back} primary>
          Back to where you were
        </WayOn>
      )}
      {readToken() ? (
        <WayOn to={homePath} primary={!failure?.back}>
          Home
        </WayOn>
      ) : (
        <WayOn to={loginPath} primary>
          Sign in
        </WayOn>
      )}
    </FailureView>
  );
}
