// Second factors in a real browser: Chromium's own virtual authenticator makes the passkeys.
import { HOTP, Secret } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeForm, stepAt } from '#core/access/one-time-codes.ts';
import { findings } from './axe.ts';
import { settled, visit } from './browser.ts';
import { type DemoPerson, demoPassword, emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await startServer({ env: { REQUIRE_SECOND_FACTOR: 'admins' } });
  // Browsers make no passkeys for an IP address.
  url = server.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => server.stop());

/** The code of an app that has this key, some steps from now. */
function codeOf(key: string, distance = 0): string {
  const { algorithm, digits } = codeForm;
  const counter = stepAt(Temporal.Now.instant()) + distance;
  return HOTP.generate({ secret: Secret.fromBase32(key.replaceAll(' ', '')), algorithm, digits, counter });
}

async function password(page: Page, person: DemoPerson): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Email').fill(emailOf(person));
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Leaves, and waits until the sign-in page is there to stay. */
async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

/** A device that makes passkeys and always knows its holder. */
async function authenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

/** The device answers what the browser offers in the email field too, so it is off until a test needs it. */
async function offersInField(page: Page, isOn: boolean): Promise<void> {
  await page.evaluate((on) => sessionStorage.setItem('offers-in-field', String(on)), isOn);
}

test('an admin has to set up a second step first: with an app, its code signs in, and so does a recovery code, once', async () => {
  const { page, complaints } = await visit(url, null);
  await password(page, 'admin');
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
  expect(await findings(page)).toEqual([]);
  // Nothing else opens.
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await password(page, 'admin');
  await page.getByRole('button', { name: 'Use an authenticator app' }).click();
  expect(await page.getByRole('link', { name: 'Open in your app' }).getAttribute('href')).toMatch(/^otpauth:/);
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByRole('button', { name: 'Sign in as someone else' }).click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await password(page, 'admin');
  await page.getByRole('button', { name: 'Use an authenticator app' }).click();
  const key = (await page.locator('code').first().textContent()) as string;
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByText('Key copied').waitFor();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('That code isn’t right. Enter the code your app shows now').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 10));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Your phone’s clock is about 5 minutes ahead.').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const codes = await page.locator('ol code').allTextContents();
  expect(codes).toHaveLength(10);
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Codes copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  await page.getByRole('button', { name: 'I saved them, continue' }).click();
  await page.waitForURL('**/dashboard');
  await settled(page);

  const later = await visit(url, null);
  await password(later.page, 'admin');
  await later.page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
  expect(await findings(later.page)).toEqual([]);
  await later.page.getByLabel('Code', { exact: true }).fill(codeOf(key, 1));
  await later.page.getByRole('button', { name: 'Verify' }).click();
  await later.page.waitForURL('**/dashboard');

  const lost = await visit(url, null);
  await password(lost.page, 'admin');
  await lost.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await lost.page.getByLabel('Recovery code', { exact: true }).fill((codes[0] as string).toLowerCase());
  await lost.page.getByRole('button', { name: 'Verify' }).click();
  await lost.page.getByText('You have 9 recovery codes left. In My account, you can replace a lost phone').waitFor();
  expect(await findings(lost.page)).toEqual([]);
  await lost.page.getByRole('button', { name: 'Open My account' }).click();
  await lost.page.waitForURL('**/account');
  const again = await visit(url, null);
  await password(again.page, 'admin');
  await again.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.page.getByLabel('Recovery code', { exact: true }).fill(codes[0] as string);
  await again.page.getByRole('button', { name: 'Verify' }).click();
  await again.page.getByText('That recovery code is wrong or was already used. Try another one').waitFor();
  // A refused code is said by the browser too.
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
});

test('“Sign out everywhere” with the required second step leads to setting up a new one, and back to My account', async () => {
  const { page } = await visit(url, null);
  await password(page, 'admin');
  const asSomeoneElse = page.getByRole('button', { name: 'Sign in as someone else' });
  await asSomeoneElse.waitFor();
  for (const table of ['recovery_codes', 'authenticators', 'passkeys']) await server.sql(`delete from ${table}`);
  // The step survives a reload.
  await page.goto('/');
  await asSomeoneElse.click();
  await password(page, 'admin');
  const setUp = async () => {
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    const key = (await page.locator('code').first().textContent()) as string;
    await page.getByLabel('Code', { exact: true }).fill(codeOf(key));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I saved them, continue' }).click();
  };
  await setUp();
  await page.waitForURL('**/dashboard');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Passkeys, authenticator app and recovery codes').check();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await setUp();
  await page.waitForURL('**/account');
  await page.getByRole('heading', { name: 'My account' }).waitFor();
  expect(await server.sql('select from authenticators')).toHaveLength(1);
});

test('an admin sets up a passkey, and signs in with it alone or after the password', async () => {
  for (const table of ['recovery_codes', 'authenticators', 'passkeys']) await server.sql(`delete from ${table}`);
  const { page } = await visit(url, null);
  const device = await authenticator(page);
  await page.addInitScript(() => {
    if (sessionStorage.getItem('offers-in-field') !== 'true')
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await password(page, 'admin');
  await page.getByRole('button', { name: 'Add a passkey on this device' }).click();
  await page.getByRole('button', { name: 'I saved them, continue' }).click();
  await page.waitForURL('**/dashboard');
  expect(await device.credentials()).toHaveLength(1);

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/dashboard');
  await offersInField(page, true);
  await page.goto('/logout');
  await page.waitForURL('**/dashboard');
  await offersInField(page, false);
  await signOut(page);
  await password(page, 'admin');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/dashboard');
  const [passkey] = await server.sql<{ counter: string; used: boolean }>(
    'select counter::text, last_used_at is not null as used from passkeys',
  );
  expect(passkey).toEqual({ counter: expect.stringMatching(/^[1-9]/), used: true });
});

test('somebody adds, names and removes a passkey and an app in My account, and signs in with each', async () => {
  const { page, complaints } = await visit(url, null);
  const device = await authenticator(page);
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await password(page, 'staff');
  await page.waitForURL('**/dashboard');
  await page.goto('/account');
  await settled(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByText('every sign-in with your password needs a second step').waitFor();
  await adding.getByLabel('Name').fill('Work laptop');
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.waitFor();
  await page.reload();
  const unsaved = page.getByText('If you didn’t save them, create new codes');
  await unsaved.waitFor();
  await page.getByRole('button', { name: 'New codes' }).click();
  await page.getByRole('button', { name: 'Create codes' }).click();
  await codes.getByRole('button', { name: 'I saved them' }).click();
  await unsaved.waitFor({ state: 'detached' });
  await page.getByText('Work laptop', { exact: true }).waitFor();
  expect(await device.credentials()).toHaveLength(1);
  await page.getByRole('button', { name: 'Set up' }).click();
  const app = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const key = (await app.locator('code').first().textContent()) as string;
  const code = app.getByLabel('Code', { exact: true });
  await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
  await code.fill(codeOf(key));
  await app.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Replace' }).waitFor();
  await page.getByText('10 of 10 left.').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Passkey Work laptop' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' });
  await renaming.getByLabel('Name').fill('Old laptop');
  await renaming.getByRole('button', { name: 'Rename passkey' }).click();
  await page.getByText('Old laptop', { exact: true }).waitFor();

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/account');
  // Longer ago than a proof is good for.
  await server.sql(
    "update sessions set verified_at = now() - interval '1 hour', factor_verified_at = null, created_at = now() - interval '1 hour'",
  );
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  // The password changes no existing factor.
  await confirming.getByRole('button', { name: 'Use your authenticator app' }).click();
  expect(await confirming.getByLabel('Password').count()).toBe(0);
  await confirming.getByLabel('Code', { exact: true }).fill('000000');
  await confirming.getByLabel('Code', { exact: true }).press('Enter');
  await confirming.getByRole('alert').or(confirming.locator('[aria-invalid=true]')).first().waitFor();
  await page.keyboard.press('Escape');
  await confirming.waitFor({ state: 'detached' });
  await expect.poll(() => adding.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await adding.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Passkey Old laptop' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await confirming.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Old laptop', { exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('you’ll sign in with only your password').waitFor();
  await page.getByRole('button', { name: 'Remove app' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  await signOut(page);
  await password(page, 'staff');
  await page.waitForURL('**/dashboard');
  expect(complaints.filter((text) => !text.includes('403') && !text.includes('CONFIRM_'))).toEqual([]);
});
