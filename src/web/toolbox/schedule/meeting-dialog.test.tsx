import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { MeetingDialog } from './meeting-dialog.tsx';
import SchedulePage from './schedule-page.tsx';
import type { Meeting } from './schedule-queries.ts';

/** The dialog of a new meeting, and what it sends. */
async function openNew(all: readonly Meeting[] = []) {
  localStorage.clear();
  const sent: object[] = [];
  const user = await showPage(<MeetingDialog meeting={null} slot={null} all={all} onClose={() => {}} />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    answers: {
      MeetingPeople: () => ({ meetingPeople: [] }),
      CreateMeeting: (variables: { title: string }) => {
        sent.push(variables);
        return { createMeeting: { id: '1', title: variables.title } };
      },
    },
  });
  return { user, sent };
}

test('Enter in the title does not send an unfinished meeting, Ctrl+Enter sends it', async () => {
  const { user, sent } = await openNew();
  await user.type(await screen.findByLabelText('Title'), 'Retro{Enter}');
  await user.type(screen.getByLabelText('Title'), ' of May{Control>}{Enter}{/Control}');
  await message('“Retro of May” added to the schedule');
  expect(sent).toMatchObject([{ title: 'Retro of May', weekday: 1 }]);
});

test('a new meeting is proposed at the first time that overlaps no other', async () => {
  const chair = { id: '9', displayName: 'Vera Fox' };
  const weekly = {
    ...{ weekday: 1, onceOn: null, firstDay: '2020-01-06', minutes: 45, exceptions: [] },
    chair,
    attendees: [],
  };
  const { user, sent } = await openNew([
    { ...weekly, id: '7', time: '09:30' },
    { ...weekly, id: '8', time: '10:30' },
  ] as unknown as Meeting[]);
  await user.type(await screen.findByLabelText('Title'), 'Retro{Control>}{Enter}{/Control}');
  await message('“Retro” added to the schedule');
  expect(sent).toMatchObject([{ weekday: 1, time: '11:30' }]);
});

test('a meeting that doesn’t repeat asks for its date and is sent with it', async () => {
  const { user, sent } = await openNew();
  await user.type(await screen.findByLabelText('Title'), 'Retro');
  await user.click(screen.getByRole('combobox', { name: 'Repeats' }));
  await user.click(await screen.findByRole('option', { name: 'Doesn’t repeat' }));
  await user.click(screen.getByRole('button', { name: 'Add meeting' }));
  await screen.findByText(/^The date/);
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2099-03-04' } });
  await user.click(screen.getByRole('button', { name: 'Add meeting' }));
  await message('“Retro” added to the schedule');
  expect(sent).toMatchObject([{ onceOn: '2099-03-04' }]);
});

test('people with the same name show their addresses as chair and as attendees', async () => {
  localStorage.clear();
  const alex = (id: string) => ({ id, displayName: 'Alex Kim', email: `${id}@company.test` });
  const user = await showPage(<MeetingDialog meeting={null} slot={null} all={[]} onClose={() => {}} />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    answers: { MeetingPeople: () => ({ meetingPeople: [alex('7'), alex('8')] }) },
  });
  for (const [name, id] of [
    ['Chair', '8'],
    ['Attendees', '7'],
  ]) {
    const field = await screen.findByRole('combobox', { name });
    await user.click(field);
    await user.type(field, 'Alex K');
    await user.click(await screen.findByRole('option', { name: `Alex Kim (${id}@company.test)` }));
  }
  await screen.findByText('Alex Kim (7@company.test)', { selector: '.mantine-Pill-label' });
});

test('what someone else changed in the meantime is shown, and only the fields one typed replace it', async () => {
  localStorage.clear();
  const sent: object[] = [];
  const stored = {
    ...{ id: '7', title: 'Retro', team: null, place: '', link: '', agenda: '', version: 1 },
    ...{ weekday: 1, onceOn: null, firstDay: '2020-01-06', time: '10:00', minutes: 30, exceptions: [] },
    ...{ chair: { id: '1', displayName: 'Viewer' }, attendees: [], wholeTeam: false, guests: [] },
    attendeeCount: 0,
  };
  const user = await showPage(<SchedulePage />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    address: '/top-5/tools/schedule?meeting=7',
    answers: {
      Schedule: () => ({ schedule: [{ ...stored }] }),
      MeetingPeople: () => ({ meetingPeople: [] }),
      UpdateMeeting: (variables: { version: number; title: string }) => {
        if (variables.version !== stored.version) refuse('CONFLICT', 'This has changed since you opened it');
        sent.push(variables);
        return { updateMeeting: { id: '7', title: variables.title } };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit meeting' }));
  await user.type(await screen.findByLabelText('Place'), 'Room 4');
  Object.assign(stored, { place: 'Room 2', time: '11:00', version: 2 });
  await user.click(screen.getByRole('button', { name: 'Save meeting' }));
  const conflict = await screen.findByText(/^Someone changed this/);
  expect(conflict.parentElement?.querySelector('del')?.textContent).toBe('2');
  expect(conflict.parentElement?.querySelector('ins')?.textContent).toBe('4');
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ version: 2, place: 'Room 4', time: '11:00' }]);
});

const vera = { id: '9', displayName: 'Vera Fox' };
const meetingAt = (version: number, fields: object) =>
  ({
    ...{ id: '5', version, title: 'Retro', team: null, chair: vera, chairId: '9', attendees: [], attendeeIds: [] },
    ...{ weekday: 1, onceOn: null, firstDay: '2020-01-06', time: '09:30', minutes: 45, exceptions: [] },
    ...{ place: '', link: '', agenda: 'Old', wholeTeam: false, guests: [], ...fields },
  }) as unknown as Meeting;

test('the form names the canceled and moved days that another weekday drops, and none for another time', async () => {
  localStorage.clear();
  const exceptions = [
    { day: '2020-01-13', to: null },
    { day: '2099-01-05', to: null },
    { day: '2099-01-12', to: { day: '2099-01-13', time: '11:00' } },
  ];
  const user = await showPage(
    <MeetingDialog meeting={meetingAt(1, { exceptions })} slot={null} all={[]} onClose={() => {}} />,
    {
      viewer: { ...viewerWith(), id: '1', role: 'admin' },
      answers: { MeetingPeople: () => ({ meetingPeople: [] }) },
    },
  );
  fireEvent.change(await screen.findByLabelText(/^Time \(/), { target: { value: '10:15' } });
  expect(screen.queryByText(/changes to single dates/)).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Repeats' }));
  await user.click(await screen.findByRole('option', { name: 'Every Tuesday' }));
  await screen.findByText(
    'Saving removes these changes to single dates: 5 Jan 2099: canceled, 12 Jan 2099: moved to 13 Jan 2099 11:00',
  );
});

test('what others saved into an open form isn’t taken for typed when its draft comes back', async () => {
  localStorage.clear();
  function Editing() {
    const [meeting, setMeeting] = useState<Meeting | null>(meetingAt(1, {}));
    return (
      <>
        {meeting && <MeetingDialog meeting={meeting} slot={null} all={[]} onClose={() => setMeeting(null)} />}
        {['Room 2', 'Room 3'].map((place, index) => (
          <button key={place} type="button" onClick={() => setMeeting(meetingAt(index + 2, { place }))}>
            {place}
          </button>
        ))}
      </>
    );
  }
  const user = await showPage(<Editing />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    answers: { MeetingPeople: () => ({ meetingPeople: [] }) },
  });
  const value = async (label: string) => (await screen.findByLabelText<HTMLInputElement>(label)).value;
  await user.type(await screen.findByLabelText('Title'), ' of May');
  fireEvent.click(screen.getByText('Room 2'));
  await expect.poll(() => value('Place')).toBe('Room 2');
  await user.type(screen.getByLabelText('Title'), ' and June');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Room 3' }));
  expect([await value('Title'), await value('Place')]).toEqual(['Retro of May and June', 'Room 3']);
  const conflict = await screen.findByRole('group', { name: /changed this/ });
  expect(conflict.textContent).not.toContain('Room');
  localStorage.clear();
});

test('an agenda that was typed comes back when the meeting has another version, and conflicts with its agenda', async () => {
  localStorage.clear();
  function Editing() {
    const [meeting, setMeeting] = useState<Meeting | null>(meetingAt(1, {}));
    const change = (next: Meeting) => setMeeting(next);
    return (
      <>
        {meeting && <MeetingDialog meeting={meeting} slot={null} all={[]} onClose={() => setMeeting(null)} />}
        <button type="button" onClick={() => change(meetingAt(2, {}))}>
          Date canceled
        </button>
        <button type="button" onClick={() => change(meetingAt(3, { agenda: 'Theirs' }))}>
          Agenda changed
        </button>
      </>
    );
  }
  const user = await showPage(<Editing />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    answers: { MeetingPeople: () => ({ meetingPeople: [] }) },
  });
  const agenda = () => screen.findByLabelText<HTMLTextAreaElement>('Agenda');
  await user.clear(await agenda());
  await user.type(await agenda(), 'Mine');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Date canceled' }));
  expect((await agenda()).value).toBe('Mine');
  expect(screen.queryByRole('group', { name: /changed this/ })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Agenda changed' }));
  const conflict = await screen.findByRole('group', { name: /changed this/ });
  expect([conflict.querySelector('del')?.textContent, conflict.querySelector('ins')?.textContent]).toEqual([
    'Theirs',
    'Mine',
  ]);
  localStorage.clear();
});
