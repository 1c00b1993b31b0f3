// Every page as every demo person. The tables are written from the specification (2, 6) and the demo accounts
// alone: where they and the product disagree, one of the two is wrong.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Visitor, visit } from './browser.ts';
import { type DemoPerson, demoPassword, demoPeople, emailOf } from './demo-people.ts';
import { startServer, type TestServer } from './server.ts';

/**
 * `in`: the page opens. An address: it leads there. `out`: signed out. `here`: refused in place on
 * /dashboard. Anything else is a refusal on /error.
 */
const whoMayEnter = `
                           admin                          approver      staff         top5          sales                          support     people      norole  noapprover
/                          /dashboard                     /dashboard    /dashboard    /dashboard    /dashboard                     /dashboard  /dashboard  here    /dashboard
/dashboard                 in                             in            in            in            in                             in          in          here    in
/sales                     /sales?product=connect         page          page          page          /sales?product=connect         page        page        app     page
/sales?product=codex       in                             page          page          page          in                             page        page        app     page
/sales?product=nothing     /sales?product=connect         page          page          page          /sales?product=connect         page        page        app     page
/donations                 /donations?product=free-a-girl page          page          page          /donations?product=free-a-girl page        page        app     page
/donations?product=who-lives in                           page          page          page          in                             page        page        app     page
/affiliate-stats           in                             page          page          page          page                           in          page        app     page
/customer-service          in                             page          page          page          page                           in          page        app     page
/distributions             in                             page          page          page          page                           in          page        app     page
/product-payments          in                             page          page          page          page                           in          page        app     page
/tools                     in                             page          in            page          page                           in          page        app     page
/role-editor               in                             page          page          page          page                           page        in          app     page
/role-qualifications       in                             out           out           out           out                            out         out         app     out
/usermanagement            in                             page          page          page          page                           page        in          app     page
/approvermanagement        in                             page          page          page          page                           page        in          app     page
/employee-stats            in                             in            in            page          page                           page        page        app     page
/top-5                     /top-5/tasks                   /top-5/tasks  /top-5/tasks  /top-5/tasks  page                           page        /top-5/tasks  app     manager
/top-5/tasks               in                             in            in            in            page                           page        in          app     manager
/top-5/approvals           in                             in            page          page          page                           page        page        app     page
/top-5/stats               in                             in            in            page          page                           page        page        app     page
/top-5/tools/guidelines    in                             in            in            in            page                           page        in          app     in
/top-5/tools/schedule      in                             in            in            in            page                           page        in          app     in
/top-5/tools/bonus         in                             in            in            in            page                           page        in          app     in
/top-5/tools/time-tracker  in                             in            in            in            page                           page        in          app     in
/logout                    out                            out           out           out           out                            out         out         out     out
`;

const refusals: Readonly<Record<string, string>> = {
  app: "You don't have permission for this application",
  page: "You don't have permission for this page",
  manager: 'You should be approved by the manager',
};

/** What the browser's title says of each page. */
const titles: Readonly<Record<string, string>> = {
  '/': 'Sign in',
  '/dashboard': 'My week',
  '/sales?product=connect': 'Connect sales',
  '/sales?product=codex': 'Codex sales',
  '/donations?product=free-a-girl': 'Free a Girl donations',
  '/donations?product=who-lives': 'Who Lives donations',
  '/affiliate-stats': 'Affiliate Stats',
  '/customer-service': 'Customer Service',
  '/distributions': 'Distributions',
  '/product-payments': 'Product Payments',
  '/tools': 'Tools',
  '/role-editor': 'Role Editor',
  '/role-qualifications': 'Role Qualifications',
  '/usermanagement': 'User Management',
  '/approvermanagement': 'Approver Management',
  '/employee-stats': 'Employee Stats',
  '/top-5/tasks': 'Tasks',
  '/top-5/approvals': 'Approvals',
  '/top-5/stats': 'Stats',
  '/top-5/tools/guidelines': 'Top 5 Guidelines',
  '/top-5/tools/schedule': 'Weekly Meeting Schedule',
  '/top-5/tools/bonus': 'Top 5 Bonus Structure',
  '/top-5/tools/time-tracker': 'Personal Performance Tracker',
};

const rows = whoMayEnter
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/));
const addresses = rows.map(([address = '']) => address);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const accessKeys = ['product', 'goto'];

type Arrival = { readonly at: string; readonly words: string };

/** Opens the address by a full load. */
async function arrive(page: Page, address: string): Promise<Arrival> {
  await page.goto(address, { waitUntil: 'commit' });
  return arrival(page);
}

/** Goes to the address inside the application, as a link does: a quarter of the time of a load. */
const go = (page: Page, address: string) => page.evaluate((to) => history.pushState(null, '', to), address);

/** Where the visitor ended up, and what the page is called there; a refusal is its heading. */
async function arrival(page: Page): Promise<Arrival> {
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  // It is named a moment after its heading is there.
  await page.waitForFunction(() => document.title !== 'Staff dashboard');
  const { pathname, searchParams } = new URL(page.url());
  // A page writes its own choices into its address, such as the open task; they are no access.
  for (const key of [...searchParams.keys()]) if (!accessKeys.includes(key)) searchParams.delete(key);
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  const title = (await page.title()).replace(/^\(\d+\) /, '').replace(/ · Staff dashboard$/, '');
  const words = await heading.innerText();
  const isRefused = pathname === '/error' || Object.values(refusals).includes(words);
  return { at: pathname + query, words: isRefused ? words : title };
}

function expected(address: string, outcome: string): Arrival {
  const refusal = refusals[outcome];
  if (outcome === 'here') return { at: '/dashboard', words: refusals.app ?? '?' };
  if (refusal) return { at: '/error', words: refusal };
  const at = outcome === 'in' ? address : outcome === 'out' ? '/' : outcome;
  return { at, words: titles[at] ?? '?' };
}

test('a stranger is sent to / from every page, which remembers the wanted address', async () => {
  const { page, close, complaints } = await visit(server.url, null);
  for (const address of addresses) {
    const at = ['/', '/logout'].includes(address) ? '/' : `/?goto=${encodeURIComponent(address)}`;
    expect(await arrive(page, address), address).toEqual({ at, words: 'Sign in' });
  }
  expect(complaints).toEqual([]);
  await close();
});

test.for(demoPeople)(
  '%s@ enters the pages that the permissions allow, and is told why not elsewhere',
  async (person) => {
    const visitor = await visit(server.url, person);
    const { page, context, complaints, close } = visitor;
    const session = await context.cookies();
    await arrive(page, '/error');
    for (const [address = '', ...outcomes] of rows) {
      const outcome = outcomes[demoPeople.indexOf(person)] ?? '?';
      const told = expected(address, outcome);
      if (person === 'admin') expect(await arrive(page, address), address).toEqual(told);
      else {
        await go(page, address);
        await expect.poll(() => arrival(page), { message: address }).toEqual(told);
      }
      if (outcome !== 'out') continue;
      expect(await context.cookies(), address).toEqual([]);
      await context.addCookies(session);
      await arrive(page, '/error');
    }
    expect(complaints).toEqual([]);
    await close();
  },
);

test('of the products only those open whose permission is held: a known one is refused, none or an unknown one leads to the first', async () => {
  await server.sql(
    `update roles set permissions = array_remove(array_remove(permissions, 'VIEW_CONNECT_SALES'), 'VIEW_GREEN_SALES')
      where name = 'Sales'`,
  );
  const { page, close } = await visit(server.url, 'sales');
  const refused = { at: '/error', words: refusals.page };
  const codex = { at: '/sales?product=codex', words: 'Codex sales' };
  expect(await arrive(page, '/sales?product=green')).toEqual(refused);
  await page.getByRole('navigation').getByRole('link', { name: 'Codex' }).waitFor();
  expect(await arrive(page, '/sales?product=connect')).toEqual(refused);
  expect(await arrive(page, '/sales')).toEqual(codex);
  expect(await arrive(page, '/sales?product=')).toEqual(codex);
  expect(await arrive(page, '/sales?product=Green')).toEqual(codex);
  expect(await arrive(page, '/sales?product=constructor')).toEqual(codex);
  expect(await arrive(page, '/sales?product=bgp')).toEqual({ at: '/sales?product=bgp', words: 'Arcade sales' });
  await close();
});

/** Who is refused after signing in goes to the first page of the permission table that is allowed. */
const landings: readonly (readonly [DemoPerson, wanted: string, landing: string])[] = [
  ['staff', '/usermanagement', '/top-5/tasks'],
  ['support', '/role-editor', '/affiliate-stats'],
  ['people', '/affiliate-stats', '/top-5/tasks'],
  ['noapprover', '/top-5/tasks', '/top-5/tools/guidelines'],
];

test.for(landings)('%s@, refused at %s on the way from /, lands on %s instead', async ([person, wanted, landing]) => {
  const visitor = await visit(server.url, null);
  await signInByForm(visitor, person, wanted);
  await visitor.page.waitForURL(`**${landing}`);
  expect(await arrival(visitor.page)).toEqual({ at: landing, words: titles[landing] });
  await visitor.close();
});

test('who may enter nothing is told so in place on /dashboard after signing in, without a loop', async () => {
  const visitor = await visit(server.url, null);
  await signInByForm(visitor, 'norole', '/top-5/tasks');
  await visitor.page.waitForURL('**/dashboard');
  await visitor.page.getByRole('heading', { level: 1, name: refusals.app ?? '' }).waitFor();
  expect(new URL(visitor.page.url()).pathname).toBe('/dashboard');
  await visitor.close();
});

test('who may enter nothing stays on the refusal through a reload, and is in as soon as a role is given, also from /error', async () => {
  const { page, close } = await visit(server.url, 'norole');
  const refusal = page.getByRole('heading', { level: 1, name: refusals.app ?? '' });
  const give = (role: string | null) =>
    server.sql('update people set role = $1 where email = $2', [role, emailOf('norole')]);
  const personName = 'Oskar Lindqvist';
  await page.goto('/dashboard');
  await refusal.waitFor();
  await page.getByText('You have no role yet.').waitFor();
  const reloaded = page.waitForEvent('domcontentloaded');
  await page.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  await refusal.waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard');
  await page.getByRole('navigation').first().waitFor();
  await page.goto('/tools');
  await page.waitForURL('**/error');
  await refusal.waitFor();
  await give('Staff');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await give(null);
  await page.goto('/tools');
  await page.waitForURL('**/error');
  await refusal.waitFor();
  const admin = await visit(server.url, 'admin');
  await admin.page.goto('/usermanagement?q=norole');
  await admin.page
    .getByRole('button', { name: new RegExp(`^(.*)${personName}`) })
    .first()
    .click();
  const panel = admin.page.getByRole('dialog', { name: personName });
  await panel.getByRole('combobox', { name: 'Role' }).click();
  await admin.page.keyboard.type('Staff');
  await admin.page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { level: 1, name: 'My week' }).waitFor();
  await admin.close();
  await close();
});

async function signInByForm({ page }: Visitor, person: DemoPerson, wanted: string): Promise<void> {
  await page.goto(`/?goto=${encodeURIComponent(wanted)}`);
  await page.getByLabel('Email').fill(emailOf(person));
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
