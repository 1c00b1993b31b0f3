// Passwords: argon2id, at most two at once, so that a flood of sign-ins cannot take the processor from everybody else.

import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, verify } from '@node-rs/argon2';

/** `Algorithm` is an ambient enum, which cannot be imported as a value here; 2 is argon2id. */
const parameters = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const currentParameters = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

const atOnce = 2;
/** Who comes after this many, or has waited this long, is told to come back. The queue is done in less: only a disk or a database that stands still takes longer. */
const longestQueue = 200;
const longestWaitMs = 10_000;

let running = 0;
const waiting = new Set<() => void>();

/** Whether it came; whoever ends hands its place on, so `running` stays as it is. */
function myTurn(): Promise<boolean> {
  return new Promise((resolve) => {
    const come = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      waiting.delete(come);
      resolve(false);
    }, longestWaitMs);
    waiting.add(come);
  });
}

/** Runs the work when its turn has come, or gives null when too many wait already or it does not come soon. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
  if (running < atOnce) running += 1;
  else if (waiting.size >= longestQueue || !(await myTurn())) return null;
  try {
    return await work();
  } finally {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  // The same text may be typed in composed and decomposed form, depending on the keyboard.
  return hash(password.normalize('NFC'), parameters);
}

/** A hash of nothing anybody knows: verifying against it takes as long as against a real one. */
const unknown = hashPassword(randomBytes(32).toString('base64'));

/** Whether the password is right. Without a hash (nobody there, no password) the answer is no, after the same time. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await unknown), password.normalize('NFC')).catch(() => false);
  return matches && stored !== null;
}

/** The hash was made with parameters of the past. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(currentParameters);
}
