// What a role asks of a person: written down, shown for each person, recorded, taken back.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { message } from './board.ts';
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

const openRole = async (name: string) => {
  await page.goto(`/role-qualifications?role=${encodeURIComponent(name)}`);
  await page.getByRole('heading', { name: `Requirements for ${name}` }).waitFor();
  await settled(page);
};
const panel = () => page.getByRole('dialog', { name: /^Evidence for/ });

test('somebody who is no admin is logged out by the page (D8)', async () => {
  const people = await visit(server.url, 'people');
  await people.page.goto('/role-qualifications');
  await people.page.waitForURL((url) => url.pathname === '/');
  expect(await people.context.cookies()).toEqual([]);
  await people.close();
});

test('the page is reached from the role editor and says of every role how many lack something', async () => {
  await page.goto('/role-editor');
  await page.getByRole('link', { name: 'Role qualifications' }).click();
  await page.getByRole('heading', { level: 1, name: 'Role Qualifications' }).waitFor();
  await page.getByRole('button', { name: /^Team lead 6 active people, \d not met/ }).waitFor();
  await page.getByRole('button', { name: /^Staff 36 active people, no requirements/ }).waitFor();
  expect(await findings(page)).toEqual([]);
});

test('a requirement is added, and its title is asked for; undo takes it away again', async () => {
  await openRole('Sales');
  await page.getByText('Sales has no requirements yet').waitFor();
  await page.getByRole('button', { name: 'Add a requirement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add requirement for Sales' });
  await dialog.getByRole('button', { name: 'Add requirement' }).click();
  await dialog.getByText('Describe the requirement in a few words').waitFor();
  await dialog.getByLabel('Title').fill('Knows the price list');
  await dialog.getByLabel('Valid for (months)').fill('6');
  await page.keyboard.press('Enter');
  await page.getByText('Training, valid for 6 months').waitFor();
  await page.getByRole('button', { name: /^Sales 1 active person, 1 not met/ }).waitFor();
  await message(page, 'Sales now requires “Knows the price list”').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await page.getByText('Sales has no requirements yet').waitFor();
});

test('evidence is recorded for a person, who meets the requirement then; withdrawn and taken back by keys', async () => {
  await openRole('Sales');
  await page.getByRole('button', { name: 'Add a requirement' }).click();
  await page.getByLabel('Title').fill('Price list');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'Missing' }).first().waitFor();
  await page.getByRole('button', { name: 'Priya Raman' }).click();
  await panel().getByRole('button', { name: 'Record evidence for Price list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Evidence for Priya Raman' });
  await dialog.getByLabel('Note').fill('Asked by Ingrid');
  await dialog.getByLabel('Date').fill('2999-01-01');
  await dialog.getByRole('button', { name: 'Record evidence' }).click();
  await dialog.getByText('Choose today or an earlier date').waitFor();
  await dialog.getByLabel('Date').fill('2026-01-05');
  await dialog.getByRole('button', { name: 'Record evidence' }).click();
  await panel().getByText('Asked by Ingrid').waitFor();
  await panel().getByText('Met', { exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
  await panel()
    .getByRole('button', { name: /^Withdraw evidence/ })
    .click();
  await panel().getByText('Missing', { exact: true }).waitFor();
  await message(page, 'Evidence withdrawn').waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await page.getByRole('cell', { name: 'Met' }).first().waitFor();
});

test('the people are found by state and name, and everybody shows who could take the role on', async () => {
  await openRole('Sales');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Missing' }).click();
  await page.getByText('No matches').waitFor();
  await page.getByText('Everyone', { exact: true }).click();
  await page.getByRole('button', { name: 'Lena Hoffmann' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('lindqvist');
  await page.getByRole('button', { name: 'Oskar Lindqvist' }).waitFor();
  await page.getByRole('button', { name: 'Lena Hoffmann' }).waitFor({ state: 'detached' });
});
