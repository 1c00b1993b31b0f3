import { useLocation } from '@tanstack/react-router';
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FullTask } from '#web/tasks/shared/queries.ts';
import { undoLatest } from '#web/ui/toasts.tsx';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import MyWeekPage from './my-week-page.tsx';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), id: '1', role: 'Staff', approverIds: ['marcus'] };

const marcus = { id: 'marcus', displayName: 'Marcus Adeyemi', decides: true };

/** Sprints around now, the current one ending in so many hours. */
function sprintsEndingIn(hours: number) {
  const week = 7 * 24;
  const at = (offset: number) => new Date(Date.now() + offset * 60 * 60_000).toISOString();
  const sprint = (id: string, phase: string, end: number) => ({
    ...{ id, name: `2026 W${id}`, phase, current: phase === 'active', completionPercentage: null },
    ...{ startDate: at(end - week), endDate: at(end), settledAt: at(end + 48) },
  });
  return [
    sprint('46', 'settled', hours - week),
    sprint('47', 'active', hours),
    sprint('48', 'future', hours + week),
  ] as const;
}

function task(id: string, part: Partial<FullTask> = {}): FullTask {
  const owner = { id: viewer.id, displayName: viewer.name, team: null };
  return {
    ...{ id, userId: viewer.id, owner, createdBy: owner, ownerApproverIds: ['marcus'], sprintId: '47' },
    ...{ status: 'TODO', statusSince: '2026-11-16T11:00:00Z', title: `Task ${id}`, category: 'Grow', change: '' },
    ...{
      reason: null,
      created: '2026-11-16T10:00:00Z',
      extra: false,
      carriedOver: 0,
      withdrawn: false,
      leftUndone: false,
      version: 1,
    },
    ...{ summary: '', notes: [], attachments: [], history: [] },
    ...part,
  } as FullTask;
}

function PageAndAddress() {
  const { href } = useLocation();
  return (
    <>
      <MyWeekPage />
      <output aria-label="Address">{href}</output>
    </>
  );
}

async function openWeek(
  tasks: FullTask[],
  { unfinished = [] as FullTask[], endsIn = 100, sprintsAfter = Promise.resolve() } = {},
) {
  localStorage.clear();
  const sprints = sprintsEndingIn(endsIn);
  const sent: [name: string, variables: object][] = [];
  const known = new Map([...tasks, ...unfinished].map((each) => [each.id, each]));
  const change = (id: string, part: Partial<FullTask>) => {
    const before = known.get(id)!;
    const after = { ...before, ...part, version: before.version + 1 };
    known.set(id, after);
    return after;
  };
  const inSprint = (sprintId: string) =>
    [...known.values()]
      .filter((each) => each.sprintId === sprintId && !each.withdrawn && !each.leftUndone)
      .toReversed();
  const user = await showPage(<PageAndAddress />, {
    viewer,
    address: '/dashboard',
    answers: {
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: sprints[1] },
          previousSprint: sprints[0],
          tasks: inSprint('47'),
          openAtClose: inSprint('46'),
        },
      }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      BoardTasks: ({ sprintId }: { sprintId: string }) => ({ tasks: inSprint(sprintId) }),
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      Sprints: () => sprintsAfter.then(() => ({ sprints })),
      UpdateTask: ({ id, status }: { id: string; status: FullTask['status'] }) => {
        sent.push(['UpdateTask', { id, status }]);
        return { updateTask: change(id, { status }) };
      },
      CreateTask: (variables: { title: string; sprintId: string }) => {
        sent.push(['CreateTask', variables]);
        if (variables.title === 'Refused') refuse('BAD_INPUT', 'title is refused');
        const id = String(100 + sent.length);
        known.set(id, task(id, { ...variables, status: 'INAPPROVAL' }));
        return { createTask: known.get(id) };
      },
      WithdrawTask: ({ taskId }: { taskId: string }) => {
        sent.push(['WithdrawTask', { taskId }]);
        return { withdrawTask: change(taskId, { withdrawn: true }) };
      },
      CarryOver: ({ taskId }: { taskId: string }) => {
        sent.push(['CarryOver', { taskId }]);
        if (known.get(taskId)?.title === 'Refused') refuse('CONFLICT', 'This changed in the meantime');
        return { carryOver: change(taskId, { sprintId: '47', carriedOver: 1 }) };
      },
      LeaveUndone: ({ taskId }: { taskId: string }) => {
        sent.push(['LeaveUndone', { taskId }]);
        return { leaveUndone: change(taskId, { leftUndone: true }) };
      },
      UndoTaskStep: ({ taskId }: { taskId: string }) => {
        sent.push(['UndoTaskStep', { taskId }]);
        const before = tasks.concat(unfinished).find(({ id }) => id === taskId) ?? { withdrawn: false };
        return { undoTaskStep: change(taskId, { ...before, version: known.get(taskId)!.version }) };
      },
    },
  });
  await screen.findByText(`Sprint 2026 W47`, { exact: false });
  return { user, sent, address: () => screen.getByRole('status', { name: 'Address' }).textContent };
}

const slots = () =>
  within(screen.getByRole('list', { name: 'Slots' }))
    .getAllByRole('listitem')
    .map(textOf);
const textOf = ({ textContent }: Element) => textContent;
const group = (name: RegExp) => screen.findByRole('region', { name });

test('a task that its owner cannot move offers no way to complete it', async () => {
  await openWeek([task('1', { status: 'INAPPROVAL' }), task('2', { status: 'DONE' })]);
  await screen.findByText('Task 1');
  expect(screen.queryByRole('button', { name: /^Mark/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
});

test('the glyph of a row completes the task, and Undo takes it back', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(await screen.findByRole('button', { name: 'Mark “Task 1” as completed' }));
  const link = await within(await group(/^Completed/)).findByRole('link', { name: 'Task 1' });
  await expect.poll(() => document.activeElement).toBe(link);
  await message('“Task 1” moved to Completed');
  act(() => undoLatest());
  const back = await within(await group(/^Open/)).findByRole('link', { name: 'Task 1' });
  await expect.poll(() => document.activeElement).toBe(back);
  expect(sent.map(([, variables]) => variables)).toEqual([
    { id: '1', status: 'INREVIEW' },
    { id: '1', status: 'TODO' },
  ]);
});

test('Space on a title completes the task, and Start moves it to In Progress', async () => {
  const { user, sent } = await openWeek([task('1'), task('2')]);
  await user.click((await screen.findAllByRole('button', { name: 'Start' }))[0]!);
  await message('“Task 1” moved to In Progress');
  screen.getByRole('link', { name: 'Task 2' }).focus();
  await user.keyboard(' ');
  await message('“Task 2” moved to Completed');
  expect(sent.map(([, variables]) => variables)).toEqual([
    { id: '1', status: 'INPROGRESS' },
    { id: '2', status: 'INREVIEW' },
  ]);
});

test('a denied task comes first with its reason, and E leads straight to the form that resends it', async () => {
  const denied = task('2', { status: 'DENIED', reason: 'The brand is wrong' });
  const { user, address } = await openWeek([task('1'), denied]);
  const needs = await group(/^Needs you/);
  await within(needs).findByText('The brand is wrong');
  const link = within(needs).getByRole('link', { name: 'Edit and resend' });
  expect(link.getAttribute('href')).toBe('/top-5/tasks?task=2&resend=1');
  await user.keyboard('e');
  await expect.poll(address).toBe('/top-5/tasks?task=2&resend=1');
});

test('C adds a task to the week, and Undo withdraws it', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await screen.findByText('Task 1');
  await user.keyboard('c');
  await user.type(await screen.findByLabelText('Title'), 'Call the suppliers{Enter}');
  await screen.findByText('Call the suppliers');
  await message('“Call the suppliers” is now Awaiting Approval');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => screen.queryByRole('link', { name: 'Call the suppliers' })).toBeNull();
  expect(sent.map(([name]) => name)).toEqual(['CreateTask', 'WithdrawTask']);
  expect(sent[0]![1]).toMatchObject({ sprintId: '47' });
});

test('C before the sprints are loaded opens the form once they are, with what was typed after it', async () => {
  const late = Promise.withResolvers<void>();
  const { user } = await openWeek([task('1')], { sprintsAfter: late.promise });
  await screen.findByText('Task 1');
  await user.keyboard('cjoke');
  expect(document.activeElement).toBe(document.body);
  late.resolve();
  await expect.poll(() => screen.queryByLabelText<HTMLTextAreaElement>('Title')?.value).toBe('joke');
});

test('each pasted line becomes a task, and what the server refuses stays in the field', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('- Call the suppliers\n- Refused\n\n- Book the photo day\n');
  await user.click(screen.getByRole('button', { name: 'Send 3 for approval' }));
  await screen.findByText(/is refused/);
  expect((screen.getByLabelText('Titles') as HTMLTextAreaElement).value).toBe('Refused\nBook the photo day');
  expect(sent.map(([, variables]) => (variables as { title: string }).title)).toEqual([
    'Call the suppliers',
    'Refused',
  ]);
});

test('a sixth task is said to be extra before it is saved, and so are those of a list', async () => {
  const { user } = await openWeek(['1', '2', '3', '4'].map((id) => task(id)));
  await user.keyboard('c');
  const title = await screen.findByLabelText('Title');
  await user.click(title);
  expect(screen.queryByText(/will be extra/)).toBeNull();
  await user.paste('One\nTwo\nThree');
  await screen.findByText('2 of these 3 will be extra, beyond the 5 planned tasks of 2026 W47.');
});

test('in the last hours of a sprint a new task is planned for the next one, and another one can follow', async () => {
  const { user, sent } = await openWeek([task('1')], { endsIn: 3 });
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Create another' }));
  for (const title of ['One', 'Two']) {
    await user.type(screen.getByLabelText('Title'), `${title}{Enter}`);
    await message(`“${title}” is now Awaiting Approval in 2026 W48`);
  }
  expect(sent.map(([, variables]) => variables)).toMatchObject([
    { title: 'One', sprintId: '48' },
    { title: 'Two', sprintId: '48' },
  ]);
});

const old = (id: string, part: Partial<FullTask> = {}) => task(id, { sprintId: '46', ...part });

test('one press carries over all that is listed, and one Undo brings all back', async () => {
  const { user, sent } = await openWeek([task('1')], { unfinished: [old('7'), old('8')] });
  await user.click(await screen.findByRole('button', { name: 'Carry over all 2' }));
  await message('2 tasks carried over to the current sprint');
  await within(await group(/^Open/)).findByText('Task 8');
  act(() => undoLatest());
  await message('2 tasks are back');
  await screen.findByRole('button', { name: 'Carry over all 2' });
  expect(sent).toEqual([
    ...[['CarryOver', { taskId: '8' }] as const, ['CarryOver', { taskId: '7' }] as const],
    ...[['UndoTaskStep', { taskId: '8' }] as const, ['UndoTaskStep', { taskId: '7' }] as const],
  ]);
});

test('a refused task keeps no other from being carried over', async () => {
  const unfinished = [old('7'), old('8', { title: 'Refused' })];
  const { user, sent } = await openWeek([], { unfinished });
  await user.click(await screen.findByRole('button', { name: 'Carry over all 2' }));
  await message('“Task 7” carried over to the current sprint');
  await message(/This changed in the meantime/);
  expect(sent).toEqual([
    ['CarryOver', { taskId: '8' }],
    ['CarryOver', { taskId: '7' }],
  ]);
});

test('an old task that was approved is left undone, any other is withdrawn, and Undo brings it back', async () => {
  const { user, sent } = await openWeek([], { unfinished: [old('7'), old('8', { status: 'DENIED' })] });
  const row = async (name: string) => within((await screen.findByRole('link', { name })).closest('li') as HTMLElement);
  await user.click((await row('Task 7')).getByRole('button', { name: 'Leave undone' }));
  await message('“Task 7” left undone');
  await expect.poll(() => screen.queryByRole('link', { name: 'Task 7' })).toBeNull();
  act(() => undoLatest());
  await message('“Task 7” is back');
  expect((await row('Task 8')).queryByRole('button', { name: 'Leave undone' })).toBeNull();
  await user.click((await row('Task 8')).getByRole('button', { name: 'Withdraw' }));
  await message('“Task 8” withdrawn');
  expect(sent.map(([name]) => name)).toEqual(['LeaveUndone', 'UndoTaskStep', 'WithdrawTask']);
});

test('one press lets go of all that is listed, with one message', async () => {
  const unfinished = [old('7'), old('8', { status: 'DENIED' }), old('9')];
  const { user } = await openWeek([], { unfinished });
  await user.click(await screen.findByRole('button', { name: 'Leave all 3 undone' }));
  await message('2 tasks left undone, “Task 8” withdrawn');
  await expect.poll(() => screen.queryByText('Unfinished from earlier sprints')).toBeNull();
  act(() => undoLatest());
  await message('3 tasks are back');
});

test('of a pasted list that is refused in part, the made tasks are said and can be undone', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('One\nRefused\nTwo');
  await user.click(screen.getByRole('button', { name: 'Send 3 for approval' }));
  await message('“One” is now Awaiting Approval');
  act(() => undoLatest());
  await message('“One” withdrawn');
  expect(sent.map(([name]) => name)).toEqual(['CreateTask', 'CreateTask', 'WithdrawTask']);
});

test('a week without tasks shows five free slots, and a button that adds the first one', async () => {
  const { user } = await openWeek([]);
  await screen.findByText('0 of 5 completed');
  expect(slots()).toEqual(['Free', 'Free', 'Free', 'Free', 'Free']);
  await user.click(screen.getByRole('button', { name: 'Add your first task' }));
  await screen.findByLabelText('Title');
});

test('the slots show the planned tasks from finished to waiting, and leave out what is extra', async () => {
  await openWeek([
    task('1', { status: 'INAPPROVAL' }),
    task('2', { status: 'INPROGRESS' }),
    task('3', { status: 'DONE' }),
    task('4', { extra: true, status: 'INREVIEW' }),
  ]);
  await screen.findByText('1 of 5 completed');
  screen.getByText(', 3 planned, 2 approved', { exact: false });
  expect(slots()).toEqual(['Signed Off', 'In Progress', 'Awaiting Approval', 'Free', 'Free']);
});

test('My week names the approver', async () => {
  await openWeek([task('1')]);
  await screen.findByText('Marcus Adeyemi approves your tasks.');
});

test('J and K walk through all tasks of the page', async () => {
  const { user } = await openWeek([task('1'), task('2', { status: 'DONE' })], {
    unfinished: [task('7', { sprintId: '46' })],
  });
  await screen.findByText('Task 7');
  const focused = () => document.activeElement?.textContent;
  const walked: unknown[] = [];
  for (const key of ['j', 'j', 'j', 'k']) {
    await user.keyboard(key);
    walked.push(focused());
  }
  expect(walked).toEqual(['Task 1', 'Task 2', 'Task 7', 'Task 2']);
});

test('one press undoes all tasks of a pasted list', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('One\nTwo');
  await user.click(screen.getByRole('button', { name: 'Send 2 for approval' }));
  await message('2 tasks are now Awaiting Approval');
  const rows = within(await group(/^Open/)).getAllByRole('link');
  expect(rows.map(textOf)).toEqual(['Task 1', 'One', 'Two']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect
    .poll(() => sent.map(([name]) => name))
    .toEqual([...['CreateTask', 'CreateTask'], ...['WithdrawTask', 'WithdrawTask']]);
  await message('2 tasks withdrawn');
  expect(screen.getAllByText(/withdrawn$/)).toHaveLength(1);
});

/** The page of a person who keeps no tasks. */
async function openWithoutTasks(who: Partial<typeof viewer>, peopleToHelp = { withoutRole: 0, unapproved: 0 }) {
  const [sprint] = sprintsEndingIn(100);
  await showPage(<MyWeekPage />, {
    viewer: { ...viewer, ...who },
    address: '/dashboard',
    answers: {
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [], admins: [{ id: 'ada', displayName: 'Ada North' }] } }),
      PeopleToHelp: () => ({ peopleToHelp }),
    },
  });
}

test('a new person without an approver is told whom to ask, and offered only pages that open', async () => {
  await openWithoutTasks({ approverIds: [], permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOOLS'] });
  await screen.findByText(/You have no approver. Ask Ada North to choose one./);
  await screen.findByRole('link', { name: 'Tools' });
  expect(screen.queryByRole('link', { name: 'Tasks' })).toBeNull();
});

test('who manages people sees whom to help', async () => {
  const who = { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] } as const;
  await openWithoutTasks(who, { withoutRole: 1, unapproved: 1 });
  const role = await screen.findByRole('link', { name: '1 person has no role' });
  expect(role.getAttribute('href')).toMatch(/^\/usermanagement\?role=/);
  screen.getByRole('link', { name: 'Nobody can approve the tasks of 1 person' });
});
