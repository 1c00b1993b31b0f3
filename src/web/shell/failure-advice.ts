import { refusals } from '#core/base/refusals.ts';

/** What helps whoever is refused, by the words of the refusal: a stored failure has nothing else to tell it by. */
const advice: Readonly<Record<string, string>> = {
  [refusals.NO_APPLICATION_PERMISSION.message]:
    'Your account works, but its role opens nothing here yet. Ask an administrator to add what you need for your work.',
  [refusals.NO_PAGE_PERMISSION.message]:
    'If you need this page for your work, ask an administrator to add it to your role.',
  [refusals.NOT_APPROVED_BY_MANAGER.message]:
    'Your tasks open as soon as an approver is named for you. Ask your manager or an administrator.',
};

const withoutRole =
  'Your account works, but you have no role yet. Ask an administrator to give you one. This page opens by itself then.';

/** `hasRole`: undefined where nobody is known to be signed in. */
export const adviceFor = (message: string, hasRole?: boolean): string | undefined =>
  hasRole === false && refusedEverywhere(message) ? withoutRole : advice[message];

/** Every page refuses this person, home too: leaving is the only way on. */
export const refusedEverywhere = (message: string): boolean => message === refusals.NO_APPLICATION_PERMISSION.message;
