import { useLocation } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { companyToday } from '#web/access/shared/absence-queries.ts';
import { queryClient } from '#web/api/query-client.ts';
import { peopleCountsQuery } from '#web/people/shared/people-counts.ts';
import { type FullTask, sprintsQuery } from '#web/tasks/shared/queries.ts';
import { keepPlaceOfFocus } from '#web/ui/focus-next.ts';
import { useDeclaredShortcuts } from '#web/ui/shortcuts.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import { undoLatest } from '#web/ui/toasts.tsx';
import { message, refuse, sendNotice, showPage, viewerWith } from '../../../../test/show-page.tsx';
import MyWeekPage from './my-week-page.tsx';
import { myWeekQuery } from './my-week-queries.ts';
import { PeopleToHelp } from './week-side.tsx';

const viewer = { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'), id: '1', role: 'Staff', approverIds: ['marcus'] };

const marcus = { id: 'marcus', displayName: 'Marcus Adeyemi', decides: true };

/** Sprints around now, the current one ending in so many hours. */
function sprintsEndingIn(hours: number) {
  const week = 7 * 24;
  const now = Date.now();
  const at = (offset: number) => new Date(now + offset * 60 * 60_000).toISOString();
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
      repeats: null,
      version: 1,
    },
    ...{ summary: '', notes: [], attachments: [], history: [] },
    ...part,
  } as FullTask;
}

function PageAndAddress() {
  const { href } = useLocation();
  const keys = useDeclaredShortcuts();
  return (
    <>
      <MyWeekPage />
      <output aria-label="Address">{href}</output>
      <output aria-label="Keys">{keys.map(({ key, label }) => `${key} ${label}`).join(', ')}</output>
    </>
  );
}

type Answers = NonNullable<Parameters<typeof showPage>[1]>['answers'];

async function openWeek(
  tasks: FullTask[],
  {
    unfinished = [] as FullTask[],
    endsIn = 100,
    sprintsAfter = Promise.resolve(),
    settling = false,
    /** Of the unfinished: with which the week began again. */
    addedAgain = [] as string[],
    carriedAfter = Promise.resolve(),
    /** The recap of the week to close. */
    closed = null as object | null,
    /** Of the week's tasks; none from a server of an older version. */
    taskOrder = undefined as string[] | undefined,
    /** Whether a task called "Lost" doesn't reach the server. */
    isDown = (): boolean => false,
    answers = {} as Answers,
  } = {},
) {
  localStorage.clear();
  const [last, ...others] = sprintsEndingIn(endsIn);
  const sprints = [settling ? { ...last, phase: 'settling' } : last, ...others] as const;
  let recap = closed;
  let order = taskOrder;
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
      Absences: () => ({ absences: [] }),
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: sprints[1] },
          previousSprint: sprints[0],
          tasks: inSprint('47'),
          openAtClose: inSprint('46'),
          recap,
          ...(order && { taskOrder: order }),
        },
      }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      AddedAgain: () => ({
        myWeek: { openAtClose: inSprint('46').map(({ id }) => ({ id, addedAgain: addedAgain.includes(id) })) },
      }),
      NextPlan: () => ({ sprints, tasks: [...known.values()] }),
      MoveToSprint: ({ taskId, sprintId }: { taskId: string; sprintId: string }) => {
        sent.push(['MoveToSprint', { taskId, sprintId }]);
        return { moveToSprint: change(taskId, { sprintId }) };
      },
      BoardTasks: ({ sprintId }: { sprintId: string }) => ({ tasks: inSprint(sprintId) }),
      Task: ({ taskId }: { taskId: string }) => ({ tasks: [known.get(taskId)] }),
      TaskLimit: () => ({ myWeek: { taskLimit: 5 } }),
      Sprints: () => sprintsAfter.then(() => ({ sprints })),
      UpdateTask: ({ id, status }: { id: string; status: FullTask['status'] }) => {
        sent.push(['UpdateTask', { id, status }]);
        if (known.get(id)?.sprintId === '46' && status !== 'INREVIEW')
          refuse('SPRINT_DOES_NOT_ALLOW', 'This sprint is over');
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
        if (known.get(taskId)?.title === 'Refused') refuse('CONFLICT', 'This has changed since you opened it');
        if (known.get(taskId)?.title === 'Lost' && isDown()) throw new Error('No connection');
        return carriedAfter.then(() => ({ carryOver: change(taskId, { sprintId: '47', carriedOver: 1 }) }));
      },
      SprintResult: () => ({
        sprintResult: { ...{ committed: 1, carriedOut: 0, corrections: 0, counts: null }, recap },
      }),
      SprintPlan: () => ({ sprintResult: null }),
      CloseWeek: (variables: { learned: string }) => {
        sent.push(['CloseWeek', variables]);
        if (variables.learned === 'Refused') refuse('SPRINT_DOES_NOT_ALLOW', 'This sprint’s result is final');
        recap = { learned: variables.learned, closedAt: '2026-11-16T11:00:00Z', editedAt: null, version: 1 };
        return { closeWeek: { id: '1' } };
      },
      LeaveUndone: ({ taskId, ...why }: { taskId: string }) => {
        sent.push(['LeaveUndone', { taskId, ...why }]);
        return { leaveUndone: change(taskId, { leftUndone: true }) };
      },
      RepeatTask: ({ taskId, repeats = null }: { taskId: string; repeats: FullTask['repeats'] }) => {
        sent.push(['RepeatTask', { taskId, repeats }]);
        if (known.get(taskId)?.title === 'Refused') refuse('CONFLICT', 'This has changed since you opened it');
        return { repeatTask: change(taskId, { repeats }) };
      },
      OrderTasks: ({ taskIds }: { taskIds: string[] }) => {
        sent.push(['OrderTasks', taskIds]);
        if (known.get(taskIds[0]!)?.title === 'Refused') refuse('SPRINT_DOES_NOT_ALLOW', 'This sprint is over');
        order = taskIds;
        return { orderTasks: taskIds };
      },
      UndoTaskSteps: ({ taskIds }: { taskIds: string[] }) => {
        sent.push(['UndoTaskSteps', { taskIds }]);
        const undo = (taskId: string) => {
          const before = tasks.concat(unfinished).find(({ id }) => id === taskId) ?? { withdrawn: false };
          return change(taskId, { ...before, version: known.get(taskId)!.version });
        };
        return { undoTaskSteps: taskIds.map(undo) };
      },
      ...answers,
    },
  });
  await screen.findByText(`Sprint 2026 W47`, { exact: false });
  const orderElsewhere = (ids: string[]) => {
    order = ids;
  };
  return { user, sent, orderElsewhere, address: () => screen.getByRole('status', { name: 'Address' }).textContent };
}

const slots = () =>
  within(screen.getByRole('list', { name: 'Planned tasks' }))
    .getAllByRole('listitem')
    .map(textOf);
const textOf = ({ textContent }: Element) => textContent;
const group = (name: RegExp) => screen.findByRole('region', { name });

test('a task that its owner cannot move offers no way to complete it', async () => {
  await openWeek([task('1', { status: 'INAPPROVAL' }), task('2', { status: 'DONE' })]);
  await screen.findByText('Task 1');
  expect(screen.queryByRole('button', { name: /^(Start|Complete)$/ })).toBeNull();
});

test('Complete in a row completes the task, and Undo takes it back', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
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

test('Start moves a task to In Progress, and Space on a title completes it, as the list of keys says', async () => {
  const { user, sent } = await openWeek([task('1'), task('2')]);
  await user.click((await screen.findAllByRole('button', { name: 'Start' }))[0]!);
  await message('“Task 1” moved to In Progress');
  expect(screen.getByRole('status', { name: 'Keys' }).textContent).toMatch(
    /x Leave undone or withdraw.*Space Complete the task/s,
  );
  const row = screen.getByRole('link', { name: 'Task 1' }).closest('li') as HTMLElement;
  expect(within(row).getAllByRole('button').map(textOf)).toEqual(['Complete', '']);
  screen.getByRole('link', { name: 'Task 2' }).focus();
  await user.keyboard(' ');
  await message('“Task 2” moved to Completed');
  expect(sent.map(([, variables]) => variables)).toEqual([
    { id: '1', status: 'INPROGRESS' },
    { id: '2', status: 'INREVIEW' },
  ]);
});

test('R opens how the task with the focus repeats, the row shows it, and Undo restores it', async () => {
  const { user, sent } = await openWeek([task('1'), task('2', { repeats: 'fourWeekly', version: 3 })]);
  await screen.findByText('Repeats every 4 weeks');
  screen.getByRole('link', { name: 'Task 1' }).focus();
  await user.keyboard('r');
  const items = async () => (await screen.findAllByRole('menuitem')).map(textOf);
  const rules = ['every week', ...[2, 3, 4].map((weeks) => `every ${weeks} weeks`)];
  const repeating = [...rules, 'in the first sprint of each month', 'in the last sprint of each month'];
  expect(await items()).toEqual(repeating.map((words) => `Repeat ${words}`));
  await user.click(screen.getByRole('menuitem', { name: 'Repeat every 2 weeks' }));
  await message('“Task 1” repeats every 2 weeks');
  await screen.findByText('Repeats every 2 weeks');
  act(() => undoLatest());
  await message('“Task 1” no longer repeats');
  expect(screen.queryByText('Repeats every 2 weeks')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Repeat “Task 2”' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Stop repeating' }));
  await message('“Task 2” no longer repeats');
  act(() => undoLatest());
  await message('“Task 2” repeats every 4 weeks');
  expect(sent.map(([, variables]) => variables)).toEqual([
    { taskId: '1', repeats: 'twoWeekly' },
    { taskId: '1', repeats: null },
    { taskId: '2', repeats: null },
    { taskId: '2', repeats: 'fourWeekly' },
  ]);
});

const titles = async (name: RegExp) =>
  within(await group(name))
    .getAllByRole('link')
    .map(textOf);
const said = () => screen.getAllByRole('status').map(textOf);

test('a week from a server that keeps no order, and a task alone in its group, offer no way to move a task', async () => {
  const { user, sent } = await openWeek([task('1'), task('2')]);
  (await screen.findByRole('link', { name: 'Task 1' })).focus();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  cleanup();
  await openWeek([task('1'), task('2', { status: 'DENIED' })], { taskOrder: [] });
  await screen.findByRole('link', { name: 'Task 1' });
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  expect(sent).toEqual([]);
});

test('Alt+↓ and Alt+↑ move the task with the focus inside its group, say so, and each can be undone', async () => {
  const tasks = [
    task('1'),
    task('2'),
    task('3'),
    task('4', { status: 'INREVIEW' }),
    task('5', { status: 'INAPPROVAL' }),
  ];
  const { user, sent } = await openWeek(tasks, { taskOrder: [] });
  (await screen.findByRole('link', { name: 'Task 1' })).focus();
  expect(screen.getByRole('status', { name: 'Keys' }).textContent).toMatch(
    /Alt\+ArrowUp Move the task up, Alt\+ArrowDown/,
  );
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await user.keyboard(`{Alt>}{${key}}{/Alt}`);
  expect(await titles(/^Open/)).toEqual(['Task 2', 'Task 3', 'Task 1', 'Task 5']);
  expect(said()).toContain('Moved “Task 1” to place 3 of 4');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Task 1' }));
  await message('Moved “Task 1” to place 3 of 4');
  act(() => undoLatest());
  await message('“Task 1” is back in its place');
  await expect.poll(() => titles(/^Open/)).toEqual(['Task 2', 'Task 1', 'Task 3', 'Task 5']);
  act(() => undoLatest());
  await expect.poll(() => titles(/^Open/)).toEqual(['Task 1', 'Task 2', 'Task 3', 'Task 5']);
  expect(sent).toEqual(
    ['2 1 3 5 4', '2 3 1 5 4', '2 1 3 5 4', ''].map((ids) => ['OrderTasks', ids.split(' ').filter(Boolean)]),
  );
});

test('the menu of a row moves it too, and a task that nobody ordered comes last', async () => {
  const tasks = [task('1', { status: 'INPROGRESS' }), task('2'), task('3')];
  const { user, sent } = await openWeek(tasks, { taskOrder: ['3', '2'] });
  expect(await titles(/^Open/)).toEqual(['Task 3', 'Task 2', 'Task 1']);
  await user.click(screen.getByRole('button', { name: 'Move “Task 1”' }));
  expect((await screen.findAllByRole('menuitem')).map(textOf)).toEqual(['Move up']);
  await user.click(screen.getByRole('menuitem', { name: 'Move up' }));
  await message('Moved “Task 1” to place 2 of 3');
  expect(await titles(/^Open/)).toEqual(['Task 3', 'Task 1', 'Task 2']);
  expect(sent).toEqual([['OrderTasks', ['3', '1', '2']]]);
});

test('undoing an earlier move leaves the later ones', async () => {
  const { user } = await openWeek([task('1'), task('2'), task('3'), task('4')], { taskOrder: [] });
  for (const name of ['Task 1', 'Task 3']) {
    (await screen.findByRole('link', { name })).focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await message(new RegExp(`Moved “${name}”`));
  }
  expect(await titles(/^Open/)).toEqual(['Task 2', 'Task 1', 'Task 4', 'Task 3']);
  const earlier = (await message(/Moved “Task 1”/)).parentElement as HTMLElement;
  await user.click(within(earlier).getByRole('button', { name: 'Undo' }));
  await message('“Task 1” is back in its place');
  await expect.poll(() => titles(/^Open/)).toEqual(['Task 1', 'Task 2', 'Task 4', 'Task 3']);
});

test('a refused move puts the task back where it was', async () => {
  const { user } = await openWeek([task('1'), task('2', { title: 'Refused' })], { taskOrder: [] });
  (await screen.findByRole('link', { name: 'Refused' })).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await message('This sprint is over');
  expect(await titles(/^Open/)).toEqual(['Task 1', 'Refused']);
});

test('an order that was changed in another tab shows by itself, and the close-out follows it', async () => {
  const { user, orderElsewhere } = await openWeek([task('1'), task('2')], { taskOrder: ['1', '2'] });
  orderElsewhere(['2', '1']);
  await sendNotice();
  await expect.poll(() => titles(/^Open/)).toEqual(['Task 2', 'Task 1']);
  await user.keyboard('w');
  await screen.findByRole('region', { name: 'Task 2' });
});

test('a refused change of how a task repeats leaves it as it was', async () => {
  const { user } = await openWeek([task('1', { title: 'Refused', repeats: 'weekly', version: 2 })], {
    answers: { Task: () => ({ tasks: [task('1', { title: 'Refused', repeats: 'weekly', version: 2 })] }) },
  });
  await user.click(await screen.findByRole('button', { name: 'Repeat “Refused”' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Stop repeating' }));
  await message('This has changed since you opened it');
  await screen.findByText('Repeats every week');
});

test('the week says which repeating tasks it began with, and Undo withdraws all of them', async () => {
  const added = { status: 'INAPPROVAL', repeats: 'weekly' } as const;
  const { user, sent } = await openWeek([
    ...[task('1', added), task('2', added), task('3', { ...added, repeats: 'monthFirst' })],
    // Edited since, and one that was set to repeat by hand.
    ...[task('4', { ...added, version: 2 }), task('5', { repeats: 'weekly', version: 2 })],
  ]);
  const notice = await screen.findByText(/repeating tasks were added/);
  expect(notice.textContent).toBe('3 repeating tasks were added · Undo');
  await user.click(within(notice).getByRole('button', { name: 'Undo' }));
  await message('3 tasks withdrawn. 3 tasks still repeat');
  await expect.poll(() => screen.queryByText(/repeating tasks were added/)).toBeNull();
  expect(sent).toEqual(['1', '2', '3'].map((taskId) => ['WithdrawTask', { taskId }]));
  expect(screen.queryByRole('link', { name: 'Task 1' })).toBeNull();
  act(() => undoLatest());
  await screen.findByRole('link', { name: 'Task 1' });
});

test('the only repeating task that the week began with is named', async () => {
  await openWeek([task('1', { status: 'INAPPROVAL', repeats: 'weekly', title: 'Stock report' })]);
  await screen.findByText(/“Stock report” was added, because it repeats/);
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

test('a task that was sent back needs its owner, with the reason, until it is completed again', async () => {
  const back = { status: 'INPROGRESS', reason: 'The confirmation is missing' } as const;
  await openWeek([task('1'), task('2', back), task('3', { ...back, status: 'INREVIEW' })]);
  const needs = await group(/^Needs you/);
  await within(needs).findByText('The confirmation is missing');
  expect(
    within(needs)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Task 2']);
  expect(screen.getAllByText('The confirmation is missing')).toHaveLength(1);
});

test('C adds a task to the week, and Undo withdraws it', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await screen.findByText('Task 1');
  await user.keyboard('c');
  await user.type(await screen.findByLabelText('Title'), 'Call the suppliers{Enter}');
  await screen.findByText('Call the suppliers');
  await message('“Call the suppliers” sent for approval');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => screen.queryByRole('link', { name: 'Call the suppliers' })).toBeNull();
  expect(sent.map(([name]) => name)).toEqual(['CreateTask', 'WithdrawTask']);
  expect(sent[0]![1]).toMatchObject({ sprintId: '47' });
});

test('on a touch device Enter leads from the title to the summary, and no key is named', async () => {
  const mediaOf = window.matchMedia.bind(window);
  const media = vi.spyOn(window, 'matchMedia');
  media.mockImplementation((query) =>
    query === '(pointer: coarse)' ? Object.defineProperty(mediaOf(query), 'matches', { value: true }) : mediaOf(query),
  );
  onTestFinished(() => media.mockRestore());
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  const title = await screen.findByLabelText('Title');
  expect(title.getAttribute('enterkeyhint')).toBe('next');
  expect(screen.queryByText(/Enter/)).toBeNull();
  await user.type(title, 'Call the suppliers{Enter}');
  expect(document.activeElement).toBe(screen.getByLabelText('Summary'));
  expect(sent).toEqual([]);
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

test('C opens the form with what was typed even if the sprints can’t be read, and sends it to the current one', async () => {
  let isDown = true;
  const again = Promise.withResolvers<void>();
  let isTried = false;
  const Sprints = async () => {
    if (!isDown) return { sprints: sprintsEndingIn(100) };
    if (isTried) await again.promise;
    return refuse('INTERNAL', 'Broken');
  };
  const { user, sent } = await openWeek([task('1')], { answers: { Sprints } });
  await screen.findByText('Task 1');
  await user.keyboard('cjoke');
  await expect.poll(() => screen.queryByLabelText<HTMLTextAreaElement>('Title')?.value).toBe('joke');
  await screen.findByText('Couldn’t load the sprints');
  await user.click(await screen.findByRole('checkbox', { name: 'Create another' }));
  await user.type(screen.getByLabelText('Title'), '{Enter}');
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]![1]).not.toHaveProperty('sprintId');
  // It tries again, for example because the window has the focus again.
  const title = screen.getByLabelText('Title');
  isTried = true;
  const read = queryClient.refetchQueries({ queryKey: ['sprints'] });
  await expect.poll(() => screen.queryByText('Couldn’t load the sprints')).toBeNull();
  expect(title.isConnected).toBe(true);
  again.resolve();
  await read;
  await screen.findByText('Couldn’t load the sprints');
  isDown = false;
  await queryClient.refetchQueries({ queryKey: ['sprints'] });
  await expect.poll(() => screen.queryByText('Couldn’t load the sprints')).toBeNull();
  await user.type(screen.getByLabelText('Title'), 'Two{Enter}');
  await expect.poll(() => sent[1]?.[1]).toMatchObject({ title: 'Two', sprintId: '47' });
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
  expect(screen.queryByText(/as extra/)).toBeNull();
  await user.paste('One\nTwo\nThree');
  await screen.findByText('4 of 5 tasks planned for 2026 W47. 2 of these 3 count as extra.');
});

test('in the last hours of a sprint a new task is planned for the next one, and another one can follow', async () => {
  const { user, sent } = await openWeek([task('1')], { endsIn: 3 });
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Create another' }));
  for (const title of ['One', 'Two']) {
    await user.type(screen.getByLabelText('Title'), `${title}{Enter}`);
    await message(`“${title}” sent for approval in 2026 W48`);
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
  await message('2 tasks moved back');
  await screen.findByRole('button', { name: 'Carry over all 2' });
  expect(sent).toEqual([
    ...[['CarryOver', { taskId: '8' }] as const, ['CarryOver', { taskId: '7' }] as const],
    ['UndoTaskSteps', { taskIds: ['8', '7'] }],
  ]);
});

test('a repeating task that the week began with again is left behind when the others are carried over', async () => {
  const { user, sent } = await openWeek([task('1')], {
    unfinished: [old('7'), old('8'), old('9')],
    addedAgain: ['8'],
  });
  await screen.findByText('Already added to a later sprint, because it repeats');
  const row = () => within(screen.getByRole('link', { name: 'Task 8' }).closest('li') as HTMLElement);
  expect(row().getAllByRole('button').map(textOf)).toEqual(['Leave undone']);
  await user.click(screen.getByRole('button', { name: 'Carry over 2' }));
  await message('2 tasks carried over to the current sprint');
  expect(sent.map(([, variables]) => variables)).toEqual([{ taskId: '9' }, { taskId: '7' }]);
  row().getByText('Already added to a later sprint, because it repeats');
});

test('carrying over says how many tasks become extra', async () => {
  const old = ['7', '8'].map((id) => task(id, { sprintId: '46', status: 'INPROGRESS' }));
  const { user } = await openWeek(
    ['1', '2', '3', '4'].map((id) => task(id)),
    { unfinished: old },
  );
  await user.click(await screen.findByRole('button', { name: 'Carry over all 2' }));
  await message('2 tasks carried over to the current sprint. 1 more task now counts as extra, beyond the 5 planned');
});

test('a refused task keeps no other from being carried over', async () => {
  const unfinished = [old('7'), old('8', { title: 'Refused' })];
  const { user, sent } = await openWeek([], { unfinished });
  await user.click(await screen.findByRole('button', { name: 'Carry over all 2' }));
  await message('“Task 7” carried over to the current sprint');
  await message(/This has changed since you opened it/);
  expect(sent).toEqual([
    ['CarryOver', { taskId: '8' }],
    ['CarryOver', { taskId: '7' }],
  ]);
});

test('without the server, the tasks that weren’t carried over are named, and Try again sends only them', async () => {
  let isDown = true;
  const { user, sent } = await openWeek([], {
    unfinished: [old('7', { title: 'Lost' }), old('8')],
    isDown: () => isDown,
  });
  await user.click(await screen.findByRole('button', { name: 'Carry over all 2' }));
  await message('“Task 8” carried over to the current sprint');
  await message(/“Lost” wasn’t carried over to the current sprint: Can’t reach the server/);
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await message('“Lost” carried over to the current sprint');
  expect(sent.map(([, variables]) => (variables as { taskId: string }).taskId)).toEqual(['8', '7', '7']);
});

test('an old task that was approved is left undone, any other is withdrawn, and Undo brings it back', async () => {
  const { user, sent } = await openWeek([], { unfinished: [old('7'), old('8', { status: 'DENIED' })] });
  const row = async (name: string) => within((await screen.findByRole('link', { name })).closest('li') as HTMLElement);
  await user.click((await row('Task 7')).getByRole('button', { name: 'Leave undone' }));
  await message('“Task 7” left undone');
  await expect.poll(() => screen.queryByRole('link', { name: 'Task 7' })).toBeNull();
  act(() => undoLatest());
  await message('“Task 7” reopened');
  expect((await row('Task 8')).queryByRole('button', { name: 'Leave undone' })).toBeNull();
  await user.click((await row('Task 8')).getByRole('button', { name: 'Withdraw' }));
  await message('“Task 8” withdrawn');
  expect(sent.map(([name]) => name)).toEqual(['LeaveUndone', 'UndoTaskSteps', 'WithdrawTask']);
});

test('Space completes a task and leaves the focus in its place, on the next open one', async () => {
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { user, sent } = await openWeek([task('1'), task('2'), task('3')]);
  (await screen.findByRole('link', { name: 'Task 1' })).focus();
  const focused = () => document.activeElement?.textContent;
  await user.keyboard(' ');
  await message('“Task 1” moved to Completed');
  expect(focused()).toBe('Task 2');
  // Pressed twice, it was meant for the first one.
  await user.keyboard(' ');
  await user.keyboard('j ');
  await message('“Task 3” moved to Completed');
  // The last one of the list: the one before it.
  expect(focused()).toBe('Task 2');
  now += doublePressMs;
  await user.keyboard(' ');
  await message('“Task 2” moved to Completed');
  await expect.poll(focused).toBe('Task 2');
  expect(sent.map(([, variables]) => (variables as { id: string }).id)).toEqual(['1', '3', '2']);
});

test('a Space that is held completes one task', async () => {
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { sent } = await openWeek([task('1'), task('2'), task('3')]);
  (await screen.findByRole('link', { name: 'Task 1' })).focus();
  fireEvent.keyDown(document.activeElement!, { key: ' ' });
  for (let held = 0; held < 3; held += 1) fireEvent.keyDown(document.activeElement!, { key: ' ', repeat: true });
  await message('“Task 1” moved to Completed');
  expect(document.activeElement?.textContent).toBe('Task 2');
  now += doublePressMs;
  fireEvent.keyDown(document.activeElement!, { key: ' ' });
  await message('“Task 2” moved to Completed');
  expect(sent.map(([, variables]) => (variables as { id: string }).id)).toEqual(['1', '2']);
});

test('after Space, the focus goes to a task that Space completes, past one that waits for approval', async () => {
  const { user } = await openWeek([
    task('1', { status: 'INPROGRESS' }),
    task('2'),
    task('3', { status: 'INAPPROVAL' }),
  ]);
  (await screen.findByRole('link', { name: 'Task 2' })).focus();
  await user.keyboard(' ');
  await message('“Task 2” moved to Completed');
  expect(document.activeElement?.textContent).toBe('Task 1');
});

test('a denied task of a sprint that settles says why, and leads to the form that resends it', async () => {
  const denied = old('8', { status: 'DENIED', reason: 'Name the shops' });
  await openWeek([], { unfinished: [denied], settling: true });
  await screen.findByText('Name the shops');
  const link = await screen.findByRole('link', { name: 'Edit and resend' });
  expect(link.getAttribute('href')).toBe('/top-5/tasks?task=8&resend=1&sprint=46');
  cleanup();
  // The result is recorded: only the reason is left.
  await openWeek([], { unfinished: [denied] });
  await screen.findByText('Name the shops');
  expect(screen.queryByRole('link', { name: 'Edit and resend' })).toBeNull();
});

test('a task that is left undone by keyboard passes the focus to the next one', async () => {
  const { user } = await openWeek([], { unfinished: [old('7'), old('8'), old('9')] });
  onTestFinished(keepPlaceOfFocus());
  const row = (await screen.findByRole('link', { name: 'Task 8' })).closest('li') as HTMLElement;
  within(row).getByRole('button', { name: 'Leave undone' }).focus();
  await user.keyboard('{Enter}');
  await message('“Task 8” left undone');
  await expect.poll(() => document.activeElement?.textContent).toBe('Task 7');
});

test('letting all go says what happens to each before it does, and then in one message', async () => {
  const unfinished = [old('7'), old('8', { status: 'DENIED' }), old('9')];
  const { user } = await openWeek([], { unfinished });
  await user.click(await screen.findByRole('button', { name: 'Leave all 3 undone' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Leave all 3 undone?' }));
  asked.getByText('This closes 2 approved tasks as not completed and withdraws 1 unapproved task.');
  await user.click(asked.getByRole('button', { name: 'Leave all 3 undone' }));
  await message('2 tasks left undone, “Task 8” withdrawn');
  await expect.poll(() => screen.queryByText('Unfinished from earlier sprints')).toBeNull();
  act(() => undoLatest());
  await message('2 tasks reopened, “Task 8” restored');
});

test('of a pasted list that is refused in part, the made tasks are said and can be undone', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('One\nRefused\nTwo');
  await user.click(screen.getByRole('button', { name: 'Send 3 for approval' }));
  await message('“One” sent for approval');
  act(() => undoLatest());
  await message('“One” withdrawn');
  expect(sent.map(([name]) => name)).toEqual(['CreateTask', 'CreateTask', 'WithdrawTask']);
});

test('a week without tasks shows five free slots, and a button that adds the first one', async () => {
  const { user } = await openWeek([]);
  const words = await screen.findByText('No approved tasks yet');
  expect(words.parentElement?.textContent).toBe('No approved tasks yet. 0 of 5 planned');
  expect(slots()).toEqual(['Open', 'Open', 'Open', 'Open', 'Open']);
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
  // As the board and Stats count it.
  const words = await screen.findByText('66.7% completed');
  expect(words.parentElement?.textContent).toBe('66.7% completed, 2 of 3 approved tasks. 3 of 5 planned, 1 extra');
  expect(slots()).toEqual(['Signed Off', 'In Progress', 'Awaiting Approval', 'Open', 'Open']);
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

test('the button that opens the form says that a draft waits in it, until the draft is sent', async () => {
  const { user } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.keyboard('Call Lena{Escape}');
  await user.click(await screen.findByRole('button', { name: 'New task (draft)' }));
  await screen.findByText(/Unsent draft restored/);
  await user.click(await screen.findByLabelText('Title'));
  await user.keyboard('{Enter}');
  await message('“Call Lena” sent for approval');
  await screen.findByRole('button', { name: 'New task' });
});

test('one press undoes all tasks of a pasted list', async () => {
  const { user, sent } = await openWeek([task('1')]);
  await user.click(screen.getByRole('button', { name: 'New task' }));
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('One\nTwo');
  await user.click(screen.getByRole('button', { name: 'Send 2 for approval' }));
  await message('2 tasks sent for approval');
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
async function openWithoutTasks(
  who: Partial<typeof viewer>,
  peopleCounts = { withoutRole: 0, unapproved: 0, roleRequested: 0 },
  answers: Answers = {},
) {
  const [sprint] = sprintsEndingIn(100);
  await showPage(<MyWeekPage />, {
    viewer: { ...viewer, ...who },
    address: '/dashboard',
    answers: {
      Absences: () => ({ absences: [] }),
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [], admins: [{ id: 'ada', displayName: 'Ada North' }] } }),
      NextPlan: () => ({ sprints: [sprint], tasks: [] }),
      PeopleCounts: () => ({ peopleCounts }),
      ...answers,
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
  await openWithoutTasks(who, { withoutRole: 1, unapproved: 1, roleRequested: 2 });
  const role = await screen.findByRole('link', { name: '1 person has no role' });
  expect(role.getAttribute('href')).toMatch(/^\/usermanagement\?role=/);
  screen.getByRole('link', { name: '1 person has no approver who can decide' });
  expect(screen.queryByRole('link', { name: /requested/ })).toBeNull();
});

test('an admin sees whose roles were requested', async () => {
  await showPage(<PeopleToHelp />, {
    viewer: { ...viewer, role: 'admin' },
    answers: {
      PeopleCounts: () => ({ peopleCounts: { withoutRole: 0, unapproved: 0, roleRequested: 2 } }),
      QualificationCounts: () => ({ qualificationCounts: { lacking: 0, expiring: 0 } }),
    },
  });
  const requested = await screen.findByRole('link', { name: 'A role was requested for 2 people' });
  expect(requested.getAttribute('href')).toMatch(/^\/usermanagement\?asked=/);
});

test('the tasks come with what stands above them, which would move them later', async () => {
  const pages = ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] as const;
  let answer = (_questions: object) => {};
  const questions = new Promise<object>((resolve) => (answer = resolve));
  await openWithoutTasks({ permissions: [...pages, 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_BONUS_STRUCTURE'] }, undefined, {
    WaitingForMe: () => ({ inboxCount: { toApprove: 0, toSignOff: 0 }, inbox: [] }),
    WeekRecaps: () => ({ weekRecaps: [] }),
    WeekQuestions: () => questions,
  });
  await screen.findByText('Loading');
  expect(screen.queryByText('No tasks in this sprint yet')).toBeNull();
  answer({ bonusQuestions: [{ line: 'team' }] });
  await screen.findByText('No tasks in this sprint yet');
  screen.getByRole('link', { name: 'Answer 1 bonus question' });
});

test('who approves tasks is told of open bonus questions, and nobody else is asked about them', async () => {
  const asked = vi.fn(() => ({ bonusQuestions: [{ line: 'signedOff' }, { line: 'team' }] }));
  const day = companyToday();
  const holidays = [{ firstDay: day, lastDay: day, name: 'Founders’ Day' }];
  const questions = { WeekQuestions: asked, Holidays: () => ({ holidays }) };
  const waiting = { WaitingForMe: () => ({ inboxCount: { toApprove: 0, toSignOff: 0 }, inbox: [] }) };
  const lists = { WeekRecaps: () => ({ weekRecaps: [] }) };
  const pages = ['VIEW_DASHBOARD', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_BONUS_STRUCTURE'] as const;
  await openWithoutTasks({ permissions: pages }, undefined, questions);
  await screen.findByText(/Founders’ Day/);
  expect(asked).not.toHaveBeenCalled();
  cleanup();
  await openWithoutTasks({ permissions: [...pages, 'VIEW_TOP_5_APPROVALS'] }, undefined, {
    ...{ ...questions, ...waiting, ...lists },
  });
  const link = await screen.findByRole('link', { name: 'Answer 2 bonus questions' });
  expect(link.getAttribute('href')).toBe('/top-5/tools/bonus');
});

const inLast = (id: string, part: Partial<FullTask> = {}) => task(id, { sprintId: '46', ...part });
const asked = (title: string) => screen.findByRole('heading', { level: 3, name: title });

test('a week is not offered to close in its middle, nor to someone who had no tasks in it', async () => {
  await openWeek([task('1')]);
  expect(screen.queryByRole('button', { name: /^Close 2026/ })).toBeNull();
});

test('a task that changed in the meantime stays, and a reason is asked for before it is dropped', async () => {
  const { user, sent } = await openWeek([], {
    unfinished: [inLast('1', { title: 'Refused' }), inLast('2')],
    settling: true,
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Refused');
  await user.keyboard('c');
  await message('This has changed since you opened it');
  await asked('Refused');
  await user.keyboard('{ArrowRight}');
  await asked('Task 2');
  await user.keyboard('x');
  await screen.findByLabelText('Why are you leaving it undone?');
  await user.keyboard('{Enter}');
  await screen.findByText('Say why');
  // Esc leaves the question, and not the dialog.
  await user.keyboard('Too la{Escape}');
  await asked('Task 2');
  await user.keyboard('x');
  await screen.findByDisplayValue('Too la');
  await user.keyboard('te{Enter}');
  await screen.findByText('1 task is still open.', { exact: false });
  expect(sent.slice(1)).toEqual([['LeaveUndone', { taskId: '2', reason: 'Too late' }]]);
  await user.click(screen.getByRole('button', { name: 'Review now' }));
  await asked('Refused');
});

test('what was learned stays when closing is refused, and is shown again after it was sent', async () => {
  const unfinished = [inLast('1', { status: 'INPROGRESS' }), inLast('2', { status: 'DONE' })];
  const { user, sent } = await openWeek([], { unfinished, settling: true });
  await screen.findByRole('button', { name: 'Close 2026 W46' });
  await user.keyboard('w');
  await asked('Task 1');
  await user.keyboard('d');
  const field = await screen.findByLabelText('What did you learn?');
  await user.type(field, 'Refused');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('This sprint’s result is final');
  await user.clear(field);
  await user.type(field, 'Ask earlier');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('0 of 5 tasks planned for 2026 W47');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Recap of 2026 W46' }));
  const recap = within(await screen.findByRole('dialog', { name: 'Recap of 2026 W46' }));
  await recap.findByDisplayValue(/- Task 1 \(Completed\) - Task 2 \(Signed Off\) Learned: Ask earlier/);
  await user.click(recap.getByRole('button', { name: 'Back' }));
  await recap.findByText('0 of 5 tasks planned for 2026 W47');
  await user.click(recap.getByRole('button', { name: 'Back' }));
  await recap.findByDisplayValue('Ask earlier');
  expect(sent.map(([name]) => name)).toEqual(['UpdateTask', 'CloseWeek', 'CloseWeek']);
});

test('in the last hours of a sprint, what is open can be completed, and says from when it is carried over', async () => {
  const { user, sent } = await openWeek([task('1'), task('2', { status: 'INAPPROVAL' })], { endsIn: 3 });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W47' }));
  await asked('Task 1');
  await screen.findByText(/^You can carry it over once the next sprint starts \(\w+ \d+ /);
  expect(screen.queryByRole('button', { name: /^Carry over/ })).toBeNull();
  await user.keyboard('d');
  await asked('Task 2');
  await screen.findByRole('button', { name: /^Withdraw/ });
  expect(sent).toEqual([['UpdateTask', { id: '1', status: 'INREVIEW' }]]);
});

test('a task that isn’t approved moves to the next sprint by M in the close-out, and U moves it back', async () => {
  const { user, sent } = await openWeek([task('1', { status: 'DENIED' }), task('2', { status: 'INAPPROVAL' })], {
    endsIn: 3,
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W47' }));
  await asked('Task 1');
  expect(screen.queryByText(/carry it over/)).toBeNull();
  await screen.findByRole('button', { name: /^Move to 2026 W48/ });
  await user.keyboard('m');
  await message('“Task 1” moved to 2026 W48');
  await asked('Task 2');
  expect(screen.queryByText(/carry it over/)).toBeNull();
  await user.keyboard('{ArrowLeft}');
  await screen.findByText('Moved to 2026 W48');
  await user.keyboard('u');
  await message('“Task 1” moved back');
  await screen.findByRole('button', { name: /^Move to 2026 W48/ });
  expect(sent).toEqual([
    ['MoveToSprint', { taskId: '1', sprintId: '48' }],
    ['UndoTaskSteps', { taskIds: ['1'] }],
  ]);
});

test('the link to the next sprint says how many of its tasks are planned and how many were denied', async () => {
  const denied = { sprintId: '48', status: 'DENIED' } as const;
  await openWeek([
    ...[task('1', { status: 'DENIED' }), task('2', denied), task('3', { ...denied, withdrawn: true })],
    task('4', { sprintId: '48', status: 'INAPPROVAL' }),
  ]);
  const link = await screen.findByRole('link', { name: /^Next sprint ?: 1 planned, 1 denied$/ });
  expect(link.getAttribute('href')).toBe('/top-5/tasks?sprint=next');
});

test('once the sprint ends, its successor’s tasks are no longer counted as planned for the next one', async () => {
  const [, running, next] = sprintsEndingIn(100);
  let sprints = [running, next];
  const tasks = [task('1', { sprintId: '48', status: 'INAPPROVAL' })];
  await openWeek(tasks, {
    answers: {
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: sprints.find(({ phase }) => phase === 'active'), previousSprint: null },
          ...{ tasks: [], openAtClose: [], recap: null },
        },
      }),
      NextPlan: () => ({ sprints, tasks }),
    },
  });
  await screen.findByRole('link', { name: /^Next sprint ?: 1 planned$/ });
  sprints = [
    { ...running!, phase: 'settling' },
    { ...next!, phase: 'active' },
  ];
  // As the week does by itself at that time.
  await queryClient.refetchQueries({ queryKey: myWeekQuery.queryKey, exact: true });
  await screen.findByRole('link', { name: 'Next sprint' });
});

test('in the last hours of a sprint, a new task is for the next one: the form says so and why, and the week counts it', async () => {
  const { user, sent } = await openWeek([], { endsIn: 3 });
  await screen.findByRole('link', { name: 'Next sprint' });
  await user.keyboard('c');
  await user.type(await screen.findByRole('textbox', { name: /^Title/ }), 'Plan stock');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Sprint' }).value).toMatch(/^2026 W48, next, until /);
  screen.getByText(/^2026 W47 ends .*, so new tasks go to the next sprint\.$/);
  await user.keyboard('{Enter}');
  await message('“Plan stock” sent for approval in 2026 W48');
  await screen.findByRole('link', { name: /^Next sprint ?: 1 planned$/ });
  expect(sent).toMatchObject([['CreateTask', { sprintId: '48' }]]);
});

test('a denied task isn’t planned, in the close-out and its recap', async () => {
  const { user } = await openWeek([
    task('1', { sprintId: '48', status: 'DENIED' }),
    task('2', { sprintId: '48', status: 'INAPPROVAL' }),
  ]);
  await user.keyboard('w');
  await user.type(await screen.findByLabelText('What did you learn?'), '{Control>}{Enter}{/Control}');
  await screen.findByText('1 of 5 tasks planned for 2026 W48, 1 denied');
  const row = screen.getByText('Task 1').closest('li') as HTMLElement;
  expect(row.textContent).toContain('Task Denied');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByDisplayValue(/Next, 2026 W48: - Task 2$/);
});

test('My week counts a denied task apart from the planned ones', async () => {
  await openWeek([task('1'), task('2', { status: 'DENIED' })]);
  const words = await screen.findByText('0% completed');
  expect(words.parentElement?.textContent).toBe('0% completed, 0 of 1 approved task. 1 of 5 planned, 1 denied');
});

test('once the week is closed, a new task is planned for the next sprint', async () => {
  const closed = { closedAt: '2026-11-16T11:00:00Z' };
  const { user, sent } = await openWeek([task('1')], { closed });
  await screen.findByText(/^You closed sprint 2026 W47/);
  await user.keyboard('c');
  await user.type(await screen.findByLabelText('Title'), 'One{Enter}');
  await message('“One” sent for approval in 2026 W48');
  expect(sent).toMatchObject([['CreateTask', { sprintId: '48' }]]);
  cleanup();
  // The closed week is the one before.
  const settling = await openWeek([task('1')], { closed, settling: true });
  await screen.findByText(/^You closed sprint 2026 W46/);
  await settling.user.keyboard('c');
  await settling.user.type(await screen.findByLabelText('Title'), 'Two{Enter}');
  await expect.poll(() => settling.sent).toMatchObject([['CreateTask', { sprintId: '47' }]]);
});

test('on a narrow screen, what waits for an approver comes before their own tasks', async () => {
  const mediaOf = window.matchMedia.bind(window);
  const media = vi.spyOn(window, 'matchMedia');
  media.mockImplementation((query) =>
    query === '(max-width: 1100px)'
      ? Object.defineProperty(mediaOf(query), 'matches', { value: true })
      : mediaOf(query),
  );
  onTestFinished(() => media.mockRestore());
  const day = companyToday();
  const recap = {
    ...{ id: '1', sprintId: '46', sprintName: '2026 W46', userId: 'lena', displayName: 'Lena Hoffmann' },
    ...{ learned: 'Plan less', closedAt: '2026-11-15T11:00:00Z', carriedOut: 0 },
    counts: { INAPPROVAL: 0, DENIED: 0, TODO: 0, INPROGRESS: 0, INREVIEW: 0, DONE: 1 },
  };
  await openWithoutTasks({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] }, undefined, {
    Holidays: () => ({ holidays: [{ firstDay: day, lastDay: day, name: 'Founders’ Day' }] }),
    WaitingForMe: () => ({
      inboxCount: { toApprove: 1, toSignOff: 0 },
      inbox: [{ ...task('9', { status: 'INAPPROVAL' }), ownerKeepsTasks: false }],
    }),
    WeekRecaps: () => ({ weekRecaps: [recap] }),
  });
  await screen.findByText('Plan less');
  await screen.findByText('Owner can’t work on it anymore');
  const titles = screen.getAllByRole('heading', { level: 2 }).map(textOf);
  const names = titles.map((title) => title?.replace(/\d+$/, '').trim());
  expect(names.slice(0, 3)).toEqual(['Reminders', 'Waiting for me', 'My tasks']);
});

test('a week closed early says first what is left of it, and My week then says that it is closed', async () => {
  const { user } = await openWeek([task('1'), task('2')]);
  await user.keyboard('w');
  await asked('Task 1');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  await screen.findByText('4 days left, and 2 tasks are still open.', { exact: false });
  await user.type(screen.getByLabelText('What did you learn?'), 'Plan less{Control>}{Enter}{/Control}');
  await screen.findByText('0 of 5 tasks planned for 2026 W48');
  await user.keyboard('{Escape}');
  await screen.findByText(/^You closed sprint 2026 W47 on Mon 16 Nov 12:00/);
  await user.keyboard('w');
  await screen.findByText(/^Step \d+ of \d+: Recap$/);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Edit recap' }));
  await user.type(await screen.findByDisplayValue('Plan less'), ', rest more{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('w');
  await screen.findByDisplayValue('Plan less, rest more');
});

test('the next week is planned line by line, and a line that isn’t added is never left unseen', async () => {
  const { user, sent } = await openWeek([]);
  await user.keyboard('w');
  await user.type(await screen.findByLabelText('What did you learn?'), '{Control>}{Enter}{/Control}');
  const title = await screen.findByLabelText('Title');
  await user.type(title, 'Call the suppliers');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('1 of 5 tasks planned for 2026 W48');
  await user.type(title, 'Book');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Select Add first, or clear the field');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('w');
  const kept = await screen.findByDisplayValue('Book');
  await user.clear(kept);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText(/^Step \d+ of \d+: Recap$/);
  expect(sent.map(([name]) => name)).toEqual(['CloseWeek', 'CreateTask']);
});

test('nothing leaves the plan of the next week while its lines are being added', async () => {
  const late = Promise.withResolvers<void>();
  const created: string[] = [];
  const CreateTask = async (variables: { title: string; sprintId: string }) => {
    created.push(variables.title);
    await late.promise;
    return { createTask: task(String(100 + created.length), { ...variables, status: 'INAPPROVAL' }) };
  };
  const { user } = await openWeek([], { answers: { CreateTask } });
  await user.keyboard('w');
  await user.type(await screen.findByLabelText('What did you learn?'), '{Control>}{Enter}{/Control}');
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('Call the suppliers\nBook the hall');
  await user.click(screen.getByRole('button', { name: 'Add 2' }));
  await expect.poll(() => created).toEqual(['Call the suppliers']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
  const more = screen.getByRole('button', { name: 'Continue' });
  expect(more.getAttribute('data-loading')).toBe('true');
  screen.getByRole('dialog').focus();
  await user.keyboard('{ArrowLeft}{ArrowRight}');
  screen.getByText(/^Step \d+ of \d+: Next week$/);
  late.resolve();
  await expect.poll(() => created).toEqual(['Call the suppliers', 'Book the hall']);
  await screen.findByText('2 of 5 tasks planned for 2026 W48');
  expect(screen.queryByText('Select Add first, or clear the field')).toBeNull();
});

test('the plan of the next week says once how many tasks it has, and which of those typed are extra', async () => {
  const plan = { sprintResult: { away: [], repeatsToCome: 5 } };
  const { user } = await openWeek([], { answers: { SprintPlan: () => plan } });
  await user.keyboard('w');
  await user.type(await screen.findByLabelText('What did you learn?'), '{Control>}{Enter}{/Control}');
  await user.click(await screen.findByLabelText('Title'));
  await user.paste('1\n2\n3\n4\n5\n6');
  await screen.findByText('1 of these 6 counts as extra.');
  screen.getByText('0 of 5 tasks planned for 2026 W48. 5 repeating tasks will be added when the sprint starts');
  expect(screen.getAllByText(/repeating tasks/)).toHaveLength(1);
});

test('a denied task of the close-out shows what its approver asks for, and E opens the form that answers it', async () => {
  const denied = inLast('1', { status: 'DENIED', reason: 'Say how you measure it' });
  const { user } = await openWeek([], { unfinished: [denied], settling: true });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('Step 1 of 4');
  dialog.getByText('Say how you measure it');
  dialog.getByRole('button', { name: /^Edit and resend/ });
  await user.keyboard('e');
  await expect.poll(() => screen.getByLabelText('Address').textContent).toBe('/top-5/tasks?task=1&resend=1');
});

test('the close-out says which task was added again, and offers to leave it undone but not to carry it over', async () => {
  const { user, sent } = await openWeek([], { unfinished: [inLast('1')], settling: true, addedAgain: ['1'] });
  await screen.findByText('Already added to a later sprint, because it repeats');
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('Already added to a later sprint, because it repeats');
  await user.keyboard('c');
  expect(dialog.queryByRole('button', { name: /^Carry over/ })).toBeNull();
  dialog.getByRole('button', { name: /^Leave undone/ });
  expect(sent).toEqual([]);
});

test('W reviews a week that was closed before its end, until its tasks are decided', async () => {
  const { user, sent } = await openWeek([], {
    ...{ unfinished: [inLast('1')], settling: true },
    closed: { closedAt: '2026-11-15T11:00:00Z' },
  });
  await screen.findByText(/You closed sprint 2026 W46/);
  screen.getByRole('button', { name: 'Close 2026 W46' });
  await user.keyboard('w');
  await asked('Task 1');
  await user.keyboard('c');
  await expect.poll(() => sent).toEqual([['CarryOver', { taskId: '1' }]]);
  await user.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Recap of 2026 W46' });
});

test('a held key and a quick second press decide one task of the close-out', async () => {
  let now = 10_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const { user, sent } = await openWeek([], { unfinished: ['1', '2', '3'].map((id) => inLast(id)), settling: true });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  await user.keyboard('d');
  await asked('Task 2');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^Complete/ }));
  await screen.findByText('You’re on the next task now. Press again to confirm.');
  now += doublePressMs;
  act(() => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', repeat: true })));
  expect(sent).toHaveLength(1);
  await user.keyboard('d');
  await asked('Task 3');
  expect(sent.map(([, variables]) => variables)).toMatchObject([{ id: '1' }, { id: '2' }]);
});

test('a quick second press of the key that decided the last task isn’t typed into the recap', async () => {
  const now = 10_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const { user } = await openWeek([], { unfinished: [inLast('1')], settling: true });
  await user.keyboard('w');
  await asked('Task 1');
  await user.keyboard('d');
  const field = await screen.findByLabelText<HTMLTextAreaElement>('What did you learn?');
  await user.keyboard('dd');
  expect(field.value).toBe('');
  await user.keyboard('We did');
  expect(field.value).toBe('We did');
});

test('U undoes the last completion in a closed week, and asks about that task again', async () => {
  let now = 10_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const { user, sent } = await openWeek([], { unfinished: ['1', '2', '3'].map((id) => inLast(id)), settling: true });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  await user.keyboard('c');
  await asked('Task 2');
  now += doublePressMs;
  await user.keyboard('d');
  await asked('Task 3');
  now += doublePressMs;
  await user.keyboard('u');
  await asked('Task 2');
  expect(sent).toEqual([
    ['CarryOver', { taskId: '1' }],
    ...[['UpdateTask', { id: '2', status: 'INREVIEW' }] as const, ['UpdateTask', { id: '2', status: 'TODO' }] as const],
    ['UndoTaskSteps', { taskIds: ['2'] }],
  ]);
});

test('My week shows older tasks although the sprints can’t be read', async () => {
  const [last, current] = sprintsEndingIn(100);
  const { user } = await openWeek([], {
    answers: {
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: current, previousSprint: { ...last, phase: 'settled' } },
          ...{ tasks: [], openAtClose: [task('1', { sprintId: '45' })], recap: null },
        },
      }),
      Sprints: () => refuse('INTERNAL', 'Something went wrong'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show 1 older' }));
  await screen.findByRole('link', { name: 'Task 1' });
  await expect.poll(() => queryClient.getQueryState(sprintsQuery.queryKey)?.status).toBe('error');
  screen.getByRole('link', { name: 'Task 1' });
});

test('a task of the sprint before the previous one offers Complete while that sprint settles', async () => {
  const [last, current] = sprintsEndingIn(100);
  const before = { ...last, id: '45', name: '2026 W45', phase: 'settling' };
  const open = task('1', { sprintId: '45' });
  const { user } = await openWeek([], {
    answers: {
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: current, previousSprint: { ...last, phase: 'settling' } },
          ...{ tasks: [], openAtClose: [open], recap: null },
        },
      }),
      Sprints: () => ({ sprints: [before, last, current] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show 1 older' }));
  await screen.findByRole('link', { name: 'Task 1' });
  await screen.findByRole('button', { name: 'Complete' });
});

const elsewhere = { closedAt: '2026-11-16T10:00:00Z', editedAt: null };
const resultWith = (recap: object | null) => ({
  sprintResult: { ...{ committed: 1, carriedOut: 0, corrections: 0, counts: null }, recap },
});

test('the text of a week that was closed on another device is there to edit, and is never replaced unseen', async () => {
  let recap: object | null = null;
  const { user, sent } = await openWeek([], {
    ...{ unfinished: [inLast('1')], settling: true },
    answers: {
      SprintResult: () => resultWith(recap),
      CloseWeek: ({ version, learned }: { version: number; learned: string }) => {
        sent.push(['CloseWeek', { version, learned }]);
        if (version === 1) {
          recap = { learned: 'Written on a laptop', version: 2, ...elsewhere };
          refuse('CONFLICT', 'You saved a different recap somewhere else');
        }
        return { closeWeek: { id: '1' } };
      },
    },
  });
  const close = await screen.findByRole('button', { name: 'Close 2026 W46' });
  recap = { learned: 'Written on a phone', version: 1, ...elsewhere };
  await user.click(close);
  await asked('Task 1');
  await user.keyboard('{ArrowRight}');
  const field = await screen.findByLabelText<HTMLTextAreaElement>('What did you learn?');
  expect(field.value).toBe('Written on a phone');
  await user.type(field, ', here{Control>}{Enter}{/Control}');
  await screen.findByText('Written on a laptop');
  screen.getByText('You saved a different recap somewhere else');
  expect(field.value).toBe('Written on a phone, here');
  await user.click(screen.getByRole('button', { name: 'Use the saved text' }));
  await user.type(field, ', again{Control>}{Enter}{/Control}');
  await screen.findByText('0 of 5 tasks planned for 2026 W47');
  expect(sent.map(([, variables]) => variables)).toEqual([
    { version: 1, learned: 'Written on a phone, here' },
    { version: 2, learned: 'Written on a laptop, again' },
  ]);
});

test('what is typed while the recap loads is its text, and U in it undoes nothing', async () => {
  const late = Promise.withResolvers<void>();
  let isLate = false;
  const result = { committed: 1, carriedOut: 0, corrections: 0, counts: null, recap: null };
  const { user, sent } = await openWeek([], {
    unfinished: [inLast('1')],
    settling: true,
    answers: { SprintResult: () => (isLate ? late.promise : Promise.resolve()).then(() => ({ sprintResult: result })) },
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  isLate = true;
  await user.keyboard('c');
  await screen.findByText(/^Step \d+ of \d+: What you learned$/);
  await message('“Task 1” carried over to the current sprint');
  // The skeleton is shown, and would stay a moment after the answer.
  await within(screen.getByRole('dialog')).findByText('Loading');
  await user.keyboard('Use less');
  late.resolve();
  await screen.findByDisplayValue('Use less');
  expect(sent.map(([name]) => name)).toEqual(['CarryOver']);
});

test('L leaves the rest for later, and the dialog opens again where it was closed', async () => {
  const { user } = await openWeek([], { unfinished: ['1', '2', '3'].map((id) => inLast(id)), settling: true });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  screen.getByRole('button', { name: 'Skip the rest' });
  await user.keyboard('l');
  await screen.findByText('3 tasks are still open.', { exact: false });
  screen.getByText(/Ctrl\+Enter closes the week$/);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('w');
  await screen.findByLabelText('What did you learn?');
  screen.getByRole('dialog', { name: 'Close 2026 W46' });
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await asked('Task 3');
  expect(screen.queryByRole('button', { name: 'Skip the rest' })).toBeNull();
});

test('a week that isn’t closed yet opens again at what was learned, if its dialog was closed later', async () => {
  const { user } = await openWeek([], { unfinished: [inLast('1')], settling: true });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await user.keyboard('{ArrowRight}');
  const learned = await screen.findByLabelText('What did you learn?');
  act(() => learned.blur());
  await user.keyboard('{ArrowRight}');
  await expect.poll(() => screen.queryByText(/^Step \d+ of \d+: Next week$/)).not.toBeNull();
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('w');
  await screen.findByLabelText('What did you learn?');
});

test.each(['here', 'late'])(
  'what is typed right after Ctrl+Enter is next week’s title, with the sprints %s',
  async (sprintsAre) => {
    const answer = Promise.withResolvers<void>();
    const sprints = Promise.withResolvers<void>();
    if (sprintsAre === 'here') sprints.resolve();
    const { user } = await openWeek([], {
      ...{ unfinished: [inLast('1')], settling: true, sprintsAfter: sprints.promise },
      answers: { CloseWeek: () => answer.promise.then(() => ({ closeWeek: { id: '1' } })) },
    });
    await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
    await asked('Task 1');
    await user.keyboard('{ArrowRight}');
    await user.type(await screen.findByLabelText('What did you learn?'), 'Ask earlier{Control>}{Enter}{/Control}');
    await user.keyboard('Sign the c');
    answer.resolve();
    await screen.findByText(/^Step \d+ of \d+: Next week$/, { selector: '[role=status]' });
    await user.keyboard('ontr');
    sprints.resolve();
    await screen.findByLabelText('Title');
    await user.keyboard('act');
    await screen.findByDisplayValue('Sign the contract');
    expect(document.activeElement).toBe(screen.getByLabelText('Title'));
    expect(screen.queryByText(/You typed this after sending/)).toBeNull();
  },
);

test('a text begun about the week is there when the page was loaded again', async () => {
  const { user } = await openWeek([], { unfinished: ['1', '2'].map((id) => inLast(id)), settling: true });
  localStorage.setItem('of-person:1:draft:learned:46', JSON.stringify('Ask earlier'));
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await screen.findByDisplayValue('Ask earlier');
  screen.getByText('2 tasks are still open.', { exact: false });
});

test('a refused completion of the running sprint stays at its task, and says why', async () => {
  const { user } = await openWeek([task('1'), task('2')], {
    endsIn: 3,
    answers: { UpdateTask: () => refuse('CONFLICT', 'This has changed since you opened it') },
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W47' }));
  await asked('Task 1');
  await user.keyboard('d');
  const dialog = within(screen.getByRole('dialog'));
  await dialog.findByText('Not moved: This has changed since you opened it');
  await asked('Task 1');
});

test('a step stays until its call is answered, and shows what became of its task', async () => {
  const late = Promise.withResolvers<void>();
  const { user } = await openWeek([], {
    unfinished: ['1', '2', '3'].map((id) => inLast(id)),
    settling: true,
    carriedAfter: late.promise,
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  await user.keyboard('c');
  await user.keyboard('{ArrowRight}');
  await asked('Task 1');
  expect(screen.getByRole('button', { name: 'Skip' }).hasAttribute('disabled')).toBe(true);
  late.resolve();
  await asked('Task 2');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await within(await screen.findByRole('region', { name: 'Task 1' })).findByText('Carried over');
});

test('a close-out stays with its sprint when that settles, with the text that came too late', async () => {
  const [last, running] = sprintsEndingIn(100);
  let phase = 'settling';
  const final = 'This sprint’s result and recap are final';
  const { user } = await openWeek([], {
    settling: true,
    answers: {
      Absences: () => ({ absences: [] }),
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({
        myWeek: {
          ...{ taskLimit: 5, sprint: running, previousSprint: { ...last, phase } },
          ...{ tasks: [task('2')], openAtClose: [inLast('1')], recap: null },
        },
      }),
      SprintResult: () => resultWith(null),
      CloseWeek: () => refuse('SPRINT_DOES_NOT_ALLOW', final),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  await user.keyboard('{ArrowRight}');
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'What did you learn?' });
  await user.type(field, 'Too late');
  phase = 'settled';
  await act(() => queryClient.invalidateQueries({ queryKey: myWeekQuery.queryKey }));
  const dialog = within(screen.getByRole('dialog', { name: 'Close 2026 W46' }));
  await user.click(dialog.getByRole('button', { name: 'Close 2026 W46' }));
  await dialog.findByText(new RegExp(final));
  expect(field.value).toBe('Too late');
  await user.click(dialog.getByRole('button', { name: 'Later' }));
  const late = within(await screen.findByRole('alert', { name: 'Text that wasn’t sent' }));
  expect(late.getByRole<HTMLTextAreaElement>('textbox', { name: 'What you learned' }).value).toBe('Too late');
  await user.click(late.getByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByRole('alert', { name: 'Text that wasn’t sent' })).toBeNull();
  // What opens then is the next one's.
  await user.keyboard('w');
  await screen.findByRole('dialog', { name: 'Close 2026 W47' });
});

test('what can’t be loaded is said in the close-out, and it goes on', async () => {
  const [last, running] = sprintsEndingIn(100);
  const { user } = await openWeek([], {
    settling: true,
    unfinished: [inLast('1')],
    answers: {
      // Without the sprint that follows.
      Sprints: () => ({
        sprints: [
          { ...last, phase: 'settling' },
          { ...running, startDate: running.endDate },
        ],
      }),
      SprintResult: () => refuse('FORBIDDEN', 'Not yours'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Close 2026 W46' }));
  await asked('Task 1');
  await user.keyboard('{ArrowRight}');
  await screen.findByText('Couldn’t load your recap.');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('The next sprint doesn’t exist yet. You can plan it later.');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText(/^Step \d+ of \d+: Recap$/);
  await screen.findByText('Couldn’t load your recap.');
  expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy();
});

const companyDay = () => Temporal.Now.plainDateISO('Europe/Amsterdam');

test('My week tells of the company holidays of the next seven days, and of no others', async () => {
  const holidays = [-1, 0, 6, 7].map((days) => {
    const day = companyDay().add({ days }).toString();
    return { firstDay: day, lastDay: day, name: `Day ${days}` };
  });
  await openWeek([task('1')], { answers: { Holidays: () => ({ holidays }) } });
  const said = await screen.findAllByText(/ is a company holiday: /);
  expect(said.map(({ textContent }) => textContent)).toEqual([
    'Today is a company holiday: Day 0.',
    expect.stringMatching(/^[A-Z][a-z]+day is a company holiday: Day 6\.$/),
  ]);
});

test.each([
  [0, 'cannotDecide', /^You’re away until .+ Your delegate Hannah can’t approve tasks, so tasks will wait for you/],
  [
    0,
    'away',
    /^You’re away until .+ Your delegate Hannah is away too \(.+\), so tasks will wait for you, another approver or an admin\./,
  ],
  [40, 'away', /^You’re away on .+ Your delegate Hannah is away too/],
])('My week tells an approver, away in %i days, of a delegate who can’t decide: %s', async (days, problem, words) => {
  const day = companyDay().add({ days }).toString();
  const [sprint] = sprintsEndingIn(100);
  const earlier = companyDay().add({ days: 20 }).toString();
  const absence = { note: '', version: 1, delegate: { id: '9', displayName: 'Hannah' } };
  await showPage(<MyWeekPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'),
    address: '/dashboard',
    answers: {
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      Absences: () => ({
        absences: [
          { id: '1', firstDay: earlier, lastDay: earlier, ...absence, delegateGap: null },
          {
            ...{ id: '2', firstDay: day, lastDay: day, ...absence },
            delegateGap: { problem, away: [{ firstDay: day, lastDay: day }] },
          },
        ],
      }),
      WaitingForMe: () => ({ inboxCount: { toApprove: 0, toSignOff: 0 }, inbox: [] }),
      WeekRecaps: () => ({ weekRecaps: [] }),
    },
  });
  await screen.findByText(words);
  const link = await screen.findByRole('link', { name: 'Choose another delegate' });
  expect(link.getAttribute('href')).toBe('/account');
});

test.each([
  [0, /^You’re away until [^.]+\. Change your time away$/],
  [5, /^You’re away on [^.]+\. Change your time away$/],
  [9, null],
])('My week tells someone with tasks that they are away in %i days, if that is soon', async (days, words) => {
  const day = companyDay().add({ days }).toString();
  const [sprint] = sprintsEndingIn(100);
  await showPage(<MyWeekPage />, {
    viewer,
    address: '/dashboard',
    answers: {
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [task('1')], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      Absences: () => ({
        absences: [{ id: '1', firstDay: day, lastDay: day, note: '', version: 1, delegate: null, delegateGap: null }],
      }),
    },
  });
  await screen.findByText('Task 1');
  const notes = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  if (words) await expect.poll(() => notes().some((note) => words.test(note))).toBe(true);
  else expect(notes().filter((note) => note.includes('away'))).toEqual([]);
});

test('of what waits, My week says who an absent approver’s and a handed-over task is decided for', async () => {
  const [sprint] = sprintsEndingIn(100);
  const statusSince = '2026-11-10T11:00:00Z';
  const waiting = {
    ...task('1', { status: 'INAPPROVAL' }),
    userId: 'lena',
    statusSince,
    decidedFor: null,
    handedOver: null,
  };
  const handedOver = {
    ...{ approvers: ['Ada North', 'Bo Li'], toAdmins: false },
    nextInLine: [{ id: 'viewer', displayName: 'Viewer', approverId: 'ada' }],
  };
  await showPage(<MyWeekPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'),
    address: '/dashboard',
    answers: {
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      Absences: () => ({ absences: [] }),
      WaitingForMe: () => ({
        inboxCount: { toApprove: 3, toSignOff: 0 },
        inbox: [
          { ...waiting, id: '1', title: 'Handed over', handedOver },
          { ...waiting, id: '2', title: 'Delegated', decidedFor: { displayName: 'Marcus Hale', until: '2026-11-13' } },
          { ...waiting, id: '3', title: 'Own', ownerApproverIds: ['viewer'], handedOver },
        ],
      }),
      WeekRecaps: () => ({ weekRecaps: [] }),
    },
  });
  const row = async (title: string) => (await screen.findByRole('link', { name: title })).closest('li')?.textContent;
  expect(await row('Handed over')).toContain('For Ada North or Bo Li, who have had it since Tue 10 Nov');
  expect(await row('Delegated')).toContain('For Marcus Hale, away until Fri 13 Nov');
  expect(await row('Own')).not.toContain('For ');
});

test('My week names guidelines to confirm, and an absent approver’s delegate', async () => {
  const day = companyDay().toString();
  const [sprint] = sprintsEndingIn(100);
  await showPage(<MyWeekPage />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES', 'VIEW_TOP_5_APPROVALS'),
    address: '/dashboard',
    answers: {
      Holidays: () => ({ holidays: [] }),
      MyWeek: () => ({ myWeek: { taskLimit: 5, sprint, previousSprint: null, tasks: [], openAtClose: [] } }),
      MyApprovers: () => ({ myApprovers: { approvers: [marcus], admins: [] } }),
      WeekGuidelines: () => ({ guidelines: { version: 2, confirmedAt: null } }),
      Absences: () => ({
        absences: [
          { id: '1', firstDay: day, lastDay: day, note: '', version: 1, delegate: { id: '9', displayName: 'Hannah' } },
        ],
      }),
      WaitingForMe: () => ({ inboxCount: { toApprove: 0, toSignOff: 0 }, inbox: [] }),
      WeekRecaps: () => ({ weekRecaps: [] }),
    },
  });
  expect((await screen.findByRole('link', { name: 'Read and confirm the guidelines' })).getAttribute('href')).toBe(
    '/top-5/tools/guidelines',
  );
  await screen.findByText(/^You’re away until .+ with Hannah as your delegate/);
});

const nobodyToHelp = () => ({ peopleCounts: { withoutRole: 0, unapproved: 0, roleRequested: 0 } });

test('who opens Role Qualifications is told how many people miss or must renew requirements', async () => {
  await showPage(<PeopleToHelp />, {
    viewer: { ...viewer, role: 'admin' },
    answers: {
      PeopleCounts: nobodyToHelp,
      QualificationCounts: () => ({ qualificationCounts: { lacking: 3, excepted: 2, expiring: 1 } }),
    },
  });
  const lacking = await screen.findByRole('link', { name: '3 people don’t meet their role’s requirements' });
  expect(lacking.getAttribute('href')).toBe('/role-qualifications?state=lacking');
  const excepted = screen.getByRole('link', { name: '2 more have an exception' });
  expect(excepted.getAttribute('href')).toBe('/role-qualifications?state=excepted');
  expect(excepted.closest('li')).toBe(lacking.closest('li'));
  const expiring = screen.getByRole('link', { name: '1 person’s evidence expires within 30 days' });
  expect(expiring.getAttribute('href')).toBe('/role-qualifications?state=expiring');
});

test('who has their role by an exception doesn’t nag: an admin decided it', async () => {
  await showPage(<PeopleToHelp />, {
    viewer: { ...viewer, role: 'admin' },
    answers: {
      PeopleCounts: nobodyToHelp,
      QualificationCounts: () => ({ qualificationCounts: { lacking: 0, excepted: 2, expiring: 0 } }),
    },
  });
  await screen.findByText('Everyone is set up');
});

test('requirements that were counted a minute ago are counted again', async () => {
  const updatedAt = Date.now() - 60_000;
  queryClient.setQueryData(['qualifications', 'counts'], { lacking: 1, expiring: 0 }, { updatedAt });
  await showPage(<PeopleToHelp />, {
    viewer: { ...viewer, role: 'admin' },
    answers: {
      PeopleCounts: nobodyToHelp,
      QualificationCounts: () => ({ qualificationCounts: { lacking: 2, expiring: 0 } }),
    },
  });
  await screen.findByRole('link', { name: '2 people don’t meet their role’s requirements' });
});

test('who doesn’t open Role Qualifications isn’t asked for its counts', async () => {
  await openWithoutTasks({ permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
  await screen.findByText('Everyone is set up');
});

const showQualified = (counts: { readonly withoutRole: number }, qualified: () => unknown) =>
  showPage(<PeopleToHelp />, {
    viewer: { ...viewer, role: 'admin' },
    answers: {
      PeopleCounts: () => ({ peopleCounts: { unapproved: 0, roleRequested: 0, ...counts } }),
      QualificationCounts: qualified,
    },
  });

test('an older server, during an upgrade, counts no requirements, and nobody is told that all are met', async () => {
  await showQualified({ withoutRole: 0 }, () => refuse('BAD_INPUT', 'Cannot query field "qualificationCounts"'));
  await screen.findByText('Everyone has a role');
  expect(screen.queryByText('Everyone is set up')).toBeNull();
});

test('people who need help are listed before the requirements are counted, and everyone is set up only after', async () => {
  let count: (answer: object) => void = () => {};
  const answer = new Promise<object>((resolve) => (count = resolve));
  await showQualified({ withoutRole: 1 }, () => answer);
  await screen.findByRole('link', { name: '1 person has no role' });
  await act(() => queryClient.setQueryData(peopleCountsQuery.queryKey, (old) => old && { ...old, withoutRole: 0 }));
  await expect.poll(() => screen.queryByRole('link', { name: '1 person has no role' })).toBeNull();
  expect(screen.queryByText('Everyone is set up')).toBeNull();
  count({ qualificationCounts: { lacking: 0, expiring: 0 } });
  await screen.findByText('Everyone is set up');
});

test('requirements that can’t be counted are named below the people who need help, and counted with Try again', async () => {
  let isDown = true;
  const counted = { qualificationCounts: { lacking: 2, expiring: 0 } };
  const user = await showQualified({ withoutRole: 1 }, () => (isDown ? refuse('INTERNAL', 'No') : counted));
  await screen.findByText('Couldn’t count who meets their role’s requirements.');
  screen.getByRole('link', { name: '1 person has no role' });
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: '2 people don’t meet their role’s requirements' });
  expect(screen.queryByText('Couldn’t count who meets their role’s requirements.')).toBeNull();
});
