// The schedule: an admin makes a meeting, its chair moves one of a week, a colleague finds it, and a calendar
// fetches it.
import ical, { type VEvent } from 'node-ical';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message, undo } from './board.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const address = '/top-5/tools/schedule';
let server: TestServer;
let admin: Visitor;
let chair: Visitor;
let staff: Visitor;

beforeAll(async () => {
  // Kiritimati is 13 hours ahead of the browser: the next day already, for half of a day.
  server = await startServer({ env: { COMPANY_TIME_ZONE: 'Pacific/Kiritimati' } });
  admin = await visit(server.url, 'admin');
  chair = await visit(server.url, 'approver');
  staff = await visit(server.url, 'staff');
});
afterAll(() => server.stop());

const open = async ({ page }: Visitor, query = '') => {
  await page.goto(`${address}${query}`);
  await page.getByRole('heading', { name: 'Weekly Meeting Schedule', level: 1 }).waitFor();
  await settled(page);
};
const showNextWeek = async ({ page }: Visitor) => {
  await page.getByRole('button', { name: 'Next week' }).click();
  // Until then the days are those of this week, which may have the same meetings.
  await page.getByRole('button', { name: 'This week', exact: true, disabled: false }).waitFor();
};
const dayOf = ({ page }: Visitor, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 3 }) });

test('who may not read the schedule is told so, and a colleague is offered no change', async () => {
  const sales = await visit(server.url, 'sales');
  await sales.page.goto(address);
  await sales.page.getByText("You don't have permission for this page").waitFor();
  await sales.close();
  await open(staff);
  expect(await staff.page.getByRole('button', { name: 'New meeting', exact: true }).count()).toBe(0);
  await dayOf(staff, 'Wednesday').getByRole('link', { name: 'Green review' }).click();
  const panel = staff.page.getByRole('dialog', { name: 'Green review' });
  await panel.getByText('Tomás Pereira').first().waitFor();
  expect(await panel.getByRole('button', { name: 'Edit meeting' }).count()).toBe(0);
  await staff.page.keyboard.press('Escape');
});

test('meetings show in the company’s time with the viewer’s beside it, and say where they overlap', async () => {
  await staff.page
    .getByText('Times are in company time (Pacific/Kiritimati), then in yours (Europe/Amsterdam).')
    .waitFor();
  await open(staff, '?week=2099-01-05');
  const card = dayOf(staff, 'Tuesday').getByRole('listitem').filter({ hasText: 'Connect weekly' }).first();
  expect(await card.innerText()).toMatch(/09:30–10:15[\s\S]*Mon 5 Jan 20:30 your time/);
  await card.getByText(/You and \d+ others are double-booked with Shops and prices/).waitFor();
});

test('an admin makes a meeting, is told of overlaps first, and it stands in the week', async () => {
  const { page } = admin;
  await open(admin);
  await page.getByRole('button', { name: 'New meeting', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New meeting' });
  await dialog.getByRole('button', { name: 'Add meeting' }).click();
  await dialog.getByText('Enter the title').waitFor();
  await dialog.getByLabel('Title').fill('Launch of the spring');
  await dialog.getByRole('combobox', { name: 'Repeats' }).click();
  await page.getByRole('option', { name: 'Every Thursday' }).click();
  await dialog.getByLabel(/^Time \(/).fill('11:45');
  await dialog.getByRole('combobox', { name: 'Chair' }).click();
  await dialog.getByRole('combobox', { name: 'Chair' }).fill('Marcus');
  await page.getByRole('option', { name: 'Marcus Adeyemi' }).click();
  await dialog.getByText('Overlaps with: Approver check-in (1 person)').waitFor();
  await dialog.getByLabel(/^Time \(/).fill('17:00');
  await dialog.getByText('Overlaps with').waitFor({ state: 'detached' });
  await dialog.getByLabel('Attendees').fill('Lena');
  await page.getByRole('option', { name: 'Lena Hoffmann' }).click();
  await dialog.getByLabel('Link').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Add meeting' }).click();
  await dialog.getByText('The link must be an address that begins with').waitFor();
  await dialog.getByLabel('Link').fill('https://meet.example.com/spring');
  await dialog.getByRole('button', { name: 'Add meeting' }).click();
  await message(page, '“Launch of the spring” added to the schedule').waitFor();
  await showNextWeek(admin);
  await dayOf(admin, 'Thursday').getByRole('link', { name: 'Launch of the spring' }).waitFor();
});

test('a half hour of the week starts a meeting there, by mouse over several and by keyboard', async () => {
  const { page } = admin;
  await page.goto(`${address}?week=2099-01-05`);
  const slot = (time: string) => page.getByLabel(`New meeting on Tuesday 6 Jan at ${time}`);
  await slot('13:00').hover();
  await page.mouse.down();
  await slot('14:00').hover();
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'New meeting' });
  const start = async () => [
    await dialog.getByRole('combobox', { name: 'Repeats' }).inputValue(),
    await dialog.getByLabel('Date', { exact: true }).inputValue(),
    await dialog.getByLabel(/^Time \(/).inputValue(),
    await dialog.getByLabel('Minutes').inputValue(),
  ];
  await expect.poll(start).toEqual(['Doesn’t repeat', '2099-01-06', '13:00', '90']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // One half hour is a stop of Tab and known to screen readers.
  expect(await page.getByRole('button', { name: /^New meeting on/ }).count()).toBe(1);
  await slot('09:00').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(start).toEqual(['Doesn’t repeat', '2099-01-07', '09:30', '30']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Show weekend' }).click();
  await dayOf(admin, 'Saturday').waitFor();
  await page.getByRole('button', { name: 'Hide weekend' }).click();
  await dayOf(admin, 'Saturday').waitFor({ state: 'detached' });
  await page.goto(`${address}?week=2026-01-05`);
  await dayOf(admin, 'Tuesday').waitFor();
  expect(await page.getByLabel(/^New meeting on/).count()).toBe(0);
});

test('its chair moves the one of a week and puts it back', async () => {
  const { page } = chair;
  await open(chair);
  await showNextWeek(chair);
  await dayOf(chair, 'Thursday').getByRole('link', { name: 'Launch of the spring' }).click();
  const panel = page.getByRole('dialog', { name: 'Launch of the spring' });
  await panel.getByRole('button', { name: 'Move to another date' }).click();
  const day = await panel.getByLabel('New date').inputValue();
  const friday = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
  await panel.getByLabel('New date').fill(friday);
  await panel.getByLabel('Time', { exact: true }).fill('08:15');
  await panel.getByRole('button', { name: 'Move meeting' }).click();
  await message(page, /was moved to/).waitFor();
  await page.keyboard.press('Escape');
  const card = dayOf(chair, 'Friday').getByRole('listitem').filter({ hasText: 'Launch of the spring' });
  await card.getByText('moved this week').waitFor();
  await card.getByRole('link').click();
  await panel.getByRole('button', { name: /^Restore/ }).click();
  await message(page, /was restored/).waitFor();
  await page.keyboard.press('Escape');
  await dayOf(chair, 'Thursday').getByRole('link', { name: 'Launch of the spring' }).waitFor();
});

test('a calendar fetches one’s meetings from an address that is shown once, until it is ended', async () => {
  const { page } = staff;
  await open(staff);
  await page.getByRole('button', { name: 'Calendar feeds' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar feeds' });
  await dialog.getByRole('button', { name: 'Create feed' }).click();
  const feed = await dialog.getByLabel(/the link, shown only once/).inputValue();
  expect(feed.startsWith(`${server.url}/api/calendar/`)).toBe(true);
  const app = await dialog.getByRole('link', { name: 'Open in your calendar app' }).getAttribute('href');
  expect(app).toBe(feed.replace('http:', 'webcal:'));
  const events = Object.values(ical.sync.parseICS(await (await fetch(feed)).text())).filter(
    (part) => part?.type === 'VEVENT',
  ) as VEvent[];
  expect(events.map(({ summary }) => summary)).toContain('Launch of the spring');
  expect(events.map(({ summary }) => summary)).not.toContain('Green review');
  await page.keyboard.press('Escape');
  // Nobody sees it again, so closing asks.
  await page
    .getByRole('dialog', { name: 'Close without copying?' })
    .getByRole('button', { name: 'Close', exact: true })
    .last()
    .click();
  await page.getByRole('button', { name: 'Calendar feeds' }).click();
  await dialog.getByText('Last fetched').waitFor();
  expect(await dialog.getByLabel(/the link, shown only once/).count()).toBe(0);
  await dialog.getByRole('button', { name: /^Revoke feed/ }).click();
  await message(page, /revoked/).waitFor();
  expect((await fetch(feed)).status).toBe(404);
  expect(server.output()).not.toContain(new URL(feed).pathname.split('/').at(-1)!);
});

test('My week shows the next meeting', async () => {
  await staff.page.goto('/dashboard');
  const panel = staff.page.getByRole('region', { name: /^Next meeting/ });
  await panel.getByText(/^\w{3} \d+ \w{3} \d\d:\d\d/).waitFor();
  await panel.getByRole('link', { name: 'Open the schedule' }).click();
  await staff.page.getByRole('heading', { name: 'Weekly Meeting Schedule' }).waitFor();
});

test('an admin removes a meeting after a question, and takes that back', async () => {
  const { page } = admin;
  await open(admin);
  await showNextWeek(admin);
  await dayOf(admin, 'Thursday').getByRole('link', { name: 'Launch of the spring' }).click();
  await page
    .getByRole('dialog', { name: 'Launch of the spring' })
    .getByRole('button', { name: 'Remove meeting' })
    .click();
  await page
    .getByRole('dialog', { name: 'Remove this meeting?' })
    .getByRole('button', { name: 'Remove meeting' })
    .click();
  await page.getByRole('link', { name: 'Launch of the spring' }).waitFor({ state: 'detached' });
  await undo(page, /removed/);
  await dayOf(admin, 'Thursday').getByRole('link', { name: 'Launch of the spring' }).waitFor();
});

test('nobody’s page complained', () => {
  for (const { complaints } of [admin, chair, staff]) expect(complaints).toEqual([]);
});
