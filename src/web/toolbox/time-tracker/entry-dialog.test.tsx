import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, showPage } from '../../../../test/show-page.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { TimePanel } from './timer-panel.tsx';

const tasks = [
  { id: '1', title: 'Ads' },
  { id: '2', title: 'Report' },
];
const monday = Temporal.PlainDate.from('2026-11-16');

/** Changes an entry of the timer in the dialog and returns the times that are sent. Company time is UTC+1. */
async function edited(start: string, end: string, change: () => Promise<unknown> | unknown) {
  const sent: { taskId: string; start: string; end: string }[] = [];
  const entry = { id: '7', taskId: '1', title: 'Ads', start, end, forgotten: false };
  const hands = await showPage(<EntryDialog entry={entry} monday={monday} onClose={() => {}} />, {
    answers: {
      TimedTasks: () => ({ getTasks: tasks }),
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

test('another day takes the times with it', async () => {
  expect(await edited('2026-11-17T08:12:05Z', '2026-11-17T08:12:50Z', type('Day', '2026-11-16'))).toEqual([
    '2026-11-16T08:12:05Z',
    '2026-11-16T08:12:50Z',
  ]);
});

test('an entry of a task that the list lacks, such as a withdrawn one, shows and keeps it', async () => {
  const entry = { id: '7', taskId: '9', title: 'Withdrawn', forgotten: false };
  const times = { start: '2026-11-17T08:00:00Z', end: '2026-11-17T17:00:00Z' };
  await showPage(<EntryDialog entry={{ ...entry, ...times }} monday={monday} onClose={() => {}} />, {
    answers: { TimedTasks: () => ({ getTasks: tasks }) },
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
  const TimedTasks = () => (isDown ? refuse('INTERNAL', 'Broken') : { getTasks: tasks });
  const panel = await showPage(<TimePanel />, { answers: { TimedTasks, MyTimer: () => ({ myTimer: null }) } });
  await screen.findByText('Couldn’t load your tasks.');
  isDown = false;
  await panel.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('combobox', { name: 'Task' });
});

test('the dialog says that the tasks couldn’t be loaded', async () => {
  const hands = await showPage(<EntryDialog entry={null} monday={monday} onClose={() => {}} />, {
    answers: { TimedTasks: () => refuse('INTERNAL', 'Broken') },
  });
  await hands.click(await screen.findByRole('combobox', { name: 'Task' }));
  await screen.findByText('Couldn’t load the tasks');
});
