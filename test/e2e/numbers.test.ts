// A page of numbers in use: drill down, export rows, filter, set a goal.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvCells } from '../csv-cells.ts';
import { bytesOf, settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  visitor = await visit(server.url, 'admin');
  page = visitor.page;
});
afterAll(async () => {
  await visitor.close();
  await server.stop();
});

const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: .*Show the rows behind it$`) });
const panel = () => page.getByRole('dialog');

/** The words of an amount, as a number. */
const amountIn = (words: string): number => Number(words.replace(/[^\d.-]/g, ''));

async function open(path: string): Promise<void> {
  await page.goto(path);
  await card('Net sales').waitFor();
  await settled(page);
}

test('a number tells what it is made of, and the file of its rows adds up to it', async () => {
  await open('/sales?product=connect&period=7d');
  const shown = amountIn((await card('Net sales').textContent()) ?? '');
  await card('Net sales').click();
  await panel()
    .getByText('gross - discounts - refunds')
    .or(panel().getByText('Gross', { exact: true }))
    .first()
    .waitFor();
  await expect.poll(async () => amountIn((await panel().locator('p').first().textContent()) ?? '')).toBe(shown);
  await panel()
    .getByText(/rows?, adding up to/)
    .waitFor();
  const more = panel().getByRole('button', { name: 'Show more rows' });
  const rows = panel().getByRole('row');
  while ((await more.count()) > 0) {
    const before = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  await panel()
    .getByText(/^[\d,]+ rows, adding up to/)
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel().getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [head, ...lines] = csvCells((await bytesOf(download)).toString().slice(1));
  const column = head!.indexOf('adds to net_sales');
  const sum = lines.reduce((total, line) => total + Math.round(Number(line[column]) * 10_000), 0) / 10_000;
  expect(Math.round(sum * 100) / 100).toBe(shown);
  expect(download.url()).not.toContain('token');
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
});

test('a bar opens the rows of its country, and the address keeps what is asked', async () => {
  await open('/sales?product=connect');
  await page.getByRole('list', { name: 'Net sales by country' }).getByRole('button').first().click();
  await panel().getByText('Country', { exact: true }).first().waitFor();
  await page.waitForURL(/behind=/);
  const address = page.url();
  await page.reload();
  await panel().getByText('Country', { exact: true }).first().waitFor();
  expect(page.url()).toBe(address);
});

test('a filter narrows every tile, and a plain address shows everything and only offers it again', async () => {
  await open('/sales?product=connect');
  const all = amountIn((await card('Orders').textContent()) ?? '');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Country' }).click();
  await page
    .getByRole('combobox', { name: 'Country' })
    .or(page.getByLabel('Country', { exact: true }))
    .first()
    .click();
  await page.getByRole('option').first().click();
  await page.waitForURL(/where\.country=/);
  await page.keyboard.press('Escape');
  await settled(page);
  await expect.poll(async () => amountIn((await card('Orders').textContent()) ?? '')).toBeLessThan(all);
  await open('/sales?product=connect');
  await expect.poll(async () => amountIn((await card('Orders').textContent()) ?? '')).toBe(all);
  await page.getByRole('button', { name: 'Restore my last filters' }).click();
  await page.waitForURL(/where\.country=/);
  await expect.poll(async () => amountIn((await card('Orders').textContent()) ?? '')).toBeLessThan(all);
});

test('a period without rows says where the newest ones are, and leads there', async () => {
  await page.goto('/sales?product=connect&from=2001-01-01&to=2001-12-31');
  await page.getByText(/^No data .*for /).waitFor();
  await page.getByRole('button', { name: /^Show 1/ }).click();
  await card('Net sales').waitFor();
});

test('of a longer range than the server reads, its last years are shown', async () => {
  await page.goto('/sales?product=connect&from=2001-01-01&to=2030-12-31');
  await page.getByText('the last 10 years of 1 Jan 2001').waitFor();
  await card('Net sales').waitFor();
});

test('long numbers fit their cards and axes at every width', async () => {
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(/"currency":"[A-Z]{3}"/g, '"currency":"MXN"');
    const long = text.replace(/"(values|totals)":\["-?\d+(\.\d+)?"/g, '"$1":["6580061.63"');
    await route.fulfill({ response, body: long });
  });
  for (const width of [1440, 1366, 1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/sales?product=connect&period=7d');
    await card('Net sales').filter({ hasText: '6,580,061.63' }).waitFor();
    await settled(page);
    const cut = await page.locator('main').evaluate((main) => {
      const values = [...main.querySelectorAll('li > button')].filter((each) => each.scrollWidth > each.clientWidth);
      const labels = [...main.querySelectorAll('svg text')].filter(
        (each) => each.getBoundingClientRect().left < (each.closest('svg')?.getBoundingClientRect().left ?? 0) - 1,
      );
      return [...values, ...labels].map(({ textContent }) => textContent);
    });
    expect(cut, `${width} px`).toEqual([]);
    await settled(page);
  }
  await page.unrouteAll({ behavior: 'wait' });
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a table sorts all its rows, and a plain reload shows the same page', async () => {
  await open('/sales?product=connect&period=90d');
  const tile = page.locator('section', { has: page.getByRole('heading', { name: /^Top titles/ }) });
  await tile.getByRole('button', { name: 'Title', exact: true }).click();
  await tile.locator('th[aria-sort="ascending"]').waitFor();
  await settled(page);
  const names = (await tile.locator('tbody td:first-child').allTextContents()).map((name) => name.toLowerCase());
  expect(names.length).toBeGreaterThan(1);
  expect(names).toEqual(names.toSorted());
  const address = page.url();
  await page.reload();
  await card('Net sales').waitFor();
  expect(page.url()).toBe(address);
});

test('the keyboard chooses the period, turns the comparison off and reads a chart', async () => {
  await open('/sales?product=connect');
  // The page follows its address.
  const without = page.getByRole('button', { name: 'Compared with: No comparison' });
  await page.keyboard.press('x');
  await page.waitForURL(/compare=none/);
  await without.waitFor();
  await page.keyboard.press('x');
  await page.waitForURL((url) => !url.search.includes('compare=none'));
  await without.waitFor({ state: 'detached' });
  await settled(page);
  await page.keyboard.press('t');
  await page.getByRole('menuitem', { name: 'Last 30 days' }).waitFor();
  await page.keyboard.press('Escape');
  // Closing, the menu gives the focus back to its button.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const chart = page
    .getByRole('group', { name: /^Net sales/ })
    .or(page.getByRole('slider', { name: /^Net sales/ }))
    .first();
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await panel().waitFor();
  await page.keyboard.press('Escape');
});

test('the keyboard opens what a number means, and Escape closes it from its button and from within', async () => {
  await open('/sales?product=connect');
  const button = page.getByRole('button', { name: 'What Net sales means' }).first();
  const meaning = page.getByRole('dialog', { name: 'What Net sales means' });
  const isFocused = () => button.evaluate((element) => element === document.activeElement);
  await button.focus();
  expect(await meaning.count()).toBe(0);
  await page.keyboard.press('Enter');
  await meaning.getByText('Net sales', { exact: true }).waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await meaning.waitFor({ state: 'detached' });
  expect(await isFocused()).toBe(true);
  await page.keyboard.press('Space');
  await meaning.focus();
  await page.keyboard.press('Escape');
  await meaning.waitFor({ state: 'detached' });
  expect(await isFocused()).toBe(true);
  // A second click on the button closes it, and so does one beside it.
  for (const place of [button, page.getByRole('heading', { level: 1 })]) {
    await button.click();
    await meaning.waitFor();
    await place.click();
    await meaning.waitFor({ state: 'detached' });
  }
});

test('a chart is a table too, with the same numbers', async () => {
  await open('/sales?product=connect&period=7d');
  const tile = page.locator('section', { has: page.getByRole('heading', { name: 'Net sales by channel' }) });
  await tile.getByRole('button', { name: /table/i }).click();
  await tile.getByRole('row').nth(1).waitFor();
});

test('an admin sets the goal of the month and sees the pace; who may not is not offered it', async () => {
  await open('/sales?product=codex');
  const tileOf = (of: Page) => of.locator('section', { has: of.getByRole('heading', { name: /^Goal/ }) });
  const tile = tileOf(page);
  await tile.getByRole('button', { name: /Set a goal|Change/ }).click();
  await panel().getByRole('textbox').fill('0');
  await panel().getByRole('button', { name: 'Set goal' }).click();
  await panel().getByText('Enter an amount above zero').waitFor();
  await panel().getByRole('textbox').fill('25,000');
  await panel().getByRole('button', { name: 'Set goal' }).click();
  await tile.getByText(/of .*25,000/).waitFor();
  await tile
    .getByText(/needed by now/)
    .first()
    .waitFor();
  const other = await visit(server.url, 'sales');
  await other.page.goto('/sales?product=codex');
  await tileOf(other.page)
    .getByText(/of .*25,000/)
    .waitFor();
  expect(await tileOf(other.page).getByRole('button', { name: 'Change' }).count()).toBe(0);
  await other.close();
});

test('a tile that fails says so alone, and comes back on Try again', async () => {
  let failing = true;
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData() ?? '';
    if (failing && body.includes('"title"') && body.includes('units'))
      await route.fulfill({
        json: { data: null, errors: [{ message: 'Something went wrong', extensions: { code: 'INTERNAL' } }] },
      });
    else await route.continue();
  });
  await page.goto('/sales?product=connect');
  await card('Net sales').waitFor();
  const failed = page.getByText(/^Couldn’t load Top titles/);
  await failed.waitFor();
  failing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await failed.waitFor({ state: 'detached' });
  await page.unroute('**/graphql');
});
