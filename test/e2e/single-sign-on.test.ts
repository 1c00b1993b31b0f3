// Signing in through a real identity provider, in a real browser.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client, startIdentityProvider, type TestProvider } from '../identity-provider.ts';
import { findings } from './axe.ts';
import { message } from './board.ts';
import { settled, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let provider: TestProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startIdentityProvider();
  server = await startServer({
    env: (url) => ({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: 'Company ID',
      PUBLIC_URL: url,
    }),
  });
  provider.redirectUri = `${server.url}/api/auth/sso/callback`;
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

test('somebody whom nobody here knows is refused, and told what to do', async () => {
  const { page } = await visit(server.url, null);
  provider.account = { subject: 'staff-at-provider', groups: [] };
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with Company ID' }).click();
  await page.getByText('This sign-in isn’t linked to an account.').waitFor();
  expect(new URL(page.url()).hash).toBe('');
});

test('whoever cancels at the provider is back where it began', async () => {
  const { page } = await visit(server.url, null);
  provider.account = null;
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with Company ID' }).click();
  await page.getByText('Sign-in wasn’t completed.').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a person links it in My account, and signs in with it from then on, to the page that was wanted', async () => {
  const own = await visit(server.url, 'staff');
  provider.account = { subject: 'staff-at-provider', groups: [] };
  await own.page.goto('/dashboard');
  await settled(own.page);
  await own.page.getByRole('button', { name: /Lena Hoffmann/ }).click();
  await own.page.getByRole('menuitem', { name: 'My account' }).click();
  await own.page.getByRole('button', { name: 'Link Company ID' }).click();
  await message(own.page, 'Company sign-in linked. You can now use it to sign in').waitFor();
  const later = await visit(server.url, null);
  await later.page.goto('/top-5/tasks');
  const addresses: string[] = [];
  later.page.on('request', (request) => addresses.push(request.url()));
  await later.page.getByRole('button', { name: 'Sign in with Company ID' }).click();
  await later.page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  const token = (await later.context.cookies()).find(({ name }) => name === 'internal-dash-token')?.value;
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(addresses.filter((address) => address.includes(token as string))).toEqual([]);
  expect([...own.complaints, ...later.complaints]).toEqual([]);
});

test('when the session ends, the provider opens in a new tab, and the page goes on with what was typed', async () => {
  const { page, context } = await visit(server.url, 'staff');
  provider.account = { subject: 'staff-at-provider', groups: [] };
  await page.goto('/top-5/tasks');
  await page.getByRole('button', { name: 'New task' }).first().click();
  const form = page.getByRole('dialog', { name: 'New task' });
  await form.getByLabel('Title').fill('Written before the provider');
  await server.sql("update sessions set expires_at = now() - interval '1 second'");
  await form.getByRole('button', { name: 'Send for approval' }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in with Company ID in a new tab' }).click();
  const there = await opened;
  await there.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await page.getByRole('link', { name: 'Written before the provider' }).waitFor();
});

test('an invited person continues with the account there, and comes back to the invitation where that came to nothing', async () => {
  const people = await visit(server.url, 'admin');
  await people.page.goto('/usermanagement');
  await people.page.getByRole('button', { name: 'New person' }).click();
  const dialog = people.page.getByRole('dialog', { name: 'New person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ivy@demo.test');
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Ivy');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await people.page.getByRole('option', { name: 'Staff', exact: true }).click();
  await dialog.getByRole('button', { name: 'Create and invite' }).click();
  const invite = people.page.getByRole('dialog', { name: 'Invite Ivy' });
  const address = await invite.getByRole('textbox', { name: 'One-time link' }).inputValue();
  const { page, complaints } = await visit(server.url, null);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(address);
  await page.getByText('Ivy, you’re invited as ivy@demo.test').waitFor();
  await page.getByLabel('Password, at least 15 characters').waitFor();
  expect(await findings(page)).toEqual([]);
  provider.account = null;
  await page.getByRole('button', { name: 'Continue with Company ID' }).click();
  const told = page.getByRole('alert').filter({ hasText: 'Sign-in wasn’t completed.' });
  await told.waitFor();
  // Nobody who is invited has a password to sign in with: there is one to choose, further down.
  expect(await told.textContent()).toBe('Sign-in wasn’t completed. Try again, or choose a password below');
  await page.getByLabel('Password, at least 15 characters').waitFor();
  provider.account = { subject: 'ivy-at-provider', groups: [] };
  await page.getByRole('button', { name: 'Continue with Company ID' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  expect(addresses.filter((one) => one.includes(address.slice(-43)) && !one.startsWith(server.url))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(address.slice(-43));
  expect(complaints).toEqual([]);
  const second = await visit(server.url, null);
  await second.page.goto(address);
  await second.page.getByText('This link has expired or was already used').waitFor();
});

test('while the provider is down the page says so, and the password still works', async () => {
  const { page } = await visit(server.url, null);
  const down = await startServer({
    beside: server,
    env: (url) => ({
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      PUBLIC_URL: url,
    }),
  });
  await page.goto(down.url);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await page.getByText('Can’t reach the company sign-in.').waitFor();
  await page.getByLabel('Email').fill('admin@demo.test');
  await page.getByLabel('Password').fill('top-5-demo');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
  await down.stop();
});
