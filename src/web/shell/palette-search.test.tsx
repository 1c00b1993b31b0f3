import { useRouter } from '@tanstack/react-router';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../test/show-page.tsx';
import { openPalette } from './open-dialog.ts';
import { Palette } from './palette.tsx';

const viewer = {
  ...viewerWith(
    'VIEW_DASHBOARD',
    'VIEW_TOP_5',
    'VIEW_TOP_5_APPROVALS',
    'VIEW_TOP_5_TOOLS',
    'VIEW_TOP_5_TIME_TRACKER',
    'USER_MANAGEMENT',
  ),
  ...{ role: 'Lead', approverIds: ['marcus'] },
};
const lena = { id: 'lena', displayName: 'Lena Hoffmann', team: null, disabled: false };
const task = { id: '17', title: 'Ask Lena', status: 'TODO', sprintId: 'w47', owner: lena };
const account = { ...lena, email: 'lena@demo.test' };

/** The search, whose server answers when the test says so. */
async function openSearch(getTasks: () => unknown = () => [task], isPersonLate = false, people = [lena]) {
  const late = Promise.withResolvers<void>();
  let history: ReturnType<typeof useRouter>['history'] | undefined;
  function Page() {
    history = useRouter().history;
    return <Palette onClose={() => {}} />;
  }
  const user = await showPage(<Page />, {
    viewer,
    address: '/dashboard',
    answers: {
      PalettePeople: async ({ find = '', ids = [] }: { find?: string; ids?: string[] }) => {
        if (isPersonLate) await late.promise;
        const isFound = ({ displayName }: typeof lena) => displayName.toLowerCase().includes(find || '-');
        return { people: people.filter((person) => ids.includes('lena') || isFound(person)) };
      },
      PaletteTasks: async () => {
        if (!isPersonLate) await late.promise;
        return { getTasks: getTasks() };
      },
      PaletteUsers: ({ find }: { find: string }) => ({
        managedUsers: { people: 'lena hoffmann'.includes(find) ? [account] : [] },
      }),
    },
  });
  const field = await screen.findByRole('combobox');
  return {
    ...{ user, field, answer: () => late.resolve() },
    ...{ address: () => history?.location.href, go: (to: string) => history?.push(to) },
  };
}

const rows = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

test('a result that arrives later does not move the selection, and a person’s account follows their tasks', async () => {
  const { user, field, answer, address } = await openSearch();
  await user.type(field, 'lena');
  await screen.findByRole('option', { name: /^Lena Hoffmann/, selected: true });
  await screen.findByText('Searching…');
  answer();
  await expect
    .poll(rows)
    .toEqual(['Lena HoffmannTasks', 'Lena Hoffmannlena@demo.test', 'Ask LenaLena Hoffmann · To Do']);
  screen.getByRole('option', { name: /^Lena Hoffmann/, selected: true });
  await user.keyboard('{Enter}');
  await expect.poll(address).toBe('/top-5/tasks?person=lena');
});

test('someone whose account is disabled is found with their tasks, and marked', async () => {
  const { user, field, answer, address } = await openSearch(() => [], false, [{ ...lena, disabled: true }]);
  await user.type(field, 'lena');
  answer();
  await user.click(await screen.findByRole('option', { name: 'Lena Hoffmann Tasks · Disabled account' }));
  await expect.poll(address).toBe('/top-5/tasks?person=lena');
});

test('Enter before the results opens the person whose name was typed, also where the tasks came first', async () => {
  const came = Promise.withResolvers<void>();
  const tasks = () => {
    came.resolve();
    return [task];
  };
  const { user, field, answer, address } = await openSearch(tasks, true);
  await user.type(field, 'lena{Enter}');
  await came.promise;
  answer();
  await expect.poll(address).toBe('/top-5/tasks?person=lena');
});

const darren = { ...lena, displayName: 'Darren Cole' };

test('a person found later comes above the actions and is selected, unless a key moved the selection', async () => {
  const { user, field, answer } = await openSearch(() => [], true, [darren]);
  await user.type(field, 'dar');
  await screen.findByRole('option', { name: 'Use the dark theme', selected: true });
  answer();
  await screen.findByRole('option', { name: /^Darren Cole/, selected: true });
  await user.keyboard('{ArrowDown}');
  screen.getByRole('option', { name: 'Use the dark theme', selected: true });
});

test('a key keeps its selection when results arrive above it', async () => {
  const { user, field, answer } = await openSearch(() => [], true, [{ ...lena, displayName: 'Ada Rothemer' }]);
  await user.type(field, 'theme');
  const actions = await screen.findAllByRole('option', { name: /theme$/ });
  await user.keyboard('{ArrowDown}');
  expect(actions[1]?.getAttribute('aria-selected')).toBe('true');
  answer();
  await screen.findByRole('option', { name: /^Ada Rothemer/ });
  expect(actions[1]?.getAttribute('aria-selected')).toBe('true');
});

test('Enter waits for people before it runs an action, but not for long', async () => {
  const { user, field, answer, address } = await openSearch(() => [], true, [darren]);
  await user.type(field, 'dar{Enter}');
  answer();
  await expect.poll(address).toBe('/top-5/tasks?person=lena');
  cleanup();
  const slow = await openSearch(() => [], true);
  await slow.user.type(slow.field, 'sign out{Enter}');
  await expect.poll(slow.address).toBe('/logout');
});

test('tasks do not wait long for people', async () => {
  const { user, field } = await openSearch(() => [task], true);
  await user.type(field, 'ask');
  await screen.findByRole('option', { name: /^Ask Lena/ });
  screen.getByText('Searching…');
});

test('people with the same name show their addresses', async () => {
  const namesakes = ['1', '2'].map((id) => ({ ...lena, id, email: `${id}@demo.test` }));
  const { user, field } = await openSearch(() => [], false, namesakes);
  await user.type(field, 'lena');
  await expect
    .poll(rows)
    .toEqual(['Lena Hoffmann (1@demo.test)Tasks', 'Lena Hoffmann (2@demo.test)Tasks', 'Lena Hoffmannlena@demo.test']);
});

function focusTask(ownerId: string): void {
  const row = document.createElement('li');
  row.innerHTML = `<a href="#" data-task="17" data-owner="${ownerId}">Ask Lena</a>`;
  document.body.append(row);
  onTestFinished(() => row.remove());
  row.querySelector('a')?.focus();
}

test('the task that had the focus on My week can be repeated', async () => {
  focusTask(viewer.id);
  openPalette();
  const { user, field, address } = await openSearch();
  await user.type(field, 'repeat');
  await user.click(await screen.findByRole('option', { name: 'Repeat this task' }));
  await expect.poll(address).toBe('/top-5/tasks?task=17&repeat=1');
});

test.each([
  ['without a task in focus', null],
  ['with someone else’s task in focus', 'lena'],
])('%s there is none to repeat', async (_what, ownerId) => {
  (document.activeElement as HTMLElement | null)?.blur();
  if (ownerId) focusTask(ownerId);
  openPalette();
  const { user, field } = await openSearch();
  await user.type(field, 'repeat');
  expect(rows()).not.toContain('Repeat this task');
});

test('a found task opens on the board of its person and sprint', async () => {
  const { user, field, answer, address } = await openSearch();
  answer();
  await user.type(field, 'ask');
  await user.click(await screen.findByRole('option', { name: /^Ask Lena/ }));
  await expect.poll(address).toBe('/top-5/tasks?person=lena&sprint=w47&task=17');
});

test('a task whose board is read late opens nothing for someone who went elsewhere', async () => {
  const { user, field, answer, address, go } = await openSearch(() => [task], true);
  await user.type(field, 'ask');
  await user.click(await screen.findByRole('option', { name: /^Ask Lena/ }));
  go('/account');
  answer();
  await expect.poll(() => screen.queryByText('Searching…')).toBeNull();
  expect(address()).toBe('/account');
});

test('what was found for another text goes, and a refused search says why', async () => {
  let isBroad = false;
  const tooMany = () => refuse('BAD_INPUT', 'Too many matches. Add a word');
  const { user, field, answer } = await openSearch(() => (isBroad ? tooMany() : [task]));
  answer();
  await user.type(field, 'ask');
  await screen.findByRole('option', { name: /^Ask Lena/ });
  isBroad = true;
  await user.type(field, 'x');
  expect(rows()).toEqual([]);
  screen.getByText('Searching…');
  await screen.findByText('Too many matches. Add a word');
});

const reconcile = () => [{ ...task, title: 'Reconcile the till' }];

test('Enter waits for the first result, and runs it when it comes', async () => {
  const { user, field, answer, address } = await openSearch(reconcile);
  await user.type(field, 'reconcile{Enter}');
  answer();
  await expect.poll(address).toBe('/top-5/tasks?person=lena&sprint=w47&task=17');
});

test.each([
  ['runs the first result', ['Enter'], '/top-5/tasks?person=lena&sprint=w47&task=17'],
  ['runs nothing once the text changes', ['Enter', 'd', 'Backspace'], '/dashboard'],
])('Enter %s, also when typed before the field is there', async (_what, keys, goal) => {
  openPalette();
  for (const key of [...'reconcile', ...keys]) fireEvent.keyDown(document.body, { key });
  const { field, answer, address } = await openSearch(reconcile);
  await expect.poll(() => (field as HTMLInputElement).value).toBe('reconcile');
  answer();
  if (goal === '/dashboard') await screen.findByRole('option', { name: /^Reconcile/ });
  await expect.poll(address).toBe(goal);
});

test('Enter runs nothing once the text changes', async () => {
  const { user, field, answer, address } = await openSearch(reconcile);
  await user.type(field, 'reconcile{Enter}d{Backspace}');
  answer();
  await screen.findByRole('option', { name: /^Reconcile/ });
  expect(address()).toBe('/dashboard');
});

test('the time tracker is found by “timer”, whatever its title', async () => {
  const { user, field } = await openSearch(() => [], false, []);
  await user.type(field, 'timer');
  await screen.findByRole('option', { name: /^Personal Performance Tracker/ });
});
