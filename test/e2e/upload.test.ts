// Files of a task over a connection that breaks.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardOf } from './board.ts';
import { bytesOf, type Visitor, visit } from './browser.ts';
import { type Cable, layCable } from './cable.ts';
import { startServer, type TestServer } from './server.ts';

const title = 'Collect the receipts';
const receipts = Buffer.from('One line of a receipt, as long as any other.\n'.repeat(60_000));

let server: TestServer;
let cable: Cable;
let owner: Visitor;
let panel: Locator;

beforeAll(async () => {
  server = await startServer();
  cable = await layCable(server.url);
  owner = await visit(cable.url, 'staff');
  const board = boardOf(owner.page);
  await board.open();
  await board.create({ title });
  panel = await board.openTask(title);
});
afterAll(async () => {
  await owner.close();
  await cable.close();
  await server.stop();
});

const attach = (name: string, buffer: Buffer) =>
  panel.getByLabel('Choose files').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
const row = (name: string) => panel.getByRole('listitem').filter({ hasText: name });

async function attachmentCount(): Promise<number | undefined> {
  const [found] = await server.sql<{ count: number }>(
    'select count(*)::int from task_attachments join tasks on tasks.id = task_id where title = $1',
    [title],
  );
  return found?.count;
}

test('a file of a type that is not taken is refused with words, and never sent', async () => {
  await attach('tool.exe', Buffer.from('MZ'));
  await row('tool.exe')
    .getByText('This file type isn’t allowed. Use PNG, JPEG, GIF, WebP, AVIF, PDF, Office, text, zip, MP4 or WebM')
    .waitFor();
  expect(await row('tool.exe').getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await row('tool.exe').getByRole('button', { name: 'Remove tool.exe from the list' }).click();
  await row('tool.exe').waitFor({ state: 'detached' });
});

test('a file that is too large is refused with the limit', async () => {
  await attach('film.mp4', Buffer.alloc(25_000_001));
  await row('film.mp4').getByText('The file is too large. The limit is 25 MB').waitFor();
  expect(await row('film.mp4').getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('a file whose content is not what its name says is refused by the server', async () => {
  await attach('picture.png', Buffer.from('This is no picture'));
  await row('picture.png').getByRole('alert').waitFor();
  expect(await row('picture.png').getByRole('alert').innerText()).not.toBe('');
  expect(await attachmentCount()).toBe(0);
});

test('an upload that breaks stays on its row with Try again, which leaves exactly one file', async () => {
  cable.breakAfter(500_000);
  await attach('receipts.txt', receipts);
  const retry = row('receipts.txt').getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  expect(await row('receipts.txt').getByRole('alert').innerText()).not.toBe('');
  expect(await attachmentCount()).toBe(0);
  cable.mend();
  await retry.click();
  await row('receipts.txt').getByRole('button', { name: 'Download receipts.txt' }).waitFor();
  await panel.getByRole('heading', { name: 'Files 1' }).waitFor();
  // The task can have the file a moment before the upload has its answer.
  await expect.poll(() => row('receipts.txt').count()).toBe(1);
  expect(await attachmentCount()).toBe(1);
});

test('the file that came through is the file that was sent', async () => {
  const [download] = await Promise.all([
    owner.page.waitForEvent('download'),
    row('receipts.txt').getByRole('button', { name: 'Download receipts.txt' }).click(),
  ]);
  expect((await bytesOf(download)).equals(receipts)).toBe(true);
});

test('a file goes on its way while its panel is closed', async () => {
  await attach('closed.txt', receipts);
  await owner.page.keyboard.press('Escape');
  panel = await boardOf(owner.page).openTask(title);
  await row('closed.txt').getByRole('button', { name: 'Download closed.txt' }).waitFor();
});
