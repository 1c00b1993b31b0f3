// What people are told: in the inbox of the top bar while they look, and by a mail that leads back to the
// page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { findings } from './axe.ts';
import { boardOf, inboxOf, taskPanel } from './board.ts';
import { type Visitor, visit } from './browser.ts';
import { emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

let post: MailServer;
let server: TestServer;
let second: TestServer;
let owner: Visitor;
let approver: Visitor;

beforeAll(async () => {
  post = await startMailServer();
  const env = { SMTP_URL: post.url, MAIL_FROM: 'dashboard@demo.test', PUBLIC_URL: 'https://dash.demo.test' };
  server = await startServer({ env });
  second = await startServer({ beside: server, env });
  owner = await visit(server.url, 'staff');
  approver = await visit(second.url, 'approver');
});
afterAll(async () => {
  await second.stop();
  await server.stop();
  await post.stop();
});

const bellOf = ({ page }: Visitor) => page.getByRole('button', { name: /^Notifications/ });
const noticesOf = ({ page }: Visitor) => page.getByRole('dialog', { name: 'Notifications' });
/** As stored: the bell may be behind. */
const unreadOfOwner = async (): Promise<number> => {
  const [row] = await server.sql<{ count: number }>(
    `select count(*)::int as count from notices n join people p on p.id = n.person_id
      where p.email = $1 and n.in_app and n.read_at is null`,
    [emailOf('staff')],
  );
  return row?.count ?? 0;
};
const untilUnread = (visitor: Visitor, count: number) =>
  visitor.page
    .getByRole('button', { name: count === 0 ? 'Notifications' : `Notifications, ${count} unread`, exact: true })
    .waitFor();

test('a decision arrives at its owner’s bell without a reload, with the reason, and leads to the task', async () => {
  await boardOf(owner.page).open();
  const before = await unreadOfOwner();
  await boardOf(owner.page).create({ title: 'Count the chairs' });
  await inboxOf(approver.page).open();
  await inboxOf(approver.page).decide('Count the chairs', 'Deny', 'Say which room');
  await untilUnread(owner, before + 1);
  await owner.page.goto('/dashboard');
  await bellOf(owner).click();
  const notice = noticesOf(owner).getByRole('listitem').first();
  await notice.getByText('denied “Count the chairs”').waitFor();
  await notice.getByText('Say which room').waitFor();
  await notice.getByRole('link').click();
  await taskPanel(owner.page, 'Count the chairs');
  await untilUnread(owner, before);
});

test('with the keyboard alone: opened, gone through, marked, opened at its task, and closed to where one was', async () => {
  const { page } = owner;
  await page.goto('/dashboard');
  await bellOf(owner).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Notifications');
  const rows = noticesOf(owner).getByRole('listitem');
  await rows.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(
    await rows
      .nth(1)
      .getByRole('link')
      .evaluate((link) => link === document.activeElement),
  ).toBe(true);
  const before = await unreadOfOwner();
  await page.keyboard.press('Tab');
  const marked = (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '';
  await page.keyboard.press('Enter');
  const after = marked.startsWith('Mark as read') ? before - 1 : before + 1;
  await untilUnread(owner, after);
  // The bell is ahead of the server.
  await expect.poll(unreadOfOwner).toBe(after);
  await page.keyboard.press('Escape');
  await noticesOf(owner).waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^Notifications/);
});

test('all are marked at once, and the letters of the page below rest while the list is open', async () => {
  await bellOf(owner).click();
  await noticesOf(owner).getByRole('listitem').first().waitFor();
  // What the demo leaves unread depends on the day, and the test before may have marked the last.
  if ((await unreadOfOwner()) === 0)
    await noticesOf(owner)
      .getByRole('button', { name: /^Mark as unread/ })
      .first()
      .click();
  await owner.page.keyboard.press('c');
  await noticesOf(owner).getByRole('button', { name: 'Mark all as read' }).click();
  await untilUnread(owner, 0);
  expect(await owner.page.getByRole('dialog').count()).toBe(1);
  await owner.page.keyboard.press('Escape');
});

test('somebody is mentioned by name, is told at once, and the writer is told whom it does not reach', async () => {
  const { page } = approver;
  const [task] = await server.sql<{ id: string }>("select id::text from tasks where title = 'Count the chairs'");
  await page.goto(`/top-5/tasks?task=${task?.id}`);
  const panel = await taskPanel(page, 'Count the chairs');
  const note = panel.getByLabel('New note');
  await note.click();
  await page.keyboard.type('Please ask @Len');
  // People found for fewer letters may still be shown, with someone else first.
  await panel.getByRole('option', { name: 'Lena Hoffmann', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  expect(await note.inputValue()).toBe('Please ask @Lena Hoffmann ');
  await page.keyboard.type('or @Ton');
  const [blind] = await server.sql<{ name: string }>(
    "select first_name || ' ' || last_name as name from people where email = $1",
    [emailOf('support')],
  );
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(blind?.name ?? '');
  await panel.getByRole('option', { name: `${blind?.name} can’t see this task` }).click();
  await panel.getByText(`${blind?.name} can’t see this task and won’t be notified.`).waitFor();
  await page.keyboard.press('Control+Enter');
  await panel.getByText('@Lena Hoffmann', { exact: true }).waitFor();
  await untilUnread(owner, 1);
  await bellOf(owner).click();
  await noticesOf(owner).getByText('mentioned you in “Count the chairs”').waitFor();
  await noticesOf(owner).getByText(`Please ask @Lena Hoffmann or @${blind?.name}`).waitFor();
  await owner.page.keyboard.press('Escape');
  const told = await server.sql(
    "select 1 from notices n join people p on p.id = n.person_id where n.kind = 'mentioned' and p.email = $1",
    [emailOf('support')],
  );
  expect(told).toEqual([]);
});

test('the choices open from the account menu and from the link of a mail, and hold', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: /’s account/ }).click();
  await page.getByRole('menuitem', { name: 'Notification settings…' }).click();
  const box = page.getByRole('checkbox', { name: 'The sprint ends soon: by email' });
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('chooseNotices') ?? false);
  await box.click();
  await page.getByRole('checkbox', { name: 'The sprint ends soon: by email', checked: false }).waitFor();
  await saved;
  await page.keyboard.press('Escape');
  await page.goto('/dashboard?dialog=notices');
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  expect(new URL(page.url()).search).toBe('');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('a mail leads to the sign-in and from there to the task, and decides nothing', async () => {
  await server.sql("update notices set at = at - interval '10 minutes', mail_at = now() where mail_at is not null");
  const mine = () =>
    post.mails.find(({ to, text }) => to.includes(emailOf('staff')) && text.includes('Count the chairs'));
  await expect.poll(mine).toBeDefined();
  const link = /https:\/\/dash\.demo\.test(\/top-5\/tasks\S+)/.exec(mine()?.text ?? '')?.[1] ?? '';
  const stranger = await visit(server.url, null);
  await stranger.page.goto(link);
  await stranger.page.waitForURL((url) => url.searchParams.get('goto') === link);
  await stranger.close();
  await owner.page.goto(link);
  await taskPanel(owner.page, 'Count the chairs');
  const [task] = await server.sql<{ status: string }>("select status from tasks where title = 'Count the chairs'");
  expect(task?.status).toBe('DENIED');
});

test.each(['light', 'dark'] as const)(
  'the list has no faults that axe finds, on a phone and in the %s theme too',
  async (theme) => {
    for (const width of [1440, 390]) {
      const visitor = await visit(server.url, 'approver', { width, theme });
      await visitor.page.goto('/dashboard');
      await bellOf(visitor).click();
      await noticesOf(visitor).getByRole('listitem').first().waitFor();
      expect(await findings(visitor.page)).toEqual([]);
      const box = await noticesOf(visitor).boundingBox();
      if (width === 390) expect(box).toMatchObject({ x: 0, width: 390 });
      await visitor.close();
      expect(visitor.complaints).toEqual([]);
    }
  },
);
