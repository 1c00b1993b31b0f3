import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse, showPage } from '../../../../test/show-page.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { timesToAdd } from './time-words.ts';
import { TimePanel } from './timer-panel.tsx';
import { WeekGrid, WeekPanel } from './week-panel.tsx';

afterEach(() => vi.useRealTimers());

const tasks = [
  { id: '1', title: 'Ads' },
  { id: '2', title: 'Report' },
];
const shown = { day: '2026-11-16', from: '09:00', to: '10:00' };

/** Changes an entry of the timer in the dialog and returns the times that are sent. Company time is UTC+1. */
async function edited(start: string, end: string, change: () => Promise<unknown> | unknown) {
  const sent: { taskId: string; start: string; end: string }[] = [];
  const entry = { id: '7', taskId: '1', title: 'Ads', start, end, forgotten: false };
  const hands = await showPage(<EntryDialog entry={entry} shown={shown} onClose={() => {}} />, {
    answers: {
      TimedTasks: () => ({ getTasks: tasks, sprints: [] }),
      EditTime: (variables: (typeof sent)[number]) => {
        sent.push(variables);
        return { editTime: { id: '7' } };
      },
    },
  });
  await screen.findByRole('dialog', { name: 'Edit time' });
  await change();
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.length).toBe(1);
  return [sent[0]!.start, sent[0]!.end];
}

const type = (label: string, value: string) => () =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test.each([
  ['touches the entry before it', '2026-11-17T08:12:37Z', '2026-11-17T09:00:05Z'],
  ['is shorter than a minute', '2026-11-17T08:12:05Z', '2026-11-17T08:12:50Z'],
  ['is longer than a day', '2026-11-16T15:00:00Z', '2026-11-19T08:00:00Z'],
])('times that nobody touched stay where the entry %s', async (_which, start, end) => {
  expect(await edited(start, end, () => {})).toEqual([start, end]);
});

test('a time that was typed replaces only its own side', async () => {
  expect(await edited('2026-11-17T08:12:05Z', '2026-11-17T08:12:50Z', type('From', '09:00'))).toEqual([
    '2026-11-17T08:00:00Z',
    '2026-11-17T08:12:50Z',
  ]);
});

test('a long entry may become shorter, but no longer', async () => {
  const [start, end] = ['2026-11-16T07:00:00Z', '2026-11-17T03:00:00Z'];
  expect(await edited(start, end, type('To', '21:30'))).toEqual([start, '2026-11-16T20:30:00Z']);
  cleanup();
  const longer = edited(start, end, type('To', '05:00'));
  await screen.findByText(/^Check the times: 21 h/);
  type('To', '04:00')();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await longer).toEqual([start, end]);
});

test('another day takes the times with it', async () => {
  expect(await edited('2026-11-17T08:12:05Z', '2026-11-17T08:12:50Z', type('Date', '2026-11-16'))).toEqual([
    '2026-11-16T08:12:05Z',
    '2026-11-16T08:12:50Z',
  ]);
});

test('an entry of a task that the list lacks, such as a withdrawn one, shows and keeps it', async () => {
  const entry = { id: '7', taskId: '9', title: 'Withdrawn', forgotten: false };
  const times = { start: '2026-11-17T08:00:00Z', end: '2026-11-17T17:00:00Z' };
  await showPage(<EntryDialog entry={{ ...entry, ...times }} shown={shown} onClose={() => {}} />, {
    answers: { TimedTasks: () => ({ getTasks: tasks, sprints: [] }) },
  });
  await screen.findByDisplayValue('Withdrawn');
});

test('a “From” after the untouched “To” means the next day', async () => {
  expect(await edited('2026-11-17T05:00:30Z', '2026-11-17T06:00:00Z', type('From', '23:00'))).toEqual([
    '2026-11-17T22:00:00Z',
    '2026-11-18T06:00:00Z',
  ]);
});

test('tasks that couldn’t be loaded are not “no matching tasks”', async () => {
  let isDown = true;
  const TimedTasks = () => (isDown ? refuse('INTERNAL', 'Broken') : { getTasks: tasks, sprints: [] });
  const panel = await showPage(<TimePanel />, { answers: { TimedTasks, MyTimer: () => ({ myTimer: null }) } });
  await screen.findByText('Couldn’t load your tasks.');
  isDown = false;
  await panel.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('combobox', { name: 'Task' });
});

test('the dialog says that the tasks couldn’t be loaded', async () => {
  const hands = await showPage(<EntryDialog entry={null} shown={shown} onClose={() => {}} />, {
    answers: { TimedTasks: () => refuse('INTERNAL', 'Broken') },
  });
  await hands.click(await screen.findByRole('combobox', { name: 'Task' }));
  await screen.findByText('Couldn’t load the tasks');
});

test('the same “From” and “To”, and a “To” just before “From”, are no entry, and the length shows before anything is sent', async () => {
  const addTime = vi.fn(() => ({ addTime: { id: '1' } }));
  const hands = await showPage(<EntryDialog entry={null} shown={shown} onClose={() => {}} />, {
    answers: { TimedTasks: () => ({ getTasks: tasks, sprints: [] }), AddTime: addTime },
  });
  await screen.findByText(/^1 h\. Company time/);
  await hands.type(screen.getByRole('combobox', { name: 'Task' }), 'Ads{Enter}');
  type('To', '08:30')();
  await screen.findByText(/^23 h 30 min, until Tue 17\./);
  await hands.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Check the times: 23 h 30 min, until Tue 17. Enter longer work in two parts');
  type('To', '09:00')();
  await screen.findByText(/^Company time/);
  await hands.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('“From” and “To” are the same time');
  expect(screen.getByLabelText('To').getAttribute('aria-invalid')).toBe('true');
  expect(addTime).not.toHaveBeenCalled();
});

/** Friday, 15:00 in the company's zone. */
const friday = '2026-11-27T14:00:00Z';
const worked = { id: '1', taskId: '1', title: 'Ads', start: '2026-11-27T08:00:00Z', forgotten: false };

test.each([
  ['today, after its last entry, in the current week', '/', '2026-11-27', '10:13', '11:13'],
  ['Monday in another week', '/?week=2026-11-16', '2026-11-16', '09:00', '10:00'],
])('time is added on %s, and the task is asked first', async (_where, address, day, from, to) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(friday) });
  const entries = address === '/' ? [{ ...worked, end: '2026-11-27T09:12:37Z' }] : [];
  const hands = await showPage(<WeekPanel />, {
    address,
    answers: {
      TimedTasks: () => ({ getTasks: tasks, sprints: [] }),
      TimeWeek: ({ monday }: { monday: string }) => ({ timeWeek: { monday, final: false, canReopen: true, entries } }),
    },
  });
  if (entries.length > 0) await screen.findByText('1 h 13 min');
  await hands.click(await screen.findByRole('button', { name: 'Add time' }));
  const field = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
  await screen.findByRole('dialog');
  expect([field('Date'), field('From'), field('To')]).toEqual([day, from, to]);
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('combobox', { name: 'Task' }));
});

test.each<[string, { start: string; end: string | null }[], string, { from: string; to: string }]>([
  ['at 9 without an entry', [], friday, { from: '09:00', to: '10:00' }],
  ['and ends now before 9', [], '2026-11-27T07:30:00Z', { from: '07:30', to: '08:30' }],
  ['and starts with the day after midnight', [], '2026-11-26T23:20:00Z', { from: '00:00', to: '00:20' }],
  [
    'and ends now',
    [{ start: '2026-11-27T08:00:00Z', end: '2026-11-27T13:30:00Z' }],
    friday,
    { from: '14:30', to: '15:00' },
  ],
  [
    'and ends where the timer starts',
    [
      { start: '2026-11-27T08:00:00Z', end: '2026-11-27T09:00:00Z' },
      { start: '2026-11-27T09:30:00Z', end: null },
    ],
    friday,
    { from: '10:00', to: '10:30' },
  ],
  [
    'but not after a night',
    [{ start: '2026-11-26T20:00:00Z', end: '2026-11-27T02:00:00Z' }],
    friday,
    { from: '09:00', to: '10:00' },
  ],
])('a new entry starts after the day’s last one %s', (_where, entries, now, times) =>
  expect(timesToAdd(entries, '2026-11-27', Temporal.Instant.from(now), 'Europe/Amsterdam')).toEqual(times),
);

test('Stop doesn’t stop the timer that another window started since', async () => {
  const timer = (id: string, title: string) => ({
    ...{ id, taskId: id, title, end: null, forgotten: false },
    start: Temporal.Now.instant().toString(),
  });
  let running = timer('1', 'Ads');
  const stopTimer = vi.fn(() => ({ stopTimer: { id: '2', title: 'Report' } }));
  const hands = await showPage(<TimePanel />, {
    answers: {
      TimedTasks: () => ({ getTasks: tasks, sprints: [] }),
      MyTimer: () => ({ myTimer: running }),
      StopTimer: stopTimer,
    },
  });
  await screen.findByText('Ads');
  running = timer('2', 'Report');
  await hands.click(screen.getByRole('button', { name: 'Stop' }));
  await screen.findByText('Report');
  expect(stopTimer).not.toHaveBeenCalled();
});

test('after a Stop whose answer got lost, the week’s list is read again and no longer shows it running', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(friday) });
  const running = { ...worked, end: null };
  let isStopped = false;
  const hands = await showPage(
    <>
      <TimePanel />
      <WeekPanel />
    </>,
    {
      answers: {
        TimedTasks: () => ({ getTasks: tasks, sprints: [] }),
        MyTimer: () => ({ myTimer: isStopped ? null : running }),
        TimeWeek: ({ monday }: { monday: string }) => ({
          timeWeek: {
            ...{ monday, final: false, canReopen: true },
            entries: [isStopped ? { ...worked, end: '2026-11-27T13:00:00Z' } : running],
          },
        }),
        StopTimer: () => {
          isStopped = true;
          return refuse('INTERNAL', 'Lost');
        },
      },
    },
  );
  await screen.findByText(/09:00–now/);
  await hands.click(await screen.findByRole('button', { name: 'Stop' }));
  await screen.findByText(/09:00–14:00/);
});

test('the tasks to choose from begin with the current sprint’s, those in progress first, and others name their sprint', async () => {
  const statuses = ['DENIED', 'INAPPROVAL', 'TODO', 'INPROGRESS'];
  const all = [
    { id: 'past', title: 'Past', status: 'INPROGRESS', sprintId: '1' },
    { id: 'next', title: 'Next', status: 'INAPPROVAL', sprintId: '3' },
    ...statuses.map((status, index) => ({ id: String(index), title: status, status, sprintId: '2' })),
  ];
  const sprints = ['settled', 'active', 'future'].map((phase, index) => ({
    ...{ id: String(index + 1), name: `2026 W${46 + index}`, phase },
    startDate: `2026-11-${9 + 7 * index}T09:00:00Z`,
  }));
  const hands = await showPage(<EntryDialog entry={null} shown={shown} onClose={() => {}} />, {
    answers: { TimedTasks: () => ({ getTasks: all, sprints }) },
  });
  await hands.click(await screen.findByRole('combobox', { name: 'Task' }));
  await screen.findByRole('option', { name: 'TODO' });
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(options).toEqual([
    ...['INPROGRESS ', 'TODO ', 'INAPPROVAL ', 'DENIED '],
    ...['Next 2026 W48', 'Past 2026 W46'],
  ]);
});

test('the hours of a week add up as they are shown, and today is marked in its own week only', async () => {
  const today = Temporal.Now.plainDateISO('Europe/Amsterdam');
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const noon = monday.toZonedDateTime({ timeZone: 'Europe/Amsterdam', plainTime: '12:00' }).toInstant();
  const entries = ['Ads', 'Report', 'Calls'].map((title, index) => ({
    ...{ id: title, taskId: title, title, forgotten: false },
    start: noon.add({ hours: index }).toString(),
    end: noon.add({ hours: index, seconds: 86 }).toString(),
  }));
  const week = { monday: String(monday), final: false, canReopen: false, entries };
  await showPage(<WeekGrid week={week as never} monday={monday} />);
  const sums = [...(await screen.findByRole('row', { name: /^All tasks/ })).children].map((cell) => cell.textContent);
  expect([sums[1], sums.at(-1)]).toEqual(['0:03', '0:03']);
  expect(document.querySelector('[aria-current="date"]')?.textContent).toMatch(new RegExp(` ${today.day}$`));
  cleanup();
  await showPage(<WeekGrid week={week as never} monday={monday.subtract({ weeks: 4 })} />);
  await screen.findByRole('row', { name: /^All tasks/ });
  expect(document.querySelector('[aria-current="date"]')).toBeNull();
});

test.each([
  ['open', friday, false, false, 'Start a timer or add time.', ['Mark week as final'], true],
  ['just marked final', friday, true, true, 'Reopen the week to add time.', ['Reopen week'], false],
  ['final for long', friday, true, false, 'This week is final.', [], false],
  [
    'open and too old',
    '2028-01-07T13:00:00Z',
    false,
    false,
    'Time from more than a year ago can’t be changed.',
    [],
    false,
  ],
])(
  'an empty week that is %s says what can be done, and offers that alone',
  async (_which, now, final, canReopen, words, buttons, canAdd) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    await showPage(<WeekPanel />, {
      address: '/top-5/tools/time-tracker?week=2026-11-16',
      answers: { TimeWeek: () => ({ timeWeek: { monday: '2026-11-16', final, canReopen, entries: [] } }) },
    });
    await screen.findByText(words);
    const all = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(all.filter((name) => /final|Reopen/.test(name ?? ''))).toEqual(buttons);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add time' }).disabled).toBe(!canAdd);
  },
);
