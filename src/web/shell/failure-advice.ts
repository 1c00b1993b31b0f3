import { refusals } from '#core/base/refusals.ts';

/** Advice by the refusal's message, which is all that a stored failure has. */
const advice: Readonly<Record<string, string>> = {
  [refusals.NO_APPLICATION_PERMISSION.message]:
    'Your role doesn’t open any page yet. Ask an admin to add what you need.',
  [refusals.NO_PAGE_PERMISSION.message]: 'If you need this page, ask an admin to add it to your role.',
  [refusals.NOT_APPROVED_BY_MANAGER.message]:
    'You need an approver before you can use tasks. Ask an admin to choose one.',
};

const serverFault =
  'Something went wrong on the server. Try again. If it keeps failing, send an admin the request number.';

const withoutRole = 'You don’t have a role yet. Ask an admin for one. This page will then open automatically.';

type Failed = { readonly message: string; readonly statusCode: number };

/**
 * Spec 8 gives every failed call the words of a missing permission. The status says whether that is true.
 * `hasRole`: undefined when nobody is known to be signed in.
 */
export function adviceFor({ message, statusCode }: Failed, hasRole?: boolean): string | undefined {
  if (statusCode >= 500) return serverFault;
  if (hasRole === false && refusedEverywhere({ message, statusCode })) return withoutRole;
  return statusCode === 403 ? advice[message] : undefined;
}

/** Every page refuses this person, home included: signing out is the only way on. */
export const refusedEverywhere = ({ message, statusCode }: Failed): boolean =>
  statusCode === 403 && message === refusals.NO_APPLICATION_PERMISSION.message;
