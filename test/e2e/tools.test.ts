// The tools page: cards that admins keep, the sprints of the year, the tokens of other systems, the audit log
// and the settings.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { settled, tokenOf, visit } from './browser.ts';
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
  expect(await page.getByRole('button', { name: /Add tool|Actions for Wiki/ }).count()).toBe(0);
  // Cards for permissions they lack are hidden.
  expect(await page.getByRole('link', { name: 'Price list' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('who may import and is no admin makes no token for another system, and sees none', async () => {
  await server.sql("update people set grants = '{VIEW_TOOLS,VIEW_DISTRIBUTIONS}' where email = 'people@demo.test'");
  const { page, close, complaints } = await visit(server.url, 'people');
  await page.goto('/tools?tab=import');
  await page.getByRole('region', { name: 'Imports' }).getByText('No imports yet').waitFor();
  expect(await page.getByText(/token/i).count()).toBe(0);
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
  await dialog.getByText('must be an address such as https://payroll.example.com').waitFor();
  await dialog.getByLabel('Link').fill('https://lunch.demo.test/today');
  await dialog.getByRole('button', { name: 'Add tool' }).click();
  const link = page.getByRole('link', { name: 'Lunch menu' });
  await link.waitFor();
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
    'https://lunch.demo.test/today',
    'noreferrer',
  ]);
  await page.getByRole('button', { name: 'Actions for Lunch menu' }).click();
  await page.getByRole('menuitem', { name: 'Set health' }).click();
  await page.getByRole('dialog').getByText('Down', { exact: true }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('The cook is ill');
  await page.getByRole('button', { name: 'Set health' }).click();
  await page.getByText('The cook is ill').waitFor();
  await page.getByRole('button', { name: 'Actions for Lunch menu' }).click();
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
  await active.getByText('Current').waitFor();
  // Around New Year a week belongs to one year and its day to another.
  const year = Temporal.Now.plainDateISO('UTC').yearOfWeek!;
  await page.getByRole('button', { name: `${year + 1} sprints` }).click();
  await page.getByRole('heading', { name: `${year + 1} sprints` }).waitFor();
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
  await page.getByText(/Reset by Ingrid Solheim/).waitFor();
  await page.getByRole('switch', { name: 'Time tracker' }).press('Space');
  await page.getByRole('form', { name: 'Time tracker' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Time tracker changed').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

/** A mapping as the wizard saves it, for the rows that another system sends. It is the only one. */
async function saveMapping(name: string): Promise<void> {
  await server.sql('delete from import_mappings');
  const fields = { external_id: 'id', order_ref: 'id', occurred_at: 'when', gross: 'gross' };
  const constants = { product: { constant: 'connect' }, status: { constant: 'completed' } };
  const mapping = { dataset: 'orders', source: name, currency: 'EUR', fields: { ...fields, ...constants } };
  const query =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(server.url, 'admin')}` },
    body: JSON.stringify({ query, variables: { name, mapping: JSON.stringify(mapping) } }),
  });
  expect(await answer.json()).toEqual({ data: { saveImportMapping: { name } } });
}

/** What the server answers to another system that sends a row. */
async function sendRow(address: string, token: string): Promise<{ status: number; inserted?: number }> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: 'id,when,gross\nt1,2026-03-02T10:00:00Z,10.50\n',
  });
  const { inserted } = (await answer.json()) as { inserted?: number };
  return { status: answer.status, ...(inserted === undefined ? {} : { inserted }) };
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('while no system has a token, the place for them says what one is for', async () => {
  const { page, close } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=import');
  const panel = page.getByRole('region', { name: 'Service tokens' });
  await panel.getByText('let other systems send rows over HTTP').waitFor();
  await close();
});

test('a token is made for another system and shown once, sends rows, and is refused from when it is revoked, all by keys', async () => {
  const [shop, mapping] = ['The shop', 'shop'];
  await saveMapping(mapping);
  const { page, close, complaints } = await visit(server.url, 'admin');
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto('/tools?tab=import');
  const panel = page.getByRole('region', { name: 'Service tokens' });
  await panel.getByRole('button', { name: 'New token' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await page.waitForFunction(() => document.activeElement?.matches('input[data-autofocus]'));
  await page.keyboard.type(shop);
  await dialog.getByRole('group', { name: 'Datasets' }).getByRole('checkbox', { name: 'Orders' }).press('Space');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  const shown = dialog.getByRole('textbox', { name: 'Token' });
  await shown.waitFor();
  const token = await shown.inputValue();
  expect(token).toMatch(/^[\w-]{43}$/);
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(token);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  // The drawer leaves a moment after the window is narrow.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  // It is not lost by a key.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep it open' }).press('Enter');
  await dialog.getByRole('button', { name: 'Copy the token' }).press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  const line = await dialog.getByRole('textbox', { name: 'Test it' }).inputValue();
  expect(line).not.toContain(token);
  const dryRun = /"(http[^"]+)"$/.exec(line)?.[1] ?? '';
  expect(dryRun).toBe(`${server.url}/api/import/orders?mapping=${mapping}&fileName=export.csv&dryRun=1`);
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focusedText(page)).toBe('New token');

  const row = panel.getByRole('row').filter({ hasText: shop });
  await row.getByText('Never used').waitFor();
  await row.getByRole('cell', { name: /by Ingrid Solheim$/ }).waitFor();
  expect(await sendRow(dryRun, token)).toEqual({ status: 200, inserted: 1 });
  expect(await sendRow(dryRun.replace('&dryRun=1', ''), token)).toEqual({ status: 200, inserted: 1 });
  expect(await sendRow(dryRun.replace('orders', 'donations'), token)).toEqual({ status: 403 });
  expect(await server.sql('select gross from orders where source = $1', [mapping])).toHaveLength(1);
  await page.reload();
  const used = row.getByRole('cell').nth(3);
  await expect.poll(() => used.innerText()).toMatch(/^now$|ago$/);

  await row.getByRole('button', { name: `Revoke ${shop}` }).press('Enter');
  const question = page.getByRole('dialog', { name: `Revoke ${shop}?` });
  await question.getByText('Systems that use this token can no longer send Orders').waitFor();
  await question.getByText('You can’t undo this').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedText(page)).toBe(`Revoke ${shop}`);
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Revoke token' }).press('Enter');
  await expect.poll(() => focusedText(page)).toMatch(/^Revoked (now|.+ ago)$/);
  expect(await sendRow(dryRun, token)).toEqual({ status: 401 });

  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  expect(server.output()).not.toContain(token);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  expect(kept).not.toContain(token);
  await settled(page);
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
  await panel.getByText(/^Entry \d+$/).waitFor();
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  expect(complaints).toEqual([]);
  await close();
});

test('every part can be read by everybody, in both schemes', async () => {
  const { page, close } = await visit(server.url, 'admin');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const tab of ['', '?tab=sprints', '?tab=import', '?tab=audit', '?tab=settings']) {
      await page.goto(`/tools${tab}`);
      await settled(page);
      expect([colorScheme, tab, await findings(page)]).toEqual([colorScheme, tab, []]);
    }
  }
  await close();
});
