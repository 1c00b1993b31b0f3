// A person's own account in a real browser: a forgotten password by a real mail, and a stolen token that is
// ended.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, type ReceivedMail, startMailServer } from '../mail-server.ts';
import { findings, untilStill } from './axe.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { type DemoPerson, demoPassword, emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let mails: MailServer;
let server: TestServer;
beforeAll(async () => {
  mails = await startMailServer();
  server = await startServer({
    env: (url) => ({ SMTP_URL: mails.url, MAIL_FROM: 'dashboard@demo.test', PUBLIC_URL: url }),
  });
});
afterAll(async () => {
  await server.stop();
  await mails.stop();
});

async function signIn(page: Page, person: DemoPerson, password: string): Promise<void> {
  await page.getByLabel('Email').fill(emailOf(person));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Asks for a link to this address, and gives what the page says then. */
async function askForLink(page: Page, email: string): Promise<string> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  return page.getByRole('status').innerText();
}

const linkIn = (mail?: ReceivedMail): string | undefined => /https?:\S+#reset=[\w-]{43}/.exec(mail?.text ?? '')?.[0];
const mailsWithLink = (): ReceivedMail[] => mails.mails.filter((mail) => linkIn(mail) !== undefined);

const tokenOfVisitor = async ({ context }: Visitor): Promise<string> =>
  (await context.cookies()).find(({ name }) => name === 'internal-dash-token')?.value ?? '';

/** The answer to an API call with a token. */
async function call(token: string) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ myAccount { password { set } } }' }),
  });
  return (await answer.json()) as { data?: object; errors?: { extensions: { code: string } }[] };
}

test('a double-click opens a dialog of My account and leaves it open, and Esc gives the focus back to its button', async () => {
  const { page, close } = await visit(server.url, 'approver');
  await page.goto('/account');
  await settled(page);
  for (const [opener, title] of [
    ['Change password', 'Change password'],
    ['Sign out everywhere', 'Sign out everywhere'],
  ] as const) {
    const button = page.getByRole('button', { name: opener, exact: true });
    await button.dblclick();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    // A dialog that the second click had closed would have left by then.
    await untilStill(page);
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  await close();
});

test('a forgotten password: the link in the mail sets a new one, once, and the page says the same to strangers', async () => {
  const { page, complaints, close } = await visit(server.url, null);
  const said = await askForLink(page, 'nobody@demo.test');
  expect(said).toContain('If there’s an account with this address, we’re sending an email');
  expect(await askForLink(page, emailOf('sales'))).toBe(said);
  expect(await findings(page)).toEqual([]);
  await expect.poll(() => mailsWithLink().length).toBe(1);
  // The demo company gets mails about its tasks too, and nobody at all gets one for the stranger.
  expect(mails.mails.flatMap(({ to }) => to)).not.toContain('nobody@demo.test');
  expect(mailsWithLink()[0]?.to).toEqual([emailOf('sales')]);
  const link = linkIn(mailsWithLink()[0]) ?? '';
  expect(link.startsWith(`${server.url}/#reset=`)).toBe(true);
  expect(server.output()).not.toContain(link.slice(-43));

  await page.goto(link);
  await page.getByRole('heading', { name: 'New password' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Password, at least 15 characters').fill('walnut meadow copper tide');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.waitForURL('**/dashboard');
  await settled(page);
  await close();
  expect(complaints).toEqual([]);

  const later = await visit(server.url, null);
  await later.page.goto(link);
  await later.page.getByText('This link has expired or was already used').waitFor();
  await later.page.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await signIn(later.page, 'sales', demoPassword);
  await later.page.getByText('Wrong email or password').waitFor();
  await signIn(later.page, 'sales', 'walnut meadow copper tide');
  await later.page.waitForURL('**/dashboard');
  await later.close();
});

test('a stolen token works until its owner signs out everywhere, also where it is the very token that the owner uses', async () => {
  const owner = await visit(server.url, null);
  await owner.page.goto('/');
  await signIn(owner.page, 'staff', demoPassword);
  await owner.page.waitForURL('**/dashboard');
  const tab = await owner.context.newPage();
  await tab.goto('/top-5/tasks');
  await tab.getByRole('heading', { name: 'My tasks' }).waitFor();
  const elsewhere = await visit(server.url, 'staff');
  const thieves = await Promise.all(
    [owner, elsewhere].map(async ({ context }) => {
      const thief = await visit(server.url, null);
      await thief.context.addCookies(await context.cookies());
      await thief.page.goto('/account');
      await settled(thief.page);
      await thief.page.goto('/top-5/tasks');
      await thief.page.getByRole('heading', { name: 'My tasks' }).waitFor();
      return thief;
    }),
  );
  const tokens = await Promise.all([owner, elsewhere].map(tokenOfVisitor));
  for (const token of tokens) expect((await call(token)).data).toEqual({ myAccount: { password: { set: true } } });

  await owner.page.goto('/account');
  await owner.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const question = owner.page.getByRole('dialog', { name: 'Sign out everywhere' });
  await question.waitFor();
  expect(await findings(owner.page)).toEqual([]);
  await question.getByRole('button', { name: 'Sign out everywhere' }).click();
  await owner.page.getByText('Your other sessions are signed out').waitFor();

  for (const token of tokens) expect((await call(token)).errors?.[0]?.extensions.code).toBe('NOT_SIGNED_IN');
  for (const { page } of thieves) {
    await page.goto('/top-5/tasks');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  }
  // The owner goes on with a new token, in every tab of the browser, and is asked for nothing.
  expect(tokens).not.toContain(await tokenOfVisitor(owner));
  await owner.answered();
  for (const page of [owner.page, tab])
    expect(await page.getByRole('dialog', { name: 'Your session has ended' }).count()).toBe(0);
  await owner.page.getByText('1 signed in').waitFor();
  await tab.reload();
  await tab.getByRole('heading', { name: 'My tasks' }).waitFor();
  expect(owner.complaints).toEqual([]);
  for (const visitor of [owner, elsewhere, ...thieves]) await visitor.close();
});
