// The frame around every page: keys, palette, drawer and theme.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { boardOf, taskPanel } from './board.ts';
import { type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  visitor = await visit(server.url, 'approver');
  page = visitor.page;
  await page.goto('/dashboard');
  await headed('My week');
});
afterAll(() => server.stop());

const headed = (title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();
const palette = () => page.getByRole('dialog', { name: 'Search or jump to' });
const results = () => palette().getByRole('option');

async function choose(words: string, result: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette().getByRole('combobox').fill(words);
  await results().filter({ hasText: result }).first().waitFor();
  await page.keyboard.press('Enter');
  await palette().waitFor({ state: 'detached' });
}

/** In both themes, because overlays have separate colors. */
async function findingsOfBothThemes(): Promise<string[]> {
  const light = await findings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findings(page, 'colours');
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

test('single letters do nothing while somebody types, and nothing at all once they are switched off', async () => {
  await page.goto('/top-5/tasks');
  await page.getByLabel('Filter tasks by text').fill('c');
  await page.keyboard.press('c');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByLabel('Filter tasks by text').fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'New task' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await toggleLetters();
  await page.keyboard.press('c');
  await page.keyboard.press('Control+k');
  await palette().waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await toggleLetters();
});

async function toggleLetters(): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Marcus Adeyemi|Account/ })
    .click();
  await page.getByRole('menuitemcheckbox', { name: 'Single-letter shortcuts' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

test('the palette opens a page, a person and a task', async () => {
  await choose('meeting sched', /Weekly Meeting Schedule/);
  await headed('Weekly Meeting Schedule');
  await choose('lena hoff', /Lena Hoffmann/);
  await headed('Lena Hoffmann’s tasks');
  await boardOf(page).open();
  await boardOf(page).create({ title: 'Found by its words' });
  await page.goto('/dashboard');
  await headed('My week');
  await choose('its words', /Found by its words/);
  const panel = await taskPanel(page, 'Found by its words');
  await expect.poll(() => panel.evaluate((opened) => opened.contains(document.activeElement))).toBe(true);
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the palette says when it finds nothing, and Esc gives the focus back', async () => {
  await page.getByRole('button', { name: 'New task' }).first().focus();
  await page.keyboard.press('Control+k');
  await palette().getByRole('combobox').fill('xyzzy nothing');
  await palette().getByRole('status').filter({ hasText: 'No results' }).waitFor();
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('New task');
});

test('? shows the keys of the page, and G leads to pages', async () => {
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const label of ['Search or jump to', 'New task', 'Go to My week'])
    await sheet.getByText(label, { exact: true }).waitFor();
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  for (const [letter, title] of [
    ['a', 'Approvals'],
    ['t', 'My tasks'],
    ['d', 'My week'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await headed(title);
  }
});

test('a dialog and the account menu are free of findings in both themes', async () => {
  await boardOf(page).open();
  await page.getByRole('button', { name: 'New task' }).first().click();
  await page.getByRole('dialog', { name: 'New task' }).getByLabel('Title').waitFor();
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Marcus Adeyemi|Account/ })
    .click();
  await page.getByRole('menu').waitFor();
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
});

test('the first Tab reaches the way past the navigation', async () => {
  await page.goto('/dashboard');
  await headed('My week');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true);
});

test('the drawer is fixed at 1263 px; at 1262 a button and the key [ toggle it, and Esc gives the focus back', async () => {
  const toggle = page.getByRole('button', { name: 'Navigation', exact: true });
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await page.setViewportSize({ width: 1263, height: 900 });
  await page.getByRole('link', { name: 'Approvals' }).waitFor();
  expect(await toggle.count()).toBe(0);
  await page.setViewportSize({ width: 1262, height: 900 });
  await toggle.waitFor();
  expect(await page.getByRole('link', { name: 'Approvals' }).count()).toBe(0);
  await toggle.click();
  await drawer.getByRole('link', { name: 'Approvals' }).waitFor();
  expect(await findingsOfBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(() => toggle.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('[');
  await drawer.getByRole('link', { name: 'Approvals' }).click();
  await headed('Approvals');
  await drawer.waitFor({ state: 'detached' });
});

test('on a phone, Back closes a dialog, a menu, the drawer and an opened task before it leaves the page', async () => {
  const phone = await visit(server.url, 'approver');
  const { page: small } = phone;
  await small.setViewportSize({ width: 390, height: 844 });
  // The first page of the visit: there is no page of the application to go back to.
  await small.goto('/top-5/tasks');
  const closes = async (open: string, role: 'dialog' | 'menu', name?: string) => {
    await small.getByRole('button', { name: open }).first().click();
    const layer = small.getByRole(role, name ? { name } : {});
    await layer.waitFor();
    await small.goBack();
    await layer.waitFor({ state: 'detached' });
    expect(new URL(small.url()).pathname).toBe('/top-5/tasks');
  };
  await closes('New task', 'dialog', 'New task');
  await closes('Brands: Any brand', 'menu');
  await closes('Navigation', 'dialog', 'Navigation');
  await small.getByRole('article').getByRole('link').first().click();
  await small.getByRole('dialog', { name: 'Task' }).waitFor();
  await small.goBack();
  await small.getByRole('dialog', { name: 'Task' }).waitFor({ state: 'detached' });
  await small.goBack();
  await small.waitForURL((url) => url.pathname !== '/top-5/tasks');
  await phone.close();
});

test.each([390, 1262])('at %i px a message covers no button of an open dialog', async (width) => {
  const other = await visit(server.url, 'approver', { width, height: 800 });
  await other.page.goto('/top-5/tasks?new=1');
  const dialog = other.page.getByRole('dialog', { name: 'New task' });
  await dialog.getByLabel('Create another').check();
  await dialog.getByLabel('Title').fill(`One of several at ${width}`);
  const send = dialog.getByRole('button', { name: 'Send for approval' });
  await send.click();
  const told = other.page.getByRole('region', { name: 'Messages' }).getByText(/sent for approval/);
  await told.waitFor();
  for (const button of await dialog.getByRole('button').all()) {
    const [at, box] = await Promise.all([button.boundingBox(), told.locator('..').boundingBox()]);
    const apart = at!.y > box!.y + box!.height || at!.y + at!.height < box!.y || at!.x > box!.x + box!.width;
    // On a phone the message is as wide as the dialog, and it can be closed.
    const isClose = (await button.getAttribute('class'))?.includes('Close') === true;
    expect([await button.textContent(), apart || isClose]).toEqual([await button.textContent(), true]);
  }
  await other.close();
});

test('a phone shows the sprint and its days left, and no name cut short', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('banner');
  const sprint = bar.getByText(/^(Sprint )?\d{4} W\d{2}$/).last();
  for (const words of [sprint, bar.getByText(/ left$/)]) {
    const { shown, whole } = await words.evaluate((at) => ({ shown: at.clientWidth, whole: at.scrollWidth }));
    expect(shown).toBeGreaterThan(20);
    expect(whole).toBe(shown);
  }
  const home = await bar.getByRole('link', { name: 'Staff dashboard' }).boundingBox();
  expect(home?.width).toBeLessThan(50);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the content is never wider than 1260 px', async () => {
  await page.setViewportSize({ width: 2200, height: 900 });
  const width = () =>
    page.getByRole('main').evaluate((main) => {
      const { paddingLeft, paddingRight } = getComputedStyle(main);
      return main.getBoundingClientRect().width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    });
  // The drawer comes back a moment after the window is wide.
  await expect.poll(width).toBe(1260);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('the chosen theme is there before the first paint after a reload', async () => {
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
  // The application itself never arrives: what is set now was set before it.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark');
  await page.unrouteAll();
  await page.reload();
  await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
});
