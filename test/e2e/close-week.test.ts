// Monday: a week is closed by keyboard alone, and read by its approver.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { type Visitor, visit } from './browser.ts';
import { emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

/** A person who types sixty words a minute, and thinks before each step. */
const keyMs = 200;
const thinkMs = 6_000;
/** A press this soon after a decision is held back. */
const heldBackMs = 600;

let server: TestServer;
let owner: Visitor;
let approver: Visitor;
let keys = 0;
let thoughts = 0;

const press = async (page: Page, key: string) => {
  keys += key.split('+').length;
  await page.keyboard.press(key);
};
const type = async (page: Page, text: string) => {
  keys += text.length;
  await page.keyboard.type(text);
};

const titles = ['Ship the offer', 'Answer tickets', 'Plan the party', 'Ask the bank', 'Tidy prices'] as const;
const statuses = ['INPROGRESS', 'TODO', 'TODO', 'INAPPROVAL', 'INPROGRESS'] as const;

/** The previous sprint ended two hours ago, with five unfinished tasks of the owner and none other. */
async function becomeMonday(): Promise<void> {
  await server.sql(`
    with last as (select id from sprints where end_at <= now() order by end_at desc limit 1),
      undone as (update sprint_results set counts = null, carried_out = null where sprint_id = (select id from last))
    update sprints s set
      end_at = case when s.id = last.id then now() - interval '2 hours' else s.end_at end,
      result_at = null,
      start_at = case when s.id = last.id then s.start_at else now() - interval '2 hours' end
    from last where s.id = last.id or (s.start_at <= now() and s.end_at > now())`);
  await server.sql(
    `with me as (select id from people where email = $1),
       last as (select id from sprints where end_at <= now() order by end_at desc limit 1),
       gone as (update tasks set withdrawn_at = now() where owner_id = (select id from me)),
       made as (
         insert into tasks (owner_id, sprint_id, title, category, status, created_by)
         select me.id, last.id, x.title, 'Green', x.status::task_status, me.id
         from me, last, unnest($2::text[], $3::text[]) with ordinality as x (title, status, place) order by x.place
         returning id, sprint_id)
     insert into task_history (task_id, sprint_id, actor_name, event, from_status, to_status, version)
     select id, sprint_id, 'Owner', 'created', 'INAPPROVAL', 'INAPPROVAL', 1 from made`,
    [emailOf('top5'), titles, statuses],
  );
}

beforeAll(async () => {
  server = await startServer();
  await becomeMonday();
  owner = await visit(server.url, 'top5');
  approver = await visit(server.url, 'approver');
});
afterAll(() => server.stop());

test('five tasks are closed by keyboard in under three minutes, as a person types', async () => {
  const { page } = owner;
  const dialog = page.getByRole('dialog', { name: /^Close 20/ });
  /** The task that is asked about, before anything is pressed. */
  const asked = async (title: string) => {
    await dialog.getByRole('heading', { name: title }).and(page.locator(':focus')).waitFor();
    await page.waitForTimeout(heldBackMs);
    thoughts += 1;
  };
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Close 20/ }).waitFor();
  await press(page, 'w');
  const [offer, tickets, party, bank, prices] = titles;
  await asked(offer);
  expect(await findings(page)).toEqual([]);
  await press(page, 'd');
  await asked(tickets);
  await press(page, 'c');
  await asked(party);
  await press(page, 'x');
  await type(page, 'The budget is gone');
  await press(page, 'Enter');
  // A task that nobody approved can't be completed.
  await asked(bank);
  await press(page, 'd');
  expect(await dialog.getByRole('button', { name: /^Complete/ }).count()).toBe(0);
  await press(page, 'c');
  await asked(prices);
  await press(page, 'd');
  await dialog.getByLabel('What did you learn?').and(page.locator(':focus')).waitFor();
  thoughts += 2;
  await type(page, 'Ask the bank a week earlier, it answers slowly');
  // Leaving keeps what is typed, and doesn't ask about decided tasks again.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('w');
  const learned = dialog.getByLabel('What did you learn?').and(page.locator(':focus'));
  await learned.waitFor();
  expect(await learned.inputValue()).toBe('Ask the bank a week earlier, it answers slowly');
  await press(page, 'Control+Enter');
  const line = dialog.getByLabel('Title').and(page.locator(':focus'));
  await line.waitFor();
  await dialog.getByRole('listitem').filter({ hasText: tickets }).getByText('Carried over').waitFor();
  for (const title of ['Sign the contract', 'Book the hall', 'Hire a cook']) {
    thoughts += 1;
    await type(page, title);
    await press(page, 'Enter');
    await dialog.getByRole('listitem').filter({ hasText: title }).waitFor();
  }
  await dialog.getByText(/^5 of 5 tasks planned/).waitFor();
  await press(page, 'Enter');
  const recap = await dialog.getByLabel('Recap for your team').inputValue();
  expect(recap).toMatch(/^20\d\d W\d\d: completed 2 of 4 approved tasks, 2 carried over\n/);
  expect(recap).toContain('- Ship the offer (Completed)\n- Plan the party (Left undone)\n');
  expect(recap).toContain('Learned: Ask the bank a week earlier, it answers slowly');
  expect(recap).toMatch(/Next, 20\d\d W\d\d:\n- Answer tickets \(Carried over\)\n(- .+\n){3}- Hire a cook$/);
  await press(page, 'Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Recap of 20/ }).waitFor();
  const seconds = (keys * keyMs + thoughts * thinkMs) / 1_000;
  console.info(`closing the week: ${keys} keys and ${thoughts} thoughts, ${Math.round(seconds)} seconds`);
  expect(seconds).toBeLessThan(180);
  expect(owner.complaints).toEqual([]);
});

test('the reason of a dropped task is in its history', async () => {
  const [row] = await server.sql<{ event: string; change: string }>(
    `select h.event, h.change from task_history h join tasks t on t.id = h.task_id where t.title = $1 order by h.id desc limit 1`,
    [titles[2]],
  );
  expect(row).toEqual({ event: 'leftUndone', change: 'The budget is gone' });
});

test('the approver is notified once, and reads the recap on My week and on the board', async () => {
  const { page } = approver;
  await page.goto('/dashboard');
  const recaps = page.getByRole('region', { name: 'Recaps' });
  await recaps.getByText('Ask the bank a week earlier, it answers slowly').waitFor();
  const [told] = await server.sql<{ count: string }>(
    `select count(*) from notices n join people p on p.id = n.person_id where n.kind = 'recap' and p.email = $1`,
    [emailOf('approver')],
  );
  expect(told?.count).toBe('1');
  await recaps.getByRole('link').first().click();
  await page.getByText('Learned:').waitFor();
  expect(approver.complaints).toEqual([]);
});

test('the dialog fits a phone and both themes', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard?close=1');
  const dialog = page.getByRole('dialog', { name: /^Close 20/ });
  await dialog.getByLabel('What did you learn?').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await dialog.getByLabel('What did you learn?').fill('Edited');
  await dialog.getByRole('button', { name: 'Save recap' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByLabel('Recap for your team').waitFor();
  expect(await findings(page)).toEqual([]);
});
