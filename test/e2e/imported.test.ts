// People who came with years of tasks from an issue tracker: many tasks, long titles, notes as long as a
// chapter.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtMain } from '../built-server.ts';
import { openFolder } from '../database-folder.ts';
import { boardOf } from './board.ts';
import { type Visitor, visit } from './browser.ts';
import { linkSecret, startServer, type TestServer } from './server.ts';

const root = resolve(import.meta.dirname, '../..');
const taskCount = 300;
const longTitle = `Keep ${'the import of very long titles, '.repeat(7)}readable`;
const longNote = 'A stack trace of many lines, as people paste them.\n'.repeat(540);

let server: TestServer;
let folder: string;
let approver: Visitor;
let query: string;

beforeAll(async () => {
  server = await startServer();
  folder = openFolder('staff-import');
  const file = join(folder, 'tracker.jsonl');
  writeFileSync(file, Array.from({ length: taskCount }, (_, index) => JSON.stringify(issue(index))).join('\n'));
  importFile(file);
  const [person] = await server.sql<{ id: string }>(
    "select id::text from people where email like '%import.invalid' limit 1",
  );
  query = `?person=${person?.id}`;
  approver = await visit(server.url, 'approver');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

/** A row as the tracker exports it; the mapping of the examples reads it into this week. */
function issue(index: number): object {
  const at = new Date().toISOString();
  return {
    key: `BIG-${index}`,
    project: 'VIVO',
    status: index % 3 === 0 ? 'In Progress' : index % 3 === 1 ? 'Open' : 'Received',
    resolution: null,
    summary: index === 0 ? longTitle : `Imported issue ${index}`,
    description: 'As it stood in the tracker',
    created: at,
    resolutiondate: null,
    reporter: 'u_busy',
    assignee: 'u_busy',
    sprints: [],
    attachments: [],
    comments: index === 0 ? [{ user: 'u_busy', text: longNote, at, updated: at }] : [],
    transitions: [],
  };
}

function importFile(file: string): void {
  const command = [builtMain, 'import', 'tasks', file, '--mapping', 'examples/import/tasks_jira_duraspace.json'];
  const { status, stderr } = spawnSync(process.execPath, [...command, '--approver', 'approver@demo.test'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: server.databaseUrl,
      LINK_SECRET: linkSecret,
    },
  });
  if (status !== 0) throw new Error(`The import ended with ${status}:\n${stderr}`);
}

test('the board of a person with three hundred tasks shows them all, and filters them by their words', async () => {
  const { page } = approver;
  await page.goto(`/top-5/tasks${query}`);
  await boardOf(page).card(longTitle).waitFor();
  expect(await page.getByRole('article').count()).toBe(taskCount);
  await page.getByLabel('Filter tasks by text').fill('issue 299');
  await boardOf(page).card('Imported issue 299').waitFor();
  await boardOf(page).card(longTitle).waitFor({ state: 'detached' });
  expect(await page.getByRole('article').count()).toBe(1);
  await page.getByLabel('Filter tasks by text').fill('');
});

test('a title of many words and a note as long as a chapter stay inside the page', async () => {
  const { page } = approver;
  const panel = await boardOf(page).openTask(longTitle);
  await panel.getByText('A stack trace of many lines').first().waitFor();
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a decision on one of the three hundred moves it and no other', async () => {
  const { page } = approver;
  const panel = await boardOf(page).openTask('Imported issue 299');
  await panel.getByRole('button', { name: 'Approve', exact: true }).click();
  await boardOf(page).cardIn('To Do', 'Imported issue 299').waitFor({ state: 'attached' });
  const moved = () =>
    server.sql("select 1 from task_history where event = 'approved' and at > now() - interval '1 minute'");
  // The card moves before the server has answered.
  await expect.poll(moved).toHaveLength(1);
  expect(approver.complaints).toEqual([]);
});
