import { QueryObserver } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import type { BoardTask, FullTask } from '#web/tasks/shared/queries.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import ApprovalsPage from './approvals-page.tsx';

const approver = viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS');

function waiting(id: string): FullTask {
  const at = '2026-11-16T11:00:00Z';
  const owner = { id: 'lena', displayName: 'Lena Hoffmann', team: null };
  return {
    id,
    userId: owner.id,
    owner,
    ownerApproverIds: [approver.id],
    createdBy: owner,
    sprintId: 'w47',
    status: 'INAPPROVAL',
    statusSince: at,
    title: `Task ${id}`,
    category: 'All Brands',
    change: '',
    reason: null,
    created: at,
    extra: false,
    carriedOver: 0,
    withdrawn: false,
    leftUndone: false,
    editedSince: null,
    version: 1,
    summary: '',
    notes: [],
    attachments: [],
    history: [],
  };
}

const sprint = {
  id: 'w47',
  name: '2026 W47',
  startDate: '2026-11-16T09:00:00Z',
  endDate: '2126-11-23T09:00:00Z',
  settledAt: '2126-11-24T09:00:00Z',
  phase: 'active',
  current: true,
};

type Decisions = { decisions: readonly { taskId: string; decision: 'approve' | 'deny'; change?: string }[] };

/** An inbox with these tasks; `decided` lists those sent to the server. */
const openInbox = (...ids: string[]) => openInboxWith(ids.map(waiting));

async function openInboxWith(waitingTasks: readonly FullTask[]) {
  const tasks = new Map(waitingTasks.map((task) => [task.id, task]));
  const decided: string[] = [];
  const line = { cut: false };
  const set = (id: string, status: FullTask['status'], event: string, change: string | null = null): FullTask => {
    const task = tasks.get(id)!;
    const version = task.version + 1;
    const entry = { id: `${id}-${version}`, event, change, version, from: task.status, to: status };
    const rest = { at: task.created, actorId: approver.id, actorName: 'Me', before: '{}', after: '{}' };
    const line = { ...entry, ...rest, waitedSeconds: 0, correction: false } as FullTask['history'][number];
    const changed = { ...task, status, version, history: [...task.history, line] };
    tasks.set(id, changed);
    return changed;
  };
  let now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const user = await showPage(<ApprovalsPage />, {
    viewer: approver,
    address: '/top-5/approvals',
    answers: {
      Inbox: () => ({ inbox: [...tasks.values()].filter(({ status }) => status === 'INAPPROVAL') as BoardTask[] }),
      Sprints: () => ({ sprints: [sprint] }),
      Task: ({ taskId }: { taskId: string }) => ({ tasks: [tasks.get(taskId)] }),
      DecideTasks: ({ decisions }: Decisions) => ({
        decideTasks: decisions.map(({ taskId, decision, change }) => {
          if (line.cut) throw new TypeError('Failed to fetch');
          if (taskId === 'full') refuse('OUT_OF_SPACE', 'The server is out of space');
          decided.push(taskId);
          const [status, event] =
            decision === 'approve' ? (['TODO', 'approved'] as const) : (['DENIED', 'denied'] as const);
          const task = set(taskId, status, event, change);
          return { taskId, ok: true, code: null, message: null, task };
        }),
      }),
      UndoDecision: ({ taskId }: { taskId: string }) => ({ undoDecision: set(taskId, 'INAPPROVAL', 'undone') }),
    },
  });
  await screen.findByRole('button', { name: 'Approve' });
  return { user, decided, line, waitOutThePause: () => (now += doublePressMs) };
}

const open = (title: string) => screen.findByRole('heading', { level: 2, name: title });
const approve = () => screen.getByRole('button', { name: 'Approve' });
const heldBack = 'This is the next task. Press again to approve it.';

test('a denial without a reason is not sent, and the form says what is missing', async () => {
  const { user, decided } = await openInbox('one', 'two');
  await user.keyboard('d{Control>}{Enter}{/Control}');
  await screen.findByText('Say what to change');
  expect(decided).toEqual([]);
});

test.for(['the button', 'the key'])(
  'a press of %s that follows too fast decides nothing, says so, and acts when pressed again',
  async (by) => {
    const { user, decided, waitOutThePause } = await openInbox('one', 'two', 'three');
    const press = () => (by === 'the key' ? user.keyboard('a') : user.click(approve()));
    await press();
    await open('Task two');
    await press();
    await screen.findByText(heldBack);
    waitOutThePause();
    await press();
    await open('Task three');
    await expect.poll(() => decided).toEqual(['one', 'two']);
    expect(screen.queryByText(heldBack)).toBeNull();
  },
);

test('of two presses in the same moment one decides, and the other is the same press', async () => {
  const { user, decided } = await openInbox('one', 'two');
  await user.dblClick(approve());
  await open('Task two');
  await message('“Task one” approved');
  expect(decided).toEqual(['one']);
});

test('a task that the person chose, or wrote a reason for, is decided at once', async () => {
  const { user, decided } = await openInbox('one', 'two', 'three', 'four');
  await user.click(approve());
  await open('Task two');
  await user.keyboard('j');
  await open('Task three');
  await user.click(approve());
  await open('Task four');
  await user.keyboard('dBecause{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one', 'three', 'four']);
});

test('a decision taken back can be made again while the counts are still being read', async () => {
  let reads = 0;
  const counts = new QueryObserver(queryClient, {
    queryKey: ['inbox', 'count'],
    queryFn: () => (reads++ === 0 ? 2 : new Promise<number>(() => {})),
  });
  const { user, decided, waitOutThePause } = await openInbox('one', 'two');
  onTestFinished(counts.subscribe(() => {}));
  await expect.poll(() => counts.getCurrentResult().data).toBe(2);
  await user.click(approve());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await open('Task one');
  expect(reads).toBeGreaterThan(1);
  waitOutThePause();
  await user.click(approve());
  await expect.poll(() => decided).toEqual(['one', 'one']);
});

test('what is asked about one task is not asked about the next, and a half-written reason is still there on the way back', async () => {
  const { user } = await openInbox('one', 'two');
  await user.keyboard('dMore detail');
  await user.click(screen.getByRole('button', { name: /^Task two/ }));
  await open('Task two');
  expect(screen.queryByLabelText(/^What should .* change/)).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Task one/ }));
  await open('Task one');
  await user.keyboard('d');
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^What should .* change/).value).toBe('More detail');
});

test('a decision that the server cannot take brings the task back, and the page says why', async () => {
  const { user, decided } = await openInbox('one', 'full');
  await user.click(screen.getByRole('button', { name: /^Task full/ }));
  await open('Task full');
  await user.keyboard('a');
  await message('The server is out of space');
  await screen.findByRole('button', { name: /^Task full/ });
  expect(decided).toEqual([]);
});

test('a decision that did not reach the server brings the task back, and says so until it is decided', async () => {
  const { user, decided, line, waitOutThePause } = await openInbox('one', 'two');
  line.cut = true;
  await user.click(approve());
  await screen.findByRole('button', { name: /^Task one/ });
  await screen.findAllByText(/^Not decided/);
  expect(screen.getByRole('heading', { level: 2, name: 'Task one' })).toBeTruthy();
  line.cut = false;
  waitOutThePause();
  await user.click(approve());
  await expect.poll(() => decided).toEqual(['one']);
  expect(screen.queryAllByText(/^Not decided/)).toEqual([]);
});

test('a task that was edited after its approval or completion says so in its row', async () => {
  const edited = (id: string, editedSince: string | null): FullTask => ({ ...waiting(id), editedSince });
  await openInboxWith([edited('one', 'approval'), edited('two', 'completion'), edited('three', null)]);
  await screen.findByRole('button', { name: /^Task one.*Edited since approval/ });
  await screen.findByRole('button', { name: /^Task two.*Edited since completion/ });
  expect(screen.getByRole('button', { name: /^Task three/ }).textContent).not.toContain('Edited');
});

test.for([
  ['a', 'Approve 2'],
  ['d', 'Deny 2'],
] as const)('while tasks are selected, %s acts on all of them, and the button says how many', async ([key, name]) => {
  const { user, decided } = await openInbox('one', 'two', 'three');
  await user.keyboard('xjx');
  const button = await screen.findByRole('button', { name });
  expect(button.getAttribute('aria-keyshortcuts')).toBe(key);
  await user.keyboard(key);
  if (key === 'd') {
    await screen.findByLabelText('What should Lena Hoffmann change in these 2 tasks?');
    await user.keyboard('Because{Control>}{Enter}{/Control}');
  }
  await expect.poll(() => decided).toEqual(['one', 'two']);
  await open('Task three');
});

test('a reason whose denial was undone is offered again', async () => {
  const { user, decided } = await openInbox('one', 'two');
  await user.keyboard('dToo vague{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one']);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await open('Task one');
  await user.keyboard('d');
  await expect
    .poll(() => screen.queryByLabelText<HTMLTextAreaElement>(/^What should .* change/)?.value)
    .toBe('Too vague');
});

test.for([['one'], ['one', 'two']])('after a decision that failed, the focus is on its row', async (ids) => {
  const { user, line } = await openInbox(...ids);
  line.cut = true;
  screen.getByRole('button', { name: /^Task one/ }).focus();
  await user.keyboard('a');
  await screen.findAllByText('Not decided. Try again');
  const row = await screen.findByRole('button', { name: /^Task one/ });
  await expect.poll(() => document.activeElement === row).toBe(true);
  expect(screen.queryAllByText(/reach the server/)).toEqual([]);
});
