import { act, cleanup, render, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { tasksSearch } from '#core/tasks/tasks-search.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useShellDialog } from '#web/shell/open-dialog.ts';
import { dropTask, type FullTask, mergeTask } from '#web/tasks/shared/queries.ts';
import { peekFrom } from '#web/ui/timing.ts';
import { undoLatest } from '#web/ui/toasts.tsx';
import { message, refuse, showPage, viewerWith } from '../../../test/show-page.tsx';
import TasksPage from './tasks-page.tsx';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), role: 'Staff', approverIds: ['marcus'] };
const at = '2026-11-16T11:00:00Z';
const sprint = {
  ...{ id: '47', name: '2026 W47', phase: 'active', current: true },
  ...{ startDate: at, endDate: '2126-11-23T09:00:00Z', settledAt: '2126-11-25T09:00:00Z' },
};
/** Two earlier ones, and the current one. */
const sprints = ['45', '46'].map((id) => ({ ...sprint, id, name: `2026 W${id}`, phase: 'settled', current: false }));
sprints.push(sprint);
const owner = { id: viewer.id, displayName: viewer.name, team: null };
const task = {
  ...{
    id: '17',
    userId: viewer.id,
    owner,
    createdBy: owner,
    ownerApproverIds: ['marcus'],
    decidedFor: null,
    handedOver: null,
    ownerKeepsTasks: true,
    sprintId: '47',
  },
  ...{ status: 'TODO', statusSince: at, title: 'Call shops', category: 'Grow', change: '', reason: null },
  ...{
    created: at,
    extra: false,
    carriedOver: 0,
    withdrawn: false,
    leftUndone: false,
    repeats: null,
    editedSince: null,
    version: 1,
  },
  ...{ summary: '', notes: [], attachments: [], history: [] },
} as FullTask;

const repeatEntry = (repeats: FullTask['repeats'], version: number) => ({
  ...{ id: String(version), event: repeats ? 'repeatSet' : 'repeatStopped', from: 'TODO', to: 'TODO', at, version },
  ...{ actorId: viewer.id, actorName: viewer.name, forName: null, change: null, waitedSeconds: 0, correction: false },
  ...{ before: '{}', after: JSON.stringify({ repeats }) },
});

/** The board, whose sprints or opened task answer when the test says so. */
async function openBoard(
  slow: 'Sprints' | 'Task' | null,
  part: Partial<FullTask> = {},
  search = '',
  signedIn = viewer,
  answers: NonNullable<Parameters<typeof showPage>[1]>['answers'] = {},
) {
  localStorage.clear();
  const late = Promise.withResolvers<void>();
  const when = (name: 'Sprints' | 'Task') => (name === slow ? late.promise : undefined);
  const shown = { ...task, ...part };
  const asked: unknown[] = [];
  const user = await showPage(<TasksPage />, {
    viewer: signedIn,
    address: `/top-5/tasks${search}`,
    // The people of these tests have words as ids.
    search: (raw) => ({ ...tasksSearch.parse(raw), ...('person' in raw && { person: raw.person }) }),
    answers: {
      Sprints: async () => {
        await when('Sprints');
        return { sprints };
      },
      Task: async () => {
        await when('Task');
        return { tasks: [shown] };
      },
      MyApprovers: () => ({ myApprovers: { approvers: [], admins: [{ id: 'ada', displayName: 'Ada North' }] } }),
      BoardTasks: (variables: { sprintId: string }) => {
        asked.push(variables.sprintId);
        return { tasks: [shown] };
      },
      RepeatTask: ({ repeats = null }: { repeats: FullTask['repeats'] }) => {
        Object.assign(shown, { repeats, version: shown.version + 1 });
        return { repeatTask: { ...shown, history: [...shown.history, repeatEntry(repeats, shown.version)] } };
      },
      WithdrawTask: () => ({ withdrawTask: Object.assign(shown, { withdrawn: true, version: shown.version + 1 }) }),
      SprintResult: () => ({ sprintResult: null }),
      SprintPlan: () => ({ sprintResult: null }),
      CarriedTasks: () => ({ sprintResult: { carriedTo: [] } }),
      BoardAddedAgain: () => ({ tasks: [] }),
      People: ({ find, ids }: PeopleAsked) => ({ people: find === undefined ? decided(ids!) : found(find) }),
      Mentionable: () => ({
        mentionable: namesakes.map(({ email: _email, ...person }) => ({ ...person, seesTask: true })),
      }),
      MyTimer: () => ({ timer: null }),
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      ...answers,
    },
  });
  return { user, asked, answer: () => late.resolve() };
}

const namesakes = ['connect', 'green'].map((team) => ({
  ...{ id: team, displayName: 'Alex Kim', team, disabled: false, email: `${team}@company.test` },
}));

type PeopleAsked = { readonly find?: string; readonly ids?: readonly string[] };
const team = [...namesakes, { id: 'nora', displayName: 'Nora Lind', team: null, disabled: false, email: null }];
const decided = (ids: readonly string[]) => team.filter(({ id }) => ids.includes(id));
/** A field offers some; the server has more. */
const found = (text: string) =>
  text === '' ? namesakes : team.filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()));

test('the board of a person is found by typing a part of the name, also where Enter comes before the answer', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  const { user } = await openBoard(null, {}, '?person=green', approver);
  await screen.findByRole('heading', { name: 'Alex Kim’s tasks' });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Person' });
  await expect.poll(() => field.value).toMatch(/^Alex Kim/);
  await user.click(field);
  await user.keyboard('lin{Enter}');
  await screen.findByRole('heading', { name: 'Nora Lind’s tasks' });
  await user.click(await screen.findByRole('combobox', { name: 'Person' }));
  await user.click(await screen.findByRole('option', { name: 'My tasks' }));
  await screen.findByRole('heading', { name: 'My tasks' });
});

test.each([
  [{ disabled: true, keepsTasks: true }, 'This account is disabled', 'Lena Gone, disabled'],
  [{ disabled: false, keepsTasks: false }, 'This person doesn’t use S.T.A.R.T', 'Lena Gone'],
])(
  'the board of someone who gets no new tasks says why, shows the tasks, and offers a new one only for oneself: %o',
  async (state, words, label) => {
    const lena = { id: 'lena', displayName: 'Lena Gone', team: null, ...state, email: null };
    const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
    let tasks = [{ ...task, userId: 'lena', owner: lena }];
    const { user } = await openBoard(null, {}, '?person=lena', approver, {
      People: ({ ids }: PeopleAsked) => ({ people: ids?.includes('lena') ? [lena] : namesakes }),
      BoardTasks: () => ({ tasks }),
    });
    await screen.findByRole('heading', { name: 'Lena Gone’s tasks' });
    await screen.findByText(new RegExp(`left\\. ${words}$`));
    await screen.findByRole('link', { name: 'Call shops' });
    const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Person' });
    await expect.poll(() => field.value).toBe(label);
    expect(screen.queryByRole('button', { name: /^New task/ })).toBeNull();
    tasks = [];
    await act(() => queryClient.invalidateQueries({ queryKey: ['tasks'] }));
    await screen.findByText('No tasks in sprint 2026 W47');
    expect(screen.queryByRole('button', { name: /^New task/ })).toBeNull();
    await user.keyboard('c');
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

test('an older server, during an upgrade, gives the board of a person without saying whether they use S.T.A.R.T', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  await openBoard(null, {}, '?person=nora', approver, {
    People: () => refuse('BAD_INPUT', 'Cannot query field "keepsTasks"'),
    OlderPeople: ({ ids }: PeopleAsked) => ({ people: ids ? decided(ids) : namesakes }),
  });
  await screen.findByRole('heading', { name: 'Nora Lind’s tasks' });
  await screen.findByRole('link', { name: 'Call shops' });
  screen.getByRole('button', { name: /^New task/ });
});

test('the command palette’s new task, on the board of a disabled account, is for oneself', async () => {
  const lena = { ...{ id: 'lena', displayName: 'Lena Gone', team: null, email: null }, disabled: true };
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  await openBoard(null, {}, '?person=lena&new=1', approver, {
    People: ({ ids }: PeopleAsked) => ({ people: ids?.includes('lena') ? [lena] : namesakes }),
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'New task' }));
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'For' });
  expect(field.value).toBe(`${viewer.name} (you)`);
});

test('after a correction, the week says what its tasks come to now, with those carried over from it', async () => {
  const counts = { INAPPROVAL: 0, DENIED: 0, TODO: 2, INPROGRESS: 0, INREVIEW: 0, DONE: 3 };
  const result = { committed: 5, counts, carriedOut: 2, corrections: 1, recap: null };
  const percentages = { completionPercentage: 60, completionPercentageNow: 40 };
  // The board has one task, which isn't completed.
  await openBoard(null, {}, '?sprint=46', viewer, {
    SprintResult: () => ({ sprintResult: { ...result, ...percentages } }),
  });
  await screen.findByText(/1 correction since then, now 40%/);
});

test('a closed week offers no carry-over of a task that a later sprint has again, on its card and menu', async () => {
  const { user } = await openBoard(null, { sprintId: '46' }, '?sprint=46', viewer, {
    BoardAddedAgain: ({ sprintId }: { sprintId: string }) => ({
      tasks: sprintId === '46' ? [{ id: '17', addedAgain: true }] : [],
    }),
  });
  await screen.findByRole('button', { name: 'Leave undone' });
  await expect.poll(() => screen.queryByRole('button', { name: 'Carry over' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Actions for Call shops' }));
  await screen.findByRole('menuitem', { name: 'Leave undone' });
  expect(screen.queryByRole('menuitem', { name: 'Carry over' })).toBeNull();
});

test('nor does its panel', async () => {
  const own = { ...task, sprintId: '46', addedAgain: true };
  await openBoard(null, { sprintId: '46' }, '?sprint=46&task=17', viewer, { Task: () => ({ tasks: [own] }) });
  const moves = within(await screen.findByRole('group', { name: 'Move task' }));
  moves.getByRole('button', { name: 'Leave undone' });
  expect(moves.queryByRole('button', { name: 'Carry over' })).toBeNull();
});

test('an older server, during an upgrade, gives the result of a week, without when its person is away or where its tasks are', async () => {
  const result = { committed: 5, counts: null, carriedOut: 2, corrections: 1, recap: null };
  const percentages = { completionPercentage: 60, completionPercentageNow: 40 };
  const { answer } = await openBoard('Sprints', {}, '?sprint=46&task=17', viewer, {
    OlderTask: () => ({ tasks: [{ ...task, summary: 'Ten of them' }] }),
    SprintResult: () => ({ sprintResult: { ...result, ...percentages } }),
  });
  const others = fetch;
  const unknown = { message: 'Cannot query field "away"', extensions: { code: 'BAD_INPUT' } };
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    /\b(addedAgain|away|carriedTo|ownerAwayUntil|repeatsToCome)\b/.test(String(init?.body))
      ? Promise.resolve(Response.json({ errors: [unknown] }))
      : others(url, init),
  );
  answer();
  await screen.findByText(/1 correction since then, now 40%/);
  await screen.findByRole('link', { name: 'Call shops' });
  await screen.findByText('Ten of them');
  screen.getByText('60%');
  screen.getByText(', 2 carried over');
});

test('a week says when its person is away, and a coming one and its new tasks how many repeating tasks it will get', async () => {
  const coming = { ...sprint, id: '48', name: '2026 W48', phase: 'future', current: false };
  const { user } = await openBoard(null, {}, '?sprint=48', viewer, {
    Sprints: () => ({ sprints: [...sprints, coming] }),
    SprintPlan: ({ sprintId }: { sprintId: string }) => ({
      sprintResult: {
        ...{ repeatsToCome: sprintId === '48' ? 3 : 0, away: [{ firstDay: '2026-11-24', lastDay: '2026-11-28' }] },
      },
    }),
  });
  await screen.findByText('Away 24–28 Nov. 3 repeating tasks will be added when the sprint starts');
  screen.getByText('1 of 5 tasks planned');
  expect(screen.queryByText('completed', { exact: false, selector: 'button' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await screen.findByText('1 of 5 tasks planned for 2026 W48. 3 repeating tasks will be added when the sprint starts.');
});

test('a coming week counts its denied tasks apart from those that are planned', async () => {
  const coming = { ...sprint, id: '48', name: '2026 W48', phase: 'future', current: false };
  const six = ['1', '2', '3', '4', '5', '6'].map((id) => ({ ...task, id, status: id === '2' ? 'DENIED' : 'TODO' }));
  await openBoard(null, {}, '?sprint=48', viewer, {
    Sprints: () => ({ sprints: [...sprints, coming] }),
    BoardTasks: () => ({ tasks: six }),
  });
  await screen.findByText('5 of 5 tasks planned, 1 denied');
});

test('a new task is planned for the next sprint once its person has closed the week', async () => {
  const coming = { ...sprint, id: '48', name: '2026 W48', phase: 'future', current: false, startDate: sprint.endDate };
  const recap = { learned: '', closedAt: '2026-11-16T11:00:00Z', editedAt: null, version: 1 };
  const { user } = await openBoard(null, {}, '', viewer, {
    Sprints: () => ({ sprints: [...sprints, coming] }),
    SprintResult: () => ({ sprintResult: { committed: 1, carriedOut: 0, corrections: 0, counts: null, recap } }),
  });
  await screen.findByRole('link', { name: 'Call shops' });
  await user.click(screen.getByRole('button', { name: 'New task' }));
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  expect(field.value).toMatch(/^2026 W48,/);
});

test('a recorded week says how many of its tasks were carried over since, and to which sprints', async () => {
  const counts = { INAPPROVAL: 0, DENIED: 0, TODO: 3, INPROGRESS: 0, INREVIEW: 0, DONE: 7 };
  const carriedTo = [
    { sprintId: '46', count: 1 },
    { sprintId: '47', count: 2 },
  ];
  const result = { committed: 10, counts, carriedOut: 0, corrections: 0, recap: null };
  await openBoard(null, { status: 'DONE' }, '?sprint=45', viewer, {
    SprintResult: () => ({ sprintResult: { ...result, completionPercentage: 70, completionPercentageNow: 70 } }),
    CarriedTasks: () => ({ sprintResult: { carriedTo } }),
  });
  await screen.findByText(', 7 of 10 approved tasks');
  await screen.findByText(', 1 carried over to 2026 W46 and 2 carried over to 2026 W47');
});

test('nobody’s tasks are named while the address’s person is loading', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  const late = Promise.withResolvers<void>();
  const People = async ({ ids }: PeopleAsked) => {
    if (ids) await late.promise;
    return { people: decided(ids ?? []) };
  };
  await openBoard(null, {}, '?person=green', approver, { People });
  await screen.findByRole('heading', { name: 'Tasks' });
  late.resolve();
  await screen.findByRole('heading', { name: 'Alex Kim’s tasks' });
});

test('the fields of people say that the people couldn’t be read, and read them again', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  let isDown = true;
  const People = () => (isDown ? refuse('INTERNAL', 'Broken') : { people: namesakes });
  const { user } = await openBoard(null, {}, '', approver, { People });
  await screen.findByText('Couldn’t load the people.');
  await user.click(screen.getByRole('button', { name: 'New task' }));
  const form = within(await screen.findByRole('dialog', { name: 'New task' }));
  await form.findByText('Couldn’t load the people.');
  isDown = false;
  await user.click(form.getByRole('button', { name: 'Try again' }));
  await form.findByRole('combobox', { name: 'For' });
  await user.click(form.getByRole('button', { name: 'Discard' }));
  await screen.findByRole('combobox', { name: 'Person' });
  expect(screen.queryByText('Couldn’t load the people.')).toBeNull();
});

test('of too many notes, the oldest stay plain', async () => {
  const text = `**Look**\n${'a line\n'.repeat(2_900)}`;
  const note = (id: string) => ({ id, text, userId: 'lena', userName: 'Lena', timeStamp: at, edited: false });
  const { answer } = await openBoard(null, { notes: ['1', '2', '3', '4'].map(note) }, '?task=17');
  answer();
  /** Whether there is more than the author in bold. */
  const bold = () =>
    screen
      .queryAllByRole('listitem')
      .filter(({ textContent }) => textContent?.includes('a line'))
      .map((row) => row.querySelectorAll('strong').length > 1);
  await expect.poll(bold).toEqual([false, true, true, true]);
});

test('the board of someone whose tasks the viewer does not decide stays closed', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  await openBoard(null, {}, '?person=stranger', approver);
  await screen.findByText('You can’t see these tasks');
});

test('people with the same name show their addresses on the board and for a new task, and their teams in notes', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  const { user } = await openBoard(null, {}, '', approver);
  const options = async (name: string) => {
    await user.click(await screen.findByRole('combobox', { name }));
    await screen.findByRole('option', { name: 'Alex Kim (connect@company.test)' });
    await screen.findByRole('option', { name: 'Alex Kim (green@company.test)' });
    await user.keyboard('{Escape}');
  };
  await options('Person');
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await options('For');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('n');
  await user.type(await screen.findByRole('textbox', { name: 'New note' }), '@Alex');
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Alex Kim \(Connect\)$/),
    expect.stringMatching(/Alex Kim \(Green\)$/),
  ]);
});

/** The value and the caret of the field that has the focus. */
const focused = () => {
  const { value, selectionStart } = document.activeElement as HTMLTextAreaElement;
  return [value, selectionStart];
};

test('C before the sprints are loaded opens the form once they are, with what was typed after it', async () => {
  const { user, answer } = await openBoard('Sprints');
  await screen.findByRole('heading', { name: 'My tasks' });
  await user.keyboard('cjoin them');
  answer();
  await screen.findByLabelText('Title');
  await expect.poll(focused).toEqual(['join them', 9]);
  await user.keyboard('!');
  expect(focused()).toEqual(['join them!', 10]);
});

/** The board, and how the first tasks created there are answered. */
async function openSlowBoard() {
  const sent: string[] = [];
  const answers: { resolve: () => void; reject: () => void }[] = [];
  const { user } = await openBoard(
    null,
    {},
    '',
    { ...viewer, id: '7' },
    {
      CreateTask: async ({ title }: { title: string }) => {
        sent.push(title);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        answers.push({ resolve, reject: () => reject() });
        await promise.catch(() => refuse('CONFLICT', 'Not today'));
        return { createTask: { ...task, id: `new ${title}`, title } };
      },
    },
  );
  await screen.findByRole('link', { name: 'Call shops' });
  await user.keyboard('c');
  await expect.poll(focused).toEqual(['', 0]);
  return { user, sent, answers };
}

test('C and a title, typed while a task is sent, are the next task', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One{Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await user.keyboard('cUpdate the cur');
  act(() => answers[0]!.resolve());
  await expect.poll(focused).toEqual(['Update the cur', 14]);
  await user.keyboard('rent budget{Enter}');
  await expect.poll(() => sent).toEqual(['One', 'Update the current budget']);
  act(() => answers[1]!.resolve());
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(localStorage.length).toBe(0);
});

test('C alone, pressed while a task is sent, leaves the form for the next one', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One{Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await user.keyboard('c');
  await act(async () => answers[0]!.resolve());
  await screen.findByText(/“One” sent for approval/);
  await user.keyboard('Update');
  expect(focused()).toEqual(['Update', 6]);
});

test('Enter behind the next title sends it as soon as the task before is created', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One {Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await user.keyboard('ccTwo{Enter}');
  act(() => answers[0]!.resolve());
  await expect.poll(() => sent).toEqual(['One', 'cTwo']);
  act(() => answers[1]!.resolve());
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('if a task isn’t created, it stays with the title typed behind it', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One{Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await user.keyboard('cTwo{Enter}');
  act(() => answers[0]!.reject());
  await screen.findByText('Not today');
  await user.keyboard('!');
  expect(focused()).toEqual(['One\nTwo!', 8]);
  expect(sent).toEqual(['One']);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => answers.length).toBe(2);
  act(() => answers[1]!.resolve());
  await expect.poll(() => sent).toEqual(['One', 'One', 'Two!']);
  act(() => answers[2]!.resolve());
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('a text typed then without C stays in the form', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One{Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await user.keyboard(' bu');
  act(() => answers[0]!.resolve());
  await expect.poll(focused).toEqual(['bu', 2]);
  await user.keyboard('dget');
  expect(focused()).toEqual(['budget', 6]);
});

test('C while the form of a created task is still drawn opens the next one', async () => {
  const { user, sent, answers } = await openSlowBoard();
  await user.keyboard('One{Enter}');
  await expect.poll(() => sent).toEqual(['One']);
  await act(async () => answers[0]!.resolve());
  await user.keyboard('cUpdate');
  await expect.poll(focused).toEqual(['Update', 6]);
});

test('Esc takes an early C back, and the letters after it are shortcuts again', async () => {
  const { user, answer } = await openBoard('Sprints');
  await screen.findByRole('heading', { name: 'My tasks' });
  await user.keyboard('cx{Escape}');
  answer();
  const card = await screen.findByRole('link', { name: 'Call shops' });
  await user.keyboard('j');
  expect(document.activeElement).toBe(card);
  expect(screen.queryByLabelText('Title')).toBeNull();
});

test.for([
  ['n', '', 'Note'],
  ['e', 'Call shops', 'Title'],
] as const)('what is typed after %s goes into the field, while the task still loads', async ([key, before, text]) => {
  const { user, answer } = await openBoard('Task');
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard(`${key}junk ${text}`);
  answer();
  await expect.poll(focused).toEqual([`${before}junk ${text}`, before.length + 5 + text.length]);
});

test('what is typed after R, before the panel is there, changes nothing', async () => {
  const { user, answer } = await openBoard('Task');
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('revery 2 weeks');
  answer();
  const field = await screen.findByRole('combobox', { name: 'Repeats' });
  await expect.poll(() => document.activeElement).toBe(field);
  screen.getByRole('heading', { name: 'Call shops' });
  expect(document.querySelector('textarea')?.value ?? '').not.toContain('very');
});

test.for([
  ['r', 'Only the owner can repeat this task'],
  ['e', 'Only the owner can edit this task'],
] as const)('%s on the card of someone else’s task says why nothing opens', async ([key, words]) => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  const part = { userId: 'lena', ownerApproverIds: [viewer.id] };
  const { user, answer } = await openBoard(null, part, '', approver);
  answer();
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard(key);
  await message(words);
});

test('a week without an approved task says so, and shows no share', async () => {
  await openBoard(null, { status: 'INAPPROVAL' });
  await screen.findByText('No approved tasks yet');
  expect(screen.queryByText(/0 of 0|last sprint/)).toBeNull();
});

test('a waiting task is withdrawn from the menu of its card', async () => {
  const { user } = await openBoard(null, { status: 'INAPPROVAL' });
  await user.click(await screen.findByRole('button', { name: 'Actions for Call shops' }));
  const last = (await screen.findAllByRole('menuitem')).at(-1)!;
  // Not the first, which has the focus: two presses of Enter would withdraw the task.
  expect(last.textContent).toBe('Withdraw');
  await user.click(last);
  await message('“Call shops” withdrawn');
});

test('a copy of a task opens as a new one for the planned sprint, and the draft that waited is kept', async () => {
  const sent: unknown[] = [];
  const done = { userId: '7', status: 'DONE', summary: 'Ten shops', category: 'Green' } as const;
  const { user } = await openBoard(
    null,
    done,
    '',
    { ...viewer, id: '7' },
    {
      CreateTask: (variables) => {
        sent.push(variables);
        return { createTask: { ...task, id: '18', title: 'Call shops again' } };
      },
    },
  );
  await user.keyboard('c');
  await user.type(await screen.findByRole('textbox', { name: /^Title/ }), 'Begun before');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Actions for Call shops' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New task' }));
  dialog.getByText('You have another draft: “Begun before”.');
  expect(dialog.queryByText(/Unsent draft restored/)).toBeNull();
  // As it came, it is no draft: the next copy isn't one of two.
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Actions for Call shops' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  await screen.findByText('You have another draft: “Begun before”.');
  // The title is changed, and the summary stays with it.
  await user.keyboard(' again{Enter}');
  await message('“Call shops again” sent for approval');
  expect(sent).toMatchObject([
    { title: 'Call shops again', summary: 'Ten shops', category: 'Green', sprintId: '47', userId: '7' },
  ]);
  await user.keyboard('c');
  const next = within(await screen.findByRole('dialog', { name: 'New task' }));
  expect(next.getByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ }).value).toBe('');
  await user.click(next.getByRole('button', { name: 'Discard draft' }));
  expect(next.queryByText(/another draft/)).toBeNull();
});

test('Esc takes a copy back that is still being read', async () => {
  const { user, answer } = await openBoard('Task');
  await user.click(await screen.findByRole('button', { name: 'Actions for Call shops' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  await user.keyboard('{Escape}c');
  const dialog = within(await screen.findByRole('dialog', { name: 'New task' }));
  answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: /^Title/ }).value).toBe('');
});

/** The board with a next sprint, and a task that moves between the two. */
async function openMovable(part: Partial<FullTask>, search = '') {
  const next = { ...sprint, id: '48', name: '2026 W48', phase: 'future', current: false, startDate: sprint.endDate };
  const shown = { ...task, status: 'INAPPROVAL', ...part } as FullTask;
  const sent: unknown[] = [];
  const moved = (sprintId: string) => Object.assign(shown, { sprintId, version: shown.version + 1 });
  const { user } = await openBoard(null, shown, search, viewer, {
    Sprints: () => ({ sprints: [...sprints, next] }),
    Task: () => ({ tasks: [shown] }),
    BoardTasks: ({ sprintId }: { sprintId: string }) => ({ tasks: shown.sprintId === sprintId ? [shown] : [] }),
    MoveToSprint: (variables: { sprintId: string }) => {
      sent.push(variables);
      return { moveToSprint: { ...moved(variables.sprintId) } };
    },
    UndoTaskSteps: () => ({ undoTaskSteps: [{ ...moved('47') }] }),
  });
  return { user, sent };
}

test('an approved task has no move to another sprint', async () => {
  const { user } = await openMovable({ status: 'TODO' });
  await user.click(await screen.findByRole('button', { name: 'Actions for Call shops' }));
  await screen.findByRole('menuitem', { name: 'Duplicate' });
  expect(screen.queryByRole('menuitem', { name: /^Move to (next|current) sprint$/ })).toBeNull();
});

test.each([
  ['', 'M and Enter move'],
  ['?view=list', 'the menu of the list moves'],
])('%s: %s a waiting task to the next sprint, and Undo takes it back', async (search) => {
  const { user, sent } = await openMovable({}, search);
  const button = await screen.findByRole('button', { name: 'Actions for Call shops' });
  if (search === '') screen.getByRole('link', { name: 'Call shops' }).focus();
  else button.focus();
  await user.keyboard(search === '' ? 'm' : '{Enter}');
  const item = await screen.findByRole('menuitem', { name: 'Move to next sprint' });
  await expect.poll(() => document.activeElement).toBe(item);
  await user.keyboard('{Enter}');
  await message('“Call shops” moved to 2026 W48');
  await screen.findByText('No tasks in sprint 2026 W47');
  expect(sent).toEqual([{ taskId: '17', sprintId: '48', version: 1 }]);
  act(() => undoLatest());
  await message('“Call shops” moved back');
  await screen.findByRole('button', { name: 'Actions for Call shops' });
});

test('the panel of a denied task of the next sprint moves it to the current one', async () => {
  const { user, sent } = await openMovable({ status: 'DENIED', sprintId: '48' }, '?sprint=48&task=17');
  await user.click(await screen.findByRole('button', { name: 'Move to current sprint' }));
  await message('“Call shops” moved to 2026 W47');
  expect(sent).toMatchObject([{ sprintId: '47' }]);
});

test.each([
  ['note', viewer.id, viewer, at, true],
  ['note', 'ada', viewer, at, false],
  ['note', 'ada', { ...viewer, role: 'admin' }, at, true],
  ['file', viewer.id, viewer, new Date().toISOString(), true],
  ['file', viewer.id, viewer, '2026-01-05T11:00:00Z', false],
] as const)(
  'a removed %s (by %s) is restored from the history by its remover or an admin, while it is kept',
  async (what, actorId, signedIn, removedAt, offers) => {
    const by = { actorId, actorName: 'Ada North', forName: null, from: 'TODO', to: 'TODO', change: null };
    const line = {
      ...by,
      id: '2',
      event: `${what}Removed`,
      at: removedAt,
      version: 2,
      waitedSeconds: 0,
      correction: false,
    };
    const history = [{ ...line, before: '{}', after: `{"${what}Id":"5"}` }] as FullTask['history'];
    const sent: unknown[] = [];
    const restore = (name: string) => (variables: unknown) => {
      sent.push(variables);
      const back = { ...line, id: '3', event: `${what}Restored`, version: 3, before: '{}', after: history[0]!.after };
      return { [name]: { ...task, version: 3, history: [...history, back] } };
    };
    const answers = { RestoreNote: restore('restoreNote'), RestoreAttachment: restore('restoreAttachment') };
    const { user } = await openBoard(null, { history, version: 2 }, '?task=17', signedIn, answers);
    await screen.findByText(`removed a ${what}`, { exact: false });
    const button = { name: `Restore the ${what}` };
    if (!offers) return expect(screen.queryByRole('button', button)).toBeNull();
    await user.click(screen.getByRole('button', button));
    await screen.findByText(`restored a ${what}`, { exact: false });
    expect(sent).toEqual([{ taskId: '17', [`${what === 'note' ? 'note' : 'attachment'}Id`]: '5' }]);
    expect(screen.queryByRole('button', button)).toBeNull();
  },
);

test('R on a card goes to how the task repeats, which its history, its card and a message say', async () => {
  const { user, answer } = await openBoard('Task');
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('r');
  answer();
  const field = await screen.findByRole('combobox', { name: 'Repeats' });
  await expect.poll(() => document.activeElement).toBe(field);
  expect((field as HTMLInputElement).value).toBe('Doesn’t repeat');
  await user.clear(field);
  await user.type(field, 'every 3 weeks{Enter}');
  await message('“Call shops” repeats every 3 weeks');
  const history = await screen.findByText(/set it to repeat/);
  expect(history.closest('li')?.textContent).toContain('Repeats every 3 weeks');
  expect(screen.getByRole('link', { name: 'Call shops', hidden: true }).closest('article')?.textContent).toContain(
    'Repeats every 3 weeks',
  );
  // Letters are shortcuts again.
  expect(document.activeElement?.getAttribute('role')).toBe('dialog');
  await user.keyboard('u');
  await message('“Call shops” no longer repeats');
  await expect.poll(() => (field as HTMLInputElement).value).toBe('Doesn’t repeat');
});

test('a link asks how a task repeats, and a withdrawn one can only stop', async () => {
  const { user, answer } = await openBoard('Task', { withdrawn: true, repeats: 'monthLast' }, '?task=17&repeat=1');
  answer();
  const field = await screen.findByRole('combobox', { name: 'Repeats' });
  await expect.poll(() => document.activeElement).toBe(field);
  await user.keyboard('{ArrowDown}');
  const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
  expect(options).toEqual(['Doesn’t repeat', 'In the last sprint of each month']);
});

test('an approver reads how a task repeats, and cannot change it', async () => {
  const lena = { id: 'lena', displayName: 'Lena Hoffmann', team: null };
  const { answer } = await openBoard(
    'Task',
    { userId: 'lena', owner: lena, ownerApproverIds: [viewer.id], repeats: 'twoWeekly' },
    '?task=17',
  );
  answer();
  await screen.findByText('Every 2 weeks');
  expect(screen.queryByRole('combobox', { name: 'Repeats' })).toBeNull();
});

test('M in the open task leads to its moves, which are verbs', async () => {
  const { user } = await openBoard(null, { status: 'INPROGRESS' }, '?task=17');
  const moves = within(await screen.findByRole('group', { name: 'Move task' })).getAllByRole('button');
  expect(moves.map(({ textContent }) => textContent)).toEqual(['Complete', 'Back to To Do']);
  await user.keyboard('m');
  await expect.poll(() => document.activeElement).toBe(moves[0]);
});

test('M and a number move the open task, as on its card', async () => {
  const { user } = await openBoard(null, { status: 'INPROGRESS' }, '?task=17', viewer, {
    UpdateTask: ({ status }: { status: FullTask['status'] }) => ({ updateTask: { ...task, status, version: 2 } }),
  });
  const [complete] = within(await screen.findByRole('group', { name: 'Move task' })).getAllByRole('button');
  await user.keyboard('m');
  await expect.poll(() => document.activeElement).toBe(complete);
  // No third button is there.
  await user.keyboard('3');
  await user.keyboard('2');
  await message('“Call shops” moved to To Do');
  expect(screen.queryByText(/moved to Completed/)).toBeNull();
});

test('M and a number move the card with the focus, in the order of the open task’s buttons', async () => {
  const { user } = await openBoard(null, { status: 'INPROGRESS' }, '', viewer, {
    UpdateTask: ({ status }: { status: FullTask['status'] }) => ({ updateTask: { ...task, status, version: 2 } }),
  });
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('m');
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.slice(0, 2)).toEqual(['Completed1', 'To Do2']);
  await expect.poll(() => document.activeElement?.textContent).toBe('Completed1');
  await user.keyboard('1');
  await message('“Call shops” moved to Completed');
});

test('a move that doesn’t reach the server is not announced as one', async () => {
  const { user } = await openBoard(null, { status: 'TODO' }, '', viewer, {
    UpdateTask: () => {
      throw new TypeError('Failed to fetch');
    },
  });
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('m');
  await screen.findAllByRole('menuitem');
  await user.keyboard('1');
  await screen.findByText(/^Not moved: /);
  expect(screen.queryByText(/moved to/)).toBeNull();
});

test('keys are shortcuts again after E on a task that cannot be edited', async () => {
  const { user, answer } = await openBoard('Task', { status: 'DONE' });
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('e');
  answer();
  await screen.findByText('Signed Off', { selector: '[role="dialog"] *' });
  await user.keyboard('n');
  await expect.poll(() => document.activeElement?.id).toBe('new-note');
});

test('a waiting task of a person without an approver says who to ask', async () => {
  const { user, answer } = await openBoard('Task', { status: 'INAPPROVAL' });
  answer();
  await user.click(await screen.findByRole('link', { name: 'Call shops' }));
  await screen.findByText('You have no approver. Ask Ada North to choose one.');
});

test('a waiting task that was handed over says to its owner who else decides it', async () => {
  const nextInLine = [{ id: 'bea', displayName: 'Bea Cole', approverId: 'marcus' }];
  const handedOver = { approvers: ['Marcus Hale'], toAdmins: true, nextInLine };
  const { user, answer } = await openBoard('Task', { status: 'INAPPROVAL', handedOver });
  answer();
  await user.click(await screen.findByRole('link', { name: 'Call shops' }));
  const term = await screen.findByText('Also waiting for');
  expect(term.nextSibling?.textContent).toBe('Bea Cole or an admin');
});

test.for(['board', 'list'])('on the %s, a reason is shown until its owner has answered it', async (view) => {
  const reason = 'Say how you measure it';
  const others = [
    { ...task, id: '2', title: 'Denied', status: 'DENIED' as const, reason },
    { ...task, id: '3', title: 'Resent', status: 'INAPPROVAL' as const, reason },
  ];
  await openBoard(null, {}, `?view=${view}`, viewer, { BoardTasks: () => ({ tasks: others }) });
  await screen.findByText('Resent');
  expect(screen.getAllByText(reason)).toHaveLength(1);
});

test.for(['{Enter}', '{ArrowDown}'])('in the filter, %s goes to the first task', async (key) => {
  const { user } = await openBoard(null);
  await screen.findByText('Call shops');
  await user.keyboard(`/${key}`);
  expect(document.activeElement?.textContent).toContain('Call shops');
});

describe('a new task on a board with a filter', () => {
  const created: Record<string, FullTask> = {};
  /** Creates what the form says. The board shows it. */
  const openFiltered = (search: string) =>
    openBoard(
      null,
      { userId: '7' },
      search,
      { ...viewer, id: '7' },
      {
        CreateTask: ({ title, category }: { title: string; category: string }) => {
          created['18'] = { ...task, id: '18', userId: '7', status: 'INAPPROVAL', title, category } as FullTask;
          return { createTask: created['18'] };
        },
        Task: ({ taskId }: { taskId: string }) => ({ tasks: [created[taskId] ?? task] }),
      },
    );
  const brand = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Brand' });

  test('is of the brand that the board shows', async () => {
    const { user } = await openFiltered('?brand=Give');
    await user.click(await screen.findByRole('button', { name: 'New task' }));
    await expect.poll(async () => (await brand()).value).toBe('Give');
    await user.type(screen.getByRole('textbox', { name: /^Title/ }), 'Prepare{Enter}');
    await screen.findByRole('link', { name: 'Prepare' });
    expect(screen.queryByText(/filter hides/)).toBeNull();
  });

  test('is named as hidden, and Show takes the filters away and opens it', async () => {
    const { user } = await openFiltered('?brand=Give,Grow');
    await user.type(await screen.findByRole('textbox', { name: 'Filter tasks by text' }), 'call');
    await screen.findByRole('link', { name: 'Call shops' });
    await user.click(await screen.findByRole('button', { name: 'New task' }));
    expect((await brand()).value).toBe('All Brands');
    await user.type(screen.getByRole('textbox', { name: /^Title/ }), 'Prepare{Enter}');

    await screen.findByText('“Prepare” sent for approval. The board’s filter hides it');
    expect(screen.queryByRole('link', { name: 'Prepare' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show' }));
    await screen.findByRole('link', { name: 'Prepare' });
    await screen.findByRole('button', { name: 'Brands: Any brand' });
    await screen.findByRole('heading', { name: /Prepare/ });
  });
});

test('text in a field that someone else’s decision takes away is shown with the reason, until it is discarded', async () => {
  const { user, answer } = await openBoard('Task');
  answer();
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('e');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), ' in Ghent');
  const entry = { id: '1', event: 'signedOff', from: 'INREVIEW', to: 'DONE', version: 2, at, change: null };
  const by = { actorId: 'farah', actorName: 'Farah Haddad', before: '{}', after: '{}', waitedSeconds: 0 };
  const history = [{ ...entry, ...by, correction: false }] as FullTask['history'];
  act(() => mergeTask(queryClient, { ...task, status: 'DONE', version: 2, history }));
  await screen.findByText(/^Farah Haddad signed off this task\. Your text wasn’t sent/);
  await expect.poll(focused).toEqual(['Call shops in Ghent', 0]);
  act(() => dropTask(queryClient, task.id));
  await screen.findByText(/^You can’t see this task anymore\. Your text wasn’t sent/);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByText(/Your text wasn’t sent/)).toBeNull();
  expect(Object.keys(localStorage).filter((key) => key.includes(':draft:'))).toEqual([]);
});

test('Esc in an edited note keeps the text and says that it isn’t saved, until it is discarded', async () => {
  const note = { id: '5', userId: viewer.id, userName: viewer.name, text: 'Ten of them', timeStamp: at, edited: false };
  const { user } = await openBoard(null, { notes: [note] as never }, '?task=17');
  await user.click(await screen.findByRole('button', { name: 'Edit the note' }));
  await user.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Edit the note' });
  expect(screen.queryByText('Your changes aren’t saved yet')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit the note' }));
  await user.type(await screen.findByDisplayValue('Ten of them'), ', and more{Escape}');
  await screen.findByText('Your changes aren’t saved yet');
  screen.getByText('Ten of them');
  await user.click(screen.getByRole('button', { name: 'Continue editing the note' }));
  await screen.findByDisplayValue('Ten of them, and more');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('button', { name: 'Edit the note' });
  expect(screen.queryByText('Your changes aren’t saved yet')).toBeNull();
});

test('an editor that was only opened leaves nothing behind', async () => {
  const { user, answer } = await openBoard('Task');
  answer();
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('e');
  await screen.findByRole('textbox', { name: 'Title' });
  act(() => mergeTask(queryClient, { ...task, status: 'DONE', version: 2 }));
  await screen.findByText('Signed Off', { selector: '[role="dialog"] *' });
  expect(screen.queryByText(/Your text wasn’t sent/)).toBeNull();
});

test('a sprint before the previous one is chosen by its name', async () => {
  const { user, asked, answer } = await openBoard('Sprints');
  answer();
  await user.click(await screen.findByRole('combobox', { name: 'Other sprint' }));
  await user.click(await screen.findByRole('option', { name: '2026 W45' }));
  await screen.findByText(/Sprint 2026 W45,/);
  await expect.poll(() => asked.at(-1)).toBe('45');
});

const ShellDialogName = () => <p>{useShellDialog()}</p>;

test('Esc in a new note with text leaves the field, and ? lists the keys of the open task', async () => {
  const { user } = await openBoard(null, {}, '?task=17');
  render(<ShellDialogName />);
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
  await user.type(field, 'Half a thought{Escape}');
  expect(document.activeElement).not.toBe(field);
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' }).value).toBe('Half a thought');
  await user.keyboard('?');
  await screen.findByText('shortcuts');
});

test('a lost note that a server of an older version added is known by its author and text', async () => {
  for (const [userId, kept] of [
    ['someone', 1],
    [viewer.id, 0],
  ] as const) {
    const note = { id: '3', userId, userName: 'Ada', text: 'Called back', timeStamp: task.created, edited: false };
    const answers = { CallResult: () => ({ callResult: task.id }) };
    const opened = openBoard(null, { notes: [note] as FullTask['notes'] }, '?task=17', viewer, answers);
    const at = `of-person:${viewer.id}:sending:new-note:17`;
    localStorage.setItem(at, JSON.stringify({ key: '1', sent: 'Called back' }));
    await opened;
    await expect.poll(() => localStorage.getItem(at)).toBeNull();
    await screen.findByRole('textbox', { name: 'New note' });
    const said = screen.queryAllByText('“Called back” was added');
    expect(said).toHaveLength(1 - kept);
    cleanup();
  }
});

describe('in a wide window', () => {
  const other = { ...task, id: '18', title: 'Send lamps', created: '2026-11-16T12:00:00Z' };
  const signedOff = { ...task, id: '19', title: 'Old news', status: 'DONE', created: '2026-11-16T13:00:00Z' };
  const three = [task, other, signedOff] as FullTask[];
  const byId = ({ taskId }: { taskId: string }) => ({ tasks: three.filter(({ id }) => id === taskId) });
  async function openPeek(search = '?task=17') {
    const media = window.matchMedia.bind(window);
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query === peekFrom ? Object.defineProperty(media(query), 'matches', { value: true }) : media(query),
    );
    const answers = { BoardTasks: () => ({ tasks: three }), Task: byId };
    const { user } = await openBoard(null, {}, search, viewer, answers);
    return user;
  }
  const link = (name: string) => screen.findByRole('link', { name });
  const panel = async (title: string) => {
    const opened = await screen.findByRole('dialog', { name: 'Task' });
    await within(opened).findByRole('heading', { name: title });
    return opened;
  };
  const isClosed = () => expect.poll(() => screen.queryByRole('dialog', { name: 'Task' })).toBeNull();

  test('Esc in the filter, in a menu and in a dialog closes only that, and elsewhere the open task', async () => {
    const user = await openPeek();
    const opened = await panel('Call shops');
    expect(opened.getAttribute('aria-modal')).toBeNull();
    await expect.poll(() => document.activeElement).toBe(opened);
    await user.type(await screen.findByRole('textbox', { name: 'Filter tasks by text' }), 'je{Escape}{Escape}');
    await user.click(screen.getByRole('button', { name: 'Actions for Send lamps' }));
    await screen.findByRole('menu');
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('menu')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'New task' }));
    await screen.findByLabelText('Title');
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog', { name: 'New task' })).toBeNull();
    await panel('Call shops');
    (await link('Send lamps')).focus();
    await user.keyboard('{Escape}');
    await isClosed();
    expect(document.activeElement).toBe(await link('Call shops'));
  });

  test('another card opens in the same panel, and a note that was begun stays with its task', async () => {
    const user = await openPeek();
    await panel('Call shops');
    await user.type(await screen.findByRole('textbox', { name: 'New note' }), 'Half a jolly thought');
    await user.click(await link('Send lamps'));
    await panel('Send lamps');
    expect((await link('Send lamps')).getAttribute('aria-current')).toBe('true');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' }).value).toBe('');
    await user.keyboard('k');
    await panel('Call shops');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' }).value).toBe('Half a jolly thought');
  });

  test('the keys of the open task act on it, although another card has the focus', async () => {
    const user = await openPeek();
    await panel('Call shops');
    (await link('Send lamps')).focus();
    await user.keyboard('e');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Title' });
    expect(field.value).toBe('Call shops');
  });

  test('columns that nobody moves tasks into fold, until they are opened or J comes to a task there', async () => {
    const user = await openPeek('?task=18');
    await panel('Send lamps');
    const rail = await screen.findByRole('button', { name: /Signed Off/, expanded: false });
    expect(screen.queryByRole('link', { name: 'Old news' })).toBeNull();
    await user.click(rail);
    await link('Old news');
    await user.click(screen.getByRole('button', { name: 'Collapse Signed Off', expanded: true }));
    expect(screen.queryByRole('link', { name: 'Old news' })).toBeNull();
    await user.keyboard('j');
    await panel('Old news');
    await link('Old news');
    await user.keyboard('{Escape}');
    await isClosed();
    expect(document.activeElement).toBe(await link('Old news'));
    expect(screen.queryByRole('button', { name: /Awaiting Approval/, expanded: false })).toBeNull();
  });
});

test('E on the card of a task that waits for the viewer opens its texts, and approves it with what changed', async () => {
  const approver = { ...viewer, permissions: [...viewer.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  const lena = { id: 'lena', displayName: 'Lena Hoffmann', team: null };
  const part = { userId: 'lena', owner: lena, ownerApproverIds: [viewer.id], status: 'INAPPROVAL' as const };
  const sent: object[] = [];
  const { user } = await openBoard(null, part, '', approver, {
    UpdateTask: (update: object) => {
      sent.push(update);
      return { updateTask: { ...task, ...part, ...update, version: 2 } };
    },
  });
  (await screen.findByRole('link', { name: 'Call shops' })).focus();
  await user.keyboard('e');
  await user.type(await screen.findByRole('textbox', { name: 'Summary' }), 'All 20');
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Approve with edits' }));
  await message('“Call shops” was approved with edits');
  expect(sent).toEqual([{ id: '17', status: 'TODO', version: 1, summary: 'All 20' }]);
});

test('a note that was typed and left marks its task’s card', async () => {
  await openBoard(null);
  const card = (await screen.findByRole('link', { name: 'Call shops' })).closest('article')!;
  expect(within(card).queryByText('Your draft')).toBeNull();
  act(() => {
    localStorage.setItem('of-person:viewer:draft:new-note:17', '"Half a sentence"');
    dispatchEvent(new StorageEvent('storage'));
  });
  await within(card).findByText('Your draft');
  localStorage.clear();
});
