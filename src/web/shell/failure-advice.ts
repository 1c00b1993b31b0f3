import { refusals } from '#core/base/refusals.ts';
import type { ErrorCode } from '#web/api/api-error.ts';

export const withoutApprover =
  'You need an approver before you can use tasks. Ask a user manager or an admin to choose one.';

const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
  NO_APPLICATION_PERMISSION:
    'Your role doesn’t open any pages yet. Ask an admin to add what you need. This page will then open automatically.',
  NO_PAGE_PERMISSION: 'If you need this page, ask an admin to add it to your role.',
  NOT_APPROVED_BY_MANAGER: withoutApprover,
  FORBIDDEN: 'Your role doesn’t include this. If you need it, ask an admin.',
  NOT_FOUND: 'It was removed, or your access changed. Go back and reload.',
};

const serverFault = 'Something went wrong on our side. Try again. If it keeps failing, tell an admin.';
const unreached = 'Check your connection, then try again.';

const withoutRole =
  'You have no role yet. Ask a user manager or an admin for one. This page will then open automatically.';

/** `code` is the cause. Without it, the message is its own cause. */
type Failed = { readonly message: string; readonly statusCode: number; readonly code?: ErrorCode | undefined };

const causes = Object.keys(advice) as (keyof typeof refusals)[];
const causeOf = ({ message, code }: Failed): ErrorCode | undefined =>
  code ?? causes.find((cause) => refusals[cause].message === message);

/**
 * Spec 8 gives every failed call the words of a missing permission. The cause says whether that is true.
 * `hasRole`: undefined when nobody is known to be signed in.
 */
export function adviceFor(failed: Failed, hasRole?: boolean): string | undefined {
  if (failed.code === 'NETWORK') return unreached;
  if (failed.statusCode >= 500) return serverFault;
  if (hasRole === false && refusedEverywhere(failed)) return withoutRole;
  const cause = causeOf(failed);
  return cause && advice[cause];
}

/** Whether people who manage people can help, too: others need a change of their role, which admins make. */
export const lacksRoleOrApprover = (failed: Failed, hasRole: boolean): boolean =>
  (!hasRole && refusedEverywhere(failed)) || causeOf(failed) === 'NOT_APPROVED_BY_MANAGER';

/** Every page refuses this person, home included: signing out is the only way on. */
export const refusedEverywhere = (failed: Failed): boolean =>
  failed.statusCode === 403 && causeOf(failed) === 'NO_APPLICATION_PERMISSION';
