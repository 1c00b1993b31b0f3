// The guidelines: an admin writes and publishes, a reader sees what changed and confirms, nobody's work is
// written over.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message } from './board.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const address = '/top-5/tools/guidelines';
let server: TestServer;
let admin: Visitor;
let reader: Visitor;

beforeAll(async () => {
  server = await startServer();
  admin = await visit(server.url, 'admin');
  reader = await visit(server.url, 'staff');
});
afterAll(() => server.stop());

const open = async ({ page }: Visitor, query = '') => {
  await page.goto(`${address}${query}`);
  await page.getByRole('heading', { name: 'Top 5 Guidelines', level: 1 }).waitFor();
  await settled(page);
};

test('who may not read them is told so, and a reader is offered neither the editor nor the list of readers', async () => {
  const sales = await visit(server.url, 'sales');
  await sales.page.goto(address);
  await sales.page.getByText("You don't have permission for this page").waitFor();
  await sales.close();
  await open(reader, '?edit=1');
  await reader.page.getByRole('heading', { name: 'How we work with S.T.A.R.T' }).waitFor();
  expect(await reader.page.getByRole('button', { name: 'Edit the guidelines' }).count()).toBe(0);
  expect(await reader.page.getByRole('textbox', { name: 'Text' }).count()).toBe(0);
  expect(await reader.page.getByText('Who has confirmed version 2').count()).toBe(0);
});

test('every status of the core stands there with its title, whatever the text says', async () => {
  const rows = reader.page.getByRole('region', { name: 'What each status means' }).getByRole('term');
  expect(await rows.allInnerTexts()).toEqual([
    'Awaiting Approval',
    'Task Denied',
    'To Do',
    'In Progress',
    'Completed',
    'Signed Off',
  ]);
});

test('a reader sees what changed since the version confirmed last, and confirms the one that holds', async () => {
  const { page } = reader;
  await page.getByText('You haven’t confirmed version 2 yet.').waitFor();
  await page.getByRole('button', { name: 'Show what changed since version 1' }).click();
  await page.locator('ins', { hasText: 'marked as extra' }).first().waitFor();
  await page.getByRole('button', { name: 'Show the whole text' }).click();
  await page.getByRole('button', { name: 'Confirm version 2' }).click();
  await message(page, 'You confirmed version 2').waitFor();
  await page.getByText('You confirmed this version on').waitFor();
  await page.reload();
  await page.getByText('You confirmed this version on').waitFor();
});

test('an earlier version can be read, with its difference from the one that holds', async () => {
  const { page } = reader;
  await open(reader, '?version=1');
  await page.getByText('Write your tasks before Monday 10:00, or on Monday morning.').waitFor();
  await page.getByText('What changed since').click();
  await page.locator('del', { hasText: '10:00, or on Monday morning' }).first().waitFor();
  await page.getByRole('button', { name: 'Read version 2' }).click();
  await page.getByText('You confirmed this version on').waitFor();
});

test('the editor finds who has not confirmed, by numbers and by name', async () => {
  const { page } = admin;
  await open(admin);
  const readers = page.getByRole('region', { name: /^Who has confirmed version 2/ });
  const heading = readers.getByRole('heading', { name: /\d+ of \d+/ });
  const [confirmed, everyone] = (await heading.innerText()).match(/\d+(?= of)|(?<=of )\d+/g)!.map(Number);
  expect(confirmed).toBeGreaterThan(1);
  await readers.getByText(`Not yet (${everyone! - confirmed!})`).waitFor();
  await readers.getByRole('searchbox', { name: 'Find a person' }).fill('papadaki');
  await readers.getByRole('row', { name: /Sofia Papadaki/ }).waitFor();
  await readers.getByRole('row', { name: /Anneke de Vries/ }).waitFor({ state: 'detached' });
  await readers.getByRole('searchbox', { name: 'Find a person' }).fill('hoffmann');
  await readers.getByText('No one matches “hoffmann”').waitFor();
  await readers.getByText(`Confirmed (${confirmed})`, { exact: true }).click();
  await readers.getByRole('row', { name: /Lena Hoffmann/ }).waitFor();
});

const written = '# Rules\n\n<script>alert(1)</script>\n\n[bad](javascript:alert(1)) and **five** tasks.';

test('what is written shows beside it as readers will see it, and scripts show as text', async () => {
  const { page } = admin;
  await open(admin);
  await page.getByRole('button', { name: 'Edit the guidelines' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(written);
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('heading', { name: 'Rules' }).waitFor();
  await preview.getByText('<script>alert(1)</script>').waitFor();
  expect(await preview.getByRole('link').count()).toBe(0);
  expect(await preview.locator('script').count()).toBe(0);
});

test('a draft is kept over a reload, and nothing is published without a note of what changed', async () => {
  const { page } = admin;
  await page.reload();
  await page.getByText('your draft').waitFor();
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(written);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Say in one sentence what changed').waitFor();
});

test('a second admin’s version is not written over: what changed is shown first', async () => {
  const { page } = admin;
  const second = await visit(server.url, 'admin');
  await open(second, '?edit=1');
  const text = second.page.getByRole('textbox', { name: 'Text' });
  await text.fill((await text.inputValue()).replace('Plan five tasks a week.', 'Plan five good tasks a week.'));
  await second.page.getByLabel('What changed').fill('Asks for good ones');
  await second.page.getByRole('button', { name: 'Publish' }).click();
  await message(second.page, 'Version 3 published').waitFor();
  await second.close();
  await page.getByLabel('What changed').fill('Shorter');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('heading', { name: 'Someone published version 3' }).waitFor();
  await page.locator('ins', { hasText: 'good' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(written);
  await page.getByRole('button', { name: 'Continue with my text' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await message(page, 'Version 4 published').waitFor();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
});

test('a reader is asked to confirm the new version', async () => {
  await open(reader);
  await reader.page.getByText('You haven’t confirmed version 4 yet.').waitFor();
  await reader.page.getByText('<script>alert(1)</script>').waitFor();
});

test('nobody’s page complained but of the refusal', () => {
  expect(reader.complaints).toEqual([]);
  expect(admin.complaints.filter((line) => !line.startsWith('CONFLICT'))).toEqual([]);
});
