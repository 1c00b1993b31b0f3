// User management as the people do it who manage others: the two lists, one person, and the way in.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { bytesOf, settled, visit } from './browser.ts';
import { demoPassword } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function openPage(person: 'people' | 'admin' = 'people') {
  const visitor = await visit(server.url, person);
  await visitor.page.goto('/usermanagement');
  await visitor.page.getByRole('table').waitFor();
  return visitor;
}

const chip = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\d`) });
const countOf = async (page: Page, name: string) => Number(/\d+/.exec(await chip(page, name).innerText())?.[0]);
const grantsOf = async (email: string) =>
  (await server.sql<{ grants: string[] }>('select grants from people where email = $1', [email]))[0]?.grants;

test('the switch moves a person between the lists at once, and U takes it back', async () => {
  const { page, close, complaints } = await openPage('admin');
  const before = [await countOf(page, 'Permitted users'), await countOf(page, 'Logged users')] as const;
  await page.getByRole('switch', { name: 'S.T.A.R.T for Priya Raman' }).click({ force: true });
  await page.getByText('Priya Raman now uses S.T.A.R.T').waitFor();
  expect([await countOf(page, 'Permitted users'), await countOf(page, 'Logged users')]).toEqual([
    before[0] + 1,
    before[1] - 1,
  ]);
  await expect.poll(() => grantsOf('sales@demo.test')).toEqual(['VIEW_TOP_5']);
  await page.keyboard.press('u');
  await expect.poll(() => grantsOf('sales@demo.test')).toEqual([]);
  await expect.poll(() => countOf(page, 'Logged users')).toBe(before[1]);
  await settled(page);
  expect(complaints).toEqual([]);
  await close();
});

test('whoever could not switch S.T.A.R.T on again is told so before it goes off, and no undo is offered', async () => {
  const { page, close } = await openPage();
  await server.sql("update people set grants = '{}' where email = 'people@demo.test'");
  await server.sql("update people set grants = array['VIEW_TOP_5'] where email = 'sales@demo.test'");
  await page.reload();
  const control = page.getByRole('switch', { name: 'S.T.A.R.T for Priya Raman' });
  await control.click({ force: true });
  const question = page.getByRole('dialog', { name: 'Remove Priya Raman from S.T.A.R.T?' });
  await question.getByText('You can’t undo this: you don’t have S.T.A.R.T').waitFor();
  expect(await findings(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await grantsOf('sales@demo.test')).toEqual(['VIEW_TOP_5']);
  await control.click({ force: true });
  await question.getByRole('button', { name: 'Remove from S.T.A.R.T' }).click();
  await page.getByText('Priya Raman no longer uses S.T.A.R.T').waitFor();
  await expect.poll(() => grantsOf('sales@demo.test')).toEqual([]);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await server.sql("update people set grants = array['VIEW_TOP_5'] where email = 'people@demo.test'");
  await close();
});

test('search and filters find people, and the address keeps them', async () => {
  const { page, close } = await openPage();
  await page.keyboard.press('/');
  await page.keyboard.type('hoffm');
  await page.getByRole('button', { name: 'Lena Hoffmann' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.waitForURL(/q=hoffm/);
  await page.reload();
  await page.getByRole('button', { name: 'Lena Hoffmann' }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'Clear' }).click();
  await chip(page, 'No approver who can decide').click();
  await page.getByRole('button', { name: 'Chloe Nakamura' }).waitFor();
  await page.waitForURL(/approver=-/);
  await close();
});

test('a new person is made, invited by a link, sets a password once and is in; the link is of no use again', async () => {
  const { page, close, complaints } = await openPage('admin');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill('staff@demo.test');
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Nora');
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('<b>New</b>');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Staff', exact: true }).click();
  await dialog.getByRole('button', { name: 'Create and invite' }).click();
  await dialog.getByText('staff@demo.test already belongs to Lena Hoffmann').waitFor();
  await dialog.getByRole('textbox', { name: 'Email' }).fill('nora@demo.test');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'No role', exact: true }).click();
  await dialog.getByText('Without a role, this person can sign in but can open only My account').waitFor();
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Staff', exact: true }).click();
  // One press creates and invites; the second half of a double click changes nothing and closes nothing.
  await dialog.getByRole('button', { name: 'Create and invite' }).dblclick();
  const invite = page.getByRole('dialog', { name: 'Invite Nora <b>New</b>' });
  const address = await invite.getByRole('textbox', { name: 'One-time link' }).inputValue();
  expect(address).toMatch(/\/#invite=[\w-]{43}$/);
  expect(server.output()).not.toContain(address.slice(-43));
  await settled(page);
  expect(complaints.map((line) => line.replace(/ [0-9a-f-]{36}$/, ''))).toEqual([
    'BAD_INPUT: staff@demo.test already belongs to Lena Hoffmann',
  ]);
  await close();

  const guest = await visit(server.url, null);
  await guest.page.goto(address);
  await guest.page.getByText('set a password for nora@demo.test').waitFor();
  expect(await findings(guest.page)).toEqual([]);
  const password = guest.page.getByLabel('Password, at least 15 characters');
  await password.fill('passwordpassword');
  await guest.page.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.page.getByText('Easy to guess').waitFor();
  await password.fill('kettle rover eleven');
  await guest.page.getByRole('button', { name: 'Show password' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  await guest.page.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.page.waitForURL('**/dashboard');
  await guest.page.getByRole('heading', { level: 1 }).waitFor();
  expect(guest.complaints).toEqual([]);
  await guest.close();

  const second = await visit(server.url, null);
  await second.page.goto(address);
  await second.page.getByText('This link has expired or was already used').waitFor();
  await second.page.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await second.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await second.close();
});

test('who hires gives role, team, approver and S.T.A.R.T in one dialog, and the new person plans tasks at once', async () => {
  const { page, close, complaints } = await openPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill('hire@demo.test');
  for (const [field, option] of [
    ['Role', 'Staff'],
    ['Team', 'Connect'],
    ['Approvers', 'Marcus Adeyemi'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  expect(await dialog.getByRole('switch', { name: 'Uses S.T.A.R.T' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create and invite' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite hire' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Copy the link');
  await page.keyboard.press('Enter');
  await invite.getByRole('button', { name: 'Copied the link' }).waitFor();
  expect(await findings(page)).toEqual([]);
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(complaints).toEqual([]);
  await close();

  const guest = await visit(server.url, null);
  await guest.page.goto(address);
  await guest.page.getByLabel('Password, at least 15 characters').fill('kettle rover eleven');
  await guest.page.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.page.getByText('Marcus Adeyemi approves your tasks.').waitFor();
  await guest.page.getByRole('button', { name: 'Write a task' }).waitFor();
  expect(guest.complaints).toEqual([]);
  await guest.close();
});

test('a role that a manager can’t give is asked for with the new account, the person sees who helps, and an admin gives it', async () => {
  const { page, close } = await openPage();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New person' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill('seller@demo.test');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Sales/ }).click();
  await dialog.getByText('The role Sales needs an admin’s OK. We’ll request it when you create the account').waitFor();
  await dialog.getByRole('button', { name: 'Create and invite' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite seller' });
  await invite.getByText('Grace Whitfield requested the role Sales').waitFor();
  const address = await invite.getByRole('textbox', { name: 'One-time link' }).inputValue();
  await page.goto('/usermanagement?q=seller');
  await page.reload();
  await page.getByRole('button', { name: 'seller seller@demo.test' }).click();
  const panel = page.getByRole('dialog', { name: 'seller' });
  await panel.getByText('Grace Whitfield requested the role Sales').waitFor();
  expect(await findings(page)).toEqual([]);
  await close();

  const guest = await visit(server.url, null);
  await guest.page.goto(address);
  await guest.page.getByLabel('Password, at least 15 characters').fill('kettle rover eleven');
  await guest.page.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.page.getByText('Grace Whitfield requested the role Sales for you').waitFor();
  const admin = guest.page.getByRole('link', { name: 'admin@demo.test' });
  expect(await admin.getAttribute('href')).toContain('mailto:admin%40demo.test');
  expect(await findings(guest.page)).toEqual([]);

  const giver = await visit(server.url, 'admin');
  await giver.page.goto('/usermanagement?q=seller');
  await giver.page.getByRole('button', { name: 'seller seller@demo.test' }).click();
  await giver.page.getByRole('button', { name: 'Give Sales' }).click();
  await giver.page.getByText('Changes to seller saved').waitFor();
  const [seller] = await server.sql("select role from people where email = 'seller@demo.test'");
  expect(seller).toEqual({ role: 'Sales' });
  expect(giver.complaints).toEqual([]);
  await giver.close();
  await guest.close();
});

test('a person is changed in the panel; what two change at once is not lost and not overwritten', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Tomás Pereira' }).click();
  // The title follows the other change.
  const panel = page.getByRole('dialog', { name: /^Tom(ás)? Pereira$/ });
  await panel.getByRole('combobox', { name: 'Team' }).click();
  await page.getByRole('option', { name: 'Give', exact: true }).click();
  await server.sql("update people set first_name = 'Tom' where email = 'top5@demo.test'");
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Someone else edited this person').first().waitFor();
  await panel.getByRole('button', { name: 'Load the other changes' }).click();
  expect(await panel.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Tom');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Changes to .+ saved$/).waitFor();
  const [row] = await server.sql("select first_name as name, team from people where email = 'top5@demo.test'");
  expect(row).toEqual({ name: 'Tom', team: 'give' });
  const renamed = page.getByRole('dialog', { name: 'Tom Pereira' });
  await renamed.getByRole('tab', { name: 'Permissions' }).click();
  await renamed.getByText('direct permission').first().waitFor();
  expect(await findings(page)).toEqual([]);
  await close();
});

test('typing into a role that is chosen already replaces it, says when nothing matches, and Enter takes the first match', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('norole');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Oskar Lindqvist' });
  const role = panel.getByRole('combobox', { name: 'Role' });
  await role.click();
  await page.keyboard.type('Nothing like it');
  await page.getByText('No match').waitFor();
  expect(await role.inputValue()).toBe('Nothing like it');
  await role.fill('');
  await page.keyboard.press('Escape');
  await panel.getByRole('textbox', { name: 'First name' }).focus();
  await role.click();
  await page.keyboard.type('Sta');
  await page.keyboard.press('Enter');
  await expect.poll(() => role.inputValue()).toBe('Staff');
  await page.keyboard.type('Sal');
  await page.getByRole('option', { name: 'Sales' }).waitFor();
  expect(await role.inputValue()).toBe('Sal');
  await close();
});

test('after Save by its button the keyboard stays in the panel of the person', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  await panel.getByRole('switch', { name: 'Invisible in stats' }).press('Space');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Changes to .+ saved$/).waitFor();
  const isInside = () => panel.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(isInside).toBe(true);
  await page.keyboard.press('Tab');
  expect(await isInside()).toBe(true);
  await close();
});

test('whether a person keeps tasks is changed in their panel, beside the role and the approvers', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  const keepsTasks = panel.getByRole('switch', { name: 'Uses S.T.A.R.T' });
  for (const grants of [['VIEW_TOP_5'], []]) {
    await keepsTasks.press('Space');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => grantsOf('sales@demo.test')).toEqual(grants);
    await expect.poll(() => keepsTasks.isChecked()).toBe(grants.length > 0);
    await expect.poll(() => panel.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  }
  await close();
});

test('what is edited of a person survives another tab of the panel, Esc and a reload', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  const name = panel.getByRole('textbox', { name: 'First name' });
  await name.fill('Priyanka');
  await panel.getByRole('tab', { name: 'Permissions' }).click();
  await panel.getByRole('tab', { name: 'Person' }).click();
  expect(await name.inputValue()).toBe('Priyanka');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  expect(await name.inputValue()).toBe('Priyanka');
  await page.reload();
  expect(await name.inputValue()).toBe('Priyanka');
  await panel.getByText('Unsaved changes').waitFor();
  await panel.getByRole('button', { name: 'Discard' }).click();
  expect(await name.inputValue()).toBe('Priya');
  await close();
});

test('whoever is disabled while signed in is told so with the next thing they do', async () => {
  const person = await visit(server.url, 'support');
  await person.page.goto('/customer-service');
  await person.page.getByRole('heading', { level: 1 }).waitFor();
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Yusuf Demir' }).click();
  const panel = page.getByRole('dialog', { name: 'Yusuf Demir' });
  await panel.getByRole('tab', { name: 'Sign-in' }).click();
  await panel.getByRole('button', { name: 'Disable account' }).click();
  await page
    .getByRole('dialog', { name: 'Disable Yusuf Demir?' })
    .getByRole('button', { name: 'Disable account' })
    .click();
  await page.getByText('Yusuf Demir’s account is disabled').waitFor();
  await person.page.getByRole('link', { name: 'Distributions' }).click();
  await person.page.getByRole('dialog', { name: 'Your account is disabled' }).waitFor();
  await person.page.getByRole('button', { name: 'Sign out' }).click();
  await person.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await person.close();
  await panel.getByRole('button', { name: 'Enable account' }).click();
  await page.getByText('Yusuf Demir’s account is enabled').waitFor();
  await close();
});

test('whoever manages people sees why they cannot give what they do not have', async () => {
  const { page, close, complaints } = await openPage();
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  await panel.getByText('This person already uses the account').first().waitFor();
  expect(await panel.getByRole('textbox', { name: 'Email' }).isDisabled()).toBe(true);
  await panel.getByRole('combobox', { name: 'Role', exact: true }).click();
  const option = page.getByRole('option', { name: /^Support/ });
  expect(await option.innerText()).toContain('Needs an admin’s OK');
  expect(await option.getAttribute('data-combobox-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await panel.getByRole('tab', { name: 'Permissions' }).click();
  await panel.getByText('You can give permissions that you have').waitFor();
  expect(await panel.getByRole('checkbox', { name: 'Affiliate stats' }).isDisabled()).toBe(true);
  expect(await panel.getByRole('checkbox', { name: 'Role editor' }).isEnabled()).toBe(true);
  expect(await findings(page)).toEqual([]);
  await panel.getByRole('tab', { name: 'Sign-in' }).click();
  expect(await panel.getByRole('button', { name: 'Create password link' }).isDisabled()).toBe(true);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Grace Whitfield people@demo.test' }).click();
  const own = page.getByRole('dialog', { name: 'Grace Whitfield' });
  await own
    .getByText('You can’t change your own role, permissions, team, approvers or visibility. Ask an admin.')
    .waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an admin sees every way in of a person, and removes a passkey and the authenticator app one by one', async () => {
  const person = "(select id from people where email = 'sales@demo.test')";
  await server.sql(`insert into passkeys
    (person_id, credential_id, public_key, counter, name, device_type, backed_up, created_at)
    values (${person}, '\\x01', '\\x01', 0, 'Old laptop', 'singleDevice', false, '2024-11-25T12:00Z')`);
  await server.sql(`insert into authenticators (person_id, secret, confirmed_at, created_at)
    values (${person}, '\\x01', now(), now())`);
  const { page, close, complaints } = await openPage('admin');
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  await panel.getByRole('tab', { name: 'Sign-in' }).click();
  const ways = panel.getByRole('list', { name: 'Access' });
  await ways.getByText('Passkey “Old laptop”').waitFor();
  expect(await ways.getByText(/Added \d+ \w+ 2024, never used/).count()).toBe(1);
  expect(await findings(page)).toEqual([]);
  // Longer ago than a proof is good for.
  await server.sql(
    "update sessions set verified_at = now() - interval '1 hour', created_at = now() - interval '1 hour'",
  );
  await ways.getByRole('button', { name: 'Remove: Passkey “Old laptop”' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirming.getByLabel('Password').fill(demoPassword);
  await confirming.getByRole('button', { name: 'Confirm' }).click();
  await ways.getByText('Passkey “Old laptop”').waitFor({ state: 'detached' });
  await ways.getByRole('button', { name: 'Remove: Authenticator app' }).click();
  await page.getByText('Their recovery codes stop working too').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove app' }).click();
  await ways.getByText('Authenticator app').waitFor({ state: 'detached' });
  expect(await panel.getByRole('button', { name: 'Reset two-step sign-in' }).count()).toBe(0);
  expect(await server.sql(`select 1 from passkeys where person_id = ${person}`)).toEqual([]);
  await settled(page);
  expect(complaints.filter((text) => !text.includes('CONFIRM_IDENTITY'))).toEqual([]);
  await close();
});

test('several people are changed together, after a look at what happens to each', async () => {
  const { page, close } = await openPage();
  for (const name of ['Priya Raman', 'Ingrid Solheim', 'Lena Hoffmann'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 3 people' });
  await dialog.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Remove from S.T.A.R.T' }).click();
  await dialog.getByText('Only admins can change').waitFor();
  await dialog.getByText('S.T.A.R.T: on → off').waitFor();
  await dialog.getByText('unchanged').waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Apply to 1 person' }).click();
  await dialog.getByText('1 changed.').waitFor();
  expect(await grantsOf('staff@demo.test')).not.toContain('VIEW_TOP_5');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.getByRole('switch', { name: 'S.T.A.R.T for Lena Hoffmann' }).isChecked()).toBe(false);
  await close();
});

test('on a phone, too, people are chosen by a thumb and changed together', async () => {
  const { page, close } = await openPage();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ['Ruth Abramov', 'Edward Ashworth']) {
    const box = page.getByRole('checkbox', { name: `Select ${name}` });
    const { width, height } = (await box.locator('xpath=ancestor::label').boundingBox()) ?? { width: 0, height: 0 };
    expect([name, width >= 44 && height >= 44]).toEqual([name, true]);
    await box.check();
  }
  await page.getByText('2 selected').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 people' });
  await dialog.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Invite' }).click();
  await dialog.getByText('Ruth Abramov').waitFor();
  await page.keyboard.press('Escape');
  const everybody = page.getByRole('checkbox', { name: 'Select all shown' });
  expect(await everybody.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  const words = page.getByText('Select all shown', { exact: true });
  const { height } = (await words.locator('xpath=ancestor::label').boundingBox()) ?? { height: 0 };
  expect(height).toBeGreaterThanOrEqual(44);
  const shown = await page.getByRole('checkbox', { name: /^Select (?!all shown)/ }).count();
  await words.click();
  await page.getByText(`${shown} selected`).waitFor();
  await everybody.press('Space');
  await page.getByText(/^\d+ selected/).waitFor({ state: 'detached' });
  await close();
});

test('a file of people shows what it would do, and then does it once, however often the button is pressed', async () => {
  const { page, close } = await openPage('admin');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import people' });
  const text = 'e-mail,first name,role,top-5\nfile@demo.test,Fay,Staff,yes\nbad@demo.test,Bad,Pilot,no\n';
  await dialog
    .getByLabel('CSV or Excel file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await dialog.getByText('Nothing saved yet: 1 to add, 0 to change, 0 unchanged, 1 refused.').waitFor();
  await dialog.getByText('There is no role “Pilot”').waitFor();
  await dialog.getByText('new', { exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
  expect(await grantsOf('file@demo.test')).toBeUndefined();
  let imports = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/people/import')) imports += 1;
  });
  // Two presses before the page is drawn again.
  await dialog.getByRole('button', { name: 'Import one person' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await dialog.getByText('Imported: 1 added, 0 changed, 0 unchanged, 1 refused.').waitFor();
  expect(imports).toBe(1);
  expect(await grantsOf('file@demo.test')).toEqual(['VIEW_TOP_5']);
  await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
  await dialog.getByRole('button', { name: 'Download the link' }).click();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Fay' }).waitFor();
  await close();
});

test('typing finds among two thousand people', async () => {
  await server.sql(`insert into people (email, first_name, last_name, role)
    select 'p' || n || '@example.test', 'First' || n, 'Last' || n, 'Staff' from generate_series(1, 2000) n`);
  const { page, close } = await openPage();
  expect(await countOf(page, 'Everyone')).toBeGreaterThan(2_000);
  const field = page.getByRole('searchbox', { name: 'Find a person' });
  // Counts of four digits leave the filters on one line.
  await chip(page, 'No approver who can decide').click();
  const filters = [chip(page, 'Everyone'), field, page.getByRole('button', { name: 'Clear', exact: true })];
  const middles = filters.map(async (control) => {
    const { y, height } = (await control.boundingBox()) ?? { y: 0, height: 0 };
    return Math.round(y + height / 2);
  });
  expect(new Set(await Promise.all(middles)).size).toBe(1);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await field.focus();
  await page.evaluate(() => {
    const seen = Object.assign(globalThis, { keys: [] as number[] });
    const note = (list: PerformanceObserverEntryList) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') seen.keys.push(duration);
    };
    new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.keyboard.type('last1999', { delay: 60 });
  await page.getByRole('button', { name: 'First1999 Last1999' }).waitFor();
  // Fewer letters found this person too.
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  const keys = await page.evaluate(() => (globalThis as unknown as { keys: number[] }).keys);
  // Reported and not judged: the machine of the day decides.
  console.info(`from a key to the next picture: ${keys.join(', ')} ms`);
  await close();
});

test('the list is exported as filtered, and Back opens no panel that was closed', async () => {
  const { page, close, complaints } = await openPage();
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('sales@demo.test');
  await page.getByRole('button', { name: /^Priya Raman/ }).waitFor();
  await page.waitForURL(/q=sales/);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await bytesOf(await downloaded)).toString('utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^sales@demo\.test,Priya,Raman,Sales,Connect,/);
  const panel = page.getByRole('dialog', { name: 'Priya Raman' });
  await page.getByRole('button', { name: /^Priya Raman/ }).click();
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.goBack();
  await settled(page);
  expect([await panel.count(), new URL(page.url()).searchParams.get('person')]).toEqual([0, null]);
  expect(complaints).toEqual([]);
  await close();
});
