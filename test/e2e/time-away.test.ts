// An approver plans time away by keyboard alone; the delegate decides, the history names both, and it ends.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { inboxOf } from './board.ts';
import { tokenOf, type Visitor, visit } from './browser.ts';
import { emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let approver: Visitor;
let delegate: Visitor;
let owner: Visitor;
let names: Record<'approver' | 'admin', string>;
const title = 'Check the price list of the absent approver';

beforeAll(async () => {
  server = await startServer();
  const rows = await server.sql<{ email: string; id: string; name: string }>(
    "select email, id, first_name || ' ' || last_name as name from people where email = any($1)",
    [[emailOf('approver'), emailOf('admin'), emailOf('staff')]],
  );
  const of = (who: 'approver' | 'admin' | 'staff') => rows.find(({ email }) => email === emailOf(who))!;
  names = { approver: of('approver').name, admin: of('admin').name };
  const query = `mutation { createTask(userId: "${of('staff').id}", title: "${title}") { id } }`;
  await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(server.url, 'staff')}` },
    body: JSON.stringify({ query }),
  });
  approver = await visit(server.url, 'approver');
  delegate = await visit(server.url, 'admin');
  owner = await visit(server.url, 'staff');
});
afterAll(() => server.stop());

/** Tab, until this is focused. */
async function tabTo(page: Page, role: 'button' | 'combobox', name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name });
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} can’t be reached by Tab`);
}

test('by keyboard alone an approver says they are away, and reads what that does before it is saved', async () => {
  const { page } = approver;
  await page.goto('/account');
  await tabTo(page, 'button', 'Add time away');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Time away' });
  await dialog.getByText(/^No delegate: tasks from .+ wait for you, another approver or an admin/).waitFor();
  await tabTo(page, 'combobox', 'Delegate');
  await page.keyboard.type(names.admin);
  await page.getByRole('option', { name: names.admin }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText(new RegExp(`^${names.admin} decides for .+ waiting\\) on `)).waitFor();
  expect(await findings(page)).toEqual([]);
  await tabTo(page, 'button', 'Save time away');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('list', { name: 'Time away' }).getByRole('listitem');
  await row.getByText('Away now').waitFor();
  await row.getByText(`Delegate: ${names.admin}`).waitFor();
  expect(await findings(page)).toEqual([]);
});

test('the owner sees who decides now, the delegate for whom they decide, and the history names both', async () => {
  await owner.page.goto('/dashboard');
  const sentence = new RegExp(
    `${names.approver} approves your tasks, but is away until .+ \\(delegate: ${names.admin}\\)`,
  );
  await owner.page.getByText(sentence).waitFor();
  const { page } = delegate;
  await inboxOf(page).open();
  const row = page.getByRole('button').filter({ hasText: title });
  await row.getByText(new RegExp(`For ${names.approver}, away until`)).waitFor();
  expect(await findings(page)).toEqual([]);
  await row.click();
  await page.getByRole('article').getByRole('button', { name: 'Approve', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  const [{ id } = { id: '' }] = await server.sql<{ id: string }>('select id from tasks where title = $1', [title]);
  await owner.page.goto(`/top-5/tasks?task=${id}`);
  await owner.page.getByText(`${names.admin} for ${names.approver}`, { exact: true }).first().waitFor();
});

test('approver management names who is away and who decides', async () => {
  const { page } = delegate;
  await page.goto('/approvermanagement');
  await page
    .getByText(new RegExp(`away until .+ \\(delegate: ${names.admin}\\)`))
    .first()
    .waitFor();
});

test('ended early, nothing waits for the delegate anymore', async () => {
  const { page } = approver;
  await page.getByRole('button', { name: /^End / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End time away' }).click();
  await page.getByText('No time away planned.').waitFor();
  await inboxOf(delegate.page).open();
  await delegate.page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  await delegate.answered();
  expect(await delegate.page.getByText(`For ${names.approver}, away until`).count()).toBe(0);
  for (const visitor of [approver, delegate, owner]) expect(visitor.complaints).toEqual([]);
});

test('once an admin lets tasks be handed over, one that waited too long goes to the approver’s approver', async () => {
  const long = 'Check the price list that waits too long';
  // Of the last sprint: in the current one, a task waits since its start at the earliest, which can be today.
  const [{ id } = { id: '' }] = await server.sql<{ id: string }>(
    `with made as (
       insert into tasks (owner_id, sprint_id, title, category, created_by, status_at)
       select p.id, s.id, $1, 'Grow', p.id, now() - interval '30 days'
       from people p, (select id from sprints where end_at <= now() order by end_at desc limit 1) s
       where p.email = $2 returning *)
     insert into task_history (task_id, sprint_id, actor_id, actor_name, event, from_status, to_status, version)
     select id, sprint_id, owner_id, 'Owner', 'created', status, status, 1 from made returning task_id::text as id`,
    [long, emailOf('staff')],
  );
  const { page } = delegate;
  await page.goto('/tools?tab=settings');
  const setting = page.getByRole('form', { name: 'Hand over after' });
  await setting.getByRole('textbox').fill('8');
  await setting.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Hand over after changed').waitFor();
  await owner.page.goto(`/top-5/tasks?task=${id}`);
  await owner.page.getByText('Also waiting for').waitFor();
  await owner.page.getByRole('definition').filter({ hasText: names.admin }).waitFor();
  expect(await findings(owner.page)).toEqual([]);
  await inboxOf(page).open();
  const row = page.getByRole('region', { name: 'Handed over to you' }).getByRole('button').filter({ hasText: long });
  await row.getByText(`For ${names.approver}, who has had it since`).waitFor();
  expect(await findings(page)).toEqual([]);
  await row.click();
  await page.getByRole('article').getByRole('button', { name: 'Approve', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await owner.page.getByText(`${names.admin} for ${names.approver}`, { exact: true }).first().waitFor();
  for (const visitor of [approver, delegate, owner]) expect(visitor.complaints).toEqual([]);
});
