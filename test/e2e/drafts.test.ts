// Whatever fails, no typed text is lost (D14, D28).
import { randomUUID } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardOf } from './board.ts';
import { visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** From now on every call of this name gets the answer instead of the server's. */
async function answer(page: Page, call: string, how: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/graphql', (route, request) =>
    request.postData()?.includes(call) ? how(route) : route.fallback(),
  );
}

const refuseWith = (code: string, message: string) => (route: Route) =>
  route.fulfill({ json: { data: null, errors: [{ message, extensions: { code, statusCode: 500 } }] } });

test('a save that fails for a reason that nobody can mend leads to /error, and the way back opens the draft', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await boardOf(page).open();
  await answer(page, 'createTask', refuseWith('INTERNAL', 'Something went wrong'));
  await page.getByRole('button', { name: 'New task' }).first().click();
  const form = page.getByRole('dialog', { name: 'New task' });
  await form.getByLabel('Title').fill('Survives the error page');
  await form.getByLabel('Summary').fill('With every word of it');
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await page.getByRole('heading', { level: 1, name: "You don't have permission for this application" }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/error');
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Back to where you were' }).click();
  await page.waitForURL('**/top-5/tasks');
  expect(await form.getByLabel('Title').inputValue()).toBe('Survives the error page');
  expect(await form.getByLabel('Summary').inputValue()).toBe('With every word of it');
  await page.goBack();
  await form.waitFor({ state: 'detached' });
  await page.goBack();
  await page.waitForURL('**/error');
  await page.goBack();
  expect(await form.getByLabel('Title').inputValue()).toBe('Survives the error page');
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await boardOf(page).cardIn('Awaiting Approval', 'Survives the error page').waitFor();
  await page.getByRole('button', { name: 'New task' }).first().click();
  expect(await form.getByLabel('Title').inputValue()).toBe('');
  await close();
});

test('a call that does not reach the server keeps the form open with its words, and goes through afterwards', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await boardOf(page).open();
  await answer(page, 'createTask', (route) => route.abort());
  await page.getByRole('button', { name: 'New task' }).first().click();
  const form = page.getByRole('dialog', { name: 'New task' });
  await form.getByLabel('Title').fill('Survives a broken line');
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await form.getByRole('alert').waitFor();
  expect(await form.getByLabel('Title').inputValue()).toBe('Survives a broken line');
  await page.unrouteAll();
  await form.getByRole('button', { name: 'Send for approval' }).click();
  await boardOf(page).cardIn('Awaiting Approval', 'Survives a broken line').waitFor();
  await close();
});

test('a task and a note whose answers got lost are there once, and their drafts are gone after a reload', async () => {
  const { page, close } = await visit(server.url, 'staff');
  const board = boardOf(page);
  await board.open();
  // The server has it, and the page doesn't know.
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  // Otherwise the page may find it before it is reloaded, as soon as the connection is back.
  const loseAll = async (call: string) => {
    await answer(page, call, lose);
    await answer(page, 'callResult', (route) => route.abort());
  };
  const reload = async () => {
    await page.reload({ waitUntil: 'commit' });
    await page.unrouteAll();
  };
  await loseAll('createTask');
  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: 'New task' });
  await form.getByLabel('Title').fill('Its answer got lost');
  await form.getByLabel('Title').press('Enter');
  await form.getByRole('alert').waitFor();
  await reload();
  await board.cardIn('Awaiting Approval', 'Its answer got lost').waitFor();
  await page.keyboard.press('c');
  await page.getByText('“Its answer got lost” sent for approval').waitFor();
  expect(await form.getByLabel('Title').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  expect(await board.card('Its answer got lost').count()).toBe(1);
  const panel = await board.openTask('Its answer got lost');
  await loseAll('addNoteToTask');
  await panel.getByLabel('New note').fill('So did its note’s');
  await panel.getByLabel('New note').press('Control+Enter');
  await panel.getByRole('alert').waitFor();
  await reload();
  await page.getByText('“So did its note’s” was added').waitFor();
  expect(await panel.getByLabel('New note').inputValue()).toBe('');
  expect(await panel.getByRole('listitem').filter({ hasText: 'So did its note’s' }).count()).toBe(1);
  await close();
});

test('a draft that one tab sends leaves the form of the other', async () => {
  const { page, context, close } = await visit(server.url, 'staff');
  const openForm = async (tab: Page) => {
    await boardOf(tab).open();
    await tab.keyboard.press('c');
    return tab.getByRole('dialog', { name: 'New task' }).getByLabel('Title');
  };
  const title = await openForm(page);
  await title.fill('Sent by one of two tabs');
  await page.reload();
  await openForm(page);
  const other = await context.newPage();
  const otherTitle = await openForm(other);
  expect(await otherTitle.inputValue()).toBe('Sent by one of two tabs');
  await title.press('Enter');
  await other.getByText('“Sent by one of two tabs” was sent in another tab').waitFor();
  expect(await otherTitle.inputValue()).toBe('');
  await close();
});

test('a note that is half written survives a reload', async () => {
  const { page, close } = await visit(server.url, 'staff');
  const board = boardOf(page);
  await board.open();
  await board.create({ title: 'Keep my half note' });
  const panel = await board.openTask('Keep my half note');
  await panel.getByLabel('New note').fill('Half a sent');
  await page.reload();
  expect(await panel.getByLabel('New note').inputValue()).toBe('Half a sent');
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.keyboard.type('ence');
  expect(await panel.getByLabel('New note').inputValue()).toBe('Half a sentence');
  await close();
});

test('who stays instead of signing out is where they were, by button, by key and by Back, and drafts are kept', async () => {
  const { page, close } = await visit(server.url, 'staff');
  const title = 'Kept by staying';
  await boardOf(page).open();
  await boardOf(page).create({ title });
  const panel = await boardOf(page).openTask(title);
  await panel.getByLabel('New note').fill('Half a sent');
  const at = page.url();
  await panel.getByRole('button', { name: 'Close' }).click();
  await panel.waitFor({ state: 'detached' });
  const question = page.getByRole('dialog', { name: /^Sign out and delete/ });
  for (const stay of ['Enter', 'Escape', 'Back']) {
    await page.getByRole('link', { name: 'Logout' }).click();
    // A key before that is not for the question.
    await question.getByRole('button', { name: 'Stay signed in' }).and(page.locator(':focus')).waitFor();
    await (stay === 'Back' ? page.goBack() : page.keyboard.press(stay));
    await question.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor();
  }
  await page.goto('/logout');
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await page.goto(at);
  expect(await panel.getByLabel('New note').inputValue()).toBe('Half a sent');
  await close();
});

test('of two tabs that change the same text the second is asked, and loses nothing', async () => {
  const { page, context, close } = await visit(server.url, 'staff');
  const title = 'Two tabs, one title';
  await boardOf(page).open();
  await boardOf(page).create({ title });
  const other = await context.newPage();
  await boardOf(other).open();
  const otherPanel = await boardOf(other).openTask(title);
  const panel = await boardOf(page).openTask(title);
  await panel.getByRole('button', { name: 'Edit title' }).click();
  await panel.getByLabel('Title').fill('Mine');
  await otherPanel.getByRole('button', { name: 'Edit title' }).click();
  await otherPanel.getByLabel('Title').fill('Theirs');
  await otherPanel.getByLabel('Title').press('Enter');
  await otherPanel.getByRole('heading', { level: 2, name: 'Theirs' }).waitFor();
  await panel.getByLabel('Title').press('Enter');
  const conflict = panel.getByRole('group', { name: /changed this/ });
  await conflict.getByText('Theirs').waitFor();
  expect(await panel.getByLabel('Title').inputValue()).toBe('Mine');
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await panel.getByRole('heading', { level: 2, name: 'Mine' }).waitFor();
  await otherPanel.getByRole('heading', { level: 2, name: 'Mine' }).waitFor();
  await close();
});

test('a database out of reach is said in place, and the page fills by itself when it is back', async () => {
  const { page, close } = await visit(server.url, 'staff');
  let out = true;
  const unavailable = 'The server can’t reach its database. Try again in a moment';
  await page.route('**/graphql', (route) =>
    out
      ? route.fulfill({
          status: 200,
          json: {
            data: null,
            errors: [{ message: unavailable, extensions: { code: 'UNAVAILABLE', statusCode: 503 } }],
          },
        })
      : route.fallback(),
  );
  await page.goto('/top-5/tasks');
  await page.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor();
  out = false;
  await page.getByRole('list', { name: 'To Do' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/top-5/tasks');
  await close();
});

test('a lost connection is told by a banner that goes when the line is back, and the words stay meanwhile', async () => {
  const { page, context, close } = await visit(server.url, 'staff');
  const board = boardOf(page);
  await board.open();
  const title = `Written before the cut ${randomUUID()}`;
  await board.create({ title });
  const panel = await board.openTask(title);
  // What the panel shows has arrived, and its code with it.
  await panel.getByLabel('New note').waitFor();
  await context.setOffline(true);
  await panel.getByLabel('New note').fill('Written in the tunnel');
  await panel.getByRole('button', { name: 'Add note' }).click();
  const banner = page.getByText('Connection lost. Reconnecting');
  await banner.waitFor();
  expect(await panel.getByLabel('New note').inputValue()).toBe('Written in the tunnel');
  await context.setOffline(false);
  await panel.getByRole('button', { name: 'Add note' }).click();
  await panel.getByRole('listitem').getByText('Written in the tunnel').waitFor();
  await banner.waitFor({ state: 'detached' });
  await close();
});
