// A people manager changes approvers, and waiting tasks move along.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Path } from '#core/access/routes.ts';
import { findings } from './axe.ts';
import { inboxOf, message } from './board.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const management: Path = '/approvermanagement';
const tasks: Path = '/top-5/tasks';

let server: TestServer;
let keeper: Visitor;
let page: Page;

beforeAll(async () => {
  server = await startServer();
  keeper = await visit(server.url, 'people');
  page = keeper.page;
  await page.goto(management);
  await settled(page);
});
afterAll(() => server.stop());

const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });
const panel = () => page.getByRole('dialog');
const named = async (email: string) => {
  const [person] = await server.sql<{ id: string; name: string }>(
    `select id::text, first_name || ' ' || last_name as name from people where email = $1`,
    [`${email}@demo.test`],
  );
  return person as { id: string; name: string };
};
const approversOf = async (id: string) =>
  (
    await server.sql<{ name: string }>(
      `select b.first_name || ' ' || b.last_name as name from approvers a join people b on b.id = a.approver_id where a.person_id = $1 order by 1`,
      [id],
    )
  ).map(({ name }) => name);

async function chooseIn(label: string, name: string): Promise<void> {
  await panel().getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

test('who may not manage people is refused the page', async () => {
  const { page: refused } = await visit(server.url, 'approver');
  await refused.goto(management);
  await refused.getByText("You don't have permission for this page").waitFor();
});

test('a person gets a second approver, sees first what moves, and the change is undone', async () => {
  const staff = await named('staff');
  const before = await approversOf(staff.id);
  await page.getByRole('searchbox').fill(staff.name);
  await row(staff.name).getByRole('button').click();
  await chooseIn(`${staff.name}’s approvers`, 'Amara Diallo');
  await panel()
    .getByText(/can decide on \d+ waiting tasks?$|will be reassigned$|No waiting tasks to reassign/)
    .first()
    .waitFor();
  await panel().getByRole('button', { name: 'Save approvers' }).click();
  await message(page, `${staff.name}’s approvers saved`).waitFor();
  await expect.poll(() => approversOf(staff.id)).toEqual([...before, 'Amara Diallo'].sort());
  await row(staff.name).getByText('Amara Diallo').waitFor();
  await panel().waitFor({ state: 'detached' });
  await page.keyboard.press('u');
  await message(page, 'Approvers restored').waitFor();
  expect(await approversOf(staff.id)).toEqual(before);
});

test('the keyboard alone finds a person, opens it, and closes it where it was', async () => {
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Mei Tanaka');
  await row('Mei Tanaka').waitFor();
  await row('Mei Tanaka').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await panel().getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  const button = row('Mei Tanaka').getByRole('button');
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('somebody else was faster: nothing is overwritten, and the panel says so', async () => {
  const staff = await named('staff');
  const ingrid = await named('admin');
  await page.getByRole('searchbox').fill(staff.name);
  await row(staff.name).getByRole('button').click();
  await chooseIn(`${staff.name}’s approvers`, 'Amara Diallo');
  await server.sql('insert into approvers (person_id, approver_id) values ($1, $2)', [staff.id, ingrid.id]);
  await panel().getByRole('button', { name: 'Save approvers' }).click();
  await panel().getByText(`Someone else changed ${staff.name}’s approvers. Review them and try again`).waitFor();
  expect(await approversOf(staff.id)).not.toContain('Amara Diallo');
  await server.sql('delete from approvers where person_id = $1 and approver_id = $2', [staff.id, ingrid.id]);
  await page.keyboard.press('Escape');
});

test('all people of an approver are handed over: the list of what moves comes first, and both inboxes follow at once', async () => {
  const [from, to] = [await named('approver'), 'Hannah Okonkwo'];
  const approver = await visit(server.url, 'approver');
  await inboxOf(approver.page).open();
  const queue = approver.page.getByRole('list', { name: /^To (approve|sign off)$/ }).getByRole('listitem');
  await queue.first().waitFor();
  await page.goto(`${management}?view=approvers`);
  await settled(page);
  const waiting = Number(
    await row(from.name)
      .getByRole('cell')
      .nth(2)
      .innerText()
      .then((text) => text.split(' ')[0]),
  );
  expect(waiting).toBeGreaterThan(0);
  await row(from.name).getByRole('button').click();
  await chooseIn('Reassign to', to);
  await panel()
    .getByRole('heading', { name: `${waiting} tasks will be reassigned` })
    .waitFor();
  await panel()
    .getByRole('listitem')
    .filter({ hasText: /titles? hidden/ })
    .first()
    .waitFor();
  expect(await findings(page)).toEqual([]);
  await panel()
    .getByRole('button', { name: /^Reassign \d+ people$/ })
    .click();
  await message(page, /people reassigned from/).waitFor();
  await panel().waitFor({ state: 'detached' });
  await row(from.name).waitFor({ state: 'detached' });
  await expect.poll(() => queue.count()).toBe(0);
  await page.keyboard.press('u');
  await row(from.name).waitFor();
  await queue.first().waitFor();
});

test('the default approver lets somebody without an approver of their own keep tasks', async () => {
  const { page: lonely } = await visit(server.url, 'noapprover');
  await lonely.goto(tasks);
  await lonely.getByText('You should be approved by the manager').waitFor();
  expect(await page.getByRole('combobox', { name: 'Default approver' }).isDisabled()).toBe(true);
  const admin = await visit(server.url, 'admin');
  await admin.page.goto(management);
  await admin.page.getByRole('combobox', { name: 'Default approver' }).fill('Amara');
  await admin.page.getByRole('option', { name: 'Amara Diallo', exact: true }).click();
  await message(admin.page, 'Default approver saved').waitFor();
  await admin.close();
  await lonely.goto(tasks);
  await lonely.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  await page.goto(management);
  await settled(page);
  expect(await findings(page)).toEqual([]);
  expect(keeper.complaints.filter((complaint) => !complaint.startsWith('CONFLICT'))).toEqual([]);
});
