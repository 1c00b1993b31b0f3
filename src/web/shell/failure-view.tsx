import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '#web/api/query-client.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { adviceFor } from './failure-advice.ts';
import classes from './failure-view.module.css';

type Props = {
  readonly statusCode: number;
  readonly message: string;
  /** What was being done: "Saving the task". */
  readonly what?: string | undefined;
  readonly requestId?: string | undefined;
  readonly children?: ReactNode;
};

/** The words of a failure, with the ways on as children. */
export function FailureView({ statusCode, message, what, requestId, children }: Props) {
  const viewer = queryClient.getQueryData(viewerQuery.queryKey);
  const advice = adviceFor(message, viewer && viewer.role !== null);
  return (
    <div className={classes.failure}>
      <p className={classes.code}>{statusCode}</p>
      <h1>{message}</h1>
      {advice && <p className={classes.what}>{advice}</p>}
      {what && <p className={classes.what}>{what} failed. What you typed is kept.</p>}
      {requestId && <p className={classes.request}>Request {requestId}</p>}
      {children && <div className={classes.ways}>{children}</div>}
    </div>
  );
}

export function WayOn({ to, primary = false, children }: { to: string; primary?: boolean; children: ReactNode }) {
  return (
    <Link to={to} className={classes.way} data-primary={primary || undefined}>
      {children}
    </Link>
  );
}

/** Loads this address anew, with everything it needs. */
export function WayBack({ children }: { children: ReactNode }) {
  return (
    <button type="button" className={classes.way} data-primary onClick={() => location.reload()}>
      {children}
    </button>
  );
}
