// Decides how a person is named and how approvers are read from outside (spec 3).
// Asked by the API, the imports and every place that shows a person.

export type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };

/** First and last name, or the e-mail's local part where both are blank. */
export function displayName({ firstName, lastName, email }: Named): string {
  return `${firstName} ${lastName}`.trim() || (email.split('@')[0] ?? email);
}

/** `approverId` arrives as a value, a list or null, and is always a list of distinct ids inside (spec 3, D26). */
export function approverIdList(value: string | readonly string[] | null | undefined): string[] {
  if (value == null || value === '') return [];
  return [...new Set(typeof value === 'string' ? [value] : value)].filter((id) => id !== '');
}
