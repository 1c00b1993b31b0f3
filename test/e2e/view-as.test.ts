// Viewing the product as someone else: what they see, nothing that changes, always a way out.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses } from './addresses.ts';
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

/** Parts of pages that open by their own address only. */
const parts = [
  '/tools?tab=settings',
  '/tools?tab=import',
  '/tools?tab=audit',
  '/role-editor?tab=doctor',
  '/top-5/tools/guidelines?edit=1',
];

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
  await page.getByText('Choose an approver in Approver Management.').waitFor();
  await page.getByRole('region', { name: 'Has tasks but no approver' }).getByText('Chloe Nakamura').waitFor();
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
  await page.getByText('Lena Hoffmann would be signed out here').waitFor();
});

/**
 * Presses every control of the page once, by its name, and those of what opens over it; gives their names.
 */
async function pressEverything(on: Page): Promise<string[]> {
  return on.evaluate(async () => {
    const pressed = new Set<string>();
    const home = location.pathname;
    const frame = () => new Promise(requestAnimationFrame);
    const nameOf = (control: HTMLElement) =>
      control.ariaLabel ?? (control.closest('label') ?? control).textContent?.trim() ?? '';
    // Closing is done by Escape, when all inside was pressed; the parts of a page are visited by their
    // addresses.
    const left = ['Close', 'Cancel'];
    const next = (within: string) =>
      [...document.querySelectorAll<HTMLElement>(`:is(${within}) :is(button, input[type=checkbox])`)].find(
        (control) =>
          !control.matches(':disabled, [aria-disabled=true], main [role=tab]') &&
          !left.includes(nameOf(control)) &&
          !pressed.has(nameOf(control)),
      );
    const covering = '[role=dialog], [role=menu]';
    for (let steps = 0; steps < 80; steps++) {
      const over = document.querySelector(covering);
      const control = next(over ? covering : 'main');
      if (control) {
        pressed.add(nameOf(control));
        control.click();
      } else if (over) {
        (document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
        );
      } else break;
      // What the press changed is drawn, and what that asks for is on its way.
      await frame();
      await frame();
      if (location.pathname !== home) history.back();
    }
    return [...pressed];
  });
}

/** What a page asks the server to change. */
function changesAskedOf(on: Page): string[] {
  const asked: string[] = [];
  on.on('request', (request) => {
    const { query = '' } = (request.postDataJSON() ?? {}) as { query?: string };
    const reads = request.method() === 'GET' || (request.url().endsWith('/graphql') && !query.startsWith('mutation'));
    if (!reads && !query.includes('stopViewing')) asked.push(query || `${request.method()} ${request.url()}`);
  });
  return asked;
}

test('nothing can be changed: what writes stands there dead and says why, on the board for mouse and keys too', async () => {
  await page.goto('/top-5/tasks');
  const create = page.getByRole('button', { name: 'New task' }).first();
  await create.waitFor();
  await settled(page);
  expect(await create.isDisabled()).toBe(true);
  await page.getByTitle('You’re viewing as Lena Hoffmann. You can’t change anything').first().waitFor();
  await page.keyboard.press('c');
  expect(await page.getByRole('dialog').count()).toBe(0);
  const card = page.locator('article', { has: page.locator('[data-task]') }).first();
  expect(await page.locator('article[data-movable]').count()).toBe(0);
  await card.dragTo(page.locator('[data-column]').last());
  await card.getByText('You can’t change anything').waitFor();
  await card.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy link']);
  await page.keyboard.press('Escape');
  expect(await findings(page)).toEqual([]);
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
  await people.page.getByText('You don’t have access to this page').waitFor();
  expect(await findings(people.page)).toEqual([]);
  expect(people.complaints).toEqual([]);
  await people.close();
});

// A person with all permissions sees every control.
test('as somebody who may do everything, no page has a control that asks for a change', {
  timeout: 360_000,
}, async () => {
  await page.goto('/role-editor?tab=doctor');
  await page.getByRole('combobox', { name: 'Person' }).fill('Ingrid');
  await page.getByRole('option', { name: /^Ingrid Solheim/ }).click();
  await page.getByRole('button', { name: 'View as this person' }).click();
  await banner(page).getByText('Ingrid Solheim').first().waitFor();
  const asked = changesAskedOf(page);
  const found: Record<string, string[]> = {};
  const pressed: string[] = [];
  for (const address of [...addresses, ...parts]) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    pressed.push(...(await pressEverything(page)));
    if (asked.length > 0) found[address] = asked.splice(0);
  }
  expect(found).toEqual({});
  expect(pressed.length).toBeGreaterThan(150);
  // A press may have hidden the column of the switches.
  await page.evaluate(() => localStorage.removeItem('hidden-columns:users'));
  await page.goto('/usermanagement');
  expect(await page.getByRole('button', { name: 'New person' }).isDisabled()).toBe(true);
  expect(await page.getByRole('switch').first().isDisabled()).toBe(true);
  await banner(page).getByRole('button', { name: 'Stop viewing' }).click();
  // The page leaves by itself once the server has answered: what is opened before that is opened in vain.
  await page.waitForURL('**/role-editor?tab=doctor*');
  await page.goto('/usermanagement');
  expect(await page.getByRole('button', { name: 'New person' }).isEnabled()).toBe(true);
  await page.goto('/top-5/tools/guidelines');
  expect(await page.getByRole('button', { name: 'Edit the guidelines' }).isEnabled()).toBe(true);
});
