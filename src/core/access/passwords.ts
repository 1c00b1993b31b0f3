// Decides which passwords people may choose: long ones that are not easy to guess, of any letters (reliability T1).
// Asked by the page behind an invitation and by the server that keeps the hash.
import { limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

/** Most people have no second factor, so the length has to carry it. */
export const shortestPassword = 15;

/** Of these a guesser's first lists are made; what is left of a password without them has to be something. */
const guessedFirst = [
  'password',
  'passwort',
  'qwertyuiop',
  'qwerty',
  'azerty',
  'asdfghjkl',
  'zxcvbnm',
  'letmein',
  'welcome',
  'iloveyou',
  'administrator',
  'admin',
  'changeme',
  'dragon',
  'monkey',
  'football',
  'sunshine',
  'princess',
  'dashboard',
  'company',
  'abcdefghijklmnopqrstuvwxyz',
  'abc',
];
/** As many different characters, outside of what is guessed first, are the least. */
const fewestOwn = 5;

/** What is known of the person and tried first by whoever knows the person too. */
export type PasswordOwner = { readonly email: string; readonly firstName: string; readonly lastName: string };

/** Why the password is not taken, or null. */
export function passwordRefusal(password: string, owner: PasswordOwner): Refusal | null {
  const field = { field: 'password' };
  if ([...password].length < shortestPassword)
    return refuse(
      'BAD_INPUT',
      `Use at least ${shortestPassword} characters. Several words make a good password`,
      field,
    );
  if (password.length > limits.password) return refuse('BAD_INPUT', `Use at most ${limits.password} characters`, field);
  if (!password.isWellFormed() || password.includes('\0'))
    return refuse('BAD_INPUT', 'Contains a character that can’t be stored. Use another one', field);
  return ownCharacters(password, owner) < fewestOwn
    ? refuse('BAD_INPUT', 'Easy to guess. Use several unrelated words', field)
    : null;
}

function ownCharacters(password: string, { email, firstName, lastName }: PasswordOwner): number {
  const known = [...email.split(/[@.+_-]/), firstName, lastName].filter((word) => word.length > 2);
  // The longest first: of "Catherine" no part may be left that "cat" did not take.
  known.sort((a, b) => b.length - a.length);
  let rest = password.normalize('NFC').toLowerCase();
  for (const word of [...known, ...guessedFirst]) rest = rest.replaceAll(word.toLowerCase(), ' ');
  // Runs such as 123456 or 987 are one step after the other.
  return new Set(withoutRuns(rest).replace(/\s/g, '')).size;
}

/** Leaves out every character that follows from the two before it: the same again, or the next in a row. */
function withoutRuns(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const kept = codes.filter((code, at) => {
    const [before, step] = [codes[at - 1], (codes[at - 1] ?? 0) - (codes[at - 2] ?? Number.NaN)];
    return before === undefined || !(Math.abs(step) <= 1 && code - before === step);
  });
  return String.fromCodePoint(...kept);
}
