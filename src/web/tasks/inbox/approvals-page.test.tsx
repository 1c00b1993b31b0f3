import { QueryObserver } from '@tanstack/react-query';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { type FullTask, mergeTask } from '#web/tasks/shared/queries.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import { message, refuse, sendChanges, showPage, viewerWith } from '../../../../test/show-page.tsx';
import ApprovalsPage from './approvals-page.tsx';
import { inboxQuery } from './queries.ts';

const approver = {
  ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'),
  ...{ role: 'Lead', approverIds: ['marcus'] },
};

function waiting(id: string): FullTask {
  const at = '2026-11-16T11:00:00Z';
  const owner = { id: 'lena', displayName: 'Lena Hoffmann', team: null };
  return {
    id,
    userId: owner.id,
    owner,
    ownerApproverIds: [approver.id],
    decidedFor: null,
    handedOver: null,
    ownerKeepsTasks: true,
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
    repeats: null,
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

const nextSprint = {
  ...{ ...sprint, id: 'w48', name: '2026 W48', phase: 'future', current: false },
  ...{ startDate: sprint.endDate, endDate: '2126-11-30T09:00:00Z', settledAt: '2126-12-01T09:00:00Z' },
};

type Edit = Partial<Pick<FullTask, 'title' | 'summary' | 'category'>>;
type Sent = Edit & { taskId: string; decision: 'approve' | 'deny'; version: number; change?: string };
type Decisions = { decisions: readonly Sent[] };

type List = { status: string; due?: boolean; byPerson?: boolean; find?: string; limit: number; after: string | null };

/** The response of an older server, which refuses what it doesn’t know. */
function answerOfOlder(tasks: readonly (FullTask | undefined)[], query: string): readonly (FullTask | undefined)[] {
  if (!tasks.some((task) => task?.id === 'older')) return tasks;
  if (query.includes('ownerAwayUntil')) refuse('BAD_INPUT', 'Cannot query field "ownerAwayUntil"');
  return tasks.map((task) => task && { ...task, ownerAwayUntil: null });
}

const readInbox =
  (tasks: ReadonlyMap<string, FullTask>, asked: List[], approvalsAfter: Promise<void>) =>
  async (list: List, query: string) => {
    asked.push(list);
    if (list.find === 'broken') refuse('INTERNAL', 'Broken');
    if (list.status === 'INAPPROVAL') await approvalsAfter;
    const { status, due, byPerson, find, limit, after } = list;
    const found = [...tasks.values()].filter(
      (task) => task.status === status && !(due && task.sprintId === 'w48') && task.title.includes(find ?? ''),
    );
    if (byPerson) found.sort((a, b) => a.userId.localeCompare(b.userId));
    const from = Number(after ?? 0);
    const next = found.length > from + limit ? String(from + limit) : null;
    const page = found.slice(from, from + limit).map(({ ownerKeepsTasks, ...task }) => ({
      ...(task as FullTask),
      ...(query.includes('ownerKeepsTasks') && { ownerKeepsTasks }),
    }));
    return { inboxPage: { tasks: answerOfOlder(page, query), next } };
  };

/** The answers of a server where these tasks wait. */
const inboxOf = (tasks: ReadonlyMap<string, FullTask>, asked: List[], approvalsAfter: Promise<void>) => ({
  Inbox: readInbox(tasks, asked, approvalsAfter),
  OlderInbox: readInbox(tasks, asked, approvalsAfter),
  WaitingTask: ({ taskId }: { taskId: string }) => ({
    inbox: [...tasks.values()].filter(({ id, status }) => id === taskId && status === 'INAPPROVAL'),
  }),
  InboxOverview: () => {
    if (tasks.has('uncounted')) refuse('INTERNAL', 'Broken');
    if (tasks.has('counting')) return new Promise(() => {});
    const counts = (status: string) => {
      const all = [...tasks.values()].filter((task) => task.status === status);
      return { waiting: all.length, overdue: 0, later: all.filter(({ sprintId }) => sprintId === 'w48').length };
    };
    const people = new Set([...tasks.values()].map(({ userId }) => userId)).size;
    const [toApprove, toSignOff] = [counts('INAPPROVAL'), counts('INREVIEW')];
    return { inboxOverview: { people, duePeople: people, toApprove, toSignOff } };
  },
});

/** An inbox with these tasks; `decided` lists those sent to the server. */
const openInbox = (...ids: string[]) => openInboxWith(ids.map(waiting));

async function openInboxWith(
  waitingTasks: readonly FullTask[],
  approvalsAfter = Promise.resolve(),
  search = '',
  pastSprints: readonly (typeof sprint)[] = [],
) {
  const tasks = new Map(waitingTasks.map((task) => [task.id, task]));
  const decided: string[] = [];
  const sent: Sent[] = [];
  const asked: List[] = [];
  const line: { cut: boolean | 'answer'; isDown: boolean; slow?: Promise<void> } = { cut: false, isDown: false };
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
    address: `/top-5/approvals${search}`,
    answers: {
      ...inboxOf(tasks, asked, approvalsAfter),
      Sprints: () => ({ sprints: [...pastSprints, sprint, nextSprint] }),
      Task: ({ taskId }: { taskId: string }, query: string) => {
        if (line.isDown) throw new TypeError('Failed to fetch');
        return { tasks: answerOfOlder([tasks.get(taskId)], query) };
      },
      OlderTask: ({ taskId }: { taskId: string }, query: string) => ({
        tasks: answerOfOlder([tasks.get(taskId)], query),
      }),
      DecideTasks: async ({ decisions }: Decisions) => {
        await line.slow;
        sent.push(...decisions);
        const decideTasks = decisions.map(({ taskId, decision, change, version }) => {
          if (line.cut === true) throw new TypeError('Failed to fetch');
          const now = tasks.get(taskId)!;
          if (now.version > version)
            return { taskId, ok: false, code: 'CONFLICT', message: 'The task changed', task: now };
          if (taskId === 'full') refuse('OUT_OF_SPACE', 'The server is out of space');
          if (taskId === 'approved' || taskId === 'denied') {
            const made = set(taskId, taskId === 'approved' ? 'TODO' : 'DENIED', taskId);
            const task = {
              ...made,
              history: made.history.map((entry) => ({ ...entry, actorId: 'ada', actorName: 'Ada North' })),
            };
            tasks.set(taskId, task);
            return { taskId, ok: false, code: 'CONFLICT', message: 'The task changed', task };
          }
          decided.push(taskId);
          const [status, event] =
            decision === 'approve' ? (['TODO', 'approved'] as const) : (['DENIED', 'denied'] as const);
          const task = set(taskId, status, event, change);
          return { taskId, ok: true, code: null, message: null, task };
        });
        if (line.cut === 'answer') throw new TypeError('Failed to fetch');
        return { decideTasks };
      },
      UndoDecisions: ({ taskIds }: { taskIds: string[] }) => ({
        undoDecisions: taskIds.map((taskId) => set(taskId, 'INAPPROVAL', 'undone')),
      }),
    },
  });
  await screen.findAllByRole('button', { name: /^(Approve|Sign off|Deny)$/ });
  return { user, decided, sent, line, asked, tasks, waitOutThePause: () => (now += doublePressMs) };
}

const open = (title: string) => screen.findByRole('heading', { level: 2, name: title });
const approve = () => screen.getByRole('button', { name: 'Approve' });
const heldBack = 'You’re on the next task now. Press again to confirm.';

test('a denial without a reason is not sent, and the form says what is missing', async () => {
  const { user, decided } = await openInbox('one', 'two');
  await user.keyboard('d{Control>}{Enter}{/Control}');
  await screen.findByText('Say what to change');
  expect(decided).toEqual([]);
});

test('what was handed over is listed apart, after one’s own, with the approver that it waits for', async () => {
  const handedOver = {
    ...{ approvers: ['Ada North'], toAdmins: false },
    nextInLine: [{ id: approver.id, displayName: 'Me', approverId: 'ada' }],
  };
  const handed = { ...waiting('handed'), ownerApproverIds: ['ada'], handedOver, statusSince: '2026-11-10T11:00:00Z' };
  const shared = { ...waiting('shared'), handedOver };
  const { user, decided } = await openInboxWith([handed, shared, waiting('own')]);
  const apart = await screen.findByRole('region', { name: 'Handed over to you' });
  within(apart).getByText('For Ada North, who has had it since Tue 10 Nov');
  expect(within(apart).getAllByRole('listitem')).toHaveLength(1);
  expect(within(screen.getByRole('list', { name: 'To approve' })).getAllByRole('listitem')).toHaveLength(2);
  await open('Task shared');
  await screen.findByText('Also waiting for');
  await user.click(within(apart).getByRole('button', { name: /^Task handed/ }));
  await open('Task handed');
  expect((await screen.findByText('You decide for')).nextSibling?.textContent).toBe(
    'Ada North, who has had it since Tue 10 Nov',
  );
  await user.click(approve());
  await expect.poll(() => decided).toEqual(['handed']);
});

test('a task’s summary and notes are rendered only as far as they aren’t too much together', async () => {
  const links = `www.a ${'< '.repeat(4_000)}`;
  const note = { timeStamp: sprint.startDate, edited: false, userId: 'lena', userName: 'Lena Hoffmann' };
  const notes = ['1', '2', '3'].map((id) => ({ ...note, id, text: `Note ${id}: ${links}` }));
  await openInboxWith([{ ...waiting('one'), summary: `Summary: ${links}`, notes }]);
  await screen.findByText(/^Note 3: /);
  const isRendered = (start: string) =>
    screen.getByText((_, part) => isTextOf(part, start)).querySelector('a') !== null;
  await expect.poll(() => isRendered('Summary: ')).toBe(true);
  expect(['Note 1: ', 'Note 2: ', 'Note 3: '].map(isRendered)).toEqual([false, false, true]);
});

const isTextOf = (part: Element | null, start: string) => part?.tagName === 'P' && part.textContent.startsWith(start);

test('a task whose owner is away says until when, in its row and when it is open', async () => {
  await openInboxWith([{ ...waiting('one'), ownerAwayUntil: '2026-11-27' }, waiting('two')]);
  const row = async (name: RegExp) => (await screen.findByRole('button', { name })).textContent;
  expect(await row(/^Task one/)).toContain('Away until Fri 27 Nov');
  expect(await row(/^Task two/)).not.toContain('Away');
  await screen.findByText('away until Fri 27 Nov');
});

test('a reason that was typed and left marks its task in the list', async () => {
  localStorage.clear();
  const { user } = await openInbox('one', 'two');
  await user.keyboard('d');
  await user.keyboard('Not clear yet{Escape}');
  const row = async (name: RegExp) => (await screen.findByRole('button', { name })).textContent;
  await expect.poll(() => row(/^Task one/)).toContain('Your draft');
  expect(await row(/^Task two/)).not.toContain('Your draft');
  localStorage.clear();
});

test('an older server, during an upgrade, gives the tasks that wait, without when their owners are away', async () => {
  await openInboxWith([{ ...waiting('older'), ownerAwayUntil: '2026-11-27' }]);
  await open('Task older');
  expect(screen.queryByText(/away until/i)).toBeNull();
});

test('a task whose owner can’t work on it anymore says so, in its row and when it is open', async () => {
  await openInboxWith([{ ...waiting('one'), ownerKeepsTasks: false }, waiting('two')]);
  const row = async (name: RegExp) => (await screen.findByRole('button', { name })).textContent;
  expect(await row(/^Task one/)).toContain('Owner can’t work on it anymore');
  expect(await row(/^Task two/)).not.toContain('anymore');
  await screen.findByText('can’t work on it anymore');
});

test('the same decision made by someone else first is no error, another one is', async () => {
  const { user, waitOutThePause } = await openInbox('approved', 'denied', 'last');
  await open('Task approved');
  await user.click(approve());
  await screen.findByText('“Task approved” approved by Ada North');
  expect(screen.queryByText(/Ada North approved this task/)).toBeNull();
  await open('Task denied');
  waitOutThePause();
  await user.click(approve());
  await screen.findAllByText('“Task denied”: Ada North denied this task');
});

test('the owner’s name opens their week', async () => {
  await openInbox('one');
  await open('Task one');
  const link = await screen.findByRole('link', { name: 'Lena Hoffmann' });
  expect(link.getAttribute('href')).toBe('/top-5/tasks?person=lena&sprint=w47');
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

test('D while the queue loads asks about its first task, with the reason that was typed by then', async () => {
  const late = Promise.withResolvers<void>();
  const opened = openInboxWith([waiting('one'), waiting('two')], late.promise);
  await screen.findByRole('heading', { name: 'Approvals' });
  for (const key of ['d', ...'Not clear: ']) fireEvent.keyDown(document.body, { key });
  late.resolve();
  const { user, decided } = await opened;
  const field = await screen.findByLabelText('What should Lena Hoffmann change in “Task one”?');
  await expect.poll(() => (field as HTMLTextAreaElement).value).toBe('Not clear: ');
  await user.keyboard('add a date');
  expect((field as HTMLTextAreaElement).value).toBe('Not clear: add a date');
  expect(decided).toEqual([]);
});

test('D while the queue loads is forgotten if nothing waits', async () => {
  const late = Promise.withResolvers<void>();
  const { Inbox, ...answers } = inboxOf(new Map(), [], late.promise);
  const user = await showPage(<ApprovalsPage />, {
    viewer: approver,
    address: '/top-5/approvals',
    answers: { Inbox, ...answers, Sprints: () => ({ sprints: [sprint, nextSprint] }) },
  });
  await screen.findByRole('heading', { name: 'Approvals' });
  await user.keyboard('d');
  const taken = () => !fireEvent.keyDown(document.body, { key: 'q' });
  expect(taken()).toBe(true);
  late.resolve();
  await expect.poll(taken).toBe(false);
});

test('a D right after a held-back A asks nothing either, and the question names the task', async () => {
  const { user, decided, waitOutThePause } = await openInbox('one', 'two', 'three');
  await user.keyboard('a');
  await open('Task two');
  await user.keyboard('ad');
  await screen.findByText(heldBack);
  expect(screen.queryByLabelText(/^What should/)).toBeNull();
  waitOutThePause();
  await user.keyboard('d');
  await screen.findByLabelText('What should Lena Hoffmann change in “Task two”?');
  expect(decided).toEqual(['one']);
});

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
  await message('“Task full” not approved: The server is out of space');
  await screen.findByRole('button', { name: /^Task full/ });
  expect(decided).toEqual([]);
});

test('after a decision that failed, nothing says that the task is the next one', async () => {
  const { user, line } = await openInbox('one', 'two');
  line.cut = true;
  await user.keyboard('aa');
  await screen.findAllByText(/^Not saved/);
  await open('Task one');
  expect(screen.queryByText(heldBack)).toBeNull();
});

test('a decision that did not reach the server brings the task back, and says so until it is decided', async () => {
  const { user, decided, line, waitOutThePause } = await openInbox('one', 'two');
  line.cut = true;
  await user.click(approve());
  await screen.findByRole('button', { name: /^Task one/ });
  await screen.findAllByText(/^Not saved/);
  expect(screen.getByRole('heading', { level: 2, name: 'Task one' })).toBeTruthy();
  line.cut = false;
  waitOutThePause();
  await user.click(approve());
  await expect.poll(() => decided).toEqual(['one']);
  expect(screen.queryAllByText(/^Not saved/)).toEqual([]);
});

test('a decision that did not reach the server is made again from its message', async () => {
  const { user, decided, line } = await openInbox('one', 'two');
  line.cut = true;
  await user.click(approve());
  await screen.findAllByText('Not saved');
  await message('“Task one” not approved: Can’t reach the server');
  line.cut = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await message('“Task one” approved');
  await open('Task two');
  expect(decided).toEqual(['one']);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('each task whose decision was not saved says so until its own decision is', async () => {
  const { user, decided, line, waitOutThePause } = await openInbox('one', 'two', 'three');
  line.cut = true;
  const row = (id: string) => screen.findByRole('button', { name: new RegExp(`^Task ${id}`) });
  await user.click(approve());
  await screen.findAllByText(/^Not saved/);
  waitOutThePause();
  await user.click(await row('two'));
  await open('Task two');
  await user.click(approve());
  await expect.poll(async () => (await row('two')).textContent).toContain('Not saved');
  expect((await row('one')).textContent).toContain('Not saved');
  expect((await row('three')).textContent).not.toContain('Not saved');
  line.cut = false;
  waitOutThePause();
  await user.click(approve());
  await expect.poll(() => decided).toEqual(['two']);
  expect((await row('one')).textContent).toContain('Not saved');
  expect(screen.queryByRole('button', { name: /^Task two/ })).toBeNull();
});

test('the text of a task whose decision did not reach the server is still there', async () => {
  const { user, line } = await openInboxWith([
    { ...waiting('one'), summary: 'All shops' },
    { ...waiting('two'), summary: 'One shop' },
  ]);
  await screen.findByText('All shops');
  const late = Promise.withResolvers<void>();
  line.slow = late.promise;
  await user.keyboard('a');
  await screen.findByText('One shop');
  line.cut = true;
  line.isDown = true;
  late.resolve();
  await screen.findByText('Not saved', { selector: 'p' });
  await open('Task one');
  screen.getByText('All shops');
});

test('a decision whose answer was lost is told like any other, with Undo', async () => {
  const { user, decided, line } = await openInbox('one', 'two');
  line.cut = 'answer';
  await user.click(approve());
  await message('“Task one” approved');
  await open('Task two');
  expect(screen.queryAllByText(/^Not saved/)).toEqual([]);
  expect(decided).toEqual(['one']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('“Task one” is Awaiting Approval again');
});

test('a decision whose answer was lost is told once the server can be reached again', async () => {
  const { user, line } = await openInbox('one', 'two');
  Object.assign(line, { cut: 'answer', isDown: true });
  await user.click(approve());
  await screen.findAllByText(/^Not saved/);
  line.isDown = false;
  await message('“Task one” approved');
  screen.getByRole('button', { name: 'Undo' });
  await expect.poll(() => screen.queryAllByText(/^Not saved/)).toEqual([]);
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

test('several that the server can’t be told of stay selected, with their reason', async () => {
  const { user, decided, line } = await openInbox('one', 'two', 'three');
  await user.keyboard('xjxd');
  await screen.findByLabelText('What should Lena Hoffmann change in these 2 tasks?');
  line.cut = true;
  await user.keyboard('Too vague{Control>}{Enter}{/Control}');
  await screen.findAllByText(/^Not saved/);
  await screen.findByRole('button', { name: 'Deny 2' });
  line.cut = false;
  if (!screen.queryByDisplayValue('Too vague')) await user.keyboard('d');
  await screen.findByDisplayValue('Too vague');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one', 'two']);
});

test('a reason whose denial was undone is offered again, and typing replaces it', async () => {
  const { user, decided, tasks } = await openInbox('one', 'two');
  const reasonSent = (id: string) => tasks.get(id)?.history.at(-1)?.change;
  await user.keyboard('dToo vague{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one']);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await message('“Task one” is Awaiting Approval again');
  await open('Task one');
  await user.keyboard('d');
  await expect
    .poll(() => screen.queryByLabelText<HTMLTextAreaElement>(/^What should .* change/)?.value)
    .toBe('Too vague');
  await user.keyboard('Say how you measure it{Control>}{Enter}{/Control}');
  await expect.poll(() => reasonSent('one')).toBe('Say how you measure it');
});

test.for([['one'], ['one', 'two']])('after a decision that failed, the focus is on its row', async (ids) => {
  const { user, line } = await openInbox(...ids);
  line.cut = true;
  screen.getByRole('button', { name: /^Task one/ }).focus();
  await user.keyboard('a');
  await screen.findAllByText('Not saved');
  const row = await screen.findByRole('button', { name: /^Task one/ });
  await expect.poll(() => document.activeElement === row).toBe(true);
  screen.getByRole('button', { name: 'Try again' });
});

/** Someone else approves the task. */
function approvedByFarah(id: string): void {
  const entry = {
    id: `${id}-2`,
    event: 'approved',
    from: 'INAPPROVAL',
    to: 'TODO',
    version: 2,
    at: waiting(id).created,
    change: null,
  };
  const by = { actorId: 'farah', actorName: 'Farah Haddad', before: '{}', after: '{}', waitedSeconds: 0 };
  const history = [{ ...entry, ...by, correction: false }] as FullTask['history'];
  act(() => mergeTask(queryClient, { ...waiting(id), status: 'TODO', version: 2, history }));
}

test('a reason for a task that someone else approved first is shown, with who did', async () => {
  const { user } = await openInbox('one', 'two');
  await user.keyboard('dToo vague');
  approvedByFarah('one');
  await screen.findByText(/^Farah Haddad approved this task\. Your text wasn’t sent/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Your reason').value).toBe('Too vague');
});

test('a reason for several tasks stays open for the rest when someone else decides one of them', async () => {
  const { user, decided } = await openInbox('one', 'two', 'three');
  await user.keyboard('xjxjxdToo vague');
  approvedByFarah('two');
  await screen.findByLabelText('What should Lena Hoffmann change in these 2 tasks?');
  await user.keyboard(' yet{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one', 'three']);
});

test('the search narrows the queue by title, person and brand, and says how many it leaves', async () => {
  const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
  const { user } = await openInboxWith(ids.map((id) => ({ ...waiting(id), category: id === 'six' ? 'Grow' : 'Blue' })));
  await user.type(screen.getByRole('searchbox'), 'grow');
  await screen.findByText(/^1 of 6 tasks/);
  screen.getByRole('button', { name: /^Task six/ });
  expect(screen.queryByRole('button', { name: /^Task two/ })).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'x');
  await screen.findByText(/^0 of 6 tasks/);
  await user.clear(screen.getByRole('searchbox'));
  await screen.findByText(/^6 tasks, /);
});

const many = (count: number) => Array.from({ length: count }, (_, at) => waiting(String(1_000 + at)));
const rows = () => screen.queryAllByRole('button', { name: /^Task 1\d\d\d/ });

test('very many tasks are drawn a page at a time, counted by the server, and J goes on with the next page', async () => {
  const { user, asked } = await openInboxWith(many(250));
  await screen.findByText(/^250 tasks from 1 person/);
  screen.getByRole('radio', { name: /^To approve 250/ });
  await screen.findByText(/^First 100 of 250 tasks/);
  expect(rows()).toHaveLength(100);
  expect(asked.map(({ status, after }) => [status, after ?? null])).toEqual([
    ['INAPPROVAL', null],
    ['INREVIEW', null],
  ]);
  await user.click(rows()[99]!);
  await open('Task 1099');
  await user.keyboard('j');
  await open('Task 1100');
  expect(rows()).toHaveLength(200);
  expect(asked.at(-1)).toMatchObject({ status: 'INAPPROVAL', after: '100' });
});

test('the next page is read when the end is near, also where the page scrolls and not the list', async () => {
  const { asked } = await openInboxWith(many(250));
  await screen.findByText(/^First 100 of 250 tasks/);
  document.dispatchEvent(new Event('scroll'));
  await expect.poll(() => rows().length).toBe(200);
  expect(asked.at(-1)).toMatchObject({ status: 'INAPPROVAL', after: '100' });
});

test('the counts of very many tasks never change but by a decision', async () => {
  const seen: string[] = [];
  const look = new MutationObserver(() => {
    const tab = document.querySelector('[role="radiogroup"] label')?.textContent?.split(',')[0];
    if (tab && /\d/.test(tab) && tab !== seen.at(-1)) seen.push(tab);
  });
  look.observe(document.body, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => look.disconnect());
  const { user } = await openInboxWith(many(250));
  await screen.findByText(/^First 100 of 250 tasks/);
  document.dispatchEvent(new Event('scroll'));
  await expect.poll(() => rows().length).toBe(200);
  await user.click(approve());
  await expect.poll(() => rows().length).toBe(199);
  await message(/approved/);
  await screen.findByText(/^First 199 of 249 tasks/);
  expect(seen).toEqual(['To approve 250', 'To approve 249']);
});

test('a link to a task that isn’t loaded yet opens it in its tab', async () => {
  const signed = many(150).map((task): FullTask => ({ ...task, status: 'INREVIEW' }));
  await openInboxWith([waiting('one'), ...signed], undefined, '?task=1149');
  await open('Task 1149');
  screen.getByRole('radio', { name: /^To sign off/, checked: true });
  expect(rows()).toHaveLength(100);
});

test.each(['counting', 'uncounted'])('very many tasks don’t wait for their counts: %s', async (id) => {
  await openInboxWith([...many(150), waiting(id)]);
  await screen.findByText(/^First 100 tasks/);
  expect(rows()).toHaveLength(100);
  screen.getByRole('radio', { name: 'To approve' });
  expect(screen.queryByText(/tasks from 1 person/)).toBeNull();
});

test('very many tasks are shown without their counts, and a search that fails says so and is tried again', async () => {
  const { user, asked } = await openInboxWith([...many(150), waiting('uncounted')]);
  await expect.poll(() => rows().length).toBe(100);
  await user.type(await screen.findByRole('searchbox'), 'broken');
  await screen.findByText('Couldn’t find tasks.');
  expect(screen.queryByText('No matching tasks')).toBeNull();
  const before = asked.length;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => asked.length).toBeGreaterThan(before);
});

test('a search, B and the groups are of all very many tasks, and a group is approved as a whole or not at all', async () => {
  const late = { ...waiting('1999'), sprintId: 'w48' };
  const others = many(150).map((task, at) => ({ ...task, userId: at < 30 ? 'ada' : 'lena' }));
  const owned = others.map((task) => ({ ...task, owner: { ...task.owner, displayName: task.userId } }));
  const { user, asked } = await openInboxWith([...owned, late]);
  await user.type(await screen.findByRole('searchbox'), '1149');
  await expect.poll(() => rows().length).toBe(1);
  await screen.findByText(/^1 of 151 tasks/);
  await user.clear(screen.getByRole('searchbox'));
  await expect.poll(() => rows().length).toBe(100);
  await user.click(screen.getByRole('button', { name: 'Group by person' }));
  await screen.findByRole('button', { name: 'Approve all 30' });
  screen.getByRole('heading', { name: 'lena 70+' });
  expect(screen.queryByRole('button', { name: 'Approve all 70' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show only what’s due' }));
  await screen.findByRole('radio', { name: /^To approve 150/ });
  expect(asked.at(-1)).toMatchObject({ due: true });
});

test('the first tab with tasks opens, also if the other one is read first', async () => {
  const signed: FullTask = { ...waiting('signed'), status: 'INREVIEW' };
  const late = Promise.withResolvers<void>();
  const opened = openInboxWith([waiting('one'), signed], late.promise);
  const { queryKey } = inboxQuery({ status: 'INREVIEW' });
  await expect.poll(() => queryClient.getQueryData(queryKey)?.pages.length).toBe(1);
  late.resolve();
  await opened;
  await open('Task one');
  screen.getByRole('radio', { name: /^To approve/, checked: true });
});

test('a task that its owner withdrew says so, and asks for no decision', async () => {
  const { user } = await openInbox('one', 'two');
  act(() => mergeTask(queryClient, { ...waiting('one'), withdrawn: true, version: 2 }));
  await screen.findByText('Withdrawn by its owner. There’s nothing for you to decide.');
  const head = screen.getByRole('heading', { name: 'Task one' }).closest('header');
  expect(head?.firstElementChild?.textContent).toBe('WithdrawnLena Hoffmann, All Brands');
  await user.keyboard('j');
  await open('Task two');
});

test('what others submit is read alone, not with all pages, and is counted', async () => {
  const { asked, tasks } = await openInboxWith(many(150));
  await screen.findByText(/^First 100 of 150 tasks/);
  const before = asked.length;
  tasks.set('new', { ...waiting('new'), statusSince: '2026-11-16T12:00:00Z' });
  const known = waiting('1000');
  tasks.set('1000', { ...known, title: 'Task 1000 renamed', version: 2 });
  await act(() => sendChanges({ taskId: 'new', version: 1 }, { taskId: '1000', version: 2 }));
  await screen.findByText(/^First 100 of 151 tasks/);
  await screen.findByRole('button', { name: /^Task 1000 renamed/ });
  expect(screen.queryByRole('button', { name: /^Task new/ })).toBeNull();
  expect(asked).toHaveLength(before);
});

const six = ['one', 'two', 'three', 'four', 'five', 'six'];
const visible = () =>
  screen.queryAllByRole('button', { name: /^Task / }).map(({ textContent }) => textContent?.slice(5, 8));

test('deciding the last match of a search stays in the tab and offers to clear the search', async () => {
  const waits = six.map((id): FullTask => ({ ...waiting(id), status: 'INREVIEW' }));
  const { user } = await openInboxWith([...waits, waiting('seven')]);
  await user.click(screen.getByRole('radio', { name: /^To sign off/ }));
  await user.type(await screen.findByRole('searchbox'), 'six');
  await user.click(screen.getByRole('button', { name: /^Task six/ }));
  await user.click(await screen.findByRole('button', { name: 'Sign off' }));
  await screen.findByText('No matching tasks');
  await screen.findByRole('radio', { name: /^To sign off 5/, checked: true });
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await expect.poll(visible).toEqual(['one', 'two', 'thr', 'fou', 'fiv']);
});

test('a search changes neither what an open question is about nor the selection', async () => {
  const { user, decided } = await openInbox(...six);
  await user.keyboard('xjxjxd');
  const question = 'What should Lena Hoffmann change in these 3 tasks?';
  await user.type(await screen.findByLabelText(question), 'Too vague');
  await user.type(screen.getByRole('searchbox'), 'two');
  await expect.poll(visible).toEqual(['two']);
  screen.getByLabelText(question);
  await user.click(screen.getByRole('button', { name: 'Deny 3' }));
  await expect.poll(() => decided).toEqual(['one', 'two', 'three']);
});

test('a decision leaves the selected tasks selected that a search hides', async () => {
  const { user, decided } = await openInbox(...six);
  await user.keyboard('x');
  await user.type(screen.getByRole('searchbox'), 'six');
  await user.click(screen.getByRole('button', { name: /^Task six/ }));
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  await expect.poll(() => decided).toEqual(['six']);
  await user.clear(screen.getByRole('searchbox'));
  await screen.findByText('1 selected');
});

test('the search field stays while few tasks are left', async () => {
  const { user, decided } = await openInbox(...six);
  await user.click(screen.getByRole('searchbox'));
  approvedByFarah('one');
  await expect.poll(visible).toHaveLength(5);
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  expect(decided).toEqual([]);
});

test('a search whose results leave out the open task opens the first one, which isn’t decided by a press for another', async () => {
  const { user, decided, waitOutThePause } = await openInbox(...six, 'tea', 'ten');
  await open('Task one');
  const search = screen.getByRole('searchbox');
  await user.type(search, 'te');
  await open('Task tea');
  // The press could be meant for the task before it.
  await user.click(approve());
  await screen.findByText(heldBack);
  waitOutThePause();
  await user.click(approve());
  await open('Task ten');
  expect(decided).toEqual(['tea']);
  await user.clear(search);
  await expect.poll(visible).toHaveLength(7);
  screen.getByRole('heading', { level: 2, name: 'Task ten' });
});

test('a search that finds the open task leaves it open, and J and K go on from it', async () => {
  const { user } = await openInbox(...six);
  await user.click(screen.getByRole('button', { name: /^Task four/ }));
  await user.keyboard('/fo');
  await expect.poll(visible).toEqual(['fou']);
  await user.keyboard('{Escape}{Escape}');
  await expect.poll(visible).toHaveLength(6);
  screen.getByRole('heading', { level: 2, name: 'Task four' });
  await user.keyboard('j');
  await open('Task five');
});

test('a search of very many tasks opens its first result once the server has found it', async () => {
  const { user } = await openInboxWith(many(250));
  await user.type(await screen.findByRole('searchbox'), '1249');
  await open('Task 1249');
  expect(rows()).toHaveLength(1);
});

test.for(['{Enter}', '{ArrowDown}'])(
  'in the search, %s goes to the first result, also before it is found',
  async (key) => {
    const { user, decided } = await openInbox(...six);
    await user.keyboard(`/tw${key}`);
    await open('Task two');
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: /^Task two/ }));
    await user.keyboard('a');
    await expect.poll(() => decided).toEqual(['two']);
  },
);

test.for(['{Enter}', '{ArrowDown}'])('in the search, %s also goes to the result that is already open', async (key) => {
  const { user, decided } = await openInbox(...six);
  await user.keyboard('/tw');
  await open('Task two');
  await user.keyboard(`${key}a`);
  await expect.poll(() => decided).toEqual(['two']);
});

test('before an approval that counts as not completed, the row and the buttons say that its sprint is over', async () => {
  const last = { ...sprint, id: 'w46', name: '2026 W46', phase: 'settling', current: false };
  const signed: FullTask = { ...waiting('signed'), sprintId: 'w46', status: 'INREVIEW' };
  const { user } = await openInboxWith(
    [{ ...waiting('late'), sprintId: 'w46' }, waiting('one'), signed],
    undefined,
    '?task=late',
    [last],
  );
  await open('Task late');
  await screen.findByText(
    '2026 W46 is over. If you approve this task, it counts as not completed there until Lena Hoffmann completes it.',
  );
  const row = (title: string) => screen.getByRole('button', { name: new RegExp(title) }).textContent;
  expect([row('Task late'), row('Task one')]).toEqual([
    expect.stringContaining(', 2026 W46 is over'),
    expect.not.stringContaining('is over'),
  ]);
  await user.click(screen.getByRole('button', { name: /Task one/ }));
  await open('Task one');
  expect(screen.queryByText(/counts as not completed there/)).toBeNull();
  await user.click(screen.getByRole('radio', { name: /^To sign off/ }));
  await open('Task signed');
  expect(screen.queryByText(/is over/)).toBeNull();
});

test('N begins a note about the open task', async () => {
  const { user } = await openInbox('one', 'two');
  const field = await screen.findByRole('textbox', { name: 'New note' });
  await user.keyboard('nWhich file?');
  expect(document.activeElement).toBe(field);
  expect((field as HTMLTextAreaElement).value).toBe('Which file?');
});

test('in the search, Esc clears the text, and a second one leaves the field', async () => {
  const { user } = await openInbox(...six);
  await user.keyboard('/six{Escape}');
  const search = screen.getByRole<HTMLInputElement>('searchbox');
  expect([search.value, document.activeElement === search]).toEqual(['', true]);
  await user.keyboard('{Escape}');
  expect(document.activeElement === search).toBe(false);
});

test('B leaves only what is due before the sprint ends, through both tabs, and says when nothing is', async () => {
  const later = { ...waiting('later'), sprintId: 'w48' };
  const completed: FullTask = { ...waiting('two'), status: 'INREVIEW' };
  const { user, decided, waitOutThePause } = await openInboxWith([waiting('one'), completed, later]);
  screen.getByRole('radio', { name: /^To approve 2/ });
  screen.getByRole('button', { name: 'Show only what’s due' });
  await user.keyboard('b');
  await screen.findByRole('radio', { name: /^To approve 1/ });
  await open('Task one');
  await user.keyboard('a');
  await open('Task two');
  waitOutThePause();
  await user.keyboard('a');
  await screen.findByText(/^Nothing is due before/);
  expect(decided).toEqual(['one', 'two']);
  await user.keyboard('b');
  await open('Task later');
});

/** Its owner changes the title while the task is on screen. */
function retitled(id: string, title: string): void {
  const task = queryClient.getQueryData<FullTask>(['tasks', 'one', id]) ?? waiting(id);
  const version = task.version + 1;
  const entry = { id: `${id}-${version}`, event: 'edited', version, from: task.status, to: task.status, change: null };
  const texts = { before: JSON.stringify({ title: task.title }), after: JSON.stringify({ title }) };
  const rest = { at: task.created, actorId: 'lena', actorName: 'Lena Hoffmann', forName: null, waitedSeconds: null };
  const line = { ...entry, ...texts, ...rest, correction: false } as unknown as FullTask['history'][number];
  act(() => mergeTask(queryClient, { ...task, title, version, history: [...task.history, line] }));
}

test('a key right after the text changed doesn’t approve what was not read, and the change is marked', async () => {
  const { user, decided, waitOutThePause } = await openInbox('one', 'two');
  await open('Task one');
  await screen.findByRole('textbox', { name: 'New note' });
  retitled('one', 'Task one and spend 1,000,000');
  await open('Task one and spend 1,000,000');
  await user.keyboard('a');
  const change = screen.getByRole('region', { name: /^Changes to/ });
  within(change).getByText('Lena Hoffmann changed this after you opened it. Press again to confirm.');
  expect(change.querySelector('ins')?.textContent).toContain('and spend 1,000,000');
  await user.click(approve());
  expect(decided).toEqual([]);
  waitOutThePause();
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one']);
  await open('Task two');
  expect(screen.queryByRole('region', { name: /^Changes to/ })).toBeNull();
});

test('a reason begun before the text changed is sent only once the change was shown', async () => {
  const { user, decided, waitOutThePause } = await openInbox('one', 'two');
  await open('Task one');
  await screen.findByRole('textbox', { name: 'New note' });
  await user.keyboard('d');
  await user.type(await screen.findByRole('textbox', { name: /^What should/ }), 'Too vague');
  retitled('one', 'Task one for less');
  await screen.findByText('Lena Hoffmann changed this after you opened it.');
  waitOutThePause();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('Lena Hoffmann changed this after you opened it. Press again to confirm.');
  expect(decided).toEqual([]);
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^What should/ }).value).toBe('Too vague');
  waitOutThePause();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => decided).toEqual(['one']);
});

/** Lena replaces the file, corrects her note, and writes another. */
function delivered(task: FullTask, parts: Pick<FullTask, 'attachments' | 'notes'>, ...events: string[]): FullTask {
  const lines = events.map((event, at) => {
    const [version, from] = [task.version + at + 1, task.status];
    const entry = {
      id: `${task.id}-${version}`,
      event,
      change: null,
      version,
      from,
      to: from,
      before: '{}',
      after: '{}',
    };
    const by = { at: task.created, actorId: 'lena', actorName: 'Lena Hoffmann', forName: null, waitedSeconds: null };
    return { ...entry, ...by, correction: false } as unknown as FullTask['history'][number];
  });
  return { ...task, ...parts, version: task.version + events.length, history: [...task.history, ...lines] };
}

const file = (id: string) => ({
  ...{ id, fileName: 'contract.txt', mime: 'text/plain', size: 9, timeStamp: sprint.startDate, url: null },
  ...{ userId: 'lena', userName: 'Lena Hoffmann' },
});
const note = (id: string, text: string) => ({
  ...{ id, text, timeStamp: sprint.startDate, edited: false, userId: 'lena', userName: 'Lena Hoffmann' },
});
const withFile = { ...waiting('one'), attachments: [file('1')], notes: [note('1', 'It costs 500')] };

test('a key right after a file was replaced or a note was edited decides nothing, and the change is marked', async () => {
  const { user, decided, waitOutThePause } = await openInboxWith([withFile, waiting('two')]);
  await open('Task one');
  await screen.findByText('It costs 500');
  const parts = { attachments: [file('2')], notes: [note('1', 'It costs 9,500'), note('2', 'Is that fine?')] };
  act(() => mergeTask(queryClient, delivered(withFile, parts, 'fileRemoved', 'fileAdded', 'noteEdited', 'noteAdded')));
  const change = await screen.findByRole('region', { name: /^Changes to/ });
  await user.keyboard('aa');
  within(change).getByText('Lena Hoffmann changed this after you opened it. Press again to confirm.');
  expect([...change.querySelectorAll('del')].map(({ textContent }) => textContent?.trim())).toEqual([
    'contract.txt',
    '500',
  ]);
  expect([...change.querySelectorAll('ins')].map(({ textContent }) => textContent?.trim())).toEqual([
    'contract.txt (new)',
    '9,500',
  ]);
  expect(change.textContent).not.toContain('Is that fine?');
  expect(decided).toEqual([]);
  waitOutThePause();
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one']);
});

test.for([
  ['fileRemoved', 'removed a file from'],
  ['fileAdded', 'attached a file to'],
  ['fileRestored', 'restored a file on'],
  ['noteEdited', 'edited a note on'],
  ['noteRemoved', 'removed a note from'],
])('a sign-off that the server refuses after %s is not sent again by itself', async ([event = '', words = '']) => {
  const { user, decided, sent, tasks, waitOutThePause } = await openInboxWith([withFile, waiting('two')]);
  await open('Task one');
  await screen.findByText('It costs 500');
  const now = delivered(withFile, { attachments: [file('2')], notes: [] }, event, 'noteAdded');
  tasks.set('one', now);
  await user.keyboard('a');
  await screen.findAllByText(`“Task one”: Lena Hoffmann ${words} this task`);
  await open('Task one');
  await user.keyboard('a');
  await screen.findByText('The task has just changed. Press again to confirm.');
  expect([decided, sent.length]).toEqual([[], 1]);
  waitOutThePause();
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one']);
});

test('a sign-off that the server refuses after a new note or one’s own file is sent again', async () => {
  const { user, decided, tasks } = await openInboxWith([withFile, waiting('two')]);
  await open('Task one');
  await screen.findByText('It costs 500');
  const now = delivered(withFile, withFile, 'noteAdded', 'fileAdded');
  const own = {
    ...now,
    history: now.history.map((line) => (line.event === 'fileAdded' ? { ...line, actorId: approver.id } : line)),
  };
  tasks.set('one', own);
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one']);
});

test('a note is no change of the text, and holds no decision back', async () => {
  const { user, decided } = await openInbox('one', 'two');
  await open('Task one');
  act(() => mergeTask(queryClient, { ...waiting('one'), version: 2 }));
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one']);
});

test('selected tasks are not approved right after one of them changed, and its change is marked', async () => {
  const { user, decided, waitOutThePause } = await openInbox(...six);
  await user.keyboard('xjxj');
  retitled('one', 'Task one for more');
  await screen.findByText('Lena Hoffmann changed “Task one for more” after you selected it.');
  await user.keyboard('a');
  expect(decided).toEqual([]);
  waitOutThePause();
  await user.keyboard('a');
  await expect.poll(() => decided).toEqual(['one', 'two']);
});

test('all tasks of a person are not approved right after one of them changed', async () => {
  const { user, decided, waitOutThePause } = await openInbox('one', 'two', 'three');
  await user.click(screen.getByRole('button', { name: 'Group by person' }));
  const all = await screen.findByRole('button', { name: 'Approve all 3' });
  retitled('two', 'Task two for more');
  await screen.findByRole('button', { name: /^Task two for more/ });
  await user.click(all);
  await message('A task has just changed. Press again to confirm');
  expect(decided).toEqual([]);
  waitOutThePause();
  await user.click(all);
  await expect.poll(() => decided).toEqual(['one', 'two', 'three']);
});

test('an open task that isn’t one of the selected ones says that the buttons don’t decide it', async () => {
  const { user } = await openInbox('one', 'two', 'three');
  await user.keyboard('xjx');
  expect(screen.queryByText('This applies to the selected tasks, not the open one.')).toBeNull();
  await user.keyboard('j');
  await screen.findByText('This applies to the selected tasks, not the open one.');
  screen.getByRole('button', { name: 'Deny 2' });
});

const withEdits = () => screen.queryByRole('button', { name: 'Approve with edits' });
const titleField = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Title' });
const sendKeys = '{Control>}{Enter}{/Control}';

test('edits are offered neither with a sign-off nor for several tasks', async () => {
  const { user } = await openInboxWith([{ ...waiting('one'), status: 'INREVIEW' }, waiting('two'), waiting('three')]);
  await open('Task two');
  expect(withEdits()).not.toBeNull();
  await user.keyboard('x');
  await screen.findByRole('button', { name: 'Approve 1' });
  await user.keyboard('e');
  expect(withEdits()).toBeNull();
  await user.click(screen.getByRole('radio', { name: /^To sign off/ }));
  await open('Task one');
  await user.keyboard('e');
  screen.getByRole('button', { name: 'Sign off' });
  expect(withEdits()).toBeNull();
});

test('E turns the texts of the open task into fields, and sends what changed with the approval', async () => {
  const { user, sent } = await openInboxWith([{ ...waiting('one'), summary: 'All of them' }, waiting('two')]);
  await open('Task one');
  await user.keyboard('e');
  const title = await titleField();
  expect([title.value, document.activeElement]).toEqual(['Task one', title]);
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Summary' }).value).toBe('All of them');
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.keyboard(` for 20 shops ${sendKeys}`);
  await open('Task two');
  await message('“Task one” approved with edits');
  expect(sent).toEqual([{ taskId: 'one', decision: 'approve', version: 1, title: 'Task one for 20 shops' }]);
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull();
});

test('Esc closes the fields, and asks first if something was typed', async () => {
  const { user, sent } = await openInbox('one', 'two');
  await open('Task one');
  await user.keyboard('e');
  await titleField();
  await user.keyboard('{Escape}');
  await open('Task one');
  await user.click(withEdits()!);
  await user.type(await titleField(), ' for less{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect((await titleField()).value).toBe('Task one for less');
  await user.type(await titleField(), '{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await open('Task one');
  await user.click(withEdits()!);
  expect((await titleField()).value).toBe('Task one');
  expect(sent).toEqual([]);
});

test('what was typed stays after a failure', async () => {
  const { user, decided } = await openInbox('full', 'two');
  await open('Task full');
  await user.keyboard('e');
  await user.type(await titleField(), ` for less${sendKeys}`);
  await message(/out of space/);
  await expect.poll(async () => (await titleField()).value).toBe('Task full for less');
  expect(decided).toEqual([]);
});

test('someone else’s approval loses no edits: they are shown to copy', async () => {
  const { user } = await openInbox('approved', 'two');
  await open('Task approved');
  await user.keyboard('e');
  await user.type(await titleField(), ` for less${sendKeys}`);
  await screen.findAllByText('“Task approved”: Ada North approved this task');
  const kept = await screen.findByRole('alert', { name: 'Text that wasn’t sent' });
  expect(within(kept).getByRole<HTMLTextAreaElement>('textbox').value).toContain('Task approved for less');
});

test('a text that its owner changes while it is edited is shown, and replaced only by choice', async () => {
  const { user, sent } = await openInbox('one', 'two');
  await open('Task one');
  await screen.findByRole('textbox', { name: 'New note' });
  await user.keyboard('e');
  await user.type(await titleField(), ' for less');
  retitled('one', 'Task one for more');
  const conflict = await screen.findByRole('group', { name: 'Lena Hoffmann changed this' });
  expect(conflict.querySelector('del')?.textContent).toContain('more');
  await user.type(await titleField(), sendKeys);
  expect(sent).toEqual([]);
  await user.click(within(conflict).getByRole('button', { name: 'Approve with mine' }));
  await expect
    .poll(() => sent)
    .toEqual([{ taskId: 'one', decision: 'approve', version: 2, title: 'Task one for less' }]);
});
