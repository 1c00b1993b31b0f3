import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { homePath, logoutPath } from '#core/access/routes.ts';
import { errorPageTexts, refusals } from '#core/base/refusals.ts';
import { ApiError, asApiError } from '#web/api/api-error.ts';
import { readToken } from '#web/api/session.ts';
import { failProgress } from '#web/ui/progress-bar.tsx';
import { RefusedHere } from './enter.ts';
import { FailureView, WayBack, WayOn } from './failure-view.tsx';

export function NotFoundPage() {
  const { message, statusCode } = refusals.PAGE_NOT_FOUND;
  return (
    <FailureView statusCode={statusCode} message={message}>
      <WayOn to={homePath} primary>
        {errorPageTexts.backToHomePage}
      </WayOn>
    </FailureView>
  );
}

/** A page that failed to load or render, or that is refused in place. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const refused = error instanceof RefusedHere;
  useEffect(() => {
    if (refused) return;
    console.error('This page failed', error);
    failProgress();
  }, [error, refused]);
  if (refused)
    return (
      <FailureView statusCode={refusals[error.code].statusCode} message={error.message}>
        <WayBack>Reload</WayBack>
        <WayOn to={logoutPath}>Sign out</WayOn>
      </FailureView>
    );
  const failure = asApiError(error);
  const { message } = error instanceof ApiError ? failure : refusals.INTERNAL;
  return (
    <FailureView statusCode={failure.statusCode} message={message} code={failure.code} requestId={failure.requestId}>
      <WayBack>Try again</WayBack>
      <WayOn to={homePath}>Home</WayOn>
      {readToken() && <WayOn to={logoutPath}>Sign out</WayOn>}
    </FailureView>
  );
}
