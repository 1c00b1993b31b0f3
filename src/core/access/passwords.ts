// Decides which passwords are allowed: long ones that aren't easy to guess, in any script (reliability T1).
// Used by the invitation page and by the server.
import { limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

/** Most people have no second factor, so the length has to make up for it. */
export const shortestPassword = 15;

/** The base of attackers' first lists; a password must have enough besides them. */
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
  'staff',
  'abcdefghijklmnopqrstuvwxyz',
  'abc',
];
/** Well-known long ones, without blanks. */
const guessedPhrases = [
  'correcthorsebatterystaple',
  'maytheforcebewithyou',
  'tobeornottobethatisthequestion',
  'thequickbrownfox',
  'jumpsoverthelazydog',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6y',
  'q1w2e3r4t5y6',
  '1qaz2wsx3edc',
  'zaq12wsxcde3',
];
/** The minimum of different characters outside common words. */
const fewestOwn = 5;

/** Known facts about the person, which attackers try first. */
export type PasswordOwner = { readonly email: string; readonly firstName: string; readonly lastName: string };

/** Why the password is rejected, or null. `current`: the one it replaces, if that was typed. */
export function passwordRefusal(password: string, owner: PasswordOwner, current?: string): Refusal | null {
  const field = { field: 'password' };
  if ([...password].length < shortestPassword)
    return refuse(
      'BAD_INPUT',
      `Use at least ${shortestPassword} characters. Several words make a good password`,
      field,
    );
  if (password.length > limits.password) return refuse('BAD_INPUT', `Use at most ${limits.password} characters`, field);
  if (!password.isWellFormed() || password.includes('\0'))
    return refuse('BAD_INPUT', 'Contains a character that can’t be stored. Remove it', field);
  if (password === current) return refuse('BAD_INPUT', 'This is your current password. Choose a different one', field);
  return isPhrase(password) || ownCharacters(password, owner) < fewestOwn
    ? refuse('BAD_INPUT', 'Easy to guess. Use several unrelated words', field)
    : null;
}

/** Whether the password is such a phrase with few characters besides. */
function isPhrase(password: string): boolean {
  const text = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const rest = guessedPhrases.reduce((left, phrase) => left.replaceAll(phrase, ''), text);
  return rest !== text && new Set(withoutRuns(rest)).size < fewestOwn;
}

function ownCharacters(password: string, { email, firstName, lastName }: PasswordOwner): number {
  const known = [...email.split(/[@.+_-]/), firstName, lastName].filter((word) => word.length > 2);
  // The longest first: otherwise "cat" would leave a part of "Catherine".
  known.sort((a, b) => b.length - a.length);
  let rest = password.normalize('NFC').toLowerCase();
  for (const word of [...known, ...guessedFirst]) rest = rest.replaceAll(word.toLowerCase(), ' ');
  // Runs such as 123456 or 987 count as a single step.
  return new Set(withoutRuns(rest).replace(/\s/g, '')).size;
}

/** Drops every character that continues the two before it: a repetition, or the next in a sequence. */
function withoutRuns(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const kept = codes.filter((code, at) => {
    const [before, step] = [codes[at - 1], (codes[at - 1] ?? 0) - (codes[at - 2] ?? Number.NaN)];
    return before === undefined || !(Math.abs(step) <= 1 && code - before === step);
  });
  return String.fromCodePoint(...kept);
}
