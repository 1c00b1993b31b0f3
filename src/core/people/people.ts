// Decides how a person is named and how approvers are parsed (spec 3). Used by the API, the imports and
// everywhere a person is shown.

export type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };

/** First and last name, or the email's local part if both are blank. */
export function displayName({ firstName, lastName, email }: Named): string {
  return `${firstName} ${lastName}`.trim() || (email.split('@')[0] ?? email);
}

/**
 * `approverId` is a value, a list or null outside, and always a list of distinct ids inside (spec 3, D26).
 */
export function approverIdList(value: string | readonly string[] | null | undefined): string[] {
  if (value == null || value === '') return [];
  return [...new Set(typeof value === 'string' ? [value] : value)].filter((id) => id !== '');
}
