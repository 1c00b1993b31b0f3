// The bonus in a browser: who sees whose amounts, the lines with their tasks, what-if by keyboard, a question
// and its answer, a new version.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message } from './board.ts';
import { bytesOf, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const address = '/top-5/tools/bonus';

let server: TestServer;
let staff: Visitor;
let approver: Visitor;
let admin: Visitor;
let recorded: { id: string; name: string };

const idOf = async (email: string) =>
  (await server.sql<{ id: string }>('select id::text from people where email = $1', [email]))[0]!.id;

beforeAll(async () => {
  server = await startServer();
  staff = await visit(server.url, 'staff');
  approver = await visit(server.url, 'approver');
  admin = await visit(server.url, 'admin');
  [recorded] = (await server.sql<{ id: string; name: string }>(
    'select id::text, name from sprints where result_at is not null order by start_at desc limit 1',
  )) as [{ id: string; name: string }];
});
afterAll(() => server.stop());

const region = ({ page }: Visitor, name: string | RegExp) => page.getByRole('region', { name });

test('the amounts of a colleague are as if there were none', async () => {
  await staff.page.goto(`${address}?person=${await idOf('top5@demo.test')}`);
  await staff.page.getByText('Not found, or you don’t have access').waitFor();
  expect(await staff.page.getByText('Recorded', { exact: true }).count()).toBe(0);
  staff.complaints.length = 0;
});

test('the running sprint is a forecast, and says so', async () => {
  await staff.page.goto(address);
  const statement = region(staff, 'My statement');
  await statement.getByText('Forecast').waitFor();
  await statement.getByText(/would pay now/).waitFor();
  await region(staff, /^How it works/)
    .getByText(/left out of the signed-off share/)
    .waitFor();
});

test('the sliders answer the keyboard, and the result is a sentence', async () => {
  const whatIf = region(staff, 'What if');
  for (const name of ['Signed-off share', 'Rework-free share', 'Team result']) {
    await whatIf.getByRole('slider', { name }).focus();
    await staff.page.keyboard.press('End');
  }
  // 120 x (50 % x 1.2 + 30 % x 1 + 20 % x 1.2)
  await whatIf.getByText(/100% signed off, 100% without rework and the team at 100%/).waitFor();
  expect(await whatIf.getByRole('status').innerText()).toMatch(/comes to \$136\.80, \$[\d.]+ more than the statement/);
  await whatIf.getByRole('button', { name: 'Back to the statement' }).click();
});

test('a line of a recorded statement opens the tasks it comes from, and takes a question', async () => {
  await region(staff, /^Recorded statements/)
    .getByRole('button', { name: recorded.name })
    .first()
    .click();
  const statement = region(staff, 'My statement');
  await statement.getByText('Recorded', { exact: true }).waitFor();
  await statement.getByRole('button', { name: 'Signed-off share' }).click();
  const panel = staff.page.getByRole('dialog', { name: 'Statement part' });
  await panel.getByRole('link').first().waitFor();
  await panel.getByRole('button', { name: 'Ask' }).click();
  await panel.getByText('Write your question first').waitFor();
  await panel.getByLabel('Ask about this part').fill('Is the partner day among them?');
  await panel.getByRole('button', { name: 'Ask' }).click();
  await message(staff.page, /question was sent/).waitFor();
  await panel.getByText('Open', { exact: true }).waitFor();
  await staff.page.keyboard.press('Escape');
});

test('the approver finds the question and answers it', async () => {
  await approver.page.goto(address);
  await region(approver, /^Questions for you/)
    .getByText('Is the partner day among them?')
    .click();
  const panel = approver.page.getByRole('dialog', { name: 'Statement part' });
  await panel.getByLabel('Answer').fill('Yes, it is the second one');
  await panel.getByRole('button', { name: 'Answer' }).click();
  await message(approver.page, 'Your answer was sent').waitFor();
  await panel.getByText('Answered', { exact: true }).waitFor();
  await staff.page.reload();
  await region(staff, 'My statement').getByText('Answered', { exact: true }).waitFor();
});

test('the file holds every line, and the lines of a sprint add up to its amount', async () => {
  const [download] = await Promise.all([
    staff.page.waitForEvent('download'),
    region(staff, /^Recorded statements/)
      .getByRole('button', { name: 'Export CSV' })
      .click(),
  ]);
  const lines = (await bytesOf(download))
    .toString()
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  const sums = Map.groupBy(lines, ([, , sprint]) => sprint!);
  const amounts = await server.sql<{ name: string; amount: string }>(
    `select s.name, b.amount::text from bonus_statements b join sprints s on s.id = b.sprint_id
      where b.person_id = (select id from people where email = 'staff@demo.test')`,
  );
  expect(sums.size).toBe(amounts.length);
  for (const { name, amount } of amounts)
    expect(Math.round(sums.get(name)!.reduce((sum, cells) => sum + Number(cells[7]), 0) * 10_000)).toBe(Number(amount));
});

test('a new version begins with the next sprint, once its weights add up', async () => {
  await admin.page.goto(address);
  expect(await staff.page.getByRole('button', { name: 'New version' }).count()).toBe(0);
  await admin.page.getByRole('button', { name: 'New version' }).click();
  const dialog = admin.page.getByRole('dialog', { name: 'Plan version 3' });
  const preview = dialog.getByRole('region', { name: 'What this version pays' });
  await preview
    .getByText(
      / would have paid \$[\d,.]+ to \d+ people under this version\. .* people\. This version pays the same\.$/,
    )
    .waitFor();
  await dialog.getByLabel('Base amount per sprint').fill('150');
  await preview.getByText(/people\. This version pays \$[\d,.]+ more\.$/).waitFor();
  await preview.getByRole('group').focus();
  await admin.page.keyboard.press('End');
  // 150 x (50 % x 1.2 + 30 % x 1 + 20 % x 1.2)
  await preview.getByText('Version 3, draft').nth(1).waitFor();
  await preview.getByText('$171.00', { exact: true }).waitFor();
  await dialog.getByLabel('Team result: Weight %').fill('10');
  await dialog.getByRole('button', { name: 'Review and publish' }).click();
  await dialog.getByRole('alert').getByText('The weights add up to 90%. They must add up to 100%').waitFor();
  await dialog.getByLabel('Team result: Weight %').fill('20');
  await dialog.getByRole('button', { name: 'Review and publish' }).click();
  await admin.page.getByRole('button', { name: 'Publish version' }).click();
  await message(admin.page, 'Plan version 3 published').waitFor();
  await admin.page.getByText(/Version 3 will be in effect from sprint/).waitFor();
});

test('nobody’s page complained', () => {
  expect([staff.complaints, approver.complaints, admin.complaints]).toEqual([[], [], []]);
});
