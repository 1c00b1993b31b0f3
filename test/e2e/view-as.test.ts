// Looking at the product as somebody else: what they see, nothing that changes, always a way out.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let admin: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  admin = await visit(server.url, 'admin');
  page = admin.page;
});
afterAll(async () => {
  await admin?.close();
  await server?.stop();
});

const banner = (on: Page) => on.getByRole('region', { name: 'Viewing as' });
const links = (on: Page) => on.getByRole('navigation', { name: 'Main' });

async function viewAsLena(): Promise<void> {
  await page.goto('/role-editor?tab=doctor');
  await page.getByRole('combobox', { name: 'Person' }).fill('Lena');
  await page.getByRole('option', { name: /^Lena Hoffmann/ }).click();
  await page.getByRole('button', { name: 'View as this person' }).click();
  await banner(page).getByText('Lena Hoffmann').waitFor();
}

test('who edits roles and is no admin is offered a role and no person', async () => {
  const people = await visit(server.url, 'people');
  await people.page.goto('/role-editor?tab=doctor');
  await people.page.getByRole('combobox', { name: 'Person' }).fill('Lena');
  await people.page.getByRole('option', { name: /^Lena Hoffmann/ }).click();
  await people.page.getByRole('button', { name: 'View as this role' }).waitFor();
  expect(await people.page.getByRole('button', { name: 'View as this person' }).count()).toBe(0);
  await people.close();
});

test('the doctor tells why somebody does not see a page, and what would mend it', async () => {
  await page.goto('/role-editor?tab=doctor');
  await page.getByRole('combobox', { name: 'Person' }).fill('Chloe');
  await page.getByRole('option', { name: /^Chloe Nakamura/ }).click();
  await page.getByRole('combobox', { name: 'Page' }).click();
  await page.getByRole('option', { name: 'Tasks', exact: true }).click();
  await page.getByText('“You should be approved by the manager”').waitFor();
  await page.getByText('Choose an approver in approver management.').waitFor();
  await page.getByRole('region', { name: 'Keeps tasks and has no approver' }).getByText('Chloe Nakamura').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('an admin sees the week and the navigation of a person, with a banner on every page', async () => {
  await viewAsLena();
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await settled(page);
  expect(await links(page).getByRole('link', { name: 'User Management' }).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await page.goto('/usermanagement');
  await page.getByText("You don't have permission for this page").waitFor();
  await banner(page).getByText('You are Ingrid Solheim').waitFor();
  await page.goto('/role-qualifications');
  await page.getByText('Lena Hoffmann would be logged out here').waitFor();
});

test('nothing changes: the server refuses, and the page says why', async () => {
  await page.goto('/top-5/tasks');
  await page.getByRole('button', { name: 'New task' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.getByLabel('Title').fill('Written by somebody else');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Nothing can be changed while you view as somebody else').first().waitFor();
  await page.keyboard.press('Escape');
  const other = await admin.context.newPage();
  await other.goto('/dashboard');
  await other.getByRole('heading', { level: 1 }).waitFor();
  expect(await banner(other).count()).toBe(0);
  await other.close();
});

test('Logout and the banner both lead back to oneself, still signed in', async () => {
  await page.goto('/logout');
  await links(page).getByRole('link', { name: 'User Management' }).waitFor();
  expect(await banner(page).count()).toBe(0);
  await viewAsLena();
  await banner(page).getByRole('button', { name: 'Stop viewing' }).click();
  await links(page).getByRole('link', { name: 'User Management' }).waitFor();
  expect(await banner(page).count()).toBe(0);
});

test('as a role, who is no admin follows its navigation and reads nothing that is closed to themselves', async () => {
  const people = await visit(server.url, 'people');
  await people.page.goto('/role-editor?tab=doctor');
  await people.page.getByRole('combobox', { name: 'Role' }).click();
  await people.page.getByRole('option', { name: 'Sales', exact: true }).click();
  await people.page.getByRole('button', { name: 'View as this role' }).click();
  await banner(people.page).getByText('Sales').waitFor();
  await links(people.page).getByRole('link', { name: 'Connect' }).click();
  await people.page.getByText('You may not read this page yourself').waitFor();
  expect(await findings(people.page)).toEqual([]);
  expect(people.complaints).toEqual([]);
  await people.close();
});
