// Loading a file into the numbers without a programmer (spec of the tools page).
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeWorkbook, makeZip, rowsOfCells } from '../make-workbook.ts';
import { bytesOf, settled, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const file = [
  'Id;Order ref;Date and time;Country;Gross;Kind',
  'a1;O-1;2026-03-02T10:00:00Z;NL;10,50;sold',
  'a2;O-1;2026-03-02T10:00:00Z;NL;1.299,00;sold',
  'a3;O-2;the day after;DE;5,00;sold',
  'a4;O-3;2026-03-04T10:00:00Z;DE;7,25;sent back',
].join('\n');

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Without a preview that was refused because others were running: it is asked for again. */
const unexpected = (complaints: readonly string[]) => complaints.filter((one) => !one.includes('status of 429'));

/** The wizard says how its import goes, and the list below it says the same of that run. */
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

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
    ['Product', 'Connect'],
    ['Currency', 'EUR'],
  ] as const) {
    await choose(page, `${field} comes from`, 'Same for all rows');
    const label = `${field}: text for all rows`;
    if (field === 'Product') await choose(page, label, text);
    else await page.getByRole('textbox', { name: label }).fill(text);
  }
  await choose(page, 'Gross comes from', 'A number as text');
  await page.getByText('1.234,50', { exact: true }).click();
  await choose(page, 'Status comes from', 'Replace values');
  await choose(page, 'Status: column', 'Kind');
  await page.getByRole('button', { name: 'Add a value' }).click();
  await page.getByRole('textbox', { name: 'Status: value 1 in the file' }).fill('sold');
  await choose(page, 'Status: import value 1 as', 'Completed');
  await choose(page, 'Status: all other values become', 'Canceled');
  await page.getByText('1299', { exact: false }).first().waitFor();
  await page.getByText(/^Line 4: isn’t a date/).waitFor();

  await page.getByRole('button', { name: 'Dry run' }).click();
  await told(page, 'Dry run, nothing saved: 4 rows read, 3 new, 0 changed');
  expect(await storedRows()).toEqual([]);

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Imported: 4 rows read, 3 added, 0 changed, 0 unchanged, 1 refused.');
  expect((await storedRows()).map(({ status }) => status)).toEqual(['completed', 'completed', 'cancelled']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download 1 refused row' }).click(),
  ]);
  expect((await bytesOf(download)).toString()).toContain('a3;O-2;the day after');

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Imported: 4 rows read, 0 added, 0 changed, 3 unchanged');
  await settled(page);
  expect(unexpected(complaints)).toEqual([]);
  await close();
});

test('an Excel workbook is previewed sheet by sheet and imported, alone or in a zip', async () => {
  const heads = ['Id', 'Order ref', 'Date and time', 'Country', 'Gross', 'Product', 'Currency', 'Status'];
  const rowOf = (id: string) => [id, `O-${id}`, '2026-03-02T10:00:00Z', 'NL', 10.5, 'connect', 'EUR', 'completed'];
  const many = Array.from({ length: 20_000 }, (_, at) => rowOf(`x${at}`).map((cell) => `${cell}${at * 7919}`));
  const book = makeWorkbook({
    sheets: [
      { name: 'Lists', data: rowsOfCells([['Code', 'Name'], ['a', 'b'], ...many]) },
      { name: 'Orders', data: rowsOfCells([['Orders of March'], heads, rowOf('e1'), rowOf('e2')]) },
    ],
  });
  expect(book.length).toBeGreaterThan(500_000);
  const { page, close, complaints } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=import');
  const input = page.locator('input[type=file]');
  await input.setInputFiles({
    name: 'Old.xls',
    mimeType: '',
    buffer: Buffer.from('d0cf11e0a1b11ae1'.padEnd(2048, '0'), 'hex'),
  });
  await page.getByText('The file is an old Excel file (.xls). Save it as .xlsx or CSV').waitFor();
  const zipped = makeZip([{ name: 'Excel orders.xlsx', content: book }]);
  for (const [name, buffer] of [
    ['Zipped orders.zip', zipped],
    ['Excel orders.xlsx', book],
  ] as const) {
    await input.setInputFiles({ name, mimeType: '', buffer });
    // Until its start is read, the file before is still shown.
    await page.getByText(name, { exact: true }).waitFor();
    await page.getByText('read as Excel, sheet “Lists”, 8 columns').waitFor();
  }
  await choose(page, 'Sheet', 'Orders');
  await page.getByText('read as Excel, sheet “Orders”, 8 columns').waitFor();
  await page.getByText('Line 1: Orders of March').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Imported: 2 rows read, 2 added, 0 changed, 0 unchanged, 0 refused.');
  const rows = await server.sql("select external_id, gross::text from orders where source = 'excel-orders' order by 1");
  expect(rows).toEqual(['e1', 'e2'].map((id) => ({ external_id: id, gross: '105000' })));
  await settled(page);
  // The old file.
  expect(unexpected(complaints)).toEqual([expect.stringContaining('status of 400')]);
  await close();
});

test('a saved mapping is there for the next file, as it was saved', async () => {
  const { page, close } = await visit(server.url, 'admin');
  await page.goto('/tools?tab=import');
  await choose(page, 'Mapping', 'spring-orders');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'Summer.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('combobox', { name: 'Status: all other values become' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Source' }).inputValue()).toBe('spring-orders');
  expect(await page.getByRole('combobox', { name: 'Product: text for all rows' }).inputValue()).toBe('Connect');
  await close();
});

/** A new import of a file by the mapping that was saved. */
async function open(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.goto('/tools?tab=import');
  await choose(page, 'Mapping', 'spring-orders');
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

const header = 'Id;Order ref;Date and time;Country;Gross;Kind;Note';
const line = (id: string, note = '') => `${id};O-${id};2026-03-02T10:00:00Z;NL;10,50;sold;${note}`;
const runsOf = (name: string) =>
  server.sql<{ state: string; stopping: boolean }>(
    'select state, seen_at > stop_asked_at as stopping from import_runs where file_name = $1 order by id',
    [name],
  );
/**
 * The first batch of orders waits on its way into the database until this ends, while the second one is read.
 */
async function holdBatches(): Promise<pg.Client> {
  const held = new pg.Client({ connectionString: server.databaseUrl });
  await held.connect();
  await held.query('begin');
  await held.query('lock table orders in share mode');
  // Also of a test that failed: every import after it would wait.
  onTestFinished(() => held.end());
  return held;
}

const stopped = 'Import stopped: 5,000 rows read, 5,000 added, 0 changed, 0 unchanged, 0 refused.';
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('an import is stopped with the keyboard while rows are read: what came in stays, and run again it goes on', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  const rows = Array.from({ length: 12_500 }, (_, at) => line(`b${at}`));
  const held = await holdBatches();
  await open(page, 'Autumn.csv', Buffer.from([header, ...rows].join('\n')));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Import: 5,000 rows read');
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await told(page, 'Stopping…');
  await expect.poll(() => runsOf('Autumn.csv')).toEqual([{ state: 'running', stopping: true }]);
  await held.end();
  await told(page, stopped);
  await expect.poll(() => focused(page)).toContain(stopped);
  await expect.poll(() => page.getByRole('button', { name: 'Run again' }).isEnabled()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Run again');
  await page.keyboard.press('Enter');
  await told(page, 'Imported: 12,500 rows read, 7,500 added, 0 changed, 5,000 unchanged');
  expect((await runsOf('Autumn.csv')).map(({ state }) => state)).toEqual(['stopped', 'done']);
  expect(unexpected(complaints)).toEqual([]);
  await close();
});

test('an import that was lost sight of is found among the last ones, and stopped there', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  const rows = Array.from({ length: 12_500 }, (_, at) => line(`d${at}`));
  const held = await holdBatches();
  await open(page, 'Spring.csv', Buffer.from([header, ...rows].join('\n')));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Import: 5,000 rows read');
  await page.reload();
  const run = page.getByRole('row').filter({ hasText: 'Spring.csv' });
  await run.getByText('5,000 rows read').waitFor();
  await run.getByRole('progressbar', { name: 'Progress of Spring.csv' }).waitFor();
  await run.getByText('Orders · spring-orders · Wizard').waitFor();
  await run.getByRole('button', { name: 'Stop Spring.csv' }).press('Enter');
  await run.getByText('5,000 rows read, stopping…').waitFor();
  await expect.poll(() => runsOf('Spring.csv')).toEqual([{ state: 'running', stopping: true }]);
  await held.end();
  const ended = 'Stopped. Imported rows stay. Import the file again to add the rest';
  await run.getByText(ended).waitFor();
  await expect.poll(() => focused(page)).toContain(ended);
  expect(await page.getByRole('progressbar').count()).toBe(0);
  expect(await page.getByRole('row').nth(1).textContent()).toContain('Spring.csv');
  await settled(page);
  expect(unexpected(complaints)).toEqual([]);
  await close();
});

test('a file is stopped while it is being sent: nothing is imported, and it can be sent again', async () => {
  const { page, context, close, complaints } = await visit(server.url, 'admin');
  const rows = Array.from({ length: 400 }, (_, at) => line(`c${at}`, 'x'.repeat(5_000)));
  await open(page, 'Winter.csv', Buffer.from([header, ...rows].join('\n')));
  await page.getByRole('combobox', { name: 'Country: column', exact: true }).waitFor();
  await settled(page);
  const network = await context.newCDPSession(page);
  const slowly = (bytesInSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput: bytesInSecond,
    });
  await slowly(50_000);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Sending Winter.csv' }).waitFor();
  expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  const nothing = 'Stopped during upload. Nothing was imported.';
  await told(page, nothing);
  await expect.poll(() => focused(page)).toBe(nothing);
  await slowly(-1);
  expect(await runsOf('Winter.csv')).toEqual([]);
  await page.getByRole('button', { name: 'Run again' }).click();
  await told(page, 'Imported: 400 rows read, 400 added');
  expect((await runsOf('Winter.csv')).map(({ state }) => state)).toEqual(['done']);
  expect(unexpected(complaints)).toEqual([]);
  await close();
});

test('an import is undone from the list, after it said what goes, and a file of another source asks before it doubles', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  const buffer = Buffer.from([header, ...[1, 2, 3].map((at) => line(`e${at}`))].join('\n'));
  await open(page, 'Undone.csv', buffer);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await told(page, 'Imported: 3 rows read, 3 added');
  const source = page.getByRole('textbox', { name: 'Source' });
  await source.fill('other-shop');
  await page.getByRole('textbox', { name: 'Mapping name' }).fill('other-shop');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page
    .getByText('These rows, or earlier versions of them, seem to have been imported already and would count twice')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Import anyway' }).press('Enter');
  await told(page, 'Imported: 3 rows read, 3 added');
  const rowsOf = async (name: string) =>
    (
      await server.sql<{ count: string }>(
        "select count(*)::text from orders where external_id in ('e1', 'e2', 'e3') and source = $1",
        [name],
      )
    )[0]!.count;
  expect([await rowsOf('spring-orders'), await rowsOf('other-shop')]).toEqual(['3', '3']);
  const run = page.getByRole('row').filter({ hasText: 'Orders · other-shop · Wizard' });
  await run.getByRole('button', { name: 'Undo Undone.csv' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Undo Undone.csv?' });
  await dialog.getByText('Removes 3 rows that this import added.').waitFor();
  await dialog.getByRole('button', { name: 'Undo import' }).press('Enter');
  await run.getByText(/^Undone .+ by /).waitFor();
  expect([await rowsOf('spring-orders'), await rowsOf('other-shop')]).toEqual(['3', '0']);
  expect(await run.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  // Asked before it is sent, it isn't refused.
  expect(unexpected(complaints)).toEqual([]);
  await close();
});
