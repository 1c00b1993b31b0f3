// This browser's session: the token in its two cookies (spec 9, D14), and one sign-out for all tabs.
import { readStored, removeStored, writeStored } from './stored.ts';

const authCookie = 'internal-dash-auth';
const tokenCookie = 'internal-dash-token';
const sessionSeconds = 3_600;
/** One twenty-fourth of a day (spec 9). */
const tokenMilliseconds = 24 * 60 * 60 * 1_000 * (1 / 24);

const endsAtKey = 'session-ends-at';
const signedOutKey = 'signed-out-at';
const personKey = 'signed-in-person';
/** What this browser keeps for people begins with this prefix and the person's id. */
export const personPrefix = 'of-person:';

/** Whose page this tab shows, once known. Another tab may sign in as someone else, with the same cookies. */
let ownId: string | null = null;
export const personOfTab = (): string | null => ownId;

/** Remembers whose page this is, and whose data the next sign-out removes: others may have drafts here too. */
export function rememberPerson(id: string): void {
  ownId = id;
  writeStored('local', personKey, id);
}

/** Calls back when another tab belongs to someone else. */
export function onOtherPerson(listener: () => void): () => void {
  const stored = ({ key, newValue }: StorageEvent) => {
    if (key === personKey && newValue !== null && ownId !== null && newValue !== ownId) listener();
  };
  window.addEventListener('storage', stored);
  return () => window.removeEventListener('storage', stored);
}

/** The prefix of the signed-in person's data, or of everyone's before it is known who that is. */
export function ownPrefix(): string {
  const id = readStored('local', personKey);
  return id === null ? personPrefix : `${personPrefix}${id}:`;
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session');

export function readToken(): string | null {
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${tokenCookie}=`));
  const value = entry?.slice(tokenCookie.length + 1);
  return value ? decodeURIComponent(value) : null;
}

/** Stores the token. False if the browser dropped the cookies, as it does with Secure ones on plain http. */
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
/** The same in another tab, which may close before it says more. */
let replacingElsewhere: PromiseWithResolvers<void> | null = null;
channel?.addEventListener('message', ({ data }) => {
  if (data === 'replacing') replacingElsewhere = Promise.withResolvers<void>();
  if (data === 'replaced') {
    replacingElsewhere?.resolve();
    replacingElsewhere = null;
  }
});

/**
 * Makes a call that renews the session's token, and stores it until the session ends. Other refused calls
 * wait for it.
 */
export async function replaceToken<Answer>(
  call: () => Promise<Answer>,
  tokenOf: (answer: Answer) => string,
): Promise<Answer> {
  const made = call().then((answer) => {
    writeToken(tokenOf(answer), sessionEndsAt());
    return answer;
  });
  replacing = made;
  channel?.postMessage('replacing');
  try {
    return await made;
  } finally {
    if (replacing === made) replacing = null;
    channel?.postMessage('replaced');
  }
}

/** The renewing call itself may be refused, so nobody waits longer for it. */
const longestWaitMs = 2_000;

/** Whether the session has another token than this refused one. */
export async function isReplaced(token: string | null): Promise<boolean> {
  const coming = [replacing, replacingElsewhere?.promise];
  if (coming.some(Boolean))
    await Promise.race([Promise.allSettled(coming), new Promise((wake) => setTimeout(wake, longestWaitMs))]);
  const now = readToken();
  return now !== null && now !== token;
}

/** Sends with the session's token, and again if a confirmation replaced the token. */
export async function sendWithToken<Answer>(sendIt: (token: string) => Promise<Answer>): Promise<Answer> {
  const token = readToken();
  try {
    return await sendIt(token ?? '');
  } catch (error) {
    const isRefused = (error as { statusCode?: unknown }).statusCode === 401;
    if (!isRefused || !(await isReplaced(token))) throw error;
    return sendIt(readToken() ?? '');
  }
}

/**
 * When this session ends, in epoch milliseconds. A session started by another part of the company counts from
 * now.
 */
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

/**
 * Removes a token that the server refuses. Drafts stay: the person didn't choose to sign out and finds them
 * again.
 */
export function endSession(): void {
  dropToken();
  writeStored('local', endsAtKey, null);
  removeStored('session', personPrefix);
}

/** Removes the token and the person's data, here and in every other tab. Sends no request (spec 4). */
export function signOut(): void {
  endSession();
  ownId = null;
  removeStored('local', ownPrefix());
  writeStored('local', personKey, null);
  channel?.postMessage('signed-out');
  writeStored('local', signedOutKey, String(Date.now()));
}

/** The cookie of another tab can arrive after its storage event, so the tab looks again after these waits. */
const cookieWaitsMs = [0, 50, 200, 1_000, 5_000];

/** Calls back once when another tab has signed in, with another token than there is now. */
export function onSignedInElsewhere(listener: () => void): () => void {
  const before = readToken();
  const timers = new Set<number>();
  const stop = () => {
    window.removeEventListener('storage', stored);
    for (const timer of timers) clearTimeout(timer);
  };
  const look = () => {
    const token = readToken();
    if (token === null || token === before) return;
    stop();
    listener();
  };
  const stored = (event: StorageEvent) => {
    if (event.key !== endsAtKey || event.newValue === null) return;
    for (const wait of cookieWaitsMs) timers.add(window.setTimeout(look, wait));
  };
  window.addEventListener('storage', stored);
  return stop;
}

/** Calls back when another tab signs out. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const heard = (event: MessageEvent) => event.data === 'signed-out' && leave();
  const stored = (event: StorageEvent) => event.key === signedOutKey && leave();
  const leave = () => {
    removeStored('session', personPrefix);
    listener();
  };
  channel?.addEventListener('message', heard);
  window.addEventListener('storage', stored);
  return () => {
    channel?.removeEventListener('message', heard);
    window.removeEventListener('storage', stored);
  };
}
