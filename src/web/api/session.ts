// The session of this browser: the token in its two cookies (spec 9, D14), and one sign-out for all tabs.
import { readStored, removeStored, writeStored } from './stored.ts';

const authCookie = 'internal-dash-auth';
const tokenCookie = 'internal-dash-token';
const sessionSeconds = 3_600;
/** One twenty-fourth of a day (spec 9). */
const tokenMilliseconds = 24 * 60 * 60 * 1_000 * (1 / 24);

const endsAtKey = 'session-ends-at';
const signedOutKey = 'signed-out-at';
/** Everything under this prefix belongs to the person signed in and goes with the session. */
export const ofPerson = 'of-person:';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session');

export function readToken(): string | null {
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${tokenCookie}=`));
  const value = entry?.slice(tokenCookie.length + 1);
  return value ? decodeURIComponent(value) : null;
}

/** Keeps the token. False when the browser dropped the cookies: it does so with Secure ones on plain http. */
export function keepToken(token: string): boolean {
  return writeToken(token, Date.now() + tokenMilliseconds);
}

function writeToken(token: string, endsAt: number): boolean {
  const value = encodeURIComponent(token);
  const expires = new Date(endsAt).toUTCString();
  const seconds = Math.ceil((endsAt - Date.now()) / 1_000);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
  document.cookie = `${authCookie}=${value}; path=/; max-age=${seconds}; SameSite=Strict; Secure`;
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = `${tokenCookie}=${value}; path=/; expires=${expires}; SameSite=Strict; Secure`;
  writeStored('local', endsAtKey, String(endsAt));
  return readToken() === token;
}

let replacing: Promise<unknown> | null = null;

/** Makes a call that gives the session a new token, and keeps it until the session ends. Other refused calls wait for it. */
export async function replaceToken<Answer>(
  call: () => Promise<Answer>,
  tokenOf: (answer: Answer) => string,
): Promise<Answer> {
  const made = call().then((answer) => {
    writeToken(tokenOf(answer), sessionEndsAt());
    return answer;
  });
  replacing = made;
  try {
    return await made;
  } finally {
    if (replacing === made) replacing = null;
  }
}

/** The call that brings the token may itself have been refused, so nobody waits for it longer. */
const longestWaitMs = 2_000;

/** Whether the session goes on with another token than this one, which was refused. */
export async function isReplaced(token: string | null): Promise<boolean> {
  if (replacing)
    await Promise.race([replacing.catch(() => undefined), new Promise((wake) => setTimeout(wake, longestWaitMs))]);
  const now = readToken();
  return now !== null && now !== token;
}

/** When this session ends, in milliseconds since the epoch. A session that another part of the company began counts from now. */
export function sessionEndsAt(): number {
  const stored = Number(readStored('local', endsAtKey));
  if (stored > Date.now()) return stored;
  const assumed = Date.now() + sessionSeconds * 1_000;
  writeStored('local', endsAtKey, String(assumed));
  return assumed;
}

function dropToken(): void {
  for (const name of [authCookie, tokenCookie]) {
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = `${name}=; path=/; max-age=0; SameSite=Strict; Secure`;
    // A cookie without Secure is another cookie to some browsers.
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = `${name}=; path=/; max-age=0; SameSite=Strict`;
  }
}

/** Drops the token and what is kept for the person, here and in every other tab. No request is sent (spec 4). */
export function signOut(): void {
  dropToken();
  writeStored('local', endsAtKey, null);
  try {
    removeStored('local', ofPerson);
    removeStored('session', ofPerson);
  } catch (error) {
    // Failing to clear a cache never keeps anybody signed in (spec 8).
    console.error('Clearing the caches failed', error);
  }
  channel?.postMessage('signed-out');
  writeStored('local', signedOutKey, String(Date.now()));
}

/** Calls back when another tab signs out. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const heard = (event: MessageEvent) => event.data === 'signed-out' && leave();
  const stored = (event: StorageEvent) => event.key === signedOutKey && leave();
  const leave = () => {
    removeStored('session', ofPerson);
    listener();
  };
  channel?.addEventListener('message', heard);
  window.addEventListener('storage', stored);
  return () => {
    channel?.removeEventListener('message', heard);
    window.removeEventListener('storage', stored);
  };
}
