// Two people at two servers on one database: what one does the other sees without a reload.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boardOf, inboxOf, taskPanel } from './board.ts';
import { tokenOf, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let second: TestServer;
let owner: Visitor;
let approver: Visitor;

beforeAll(async () => {
  server = await startServer();
  second = await startServer({ beside: server });
  owner = await visit(server.url, 'staff');
  approver = await visit(second.url, 'approver');
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

/** As the server counts: the title may be behind. */
async function waitingCount(): Promise<number> {
  const answer = await fetch(`${second.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(second.url, 'approver')}` },
    body: JSON.stringify({ query: '{ inboxCount { toApprove toSignOff } }' }),
  });
  const { data } = (await answer.json()) as { data: { inboxCount: { toApprove: number; toSignOff: number } } };
  return data.inboxCount.toApprove + data.inboxCount.toSignOff;
}

test('the change of one who may not be seen does not arrive', async () => {
  const stranger = await visit(second.url, 'noapprover');
  const heard: string[] = [];
  stranger.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  await stranger.page.goto('/top-5/tools/guidelines');
  await boardOf(owner.page).open();
  await inboxOf(approver.page).open();
  await boardOf(owner.page).create({ title: 'Not for everybody' });
  await inboxOf(approver.page).row('Not for everybody').first().waitFor();
  expect(heard.filter((text) => text.includes('taskChanged'))).toEqual([]);
  await stranger.close();
});

test('a new task comes into the inbox of the approver, and into the count in the title', async () => {
  const before = await waitingCount();
  await boardOf(owner.page).create({ title: 'Look at this one' });
  await inboxOf(approver.page).row('Look at this one').first().waitFor();
  await approver.page.waitForFunction((count) => document.title.startsWith(`(${count}) `), before + 1);
});

test('what changes before a slow connection is there is read again once it is', async () => {
  const late = await visit(second.url, 'approver');
  const shown = Promise.withResolvers<void>();
  await late.page.routeWebSocket(/graphql/, async (socket) => {
    await shown.promise;
    socket.connectToServer();
  });
  await inboxOf(late.page).open();
  await inboxOf(late.page).row('Look at this one').first().waitFor();
  await boardOf(owner.page).create({ title: 'While it connects' });
  await inboxOf(approver.page).row('While it connects').first().waitFor();
  shown.resolve();
  await inboxOf(late.page).row('While it connects').first().waitFor();
  await late.close();
});

test('the move of a card is seen on the board of whoever looks at it', async () => {
  const [person] = await server.sql<{ id: string }>("select id::text from people where email = 'staff@demo.test'");
  const [todo] = await server.sql<{ title: string }>(
    `select title from tasks where owner_id = $1 and status = 'TODO' and withdrawn_at is null
      and sprint_id = (select id from sprints where start_at <= now() and end_at > now()) limit 1`,
    [person?.id],
  );
  const title = todo?.title ?? '';
  await boardOf(approver.page).open(`?person=${person?.id}`);
  await boardOf(approver.page).cardIn('To Do', title).waitFor();
  await boardOf(owner.page).drag(title, 'Completed');
  await boardOf(approver.page).cardIn('Completed', title).waitFor();
});

test('a note appears in the open panel of the other, and what that one is typing stays', async () => {
  const title = 'Look at this one';
  const panel = await boardOf(owner.page).openTask(title);
  await panel.getByLabel('New note').fill('Half a thought');
  await boardOf(approver.page).openTask(title);
  const other = await taskPanel(approver.page, title);
  await other.getByLabel('New note').fill('Seen, thank you');
  await other.getByRole('button', { name: 'Add note' }).click();
  await panel.getByText('Seen, thank you').waitFor();
  expect(await panel.getByLabel('New note').inputValue()).toBe('Half a thought');
});

test('after a server went away and came back its visitors see what they missed', async () => {
  await inboxOf(approver.page).open();
  await inboxOf(approver.page).row('Look at this one').first().waitFor();
  await second.restart(() =>
    boardOf(owner.page)
      .open()
      .then(() => boardOf(owner.page).create({ title: 'Written meanwhile' })),
  );
  await inboxOf(approver.page).row('Written meanwhile').first().waitFor();
});
