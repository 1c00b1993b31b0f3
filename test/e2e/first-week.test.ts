// A new person's first steps: from the invitation to the first approved task, by keyboard.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './axe.ts';
import { settled, tokenOf, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** As the person, through the API. */
async function ask(person: 'admin' | 'approver', query: string, variables: object) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(server.url, person)}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, never>; errors?: unknown };
  expect(errors).toBeUndefined();
  return data as unknown as Record<string, { id: string; token: string }>;
}

async function invited(email: string): Promise<string> {
  const [marcus] = await server.sql<{ id: string }>("select id::text from people where email = 'approver@demo.test'");
  const { createUser } = await ask(
    'admin',
    'mutation ($email: String!, $approverId: [ID!]) { createUser(email: $email, role: "Staff", top5: true, approverId: $approverId) { id } }',
    { email, approverId: [marcus!.id] },
  );
  const { makeSignInLink } = await ask(
    'admin',
    'mutation ($id: ID!) { makeSignInLink(userId: $id) { token } }',
    createUser!,
  );
  return `/#invite=${makeSignInLink!.token}`;
}

test('someone new accepts an invitation, follows the first steps by keyboard, and they disappear by themselves', async () => {
  const guest = await visit(server.url, null, { width: 390 });
  const { page } = guest;
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return;
    }
    throw new Error(`Tab never reaches “${name}”`);
  };
  await page.goto(await invited('fresh@demo.test'));
  await page.getByLabel('Password, at least 15 characters').fill('kettle rover eleven');
  await page.keyboard.press('Enter');
  const guide = page.getByRole('region', { name: 'First steps' });
  const step = (name: string) => guide.getByRole('heading', { level: 3, name, exact: true });
  await step('Done: Find out who approves your tasks').waitFor();
  await guide.getByText('Marcus Adeyemi approves your tasks.').waitFor();
  await settled(page);
  expect(await findings(page)).toEqual([]);

  await tabTo('Open the guidelines');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Confirm version 2' }).waitFor();
  await tabTo('Confirm version 2');
  await page.keyboard.press('Enter');
  await page.getByText('You confirmed this version on').waitFor();
  await page.goBack();
  await step('Done: Read the guidelines').waitFor();

  await tabTo('Write a task');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New task' }).getByLabel('Title').waitFor();
  await page.keyboard.type('Meet the team');
  await page.keyboard.press('Enter');
  await step('Done: Write your first task').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The button that opened the form is gone.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

  const [task] = await server.sql<{ id: string }>("select id::text from tasks where title = 'Meet the team'");
  await ask(
    'approver',
    'mutation ($id: ID!) { decideTasks(decisions: [{ taskId: $id, decision: approve }]) { taskId } }',
    task!,
  );
  await guide.waitFor({ state: 'detached' });
  await page.getByText('Marcus Adeyemi approves your tasks.').waitFor();
  expect(guest.complaints).toEqual([]);
  await guest.close();
});

test('an invitation that is accepted where someone else is signed in stops that person’s page', async () => {
  const { page: theirs, context } = await visit(server.url, 'approver');
  await theirs.goto('/top-5/tasks');
  await settled(theirs);
  const page = await context.newPage();
  await page.goto(await invited('beside@demo.test'));
  await page.getByText('approver@demo.test will be signed out.').waitFor();
  await page.getByLabel('Password, at least 15 characters').fill('kettle rover eleven');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'First steps' }).waitFor();
  const stopped = theirs.getByRole('dialog', { name: 'Someone else signed in' });
  await stopped.waitFor();
  expect(await findings(theirs)).toEqual([]);
  await stopped.getByRole('button', { name: 'Reload the page' }).click();
  await stopped.waitFor({ state: 'detached' });
  await settled(theirs);
  await theirs.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor();
});
