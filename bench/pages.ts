// `npm run bench:pages [-- --pictures FOLDER]`: the pages of the administration with 2,000 people and 200
// approvers, in a real browser: how long until the first rows are visible, and from a key in a search until
// the list has answered. And the first tile of Sales on a slow phone, there and in the demo company alone.
// Writes docs/results/pages.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../scripts/find-chromium.ts';
import { startDatabase } from '../test/database-folder.ts';
import { companyPassword, companySize, fillCompany, fillDemo } from './fill-company.ts';
import { percentile } from './measure.ts';
import { type BenchServer, startServer } from './running-server.ts';

type Visited = { readonly path: string; readonly search?: string };

const pages: readonly Visited[] = [
  { path: '/usermanagement', search: 'Find a person' },
  { path: '/approvermanagement', search: 'Find a person' },
  { path: '/role-qualifications', search: 'Find a person' },
  { path: '/role-editor', search: 'Find a permission' },
  { path: '/role-editor?tab=doctor' },
  { path: '/top-5/tools/guidelines', search: 'Find a person' },
  { path: '/top-5/tools/schedule' },
  { path: '/top-5/tools/bonus' },
  { path: '/top-5/tools/time-tracker' },
  { path: '/tools' },
  { path: '/tools?tab=sprints' },
  { path: '/tools?tab=audit' },
  { path: '/tools?tab=settings' },
  { path: '/top-5/approvals' },
  { path: '/employee-stats', search: 'Find a person or team' },
];
const typed = 'person ko';
const visits = 5;
const slowedVisits = 9;

/** Milliseconds from the start of the navigation until nothing is loading and rows stand in the page. */
async function firstRows(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(
    () => {
      const rows = document.querySelectorAll(
        'main :is(tbody tr, li, [role="row"], [role="gridcell"], article, section, form)',
      ).length;
      return rows > 0 && !document.querySelector('[aria-busy="true"]') ? performance.now() : null;
    },
    undefined,
    { polling: 'raf' },
  );
  return (await handle.jsonValue()) ?? Number.NaN;
}

type KeyTimes = { readonly shown: number; readonly answered: number };

/** From each key until the frame that shows it, and until the one that shows the list's answer. */
async function keyTimes(page: Page, label: string): Promise<KeyTimes[]> {
  await page.getByLabel(label).first().focus();
  await page.evaluate(() => {
    const state = { pressed: 0, shown: 0, changed: 0 };
    Object.assign(globalThis, { typing: state });
    addEventListener(
      'keydown',
      () => {
        state.pressed = performance.now();
        state.changed = state.pressed;
        // The frame is drawn after its callbacks: the task behind them tells that it was.
        requestAnimationFrame(() => setTimeout(() => Object.assign(state, { shown: performance.now() })));
      },
      { capture: true },
    );
    const changed = () => requestAnimationFrame(() => Object.assign(state, { changed: performance.now() }));
    new MutationObserver(changed).observe(document.querySelector('main') ?? document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  const times: KeyTimes[] = [];
  for (const key of typed) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    // Longer than a rest in the typing and the server's answer to it.
    await page.waitForTimeout(800);
    times.push(
      await page.evaluate(() => {
        const { typing } = globalThis as unknown as { typing: { pressed: number; shown: number; changed: number } };
        return { shown: typing.shown - typing.pressed, answered: typing.changed - typing.pressed };
      }),
    );
  }
  return times;
}

/**
 * A phone of some years and a slow line, with nothing kept of earlier visits: until the first tile of Sales
 * holds a number.
 */
async function firstTile(browser: Browser, server: BenchServer): Promise<number> {
  const context = await signedIn(browser, server);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const tenMbit = 10_000_000 / 8;
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 20,
      downloadThroughput: tenMbit,
      uploadThroughput: tenMbit,
    });
    await page.goto(`${server.url}/sales`, { waitUntil: 'commit' });
    const handle = await page.waitForFunction(
      // Not by the text of the page, which would lay it out anew in every frame.
      () =>
        /\d/.test(document.querySelector('main button[aria-label^="Net sales: "]')?.textContent ?? '')
          ? performance.now()
          : null,
      undefined,
      { polling: 'raf' },
    );
    return (await handle.jsonValue()) ?? Number.NaN;
  } finally {
    await context.close();
  }
}

async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: chromiumFlags });
}

async function signedIn(browser: Browser, { url, token }: BenchServer): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(30_000);
  const cookies = ['internal-dash-token', 'internal-dash-auth'];
  await context.addCookies(cookies.map((name) => ({ name, value: token, url, secure: true })));
  return context;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const spread = (values: readonly number[]) => ({
  median: rounded(percentile(values, 0.5)),
  slowest: rounded(Math.max(...values)),
});

async function measure(context: BrowserContext, base: string, { path, search }: Visited, folder: string | undefined) {
  const page = await context.newPage();
  try {
    const times: number[] = [];
    for (let visit = 0; visit <= visits; visit += 1) times.push(await firstRows(page, `${base}${path}`));
    if (folder) await page.screenshot({ path: join(folder, `${path.replaceAll(/\W+/g, '-')}.png`) });
    const keys = search ? await keyTimes(page, search) : [];
    const [cold = Number.NaN, ...warm] = times;
    return {
      page: path,
      firstRowsCold: rounded(cold),
      firstRows: rounded(percentile(warm, 0.5)),
      ...(search && {
        keyShown: spread(keys.map(({ shown }) => shown)),
        listAnswered: spread(keys.map(({ answered }) => answered)),
      }),
    };
  } finally {
    await page.close();
  }
}

async function measureAll(browser: Browser, server: BenchServer, folder: string | undefined) {
  const context = await signedIn(browser, server);
  const results = [];
  for (const one of pages) {
    const result = await measure(context, server.url, one, folder);
    console.log(JSON.stringify(result));
    results.push(result);
  }
  await context.close();
  return results;
}

/** In a separate browser, without earlier pages. */
async function firstTiles(server: BenchServer, company: string) {
  const browser = await startBrowser();
  const times: number[] = [];
  try {
    for (let visit = 0; visit < slowedVisits; visit += 1) times.push(await firstTile(browser, server));
  } finally {
    await browser.close();
  }
  const result = { company, visits: slowedVisits, ...spread(times) };
  console.log(`First tile of Sales, 4x slower CPU, 10 Mbit/s: ${JSON.stringify(result)}`);
  return result;
}

/** The result of `work` on a separate server, on a database that `fill` filled. */
async function onServer<Found>(
  fill: (url: string) => Promise<void>,
  work: (server: BenchServer) => Promise<Found>,
): Promise<Found> {
  const database = await startDatabase('staff-bench');
  try {
    await fill(database.url);
    const server = await startServer(database, { email: 'admin@demo.test', password: companyPassword });
    return await work(server).finally(server.stop);
  } finally {
    await database.stop();
  }
}

const { values: options } = parseArgs({ options: { pictures: { type: 'string' } } });
if (options.pictures) mkdirSync(options.pictures, { recursive: true });
const browser = await startBrowser();
try {
  const large = await onServer(fillCompany, async (server) => ({
    pages: await measureAll(browser, server, options.pictures),
    firstTile: await firstTiles(server, `${companySize.people} people around the demo company`),
  }));
  const demo = await onServer(fillDemo, (server) => firstTiles(server, 'the demo company'));
  const machine = {
    cores: availableParallelism(),
    load: rounded(loadavg()[0] ?? 0),
    node: process.versions.node,
    chromium: browser.version(),
  };
  const results = {
    at: new Date().toISOString(),
    ...companySize,
    machine,
    firstTileOfSalesSlowed: [large.firstTile, demo],
    pages: large.pages,
  };
  const folder = new URL('../docs/results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('pages.json', folder), `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await browser.close();
}
