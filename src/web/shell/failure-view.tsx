import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refusals } from '#core/base/refusals.ts';
import { accessHelpQuery } from '#web/api/access-help.ts';
import type { ErrorCode } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { queryClient } from '#web/api/query-client.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { adviceFor, lacksRoleOrApprover } from './failure-advice.ts';
import classes from './failure-view.module.css';

type Props = {
  /** Null if nothing is known of the failure: shown as the specification's default, 500. */
  readonly statusCode: number | null;
  readonly message: string;
  /** The cause, if the message is the one that spec 8 gives every failure. */
  readonly code?: ErrorCode | undefined;
  /** The action: "Saving the task". */
  readonly what?: string | undefined;
  /** Whether text was typed, which is kept. */
  readonly typed?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly children?: ReactNode;
};

/** A failure's text, with actions as children. */
export function FailureView({ statusCode, message, code, what, typed, requestId, children }: Props) {
  const viewer = queryClient.getQueryData(viewerQuery.queryKey);
  const advice =
    statusCode === null
      ? 'The details of this error are no longer available. Try again from the home page.'
      : adviceFor({ message, statusCode, code }, viewer && viewer.role !== null);
  const needsAdmin = statusCode === 403 && advice !== undefined && viewer !== undefined;
  return (
    <div className={classes.failure}>
      <p className={classes.code}>{statusCode ?? refusals.INTERNAL.statusCode}</p>
      <h1>{message}</h1>
      {advice && <p className={classes.what}>{advice}</p>}
      {needsAdmin && <WhoCanHelp managers={lacksRoleOrApprover({ message, statusCode, code }, viewer.role !== null)} />}
      {(what || typed) && (
        <p className={classes.what}>
          {[what && `${what} failed.`, typed && 'Your draft is saved.'].filter(Boolean).join(' ')}
        </p>
      )}
      {requestId && <p className={classes.request}>Request ID {requestId}. Include it when you ask for help.</p>}
      {children && <div className={classes.ways}>{children}</div>}
    </div>
  );
}

/** The people to ask, and what was asked already. */
function WhoCanHelp({ managers }: { readonly managers: boolean }) {
  const { data } = useQuery(accessHelpQuery, queryClient);
  if (!data) return null;
  const { admins, contacts = [], roleAsked } = data;
  const people = managers && contacts.length > 0 ? contacts : admins;
  const subject = encodeURIComponent(`Access to ${config().appName}`);
  return (
    <>
      {roleAsked && (
        <p className={classes.what}>
          {roleAsked.by} requested the role {roleAsked.role} for you ·{' '}
          <Age instant={roleAsked.at} zone={config().companyTimeZone} ago />
        </p>
      )}
      {people.length > 0 && (
        <ul className={classes.admins} aria-label="People who can help">
          {people.map(({ id, displayName, email }) => (
            <li key={id}>
              {displayName} <a href={`mailto:${encodeURIComponent(email)}?subject=${subject}`}>{email}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type WayProps = {
  readonly to: string;
  readonly primary?: boolean;
  /** Drafts to open there. */
  readonly drafts?: readonly string[] | undefined;
  readonly children: ReactNode;
};

export function WayOn({ to, primary = false, drafts, children }: WayProps) {
  return (
    <Link
      to={to}
      {...(drafts ? { state: { drafts } } : {})}
      className={classes.way}
      data-primary={primary || undefined}
    >
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
