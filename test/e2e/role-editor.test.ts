// Editing what roles permit, after reviewing the effect on people (spec 6, D11, D14, D38).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const openEditor = async (page: Page) => {
  await page.goto('/role-editor');
  await page.getByRole('button', { name: 'New role' }).waitFor();
};
const box = (page: Page, name: RegExp) => page.getByRole('checkbox', { name });
const saveBar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
const review = (page: Page) => saveBar(page).getByRole('button', { name: 'Review and save' }).click();
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
const permissionsOf = async (name: string) =>
  (await server.sql<{ permissions: string[] }>('select permissions from roles where name = $1', [name]))[0]
    ?.permissions;

test('who may not edit roles is refused, and who is no admin cannot turn on what they do not hold', async () => {
  const staff = await visit(server.url, 'staff');
  await staff.page.goto('/role-editor');
  await staff.page.getByText("You don't have permission for this page").waitFor();
  await staff.close();
  const { page, close, complaints } = await visit(server.url, 'people');
  await openEditor(page);
  const locked = box(page, /^Staff: Affiliate stats, you can’t add this/);
  // Playwright itself would wait for it to be enabled.
  await locked.click({ force: true });
  expect(await locked.isChecked()).toBe(false);
  expect(await saveBar(page).count()).toBe(0);
  // The way out of the own page is closed too, and says why.
  await box(page, /^People: Role editor/).uncheck();
  await review(page);
  await page.getByText('This would remove your own access').waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await saveBar(page).getByRole('button', { name: 'Discard' }).click();
  expect(await box(page, /^People: Role editor/).isChecked()).toBe(true);
  expect(await page.getByRole('link', { name: 'Role qualifications' }).count()).toBe(0);
  expect(complaints.filter((line) => !line.includes('FORBIDDEN'))).toEqual([]);
  await close();
});

test('changes are made by keyboard, looked at with the people whom they concern, saved and taken back', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await openEditor(page);
  await box(page, /^Approver: Dashboard$/).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  expect(await box(page, /^Staff: Affiliate stats, will be added, not saved/).isChecked()).toBe(true);
  await box(page, /^Sales: Green tab$/).uncheck();
  await saveBar(page).getByText('2 changes').waitFor();
  // A reload keeps what was not saved.
  await page.reload();
  await saveBar(page).getByText('2 changes').waitFor();
  await review(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /Sales: Green – −1/ }).waitFor();
  await dialog.getByText('Priya Raman').waitFor();
  expect(await findings(page)).toEqual([]);
  await save(page);
  await page.getByText('2 changes saved').waitFor();
  expect(await permissionsOf('Staff')).toContain('VIEW_AFFILIATE_STATS');
  expect(await permissionsOf('Sales')).not.toContain('VIEW_GREEN_SALES');
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('row', { name: /Sales: Green \+1 –/ }).waitFor();
  await save(page);
  await expect.poll(() => permissionsOf('Sales')).toContain('VIEW_GREEN_SALES');
  expect(complaints).toEqual([]);
  await close();
});

test('a role is made, renamed, brought back to an earlier state and deleted; its name may look like a script', async () => {
  const { page, close, complaints } = await visit(server.url, 'admin');
  await openEditor(page);
  await page.getByRole('button', { name: 'New role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('sales');
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await dialog.getByText('A role named “Sales” already exists').waitFor();
  const name = '<img src=x onerror=alert(1)>';
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('button', { name: `${name} 0 active` }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Contractor');
  await page.keyboard.press('Escape');
  await saveBar(page).getByText('1 change').waitFor();
  await review(page);
  await dialog.getByText(`was ${name}`).waitFor();
  await save(page);
  await page.getByText('1 change saved').waitFor();
  await page.getByRole('button', { name: 'Contractor 0 active' }).click();
  await dialog.getByRole('button', { name: 'Restore this version' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await review(page);
  await dialog.getByText('was Contractor').waitFor();
  await save(page);
  await page.getByRole('button', { name: `${name} 0 active` }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete role' }).click();
  await expect.poll(() => permissionsOf(name)).toBeUndefined();
  await page.getByRole('button', { name: /^Staff/ }).click();
  await dialog.getByText('Can’t be deleted while someone has it').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a role that was changed meanwhile is looked at again before it is saved, and another open browser follows', async () => {
  const [first, second] = [await visit(server.url, 'admin'), await visit(server.url, 'admin')];
  await openEditor(second.page);
  await openEditor(first.page);
  await box(first.page, /^Support: Tools$/).uncheck();
  await review(first.page);
  await first.page.getByRole('row', { name: 'Tools – −1' }).waitFor();
  // Without a word to the open pages, as when the change comes at the very moment of saving.
  await server.sql(
    "update roles set permissions = array_append(permissions, 'VIEW_SALES'), version = version + 1 where name = 'Support'",
  );
  await save(first.page);
  await first.page.getByRole('alert').getByText('Someone changed the role “Support”').waitFor();
  expect(await permissionsOf('Support')).toContain('VIEW_TOOLS');
  await save(first.page);
  await first.page.getByText('1 change saved').waitFor();
  const saved = await permissionsOf('Support');
  expect([saved?.includes('VIEW_TOOLS'), saved?.includes('VIEW_SALES')]).toEqual([false, true]);
  await second.page.locator('input[aria-label="Support: Tools"]:not(:checked)').waitFor();
  await first.close();
  await second.close();
});

test('on a phone there is one role at a time', async () => {
  const { page, close } = await visit(server.url, 'admin', { width: 390, height: 844 });
  await openEditor(page);
  expect(await page.getByRole('columnheader').allInnerTexts()).toHaveLength(2);
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Support' }).click();
  await box(page, /^Support: Sales/).waitFor();
  await close();
});
