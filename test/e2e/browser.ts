// A real browser for the journeys: people sign in, and everything the page complains about is collected.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Download, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, inject } from 'vitest';
import { type DemoPerson, demoPassword, emailOf } from './demo-people.ts';

export type Theme = 'light' | 'dark';

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, uncaught errors and breaches of the content security policy, in order. */
  readonly complaints: string[];
  /** Waits until its pages have been without an open question to the server for half a second. */
  answered(): Promise<void>;
  close(): Promise<void>;
};

const pictures = resolve(import.meta.dirname, '../../.cache/journeys');

let browser: Promise<Browser> | undefined;
const open = new Set<BrowserContext>();

// With the connection of a file its visitors go.
afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  mkdirSync(pictures, { recursive: true });
  const name = task.name.replace(/\W+/g, '-').slice(0, 80);
  const pages = [...open].flatMap((context) => context.pages());
  await Promise.all(
    pages.map((page, index) => page.screenshot({ path: join(pictures, `${name}-${index + 1}.png`) }).catch(() => {})),
  );
});

/**
 * A separate browser profile, like two people at two desks; `person` is signed in already, null is a
 * stranger. With `loadsAhead` the first page fetches the others when it is idle, as it does for most people.
 */
export async function visit(
  url: string,
  person: DemoPerson | null,
  options: { width?: number; height?: number; theme?: Theme; touch?: boolean; loadsAhead?: boolean } = {},
): Promise<Visitor> {
  const { width = 1440, height = 900, theme = 'light', touch = false, loadsAhead = false } = options;
  browser ??= chromium.connect(inject('browserUrl'));
  const context = await (await browser).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    timezoneId: 'Europe/Amsterdam',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  open.add(context);
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const answered = watchQuestions(context);
  if (person) await signIn(context, url, person);
  const page = await context.newPage();
  if (!loadsAhead) await saveData(page);
  return {
    page,
    context,
    complaints,
    answered,
    async close() {
      open.delete(context);
      await context.close();
    },
  };
}

/**
 * Not the whole network: the files of other pages come ahead for as long as the browser has nothing else to
 * do.
 */
function watchQuestions(context: BrowserContext): () => Promise<void> {
  const open = new Set<Request>();
  let changed = performance.now();
  const over = (request: Request) => {
    if (open.delete(request)) changed = performance.now();
  };
  context.on('request', (request) => {
    if (request.method() !== 'GET') open.add(request);
  });
  context.on('requestfinished', over);
  context.on('requestfailed', over);
  return async () => {
    while (open.size > 0 || performance.now() - changed < 500) await sleep(50);
  };
}

/**
 * Turns the browser's data saver on, and pages that nobody opened aren't loaded: an eighth of the processor
 * time of all journeys.
 */
async function saveData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
}

/** The bearer token of a demo person. */
export async function tokenOf(url: string, person: DemoPerson): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(person), password: demoPassword }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (!token) throw new Error(`${person} cannot sign in: ${answer.status}`);
  return token;
}

/** Puts the token where the web keeps it, without going through the login page. */
export async function signIn(context: BrowserContext, url: string, person: DemoPerson): Promise<void> {
  const value = await tokenOf(url, person);
  const names = ['internal-dash-token', 'internal-dash-auth'];
  await context.addCookies(names.map((name) => ({ name, value, url, sameSite: 'Strict', secure: true })));
}

/** Waits until the page is there and nothing of it is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForFunction(() => document.querySelector('main') && !document.querySelector('[aria-busy="true"]'));
}

/** The bytes of a download. The browser runs in another process, so its own file can't be read by path. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  return Buffer.concat(parts);
}
