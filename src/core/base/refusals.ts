// Decides what can go wrong for a caller: the code, message and HTTP status of each refusal. The core returns
// refusals, the server answers with them, and the web looks up codes here.

type Meaning = { readonly message: string; readonly statusCode: number };

/**
 * The list of error codes (D29). The first three messages are the spec's (6), in the order of the checks
 * (D5).
 */
export const refusals = {
  NO_APPLICATION_PERMISSION: { message: "You don't have permission for this application", statusCode: 403 },
  NO_PAGE_PERMISSION: { message: "You don't have permission for this page", statusCode: 403 },
  NOT_APPROVED_BY_MANAGER: { message: 'You should be approved by the manager', statusCode: 403 },
  NOT_SIGNED_IN: { message: 'Sign in to continue', statusCode: 401 },
  ACCOUNT_DISABLED: {
    message: 'Your account is disabled. If this is a mistake, ask an admin',
    statusCode: 401,
  },
  WRONG_CREDENTIALS: { message: 'Wrong email or password', statusCode: 401 },
  CONFIRM_IDENTITY: { message: 'Confirm it’s you to continue', statusCode: 403 },
  CONFIRM_WITH_FACTOR: { message: 'Confirm it’s you with a passkey or a code to continue', statusCode: 403 },
  WRONG_PROOF: { message: 'That password isn’t right. Check it and try again', statusCode: 403 },
  SECOND_FACTOR_NEEDED: { message: 'Sign in again with your second step', statusCode: 401 },
  WRONG_CODE: { message: 'That code isn’t right. Enter the code your app shows now', statusCode: 403 },
  PASSKEY_REFUSED: { message: 'This passkey didn’t work. Try again, or sign in another way', statusCode: 403 },
  TOO_MANY_ATTEMPTS: { message: 'Too many requests. Wait a moment and try again', statusCode: 429 },
  SIGN_IN_UNREACHABLE: {
    message: 'Can’t reach the company sign-in. Try again in a moment, or sign in with your password',
    statusCode: 503,
  },
  FORBIDDEN: { message: 'You don’t have permission to do this', statusCode: 403 },
  VIEWING_AS: {
    message: 'You can’t change anything while viewing as someone else. Stop viewing first',
    statusCode: 403,
  },
  OWN_EYES_ONLY: { message: 'Only this person can see this. It’s hidden while you view as them', statusCode: 403 },
  OTHER_PERSON: { message: 'Someone else signed in to this browser. Reload the page', statusCode: 412 },
  VIEWING_ENDED: { message: 'You’re no longer viewing as someone else', statusCode: 410 },
  NOT_FOUND: { message: 'Not found, or you don’t have access', statusCode: 404 },
  PAGE_NOT_FOUND: { message: 'This page could not be found', statusCode: 404 },
  BAD_INPUT: { message: 'Check what you entered', statusCode: 400 },
  BAD_REQUEST: { message: 'This request can’t be read', statusCode: 400 },
  QUERY_TOO_LARGE: { message: 'This query asks for too much. Ask for fewer fields or rows', statusCode: 400 },
  CONFLICT: { message: 'This has changed since you opened it. Review it and try again', statusCode: 409 },
  TRANSITION_NOT_ALLOWED: { message: 'This can’t be done right now. Reload to see the current state', statusCode: 409 },
  SPRINT_DOES_NOT_ALLOW: {
    message: 'It’s too late in the sprint for this. Reload to see what you can still do',
    statusCode: 409,
  },
  STILL_RUNNING: { message: 'The same request is still running. Try again in a moment', statusCode: 409 },
  KEY_REUSED: { message: 'This key was already used for another request', statusCode: 422 },
  LAST_ADMIN: {
    message: 'At least one admin must be able to sign in. Make someone else an admin first',
    statusCode: 409,
  },
  STILL_USED: { message: 'This is still in use. Remove it from where it’s used first', statusCode: 409 },
  SAME_FILE: { message: 'These rows were already imported', statusCode: 409 },
  REASON_NEEDED: { message: 'Enter a reason', statusCode: 409 },
  TOO_LATE: { message: 'It’s too late to undo this', statusCode: 409 },
  FILE_TOO_LARGE: { message: 'The file is too large', statusCode: 413 },
  BODY_TOO_LARGE: { message: 'The request is too large. Send it in smaller parts', statusCode: 413 },
  FILE_TYPE_NOT_ALLOWED: {
    message: 'This file type isn’t allowed. Use PNG, JPEG, GIF, WebP, AVIF, PDF, Office, text, zip, MP4 or WebM',
    statusCode: 415,
  },
  MEDIA_TYPE_NOT_SUPPORTED: { message: 'This content type isn’t accepted', statusCode: 415 },
  LINK_EXPIRED: { message: 'This link has expired. Open the task again', statusCode: 403 },
  OUT_OF_SPACE: { message: 'The server is out of space, so nothing was changed. Tell an admin', statusCode: 507 },
  UNAVAILABLE: { message: 'The server can’t reach its database. Try again in a moment', statusCode: 503 },
  TOO_SLOW: {
    message: 'The server took too long. Try again in a moment, or ask for less, such as a shorter period',
    statusCode: 503,
  },
  FILES_UNAVAILABLE: {
    message: 'The server can’t reach the file storage. Try again in a moment',
    statusCode: 503,
  },
  FILE_LOST: {
    message: 'This file was lost. Ask the person who attached it to add it again',
    statusCode: 404,
  },
  INTERNAL: { message: 'Something went wrong', statusCode: 500 },
} as const satisfies Record<string, Meaning>;

export type RefusalCode = keyof typeof refusals;

/**
 * Why something was refused. `message` is specific to the case; `field` names the invalid input; `changed`
 * lists the fields that have changed since.
 */
export type Refusal = {
  readonly kind: 'refusal';
  readonly code: RefusalCode;
  readonly message: string;
  readonly field?: string;
  readonly changed?: readonly string[];
};

export function refuse(
  code: RefusalCode,
  message: string = refusals[code].message,
  more: { field?: string; changed?: readonly string[] } = {},
): Refusal {
  return { kind: 'refusal', code, message, ...more };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'refusal';
}

/** Texts of the error pages, from spec 2. */
export const errorPageTexts = {
  backToHomePage: 'Back to the home page',
  fallback: 'An error occurred while showing the error page',
  fallbackLink: 'Go back to home',
} as const;
