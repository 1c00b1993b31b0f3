// Passwords: argon2id. turns.ts decides whose turn it is.
import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, verify } from '@node-rs/argon2';

/** `Algorithm` is an ambient enum, which can't be imported as a value here; 2 is argon2id. */
const parameters = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const currentParameters = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

export function hashPassword(password: string): Promise<string> {
  // Keyboards may produce the same text in composed or decomposed form.
  return hash(password.normalize('NFC'), parameters);
}

/** The hash of a random password: verifying against it takes as long as against a real one. */
const unknown = hashPassword(randomBytes(32).toString('base64'));

/** Whether the password is right. Without a stored hash the answer is no, after the same time. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await unknown), password.normalize('NFC')).catch(() => false);
  return matches && stored !== null;
}

/** The hash was made with older parameters. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(currentParameters);
}
