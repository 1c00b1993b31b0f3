import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visit } from './browser.ts';
import { demoPassword, emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function signInByForm(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a wrong password is refused under its field, which takes the focus', async () => {
  const { page, close } = await visit(server.url, null);
  await page.goto('/');
  await signInByForm(page, emailOf('staff'), 'not the password');
  const password = page.getByLabel('Password');
  await page.getByText('Wrong email or password').waitFor();
  const described = await password.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).innerText()).toBe('Wrong email or password');
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/');
  await close();
});

test('an unknown account is refused in the same words as a wrong password', async () => {
  const { page, close } = await visit(server.url, null);
  await page.goto('/');
  await signInByForm(page, 'nobody@demo.test');
  await page.getByText('Wrong email or password').waitFor();
  await close();
});

test('a visitor who is not signed in is sent to / with the wanted page, and after signing in back to it', async () => {
  const { page, close } = await visit(server.url, null);
  await page.goto('/top-5/tasks?sprint=next');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const address = new URL(page.url());
  expect(address.pathname).toBe('/');
  expect(address.searchParams.get('goto')).toBe('/top-5/tasks?sprint=next');
  await signInByForm(page, emailOf('staff'));
  await page.waitForURL('**/top-5/tasks?sprint=next');
  await page.getByRole('heading', { name: 'My tasks' }).waitFor();
  await close();
});

test('signing in without a wanted page begins in the field for the email and leads to /dashboard', async () => {
  const { page, close, complaints } = await visit(server.url, null);
  await page.goto('/');
  const email = page.getByLabel('Email');
  await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
  await signInByForm(page, emailOf('top5'));
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a wanted page on another site is forgotten', async () => {
  const { page, close } = await visit(server.url, null);
  await page.goto('/?goto=//example.com/dashboard');
  await signInByForm(page, emailOf('staff'));
  await page.waitForURL(`${server.url}/dashboard`);
  await close();
});

test('a demo person signs in with one click, and a visitor of / who is signed in goes home', async () => {
  const { page, close, complaints } = await visit(server.url, null);
  await page.goto('/');
  await page.getByRole('button', { name: 'Lena Hoffmann' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/');
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('logging out drops the session in all tabs of the browser at once, without a request', async () => {
  const { page, context, answered, close } = await visit(server.url, 'staff');
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  const other = await context.newPage();
  await other.goto('/top-5/tasks');
  await other.getByRole('heading', { name: 'My tasks' }).waitFor();
  // What the pages themselves read is over by then.
  await answered();
  const calls: string[] = [];
  context.on('request', (request) => {
    if (request.method() !== 'GET') calls.push(request.url());
  });
  await page.getByRole('link', { name: 'Logout' }).click();
  for (const tab of [page, other]) {
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/');
  }
  expect(calls).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await close();
});

test('a tab signed out by another one says so, and goes on with its page when the browser has signed in again', async () => {
  const { page, context, close } = await visit(server.url, 'staff');
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  const other = await context.newPage();
  await other.goto('/top-5/tasks?view=list');
  await other.getByRole('heading', { name: 'My tasks' }).waitFor();
  await page.getByRole('link', { name: 'Logout' }).click();
  await other.getByText('You signed out in another tab.').waitFor();
  expect(new URL(other.url()).searchParams.get('goto')).toBe('/top-5/tasks?view=list');
  await signInByForm(page, emailOf('staff'));
  await other.getByRole('heading', { name: 'My tasks' }).waitFor();
  expect(new URL(other.url()).search).toBe('?view=list');
  await close();
});

test('five minutes before its hour ends the session offers to go on, over the page', async () => {
  const { page, close } = await visit(server.url, null);
  await page.clock.install();
  await page.goto('/');
  await signInByForm(page, emailOf('staff'));
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  const question = page.getByRole('dialog', { name: 'Your session ends in a few minutes' });
  expect(await question.count()).toBe(0);
  await page.clock.fastForward('55:20');
  await question.getByLabel(`Password for ${emailOf('staff')}`).fill(demoPassword);
  await question.getByRole('button', { name: 'Sign in' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await close();
});

test('when the session has ended nothing typed is lost: the call waits for the password and goes on, and is made once (C12)', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await page.goto('/top-5/tasks');
  await page.getByRole('button', { name: 'New task' }).first().click();
  const form = page.getByRole('dialog', { name: 'New task' });
  const title = 'Written across the end of a session';
  const summary = 'Every word of it, with “quotes” and\na second line. '.repeat(20).trim();
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Summary').fill(summary);
  await endSessions();
  await form.getByRole('button', { name: 'Send for approval' }).click();
  const question = page.getByRole('dialog', { name: 'Your session has ended' });
  await question.getByLabel(`Password for ${emailOf('staff')}`).fill('not the password');
  await question.getByRole('button', { name: 'Sign in' }).click();
  await question.getByText('Wrong email or password').waitFor();
  await question.getByLabel(`Password for ${emailOf('staff')}`).fill(demoPassword);
  await question.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: title }).waitFor();
  expect(await server.sql('select summary from tasks where title = $1', [title])).toEqual([{ summary }]);
  await close();
});

test('a session that ended while nobody looked leads to / with the wanted page, which says so once', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await endSessions();
  await page.goto('/top-5/stats?scope=connect');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('goto')).toBe('/top-5/stats?scope=connect');
  await page.getByText('Your session ended. Sign in again.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('Your session ended').count()).toBe(0);
  await close();
});

/** An hour passes for every session there is. */
async function endSessions(): Promise<void> {
  await server.sql("update sessions set expires_at = now() - interval '1 second'");
}
