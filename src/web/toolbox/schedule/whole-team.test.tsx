// A meeting that follows its team, in the form and in the panel.
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import SchedulePage from './schedule-page.tsx';

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

const ada = { id: '1', displayName: 'Ada Able' };
const ben = { id: '2', displayName: 'Ben Bale' };
const gus = { id: '3', displayName: 'Gus Green' };
type Sent = { title: string; version: number; wholeTeam: boolean; attendeeIds: string[] };

/** The schedule with a meeting that others can change, and what its form sends. */
async function openMeeting(fields: object = {}, others: readonly object[] = []) {
  const stored = {
    ...{ id: '7', title: 'Retro', team: 'connect', wholeTeam: true, place: '', link: '', agenda: '', version: 1 },
    ...{ weekday: 1, onceOn: null, firstDay: '2020-01-06', time: '10:00', minutes: 30, exceptions: [] },
    ...{ chair: ada, attendees: [ben, gus], guests: [gus] },
    ...fields,
  };
  const sent: Sent[] = [];
  const user = await showPage(<SchedulePage />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    address: '/top-5/tools/schedule?meeting=7',
    answers: {
      Schedule: () => ({ schedule: [{ ...stored }, ...others.map((other) => ({ ...stored, ...other }))] }),
      Holidays: () => ({ holidays: [] }),
      MeetingPeople: ({ team }: { team?: string }) => ({
        meetingPeople: team === 'connect' ? [ada, ben].map((each) => ({ ...each, email: null })) : [],
      }),
      UpdateMeeting: (variables: Sent) => {
        if (variables.version !== stored.version) refuse('CONFLICT', 'This changed in the meantime');
        sent.push(variables);
        return { updateMeeting: { id: '7', title: variables.title } };
      },
    },
  });
  const edit = async () => user.click(await screen.findByRole('button', { name: 'Edit meeting' }));
  const save = () => user.click(screen.getByRole('button', { name: 'Save meeting' }));
  const chooseTeam = async (name: string) => {
    await user.click(await screen.findByRole('combobox', { name: 'Team' }));
    await user.click(await screen.findByRole('option', { name }));
  };
  return { user, stored, sent, edit, save, chooseTeam };
}

const checkbox = (team: string) =>
  screen.findByRole<HTMLInputElement>('checkbox', { name: `Everyone in ${team} attends` });
const pills = () => [...document.querySelectorAll('.mantine-Pill-label')].map(({ textContent }) => textContent);

test('a meeting without a team offers no whole team, and choosing no team switches it off', async () => {
  const { edit, save, sent, chooseTeam } = await openMeeting();
  await edit();
  expect((await checkbox('Connect')).checked).toBe(true);
  await chooseTeam('No team');
  expect(screen.queryByRole('checkbox', { name: /^Everyone in/ })).toBeNull();
  await chooseTeam('Green');
  expect((await checkbox('Green')).checked).toBe(false);
  await save();
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ team: 'green', wholeTeam: false, attendeeIds: ['3'] }]);
});

test('everyone in the team attends with one checkbox, which follows the team, beside people added by name', async () => {
  const { user, edit, save, sent, chooseTeam } = await openMeeting({ wholeTeam: false });
  await edit();
  const box = await checkbox('Connect');
  expect(box.checked).toBe(false);
  screen.getByText('Includes people who join the team later.');
  await user.click(box);
  await chooseTeam('Codex');
  expect((await checkbox('Codex')).checked).toBe(true);
  expect(pills()).toEqual(['Gus Green']);
  await save();
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ team: 'codex', wholeTeam: true, attendeeIds: ['3'] }]);
});

test('the panel names the team before the people', async () => {
  await openMeeting();
  const term = await screen.findByText('Attendees (2)');
  expect(term.nextElementSibling!.textContent).toBe('Everyone in ConnectBen Bale, Gus Green');
});

test('the form says which meetings overlap for people of the team', async () => {
  const other = {
    id: '8',
    title: 'Board review',
    team: null,
    wholeTeam: false,
    chair: gus,
    attendees: [ben],
    guests: [ben],
  };
  const { user, edit } = await openMeeting({ wholeTeam: false, attendees: [], guests: [] }, [other]);
  await edit();
  const box = await checkbox('Connect');
  expect(screen.queryByText(/^Overlaps with/)).toBeNull();
  await user.click(box);
  await screen.findByText('Overlaps with: Board review (1 person)');
});

test('a whole team that others saved is shown beside what one typed, and kept', async () => {
  const { user, stored, edit, save, sent } = await openMeeting({ wholeTeam: false });
  await edit();
  await user.type(await screen.findByLabelText('Place'), 'Room 4');
  Object.assign(stored, { wholeTeam: true, version: 2 });
  await save();
  await screen.findByText(/^Someone changed this/);
  expect((await checkbox('Connect')).checked).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ version: 2, place: 'Room 4', wholeTeam: true }]);
});

test('a choice that conflicts with what others saved is named like in the panel', async () => {
  const { user, stored, edit, save } = await openMeeting({ wholeTeam: false });
  await edit();
  await user.click(await checkbox('Connect'));
  Object.assign(stored, { attendees: [ben], guests: [ben], version: 2 });
  await save();
  const conflict = await screen.findByRole('group', { name: /changed this/ });
  expect(within(conflict).getByText('Attendees').nextElementSibling!.textContent).toBe('Everyone in Connect, Ben Bale');
  expect(conflict.querySelector('ins')?.textContent).toContain('Everyone in Connect');
});

test('no team that others saved leaves the whole team out of what is sent', async () => {
  const { user, stored, edit, save, sent } = await openMeeting({ wholeTeam: false });
  await edit();
  await user.click(await checkbox('Connect'));
  Object.assign(stored, { team: null, version: 2 });
  await save();
  await user.click(await screen.findByRole('button', { name: 'Save mine' }));
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ version: 2, team: '', wholeTeam: false }]);
});

test('a draft of the version before opens, and takes over that others switched on the whole team', async () => {
  const values = {
    ...{
      title: 'Retro',
      team: 'connect',
      chairId: '1',
      attendeeIds: ['3', '9'],
      weekday: 1,
      onceOn: '',
      repeats: true,
    },
    ...{ time: '10:00', minutes: 30, place: '', link: '', agenda: '' },
  };
  const draft = {
    ...{ form: { ...values, place: 'Room 4' }, base: { version: 1, values } },
    names: { 1: 'Ada Able', 3: 'Gus Green', 9: 'Lea Left' },
  };
  localStorage.setItem('of-person:1:draft:meeting:7', JSON.stringify(draft));
  const { stored, user, edit, save, sent } = await openMeeting({ wholeTeam: false });
  await edit();
  expect((await checkbox('Connect')).checked).toBe(false);
  expect([pills(), (await screen.findByLabelText<HTMLInputElement>('Place')).value]).toEqual([
    ['Gus Green', 'Lea Left'],
    'Room 4',
  ]);
  Object.assign(stored, { wholeTeam: true, version: 2 });
  await save();
  await user.click(await screen.findByRole('button', { name: 'Save mine' }));
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ version: 2, place: 'Room 4', wholeTeam: true, attendeeIds: ['3'] }]);
});
