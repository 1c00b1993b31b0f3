// Addresses that are no page, and the pages that are shown when something fails (spec 2).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Modules of the web by the name of their file, replaced by one whose page fails to render. */
const brokenPage = "export default function Broken() { throw new Error('broken on purpose'); }";

test.for(['/nope', '/Dashboard', '/top-5/tools', '/sales/connect', '/index.html', '/dashboard.'])(
  'the unknown address %s is a 404 that leads back to the home page',
  async (address) => {
    const { page, close } = await visit(server.url, 'staff');
    const response = await page.goto(address);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'This page could not be found' }).waitFor();
    await page.getByRole('link', { name: 'Back to the home page' }).click();
    await page.waitForURL('**/dashboard');
    await close();
  },
);

test.for([
  ['/dashboard/', '/dashboard'],
  ['/top-5/tasks/?sprint=next&task=1', '/top-5/tasks?sprint=next&task=1'],
  ['/sales//?product=green', '/sales?product=green'],
  ['/error/', '/error'],
  ['/nope/', '/nope'],
  ['//example.com/', '/example.com'],
] as const)('the trailing slash of %s is removed by a redirect to %s', async ([address, to]) => {
  const answer = await fetch(server.url + address, { redirect: 'manual' });
  expect(answer.status).toBe(308);
  expect(answer.headers.get('location')).toBe(to);
});

test('/error without a stored message says that something went wrong, with status 500', async () => {
  const { page, close } = await visit(server.url, 'staff');
  expect((await page.goto('/error'))?.status()).toBe(200);
  await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
  await page.getByText('500', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Back to the home page' }).count()).toBe(0);
  await close();
});

test('/error keeps the stored message through a reload, and offers the way home', async () => {
  const { page, close } = await visit(server.url, 'top5');
  await page.goto('/usermanagement');
  const refusal = page.getByRole('heading', { level: 1, name: "You don't have permission for this page" });
  await refusal.waitFor();
  await page.reload();
  await refusal.waitFor();
  await page.getByText('403', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.waitForURL('**/dashboard');
  await close();
});

test('a page that cannot be drawn is a 500 with the way on, and the rest of the frame stays', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await page.route('**/assets/my-week-page-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: brokenPage }),
  );
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
  await page.getByText('500', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor();
  await close();
});

test('when showing the error page fails too, plain words and a link home are left', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await page.route('**/assets/error-page-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: brokenPage }),
  );
  await page.goto('/error');
  await page.getByRole('heading', { name: 'An error occurred while showing the error page' }).waitFor();
  await page.getByRole('link', { name: 'Go back to home' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await close();
});

test('a page that cannot be fetched ahead leaves the open one as it is', async () => {
  const { page, close } = await visit(server.url, 'staff', { loadsAhead: true });
  await page.route('**/assets/tasks-page-*.js', (route) => route.abort());
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  // The page's own word: a key that comes before it would look like a wish for the lost part.
  const lost = page.waitForEvent('console', (line) => line.text().startsWith('Prefetching a page failed'));
  await page.goto('/dashboard');
  await lost;
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(loads).toBe(1);
  await close();
});

test('the sign-in form stays when its next part cannot be fetched, says so, and tries again', async () => {
  const { page, close } = await visit(server.url, null);
  await page.goto('/');
  await page.route('**/assets/forgot-password-*.js', (route) => route.abort());
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByText('This part of the page couldn’t be loaded').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('heading', { name: 'Forgot password?' }).waitFor();
  const said = page.getByText('This server doesn’t send email');
  await said.waitFor();
  expect(await said.evaluate((element) => element === document.activeElement)).toBe(true);
  // A second Enter leaves it there.
  await page.keyboard.press('Enter');
  await said.waitFor();
  await page.getByRole('button', { name: 'Back to sign in' }).press('Enter');
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
  await close();
});

test('a dialog that cannot be fetched leaves the page as it is, and the next press fetches it', async () => {
  const { page, context, close } = await visit(server.url, 'admin');
  await page.goto('/top-5/tools/schedule');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.route('**/assets/feeds-dialog-*.js', (route) => route.abort());
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Calendar feeds' }).click();
  await page.getByText('This couldn’t be loaded').waitFor();
  await page.getByRole('button', { name: 'Calendar feeds' }).waitFor();
  await context.setOffline(false);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Calendar feeds' }).click();
  await page.getByRole('dialog').waitFor();
  await close();
});

test('a page that cannot be fetched reloads once, not for ever, and then says so', async () => {
  const { page, close } = await visit(server.url, 'staff');
  await page.route('**/assets/employee-stats-page-*.js', (route) => route.abort());
  await page.goto('/top-5/stats');
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  // The failure can be seen for a moment before the reload: only the new document's counts.
  const reloaded = page.waitForEvent('domcontentloaded');
  await page.getByRole('link', { name: 'Employee stats' }).click();
  await reloaded;
  await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
  expect(loads).toBe(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Employee Stats' }).waitFor();
  await close();
});
