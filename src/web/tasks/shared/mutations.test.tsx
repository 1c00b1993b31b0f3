import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { timerQuery } from '#web/api/timer.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { undoDecisions, undoSteps } from './calls.ts';
import { useExits } from './exits.ts';
import { useDecideTask, useMoveTask } from './mutations.ts';
import type { FullTask } from './queries.ts';

const task = { id: '17', status: 'TODO', title: 'Call ten shops', sprintId: '47', version: 1 } as FullTask;

function Card() {
  const move = useMoveTask();
  const address = useLocation({ select: ({ pathname }) => pathname });
  return (
    <>
      <Button onClick={() => move(task, 'INREVIEW')}>Complete</Button>
      <output aria-label="Address">{address}</output>
    </>
  );
}

/** In a closed sprint, only the undo of a step moves the task back. */
async function complete({ isClosed, undone }: { isClosed: boolean; undone?: () => object }) {
  const sent: unknown[] = [];
  let now = task;
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        if (isClosed && status !== 'INREVIEW') refuse('SPRINT_DOES_NOT_ALLOW', 'This sprint is over');
        now = { ...now, status };
        return { updateTask: now };
      },
      UndoTaskSteps: () => {
        sent.push('undo');
        return { undoTaskSteps: [undone?.() ?? task] };
      },
      Task: () => ({ tasks: [now] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
  await message('“Call ten shops” moved to Completed');
  return { user, sent };
}

test('a task completed after its sprint ended is moved back as an undo of that step', async () => {
  const { user, sent } = await complete({ isClosed: true });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Call ten shops” moved to To Do');
  expect(sent).toEqual(['INREVIEW', 'TODO', 'undo']);
});

test('an undo in a closed sprint says where the task is, if another tab had started it before', async () => {
  const undone = () => ({ ...task, status: 'INPROGRESS' });
  const { user } = await complete({ isClosed: true, undone });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Call ten shops” moved to In Progress');
});

test('an undo that is refused says so, wherever the task is shown', async () => {
  const { user } = await complete({ isClosed: true, undone: () => refuse('TOO_LATE', 'It’s too late to undo this') });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('It’s too late to undo this');
});

test('a server of an older version undoes steps and decisions one by one', async () => {
  const unknown = (name: string) => () => refuse('BAD_INPUT', `Cannot query field "${name}" on type "Mutation"`);
  await showPage(<p>Board</p>, {
    answers: {
      UndoTaskSteps: unknown('undoTaskSteps'),
      OlderUndoTaskStep: ({ taskId }: { taskId: string }) => ({ undoTaskStep: { ...task, id: taskId } }),
      UndoDecisions: unknown('undoDecisions'),
      OlderUndoDecision: ({ taskId }: { taskId: string }) => ({ undoDecision: { ...task, id: taskId } }),
    },
  });
  for (const undo of [undoSteps, undoDecisions])
    expect((await undo(['7', '8'])).map(({ id }) => id)).toEqual(['7', '8']);
});

test('a move is undone once, and says where the task is again', async () => {
  const { user, sent } = await complete({ isClosed: false });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Call ten shops” moved to To Do');
  expect(sent).toEqual(['INREVIEW', 'TODO']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

/** A server that moves the task, and its page with two moves. `held`: when the second move is answered. */
async function moveTwice(held: Promise<unknown> | null = null) {
  const sent: FullTask['status'][] = [];
  let now = task;
  const moveTo = (status: FullTask['status']) => {
    now = { ...now, status, version: now.version + 1 };
    return now;
  };
  const Moves = () => {
    const move = useMoveTask();
    return (
      <>
        <Button onClick={() => move({ ...task, status: 'INREVIEW' }, 'TODO')}>Back</Button>
        <Button onClick={() => move(task, 'INPROGRESS')}>Start</Button>
      </>
    );
  };
  const user = await showPage(<Moves />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: async ({ status }: { status: FullTask['status'] }) => {
        sent.push(status);
        if (status === 'INPROGRESS') await held;
        return { updateTask: moveTo(status) };
      },
      Task: () => ({ tasks: [now] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  await message('“Call ten shops” moved to To Do');
  return { user, sent, moveTo };
}

const tooOld = '“Call ten shops” is now In Progress, so you can’t undo the earlier move';

test('an older Undo of a task that has moved since changes nothing, and says where the task is', async () => {
  const { user, sent } = await moveTwice();
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await message('“Call ten shops” moved to In Progress');
  await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
  await message(tooOld);
  expect(sent).toEqual(['TODO', 'INPROGRESS']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => sent).toEqual(['TODO', 'INPROGRESS', 'TODO']);
});

test('an Undo that is pressed while a later move is sent changes nothing', async () => {
  const held = Promise.withResolvers<void>();
  const { user, sent } = await moveTwice(held.promise);
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  held.resolve();
  await message(tooOld);
  expect(sent).toEqual(['TODO', 'INPROGRESS']);
});

test('an Undo of a task that was moved elsewhere since changes nothing', async () => {
  const { user, sent, moveTo } = await moveTwice();
  moveTo('INPROGRESS');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message(tooOld);
  expect(sent).toEqual(['TODO']);
});

/** Completes the task while its timer runs. */
async function completeTimed(times: { forgotten: boolean }) {
  const timer = { id: '1', taskId: '17', title: task.title, start: '2026-11-16T15:00:00Z', end: null, ...times };
  queryClient.setQueryData(timerQuery.queryKey, timer);
  let running: typeof timer | null = timer;
  const stopped: string[] = [];
  const user = await showPage(<Card />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5'),
    answers: {
      UpdateTask: ({ status }: { status: FullTask['status'] }) => ({ updateTask: { ...task, status } }),
      MyTimer: () => ({ myTimer: running }),
      StopTimer: () => {
        const { id, title } = running!;
        stopped.push(title);
        running = null;
        return { stopTimer: { id, title } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Complete' }));
  await message('“Call ten shops” moved to Completed. Its timer is still running');
  const start = (title: string) => {
    running = { ...timer, id: '2', taskId: '18', title };
    queryClient.setQueryData(timerQuery.queryKey, running);
  };
  return { stop: () => user.click(screen.getByRole('button', { name: 'Stop timer' })), stopped, start };
}

test('“Stop timer” of a completed task leaves the timer of another task running', async () => {
  const { stop, stopped, start } = await completeTimed({ forgotten: false });
  start('Write the report');
  await stop();
  await message('That timer was already stopped');
  expect(stopped).toEqual([]);
});

test('“Stop timer” of a completed task leads to the time tracker if the timer ran overnight', async () => {
  const { stop, stopped } = await completeTimed({ forgotten: true });
  await stop();
  await expect.poll(() => screen.getByLabelText('Address').textContent).toBe('/top-5/tools/time-tracker');
  expect(stopped).toEqual([]);
});

test('completing a task says that its timer is still running, and offers to stop it', async () => {
  const { stop, stopped } = await completeTimed({ forgotten: false });
  await stop();
  await message('Timer for “Call ten shops” stopped');
  expect(stopped).toEqual(['Call ten shops']);
});

function CarryOverAll() {
  const exits = useExits();
  const taken = ['1', '2', '3'].map((id) => ({ task: { ...task, id }, step: 'carryOver' }) as const);
  return <Button onClick={() => exits.mutate(taken)}>Carry over all</Button>;
}

test.each([
  ['CONFIRM_IDENTITY', 'a proof that isn’t given ends', ['1']],
  ['CONFLICT', 'a task’s own refusal doesn’t end', ['1', '2', '3']],
] as const)('%s: %s carrying over all tasks', async (code, _what, asked) => {
  const sent: string[] = [];
  const user = await showPage(<CarryOverAll />, {
    answers: {
      CarryOver: ({ taskId }: { taskId: string }) => {
        sent.push(taskId);
        return refuse(code, 'Not now');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Carry over all' }));
  await message('Not now');
  expect(sent).toEqual(asked);
});

function Decision() {
  const { decide } = useDecideTask();
  const waiting: FullTask = { ...task, status: 'INAPPROVAL' };
  return <Button onClick={() => void decide({ task: waiting, decision: 'approve' })}>Approve</Button>;
}

test.each([
  ['attachments', 'fileAdded', 1],
  ['notes', 'noteEdited', 1],
  ['notes', 'noteAdded', 2],
] as const)('a decision in the panel after a change of %s (%s) is sent %i times', async (field, event, times) => {
  const entry = { event, version: 2, actorId: 'lena', actorName: 'Lena', from: 'INAPPROVAL', to: 'INAPPROVAL' };
  const now = { ...task, version: 2, history: [{ ...entry, before: '{}', after: '{}' }] };
  const sent: unknown[] = [];
  const user = await showPage(<Decision />, {
    answers: {
      UpdateTask: ({ version }: { version: number }) => {
        sent.push(version);
        return version === 1 ? refuse('CONFLICT', 'The task changed', { changed: [field] }) : { updateTask: now };
      },
      Task: () => ({ tasks: [now] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  await message(times === 1 ? 'The task changed' : '“Call ten shops” was approved');
  expect(sent).toHaveLength(times);
});

test('a decision in the panel whose answer was lost is told like any other, with Undo', async () => {
  const decided: FullTask = { ...task, version: 2, history: [] };
  const user = await showPage(<Decision />, {
    answers: {
      UpdateTask: () => {
        throw new TypeError('Failed to fetch');
      },
      Task: () => ({ tasks: [decided] }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  await message('“Call ten shops” was approved');
  screen.getByRole('button', { name: 'Undo' });
});
