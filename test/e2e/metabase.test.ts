// Dashboards of Metabase in the frame of a page, and what stands in for them (D30).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtMain } from '../built-server.ts';
import { visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';
import { type SmallMetabase, startSmallMetabase } from './small-metabase.ts';

let metabase: SmallMetabase;
let server: TestServer;

const settings = () => ({ METABASE_SITE_URL: metabase.siteUrl, METABASE_SECRET_KEY: metabase.secretKey });

async function setDashboards(value: string): Promise<void> {
  const env = { PATH: process.env.PATH, DATABASE_URL: server.databaseUrl, ...settings() };
  await promisify(execFile)(process.execPath, [builtMain, 'admin', 'setting', 'dashboards', value], { env });
}

beforeAll(async () => {
  metabase = await startSmallMetabase();
  server = await startServer({ env: settings() });
  await setDashboards('connect=metabase,green=metabase,free-a-girl=metabase,who-lives=metabase');
});
afterAll(async () => {
  await server.stop();
  metabase.stop();
});

const frameOf = (page: Page): FrameLocator => page.frameLocator(`iframe[src^="${metabase.siteUrl}/embed/dashboard/"]`);
const heading = (page: Page, name: string) => frameOf(page).getByRole('heading', { name }).waitFor();

test('who may open the tab but not read its data gets no frame and is told so', async () => {
  await server.sql("update roles set permissions = array_remove(permissions, 'READ_GREEN') where name = 'Sales'");
  const { page, close } = await visit(server.url, 'sales');
  await page.goto('/sales?product=green');
  await page.getByText('You can open this page but not see these numbers').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  expect(metabase.shown).toEqual([]);
  await close();
});

test('a product and the causes open their dashboard, signed for each, in the colours of the page', async () => {
  const { page, close, complaints } = await visit(server.url, 'sales', { theme: 'dark' });
  await page.goto('/sales?product=connect');
  await heading(page, 'Dashboard 15 of {"product":"connect"}');
  // The frame has its own: ours would do nothing.
  expect(await page.getByRole('button', { name: /^Compared with/ }).count()).toBe(0);
  await frameOf(page).getByText('theme=night').waitFor();
  await page.goto('/donations?product=free-a-girl');
  await heading(page, 'Dashboard 20 of {"cause":"free-a-girl"}');
  await page.goto('/donations?product=who-lives');
  await heading(page, 'Dashboard 20 of {"cause":"who-lives"}');
  expect(complaints).toEqual([]);
  await page.goto('/sales?product=codex');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await close();
});

test('the signature is renewed a minute before its end, and when the tab is looked at again, with the filters kept', async () => {
  const { page, close } = await visit(server.url, 'sales');
  await page.clock.install();
  await page.goto('/sales?product=connect');
  await heading(page, 'Dashboard 15');
  await frameOf(page).getByRole('button', { name: 'Only the Netherlands' }).click();
  await frameOf(page).getByText('?country=NL').waitFor();
  // Only the page's clock is moved: two signatures of one second of the server's would be the same, and no
  // frame would load.
  const second = () => Math.floor(Date.now() / 1_000);
  const nextSecond = (last = second()) => expect.poll(second).toBeGreaterThan(last);
  await nextSecond();
  const loads = metabase.shown.length;
  const frames = () => metabase.shown.length;
  await page.clock.fastForward('08:30');
  expect(frames()).toBe(loads);
  await page.clock.fastForward('00:40');
  await expect.poll(frames).toBe(loads + 1);
  await frameOf(page).getByText('?country=NL #bordered=false&titled=false&theme=light').waitFor();

  await look(page, 'hidden');
  await page.clock.fastForward('12:00');
  expect(frames()).toBe(loads + 1);
  await nextSecond();
  await look(page, 'visible');
  await expect.poll(frames).toBe(loads + 2);
  await frameOf(page).getByText('?country=NL').waitFor();
  await close();
});

/** Another tab is looked at, or this one again. */
async function look(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

test('an address that ran out and cannot be renewed gives way to the tiles, and comes back by Try again', async () => {
  const { page, close } = await visit(server.url, 'sales');
  await page.clock.install();
  await page.goto('/sales?product=connect');
  await heading(page, 'Dashboard 15');
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('DashboardEmbed') ? route.abort() : route.continue(),
  );
  await page.clock.fastForward('10:01');
  await expect
    .poll(async () => {
      await page.clock.fastForward('00:20');
      return page.getByText('The Metabase session expired').count();
    })
    .toBe(1);
  expect(await page.locator('iframe').count()).toBe(0);
  // No renewal by itself comes first.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.clock.resume();
  await heading(page, 'Dashboard 15');
  await close();
});

test.each([
  ['isn’t set up on this server', {}],
  ['isn’t responding', { METABASE_SITE_URL: 'http://127.0.0.1:1', METABASE_SECRET_KEY: 'unused' }],
])('the tiles stand in and one line says that Metabase %s', async (words, env: Record<string, string>) => {
  const other = await startServer({ beside: server, env });
  const { page, close } = await visit(other.url, 'sales');
  await page.goto('/sales?product=connect');
  await page.getByRole('status').filter({ hasText: words }).waitFor();
  await page
    .getByText(/^(Net sales|No data yet)$/)
    .first()
    .waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await close();
  await other.stop();
});
