// One week of S.T.A.R.T: two people at two browsers, from the first idea to the signed-off task in the stats.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardOf, inboxOf, message, taskPanel, undo } from './board.ts';
import { bytesOf, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const titles = [
  'Ship the summer offer',
  'Answer the oldest tickets',
  'Plan the partner day',
  'Tidy the price list',
  'Train the newcomers',
];
const [offer, tickets, partnerDay, priceList, newcomers] = titles as [string, string, string, string, string];

let server: TestServer;
let owner: Visitor;
let approver: Visitor;
let board: ReturnType<typeof boardOf>;
let inbox: ReturnType<typeof inboxOf>;

beforeAll(async () => {
  server = await startServer();
  owner = await visit(server.url, 'top5');
  approver = await visit(server.url, 'approver');
  board = boardOf(owner.page);
  inbox = inboxOf(approver.page);
  await board.open();
  await inbox.open();
});
afterAll(() => server.stop());

test('a task that waits cannot be moved by its owner, and says so when it is grabbed', async () => {
  await board.create({ title: offer, summary: 'Live on all shops by Friday', brand: 'Green' });
  await board.cardIn('Awaiting Approval', offer).waitFor();
  await board.drag(offer, 'To Do');
  await board.card(offer).getByRole('status').waitFor();
  expect(await board.cardIn('Awaiting Approval', offer).count()).toBe(1);
});

test('what an employee creates comes into the inbox of the approver without reload', async () => {
  for (const title of titles.slice(1)) await board.create({ title });
  for (const title of titles) await inbox.row(title).first().waitFor();
});

test('a denied task tells its owner why, and every answer sends it back to approval', async () => {
  await inbox.decide(partnerDay, 'Deny', 'Say who comes and what it costs');
  await board.cardIn('Task Denied', partnerDay).waitFor();
  const panel = await board.openTask(partnerDay);
  await panel.getByText('Say who comes and what it costs').first().waitFor();
  await panel.getByRole('button', { name: 'Edit and resend' }).click();
  await panel.getByLabel('Summary').fill('Twelve partners, 900 euros');
  // Neither Esc nor a reload loses what is typed.
  await panel.getByLabel('Summary').press('Escape');
  await panel.getByRole('button', { name: 'Continue editing' }).click();
  expect(await panel.getByLabel('Summary').inputValue()).toBe('Twelve partners, 900 euros');
  await owner.page.reload();
  expect(await panel.getByLabel('Summary').inputValue()).toBe('Twelve partners, 900 euros');
  await panel.getByRole('button', { name: 'Resend for approval' }).click();
  await panel.getByText('Say what you changed').waitFor();
  await panel.getByLabel('What did you change?').fill('Guests and costs stand in the summary');
  await panel.getByRole('button', { name: 'Resend for approval' }).click();
  // An open form would take the Escape.
  await panel.getByLabel('What did you change?').waitFor({ state: 'detached' });
  await panel.getByText('Awaiting Approval').first().waitFor();
  await owner.page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await board.cardIn('Awaiting Approval', partnerDay).waitFor();
  await inbox.row(partnerDay).first().click();
  const detail = approver.page.getByRole('article', { name: partnerDay });
  await detail.getByText('Guests and costs stand in the summary').first().waitFor();
  await detail.getByText('Say who comes and what it costs').first().waitFor();
});

test('an approved task goes through To Do, In Progress and Completed by drag, as its owner likes', async () => {
  for (const title of [offer, partnerDay, tickets]) await inbox.decide(title, 'Approve');
  for (const [column, title] of [
    ['To Do', offer],
    ['To Do', partnerDay],
    ['To Do', tickets],
  ] as const)
    await board.cardIn(column, title).waitFor();
  for (const column of ['In Progress', 'Completed', 'To Do', 'In Progress', 'Completed']) {
    await board.drag(offer, column);
    await board.cardIn(column, offer).waitFor();
  }
  await board.drag(offer, 'Signed Off');
  // The card is ahead of the server.
  await owner.answered();
  await owner.page.reload();
  await board.cardIn('Completed', offer).waitFor();
});

test('the menu of a card moves it like the hand does', async () => {
  await board
    .card(tickets)
    .getByRole('button', { name: `Actions for ${tickets}` })
    .click();
  await owner.page.getByRole('menuitem', { name: 'In Progress' }).click();
  await board.cardIn('In Progress', tickets).waitFor();
});

test('notes and files of the owner are read by the approver', async () => {
  const panel = await board.openTask(offer);
  await panel.getByLabel('New note').fill('The **last** banner came today');
  await panel.getByRole('button', { name: 'Add note' }).click();
  await panel.getByText('The last banner came today').waitFor();
  await panel
    .getByLabel('Choose files')
    .setInputFiles({ name: 'banner.txt', mimeType: 'text/plain', buffer: Buffer.from('600 x 200') });
  await panel.getByRole('button', { name: 'Download banner.txt' }).waitFor();
  await owner.page.keyboard.press('Escape');
  await inbox.chooseTab('To sign off');
  await inbox.row(offer).first().click();
  const detail = approver.page.getByRole('article', { name: offer });
  await detail.getByText('The last banner came today').waitFor();
  const [download] = await Promise.all([
    approver.page.waitForEvent('download'),
    detail.getByRole('button', { name: 'Download banner.txt' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('banner.txt');
  expect((await bytesOf(download)).toString()).toBe('600 x 200');
});

test('a completed task is sent back with a reason, and signed off when it is completed again', async () => {
  await inbox.decide(offer, 'Send back', 'The prices of two shops are old');
  await board.cardIn('In Progress', offer).waitFor();
  const panel = await board.openTask(offer);
  await panel.getByText('The prices of two shops are old').first().waitFor();
  await panel.getByRole('group', { name: 'Move task' }).getByRole('button', { name: 'Complete' }).click();
  await owner.page.keyboard.press('Escape');
  await board.cardIn('Completed', offer).waitFor();
  await inbox.decide(offer, 'Sign off');
  await board.cardIn('Signed Off', offer).waitFor();
});

test('the history keeps every step with who did it and why', async () => {
  const panel = await board.openTask(offer);
  const history = panel.getByRole('region', { name: /^History/ });
  await history.getByRole('button', { name: /^Show all/ }).click();
  const entries = history.getByRole('listitem');
  // Created, approved, five moves, a note, a file, sent back, completed, signed off.
  await expect.poll(() => entries.count()).toBe(12);
  const words = await entries.allInnerTexts();
  expect(words[0]).toMatch(/Marcus Adeyemi signed off/);
  expect(words.join('\n')).toContain('The prices of two shops are old');
  await owner.page.keyboard.press('Escape');
});

test('a decision is taken back while its message shows', async () => {
  await inbox.chooseTab('To approve');
  await inbox.decide(priceList, 'Approve');
  await board.cardIn('To Do', priceList).waitFor();
  await undo(approver.page, `“${priceList}” approved`);
  await board.cardIn('Awaiting Approval', priceList).waitFor();
  await inbox.row(priceList).first().waitFor();
});

test('My week is used by keyboard: a task is completed and the move undone, and a denied one opens its form', async () => {
  await inbox.decide(priceList, 'Deny', 'Say which prices are old');
  const { page } = owner;
  await page.goto('/dashboard');
  await page
    .getByRole('region', { name: /^Needs you/ })
    .getByText('Say which prices are old')
    .waitFor();
  const open = page.getByRole('region', { name: /^Open/ }).getByRole('link', { name: tickets });
  await open.focus();
  await page.keyboard.press('Space');
  await page
    .getByRole('region', { name: /^Completed/ })
    .getByRole('link', { name: tickets })
    .waitFor();
  await message(page, `“${tickets}” moved to Completed`).waitFor();
  await page.keyboard.press('u');
  await open.waitFor();
  await page.getByRole('link', { name: priceList }).focus();
  await page.keyboard.press('e');
  const panel = await taskPanel(page, priceList);
  await panel.getByLabel('What did you change?').fill('Named the shops with old prices');
  await page.keyboard.press('Control+Enter');
  // An open form would take the Escape.
  await panel.getByLabel('What did you change?').waitFor({ state: 'detached' });
  await panel.getByText('Awaiting Approval').first().waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await inbox.row(priceList).first().waitFor();
});

test('a waiting task is withdrawn by its owner, and leaves the board and the inbox', async () => {
  const panel = await board.openTask(newcomers);
  await panel.getByRole('button', { name: 'Withdraw task' }).click();
  await message(owner.page, /withdrawn$/).waitFor();
  await board.open();
  await board.cardIn('Signed Off', offer).waitFor();
  expect(await board.card(newcomers).count()).toBe(0);
  await inbox.row(newcomers).first().waitFor({ state: 'detached' });
});

test('a task that repeats comes back with the next sprint, and one Undo withdraws it', async () => {
  const { page } = owner;
  const panel = await board.openTask(tickets);
  await page.keyboard.press('r');
  await panel.getByRole('combobox', { name: 'Repeats' }).fill('week');
  await page.getByRole('option', { name: 'Every week' }).click();
  await message(page, `“${tickets}” repeats every week`).waitFor();
  await panel.getByText('set it to repeat').waitFor();
  await page.keyboard.press('Escape');
  await board.card(tickets).getByText('Repeats every week').waitFor();
  // A week passes, in which no page waits for the server.
  for (const each of [page, approver.page]) await each.goto('about:blank');
  const [task] = await server.sql<{ id: string; sprint: string }>(
    'select id::text, sprint_id::text as sprint from tasks where repeats is not null',
  );
  await server.restart(() =>
    server.sql(
      `with moved as (
         update tasks set sprint_id = (select id from sprints where end_at <= now() order by end_at desc limit 1) where id = $1)
       update sprints set repeated_at = null where id = $2`,
      [task?.id, task?.sprint],
    ),
  );
  await page.goto('/dashboard');
  const notice = page.getByText(`“${tickets}” was added, because it repeats`);
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Undo' }).click();
  await message(page, `“${tickets}” withdrawn. It still repeats`).waitFor();
  await notice.waitFor({ state: 'detached' });
  await server.sql('update tasks set sprint_id = $2 where id = $1', [task?.id, task?.sprint]);
});

test('the stats show the week by the formula of the specification', async () => {
  const counts = await server.sql<{ status: string; count: number }>(
    `select status, count(*)::int as count from tasks
      where withdrawn_at is null and sprint_id = (select id from sprints where start_at <= now() and end_at > now())
        and owner_id = (select id from people where email = 'top5@demo.test') group by status`,
  );
  const of = (...statuses: string[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((total, { count }) => total + count, 0);
  const completed = of('INREVIEW', 'DONE') / of('TODO', 'INPROGRESS', 'INREVIEW', 'DONE');
  await approver.page.goto('/top-5/stats');
  const cells = approver.page.getByRole('row', { name: /Tomás Pereira/ }).getByRole('cell');
  await cells.first().waitFor();
  expect(await cells.nth(1).innerText()).toMatch(new RegExp(`^${of('TODO', 'INPROGRESS', 'INREVIEW', 'DONE')}\\b`));
  expect(Number.parseFloat(await cells.nth(2).innerText())).toBe(Math.round(completed * 1000) / 10);
});

test('nobody’s page complained in the whole week', () => {
  expect(owner.complaints).toEqual([]);
  expect(approver.complaints).toEqual([]);
});
