// Loading a file into the numbers without a programmer (spec of the tools page).
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const file = [
  'Id;Order ref;Happened;Country;Gross;Kind',
  'a1;O-1;2026-03-02T10:00:00Z;NL;10,50;sold',
  'a2;O-1;2026-03-02T10:00:00Z;NL;1.299,00;sold',
  'a3;O-2;the day after;DE;5,00;sold',
  'a4;O-3;2026-03-04T10:00:00Z;DE;7,25;sent back',
].join('\n');

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const storedRows = () =>
  server.sql<{ status: string; gross: string }>(
    "select status, gross::text from orders where source = 'spring-orders' order by external_id",
  );

test('who has the tools but may not import sees the tools and no import', async () => {
  const { page, close, complaints } = await visit(server.url, 'staff');
  await page.goto('/tools?tab=import');
  await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
  expect(await page.getByRole('tab', { name: 'Import' }).count()).toBe(0);
  expect(await page.locator('input[type=file]').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('a file becomes rows by way of columns, dry run and import, and what does not fit is handed back', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Spring orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByText('read as CSV with semicolons').waitFor();
  expect(await page.getByRole('combobox', { name: 'Country: column', exact: true }).inputValue()).toBe('Country');
  for (const [field, text] of [
    ['Product', 'connect'],
    ['Currency', 'EUR'],
  ] as const) {
    await choose(page, `${field} comes from`, 'Same for all rows');
    await page.getByRole('textbox', { name: `${field}: text for all rows` }).fill(text);
  }
  await choose(page, 'Gross comes from', 'A written number');
  await page.getByText('1.234,50', { exact: true }).click();
  await choose(page, 'Status comes from', 'Values replaced');
  await choose(page, 'Status: column', 'Kind');
  await page.getByRole('button', { name: 'Add a value' }).click();
  await page.getByRole('textbox', { name: 'Status: value 1 in the file' }).fill('sold');
  await page.getByRole('textbox', { name: 'Status: value 1 here' }).fill('completed');
  await page.getByRole('textbox', { name: 'Status: all other values become' }).fill('cancelled');
  await page.getByText('1299', { exact: false }).first().waitFor();
  await page.getByText(/^Line 4: /).waitFor();

  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('Dry run, nothing was written: 4 rows read, 3 would be added, 0 would be changed').waitFor();
  expect(await storedRows()).toEqual([]);

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported: 4 rows read, 3 added, 0 changed, 0 as they were, 1 did not fit.').waitFor();
  expect((await storedRows()).map(({ status }) => status)).toEqual(['completed', 'completed', 'cancelled']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all of them' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('a3;O-2;the day after');

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported: 4 rows read, 0 added, 0 changed, 3 as they were').waitFor();
  await settled(page);
  expect(complaints).toEqual([]);
  await close();
});

test('a saved mapping is there for the next file, as it was saved', async () => {
  const { page, close } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=import');
  await choose(page, 'Mapping', 'spring-orders');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Summer.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('textbox', { name: 'Status: all other values become' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Source' }).inputValue()).toBe('spring-orders');
  expect(await page.getByRole('textbox', { name: 'Product: text for all rows' }).inputValue()).toBe('connect');
  await close();
});
