// The time tracker in a browser: Coming Soon while it is off; then the timer, the week, time by hand, a final
// week, and what an approver sees.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { boardOf, message, undo } from './board.ts';
import { type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const address = '/top-5/tools/time-tracker';

let server: TestServer;
let owner: Visitor;
let approver: Visitor;
let title: string;

const region = ({ page }: Visitor, name: string | RegExp) => page.getByRole('region', { name });

beforeAll(async () => {
  server = await startServer();
  owner = await visit(server.url, 'top5');
});
afterAll(() => server.stop());

test('is Coming Soon while its setting is off, also in the navigation', async () => {
  await owner.page.goto(address);
  await owner.page.getByRole('main').getByText('Coming Soon').waitFor();
  await owner.page.getByRole('navigation').getByText('Coming Soon').waitFor();
  await server.restart(() => server.sql("insert into settings (key, value) values ('timeTracker', 'true'::jsonb)"));
  owner = await visit(server.url, 'top5');
  approver = await visit(server.url, 'approver');
});

test('a task is timed from its own panel, and the timer survives a reload', async () => {
  const [task] = await server.sql<{ title: string }>(
    `select title from tasks where withdrawn_at is null and status = 'TODO' and sprint_id = (select id from sprints where start_at <= now() and end_at > now())
      and owner_id = (select id from people where email = 'top5@demo.test') order by id limit 1`,
  );
  title = task!.title;
  const board = boardOf(owner.page);
  await board.open();
  const panel = await board.openTask(title);
  await panel.getByRole('button', { name: 'Start timer' }).click();
  await panel.getByRole('button', { name: 'Stop timer' }).waitFor();
  await owner.page.goto(address);
  await region(owner, 'Timer').getByText(title).waitFor();
  await owner.page.reload();
  await region(owner, 'Timer').getByRole('timer').waitFor();
});

test('a timer that ran overnight asks when the work ended', async () => {
  await server.sql("update time_entries set start_at = now() - interval '30 hours' where end_at is null");
  await owner.page.reload();
  const dialog = owner.page.getByRole('dialog', { name: 'When did you stop?' });
  const [{ stopped }] = (await server.sql<{ stopped: string }>(
    "select to_char((start_at + interval '5 minutes') at time zone 'UTC', 'HH24:MI') as stopped from time_entries where end_at is null",
  )) as [{ stopped: string }];
  const [{ day }] = (await server.sql<{ day: string }>(
    "select to_char((start_at + interval '5 minutes') at time zone 'UTC', 'YYYY-MM-DD') as day from time_entries where end_at is null",
  )) as [{ day: string }];
  await dialog.getByLabel('Date').fill(day);
  await dialog.getByLabel('Stopped at').fill(stopped);
  await dialog.getByRole('button', { name: 'Stop at this time' }).click();
  await message(owner.page, /^Timer for .* stopped/).waitFor();
  await region(owner, 'Timer').getByRole('button', { name: 'Start' }).waitFor();
});

test('time by hand stands in the week, what it meets is refused, and a removal is taken back', async () => {
  await server.sql('delete from time_entries');
  const [earlier] = await server.sql<{ monday: string }>(
    "select to_char(date_trunc('week', now() - interval '6 weeks'), 'YYYY-MM-DD') as monday",
  );
  await owner.page.goto(`${address}?week=${earlier!.monday}`);
  const week = region(owner, /^Week/);
  await week.getByRole('button', { name: 'Add time' }).click();
  const dialog = owner.page.getByRole('dialog', { name: 'Add time' });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('Choose a task').waitFor();
  await dialog.getByRole('combobox', { name: 'Task' }).fill(title);
  await owner.page.getByRole('option', { name: title }).first().click();
  await dialog.getByLabel('From').fill('09:00');
  await dialog.getByLabel('To').fill('10:30');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await message(owner.page, 'Time added').waitFor();
  await week.getByRole('row', { name: /All tasks.*1:30/ }).waitFor();
  await week.getByRole('button', { name: 'Add time' }).click();
  await dialog.getByRole('combobox', { name: 'Task' }).fill(title);
  await owner.page.getByRole('option', { name: title }).first().click();
  await dialog.getByLabel('From').fill('10:00');
  await dialog.getByLabel('To').fill('11:00');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText(/^This overlaps/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await week.getByRole('button', { name: /^Remove/ }).click();
  await week.getByText('No time this week').waitFor();
  await undo(owner.page, 'Time removed');
  await week.getByRole('row', { name: /All tasks.*1:30/ }).waitFor();
  owner.complaints.length = 0;
});

test('a final week takes no change until it is reopened', async () => {
  await server.sql("update time_entries set start_at = now() - interval '3 hours', end_at = now() - interval '1 hour'");
  await owner.page.goto(address);
  const week = region(owner, /^Week/);
  await week.getByRole('button', { name: 'Mark week as final' }).click();
  await week.getByRole('button', { name: 'Reopen week' }).waitFor();
  expect(await week.getByRole('button', { name: 'Add time' }).isDisabled()).toBe(true);
  await week.getByRole('button', { name: 'Reopen week' }).click();
  await week.getByRole('button', { name: 'Mark week as final' }).waitFor();
});

test('the approver sees the sums of weeks and no entry', async () => {
  const [{ id }] = (await server.sql<{ id: string }>("select id::text from people where email = 'top5@demo.test'")) as [
    { id: string },
  ];
  await approver.page.goto(`${address}?person=${id}`);
  const weeks = region(approver, /^13 weeks/);
  await weeks.getByRole('button', { name: 'View Hours per week as table' }).click();
  await weeks
    .getByRole('cell', { name: /^[12](\.\d)? h$/ })
    .first()
    .waitFor();
  expect(await approver.page.getByText(title).count()).toBe(0);
  expect(await region(approver, /^Week/).count()).toBe(0);
});

test('the page is free of findings in both themes and on a phone, and nobody’s page complained', async () => {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await owner.page.setViewportSize({ width, height: 900 });
    await owner.page.emulateMedia({ colorScheme });
    expect(await findings(owner.page)).toEqual([]);
  }
  expect(await owner.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect([owner.complaints, approver.complaints]).toEqual([[], []]);
});
