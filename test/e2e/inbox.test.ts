// An approver clears the inbox with one hand on the keyboard; the mouse is never touched.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxOf, message } from './board.ts';
import { tokenOf, type Visitor, visit } from './browser.ts';
import { emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let approver: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  await fillInbox();
  approver = await visit(server.url, 'approver');
  page = approver.page;
  await inboxOf(page).open();
  await rows().nth(4).waitFor();
});
afterAll(() => server.stop());

/** How many tasks wait in the demo company depends on the hour: four more to approve, and one to sign off. */
async function fillInbox(): Promise<void> {
  const [staff, approves] = await Promise.all([tokenOf(server.url, 'staff'), tokenOf(server.url, 'approver')]);
  const call = async (token: string, mutation: string) => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: `mutation { done: ${mutation} { id } }` }),
    });
    return ((await answer.json()) as { data: { done: { id: string } } }).data.done.id;
  };
  const [{ id: owner } = { id: '' }] = await server.sql<{ id: string }>('select id from people where email = $1', [
    emailOf('staff'),
  ]);
  const made: string[] = [];
  for (const title of [
    'Check the price list',
    'Call the printer',
    'Write the summary',
    'Order labels',
    'Close the books',
  ])
    made.push(await call(staff, `createTask(userId: "${owner}", title: "${title}")`));
  await call(approves, `updateTask(id: "${made[0]}", status: TODO)`);
  await call(staff, `updateTask(id: "${made[0]}", status: INREVIEW)`);
}

const queue = () => page.getByRole('list', { name: /^To (approve|sign off)$/ });
const rows = () => queue().getByRole('listitem');
const selected = () => queue().locator('button[aria-current="true"]');
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

async function rowCountIs(count: number): Promise<void> {
  if (count > 0)
    await rows()
      .nth(count - 1)
      .waitFor();
  await rows().nth(count).waitFor({ state: 'detached' });
}

test('J and K move through what waits, and Enter opens the task to read', async () => {
  const first = await selected().getAttribute('data-row');
  await press('j', 'j');
  const third = await rows().nth(2).getByRole('button').getAttribute('data-row');
  await expect.poll(() => selected().getAttribute('data-row')).toBe(third);
  await press('k', 'k');
  await expect.poll(() => selected().getAttribute('data-row')).toBe(first);
  await press('j', 'k', 'Enter');
  const heading = page.getByRole('article').getByRole('heading', { level: 2 });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  await press('Escape');
});

test('a double-click on Approve decides the task on screen and not the one that follows it, and U takes it back', async () => {
  const before = await rows().count();
  const decided = await selected().getAttribute('data-row');
  const next = await rows().nth(1).getByRole('button').getAttribute('data-row');
  const decisions = callsOf('decideTasks');
  await page.getByRole('button', { name: 'Approve', exact: true }).dblclick();
  await rowCountIs(before - 1);
  await expect.poll(() => selected().getAttribute('data-row')).toBe(next);
  await message(page, /approved$/).waitFor();
  expect(await statusOf(decided)).toBe('TODO');
  await press('u');
  await rowCountIs(before);
  await expect.poll(() => selected().getAttribute('data-row')).toBe(decided);
  expect(decisions.count).toBe(1);
});

test('D asks for the reason, Ctrl+Enter sends it, the next task is selected and U takes it back', async () => {
  const before = await rows().count();
  const next = await rows().nth(1).getByRole('button').getAttribute('data-row');
  const denied = await selected().getAttribute('data-row');
  await press('d');
  await page.keyboard.type('Say how one sees that it is done');
  await press('Control+Enter');
  await rowCountIs(before - 1);
  await expect.poll(() => selected().getAttribute('data-row')).toBe(next);
  // The row leaves before the server has answered.
  await message(page, /denied$/).waitFor();
  expect(await statusOf(denied)).toBe('DENIED');
  await press('u');
  await rowCountIs(before);
  await expect.poll(() => selected().getAttribute('data-row')).toBe(denied);
});

test('X selects several, A approves them in one call and U takes all of them back', async () => {
  const before = await rows().count();
  const decisions = callsOf('decideTasks');
  await press('x', 'j', 'x', 'j', 'x');
  await page.getByText('3 selected').waitFor();
  await press('a');
  await message(page, '3 approved').waitFor();
  await rowCountIs(before - 3);
  expect(decisions.count).toBe(1);
  await press('u');
  await rowCountIs(before);
});

test('on a phone every row has its checkbox, and the message about a decision covers no button of the next', async () => {
  const visitor = await visit(server.url, 'approver', { width: 390, height: 844, touch: true });
  await inboxOf(visitor.page).open();
  const row = visitor.page.getByRole('list', { name: /^To (approve|sign off)$/ }).getByRole('listitem');
  const box = row.first().getByRole('checkbox');
  expect(await box.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  const decided = await row.first().getByRole('button').getAttribute('data-row');
  const before = await statusOf(decided);
  await row.first().getByRole('button').tap();
  await visitor.page.getByRole('button', { name: /^(Approve|Sign off)$/ }).tap();
  const undo = message(visitor.page, /(approved|signed off)$/)
    .locator('..')
    .getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  const bar = visitor.page.locator('[data-at-foot]');
  const gap = async () => {
    const [above, below] = await Promise.all([undo.locator('..').boundingBox(), bar.boundingBox()]);
    return below!.y - above!.y - above!.height;
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
  await visitor.page.getByRole('button', { name: /^(Deny|Send back)$/ }).tap();
  await visitor.page.getByRole('textbox', { name: /^What should/ }).waitFor();
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
  expect(await statusOf(decided)).not.toBe(before);
  await undo.tap();
  await expect.poll(() => statusOf(decided)).toBe(before);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('A, again and again, goes from what is to approve on to what is to sign off, until nothing waits', async () => {
  const nothing = page.getByRole('main').getByText('You’re all caught up').first();
  // A press that comes too soon after the one before decides nothing, and the page asks for it again. What the
  // test before took back may still be on its way to this page, so the rows are not counted ahead.
  while (!(await nothing.isVisible())) await press('a');
  await page.waitForFunction(() => !document.title.startsWith('('));
  expect(approver.complaints).toEqual([]);
});

/** Counts the calls of one mutation from now on. */
function callsOf(mutation: string) {
  const calls = { count: 0 };
  page.on('request', (request) => {
    if (request.postData()?.includes(mutation)) calls.count += 1;
  });
  return calls;
}

async function statusOf(taskId: string | null): Promise<string | undefined> {
  const [task] = await server.sql<{ status: string }>('select status from tasks where id = $1', [taskId]);
  return task?.status;
}
