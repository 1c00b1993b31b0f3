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
/** Browsers that signed in before come first: a flood of strangers never makes them wait for its end. */
const waiting = { known: new Set<() => void>(), strangers: new Set<() => void>() };

/** Whether it came; whoever ends hands its place on, so `running` stays as it is. */
function myTurn(queue: Set<() => void>): Promise<boolean> {
  return new Promise((resolve) => {
    const come = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      queue.delete(come);
      resolve(false);
    }, longestWaitMs);
    queue.add(come);
  });
}

/** Runs the work when its turn has come, or gives null when too many wait already or it does not come soon. */
export async function inTurn<T>(work: () => Promise<T>, known = false): Promise<T | null> {
  const queue = known ? waiting.known : waiting.strangers;
  if (running < atOnce) running += 1;
  else if (queue.size >= longestQueue || !(await myTurn(queue))) return null;
  try {
    return await work();
  } finally {
    const [next] = [...waiting.known, ...waiting.strangers];
    if (next) {
      waiting.known.delete(next);
      waiting.strangers.delete(next);
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
