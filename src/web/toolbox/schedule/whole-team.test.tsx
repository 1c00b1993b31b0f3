// A meeting that follows its team, in the form and in the panel.
import { cleanup, screen, within } from '@testing-library/react';
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
async function openMeeting(fields: object = {}, others: readonly object[] = [], role = 'admin') {
  const stored = {
    ...{ id: '7', title: 'Retro', team: 'connect', wholeTeam: true, place: '', link: '', agenda: '', version: 1 },
    ...{ weekday: 1, onceOn: null, firstDay: '2020-01-06', time: '10:00', minutes: 30, exceptions: [] },
    ...{ chair: ada, attendees: [ben, gus], guests: [gus] },
    attendeeCount: 2,
    ...fields,
  };
  const sent: Sent[] = [];
  const user = await showPage(<SchedulePage />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOP_5_MEETING_SCHEDULE'), id: '1', role },
    // A week whose meetings aren't over.
    address: '/top-5/tools/schedule?meeting=7&week=2099-11-30',
    answers: {
      Schedule: () => ({ schedule: [{ ...stored }, ...others.map((other) => ({ ...stored, ...other }))] }),
      Holidays: () => ({ holidays: [] }),
      MeetingPeople: ({ team }: { team?: string }) => ({
        meetingPeople: team === 'connect' ? [ada, ben].map((each) => ({ ...each, email: null })) : [],
      }),
      UpdateMeeting: (variables: Sent) => {
        if (variables.version !== stored.version) refuse('CONFLICT', 'This has changed since you opened it');
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

test('a chair can’t invite everyone in the company, but can undo it if an admin did', async () => {
  const narrow = await openMeeting({ team: null, wholeTeam: false }, [], 'Staff');
  await narrow.edit();
  await screen.findByLabelText('Place');
  expect(screen.queryByRole('checkbox', { name: /^Everyone in/ })).toBeNull();
  cleanup();
  const wide = await openMeeting({ team: null }, [], 'Staff');
  await wide.edit();
  await wide.user.click(await checkbox('the company'));
  expect((await checkbox('the company')).checked).toBe(false);
  await wide.save();
  await message('“Retro” changed');
  expect(wide.sent).toMatchObject([{ team: '', wholeTeam: false }]);
});

test('a meeting without a team is for everyone in the company with the same checkbox', async () => {
  const { user, edit, save, sent } = await openMeeting({ team: null, wholeTeam: false });
  await edit();
  await user.click(await checkbox('the company'));
  screen.getByText('Everyone who can see the schedule, including people who join later.');
  await save();
  await message('“Retro” changed');
  expect(sent).toMatchObject([{ team: '', wholeTeam: true, attendeeIds: ['3'] }]);
});

test('another team, or none, never invites more people by itself', async () => {
  const { user, edit, save, sent, chooseTeam } = await openMeeting();
  await edit();
  expect((await checkbox('Connect')).checked).toBe(true);
  await chooseTeam('No team');
  const box = await checkbox('the company');
  expect(box.checked).toBe(false);
  await user.click(box);
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
  screen.getByText('Everyone who can see the schedule, including people who join the team later.');
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

test('the panel says that everyone attends, how many that is, and names the first ones', async () => {
  await openMeeting({ team: null, attendeeCount: 19_999 });
  const term = await screen.findByText('Attendees (19,999)');
  const expected = 'Everyone in the companyBen Bale, Gus Green, and 19,997 more';
  expect(term.nextElementSibling!.textContent).toBe(expected);
});

test('a meeting for everyone is one of the viewer’s own and overlaps with all others, even if it lists nobody', async () => {
  const whole = { team: null, wholeTeam: true, chair: ben, attendees: [gus], guests: [] };
  const other = { id: '8', title: 'Board review', team: null, wholeTeam: false, chair: ada, attendees: [], guests: [] };
  const { user, edit } = await openMeeting(whole, [other, { ...other, ...whole, id: '9', title: 'All hands' }]);
  expect(await screen.findAllByText(/^Everyone is double-booked/)).toHaveLength(2);
  await edit();
  const overlaps = await screen.findByText(/^Overlaps with/);
  expect(overlaps.textContent).toBe('Overlaps with: Board review (1 person), All hands (everyone)');
  await user.click(await checkbox('the company'));
  await screen.findByText('Overlaps with: All hands (1 person)');
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

test('a team that others removed never turns its checkbox into everyone in the company', async () => {
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
