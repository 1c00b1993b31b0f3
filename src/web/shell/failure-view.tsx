import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '#web/api/query-client.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { adviceFor } from './failure-advice.ts';
import classes from './failure-view.module.css';

type Props = {
  readonly statusCode: number;
  readonly message: string;
  /** The action: "Saving the task". */
  readonly what?: string | undefined;
  /** Whether that was a change, so something typed was kept. */
  readonly typed?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly children?: ReactNode;
};

/** A failure's text, with actions as children. */
export function FailureView({ statusCode, message, what, typed, requestId, children }: Props) {
  const viewer = queryClient.getQueryData(viewerQuery.queryKey);
  const advice = adviceFor({ message, statusCode }, viewer && viewer.role !== null);
  return (
    <div className={classes.failure}>
      <p className={classes.code}>{statusCode}</p>
      <h1>{message}</h1>
      {advice && <p className={classes.what}>{advice}</p>}
      {what && (
        <p className={classes.what}>
          {what} failed.{typed && ' What you typed is kept.'}
        </p>
      )}
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

/** Reloads this address with everything it needs. */
export function WayBack({ children }: { children: ReactNode }) {
  return (
    <button type="button" className={classes.way} data-primary onClick={() => location.reload()}>
      {children}
    </button>
  );
}
