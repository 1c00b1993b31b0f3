import { refusals } from '#core/base/refusals.ts';

/** What helps whoever is refused, by the words of the refusal: a stored failure has nothing else to tell it by. */
const advice: Readonly<Record<string, string>> = {
  [refusals.NO_APPLICATION_PERMISSION.message]:
    'Your role doesn’t open any page yet. Ask an admin to add what you need.',
  [refusals.NO_PAGE_PERMISSION.message]: 'If you need this page, ask an admin to add it to your role.',
  [refusals.NOT_APPROVED_BY_MANAGER.message]:
    'You need an approver before you can use tasks. Ask your manager or an admin.',
};

const withoutRole = 'You don’t have a role yet. Ask an admin for one. This page then opens by itself.';

/** `hasRole`: undefined where nobody is known to be signed in. */
export const adviceFor = (message: string, hasRole?: boolean): string | undefined =>
  hasRole === false && refusedEverywhere(message) ? withoutRole : advice[message];

/** Every page refuses this person, home too: leaving is the only way on. */
export const refusedEverywhere = (message: string): boolean => message === refusals.NO_APPLICATION_PERMISSION.message;
