// The tools page: cards that admins keep, the sprints of the year, the audit log and the settings.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { settled, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const tabs = (page: Page) => page.getByRole('tab').allTextContents();

test('who is no admin sees neither the audit log nor the settings, and no way to change a tool', async () => {
  const { page, close, complaints } = await visit(server.url, 'staff');
  await page.goto('/tools?tab=audit');
  await page.getByRole('link', { name: 'Wiki' }).waitFor();
  expect(await tabs(page)).toEqual(['Tools', 'Sprint calendar']);
  expect(await page.getByRole('button', { name: /Add a tool|Change Wiki/ }).count()).toBe(0);
  // What wants a permission that they lack is not there.
  expect(await page.getByRole('link', { name: 'Price list' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an admin adds a tool by keys, tells that it is down, removes it and takes that back', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await page.goto('/tools');
  await page.getByRole('link', { name: 'Wiki' }).waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Lunch menu');
  await dialog.getByLabel('Link').fill('javascript:alert(1)');
  await dialog.getByLabel('Group').fill('Canteen');
  await page.keyboard.press('Enter');
  await dialog.getByText('must be an address that begins with http:// or https://').waitFor();
  await dialog.getByLabel('Link').fill('https://lunch.demo.test/today');
  await dialog.getByRole('button', { name: 'Add the tool' }).click();
  const link = page.getByRole('link', { name: 'Lunch menu' });
  await link.waitFor();
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
    'https://lunch.demo.test/today',
    'noreferrer',
  ]);
  await page.getByRole('button', { name: 'Change Lunch menu' }).click();
  await page.getByRole('menuitem', { name: 'Set its health' }).click();
  await page.getByRole('dialog').getByText('Down', { exact: true }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('The cook is ill');
  await page.getByRole('button', { name: 'Set the health' }).click();
  await page.getByText('The cook is ill').waitFor();
  await page.getByRole('button', { name: 'Change Lunch menu' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByText('Lunch menu removed').waitFor();
  await link.waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await link.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('lunch');
  await page.getByRole('link', { name: 'Wiki' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('find')).toBe('lunch');
  expect(complaints).toEqual([]);
  await close();
});

test('the sprints of a year lead to their boards', async () => {
  const { page, close, complaints } = await visit(server.url, 'staff');
  await page.goto('/tools?tab=sprints');
  const active = page.locator('tr[data-open]');
  await active.getByText('Active').waitFor();
  const year = new Date().getUTCFullYear();
  await page.getByRole('button', { name: `Sprints of ${year + 1}` }).click();
  await page.getByRole('heading', { name: `Sprints of ${year + 1}` }).waitFor();
  await page.goBack();
  const name = await active.getByRole('link').textContent();
  await active.getByRole('link').click();
  await page.waitForURL(/top-5\/tasks\?sprint=/);
  await page.getByText(String(name)).first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a setting is changed, said who changed it, refused out of its range, and brought back', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=settings');
  const limit = page.getByRole('form', { name: 'Tasks per sprint' });
  await limit.getByRole('textbox').fill('51');
  await limit.getByText('Must be a whole number of tasks from 1 to 50').waitFor();
  await limit.getByRole('textbox').fill('7');
  await limit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tasks per sprint changed').waitFor();
  await page.getByText(/Changed by Ingrid Solheim/).waitFor();
  expect(await server.sql("select value from settings where key = 'taskLimit'")).toEqual([{ value: 7 }]);
  await page.keyboard.press('u');
  await page.getByText(/Brought back to it by Ingrid Solheim/).waitFor();
  await page.getByRole('switch', { name: 'Time tracker' }).press('Space');
  await page.getByRole('form', { name: 'Time tracker' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Time tracker changed').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the audit log tells what was done, filtered, with the difference, and as a file', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=audit');
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  await rows.first().waitFor();
  await page.getByLabel('Search', { exact: true }).fill('taskLimit');
  // Only what was found is left, the oldest last.
  await expect.poll(() => rows.filter({ hasNotText: 'Setting changed' }).count()).toBe(0);
  await rows.filter({ hasText: 'Setting changed' }).last().getByRole('button').click();
  const panel = page.getByRole('dialog');
  expect(await panel.getByRole('row', { name: 'Value' }).textContent()).toBe('Value57');
  await panel.getByText(/^Place \d+$/).waitFor();
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  expect(complaints).toEqual([]);
  await close();
});

test('every part can be read by everybody, in both schemes', async () => {
  const { page, close } = await visit(server.url, 'admin');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const tab of ['', '?tab=sprints', '?tab=audit', '?tab=settings']) {
      await page.goto(`/tools${tab}`);
      await settled(page);
      expect([colorScheme, tab, await findings(page)]).toEqual([colorScheme, tab, []]);
    }
  }
  await close();
});
