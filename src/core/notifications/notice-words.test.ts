import { describe, expect, test } from 'vitest';
import type { Viewer } from '../access/access.ts';
import type { NoticeFacts } from './notice-facts.ts';
import { type Access, accessLines, noticeMail, noticeWords, storedNoticeWords } from './notice-words.ts';
import type { NoticeKind } from './notices.ts';

const staff: Viewer = { id: '1', role: 'Staff', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], approverIds: ['2'] };
const approverOnly: Viewer = { ...staff, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] };
const days = { firstDay: '2026-11-25', lastDay: '2026-11-27' };
const delegate = { kind: 'delegate', personId: '3', person: 'Nora Lind', ...days } as const;
const schedule = '/top-5/tools/schedule';
const [monday, tuesday] = [
  { day: '2026-11-23', time: '10:00' },
  { day: '2026-11-24', time: '14:00' },
];
const [mondays, tuesdays] = [
  { weekday: 1, time: '10:00' },
  { weekday: 2, time: '09:30' },
];
const meetingFacts = {
  ...({ kind: 'meeting', meetingId: '5', title: 'Weekly Review', byId: '8', by: 'Ada King' } as const),
  ...{ day: null, before: null, after: null },
} as const;
const taskFacts = { taskId: '7', title: 'Report', by: 'Ben Ode' };

describe('what a notice says and where it leads', () => {
  test.each<[NoticeFacts, string, string | null, string]>([
    [{ kind: 'waiting', count: 1, upTo: '' }, '1 task is waiting for your decision', null, '/top-5/approvals'],
    [{ kind: 'waiting', count: 3, upTo: '' }, '3 tasks are waiting for your decision', null, '/top-5/approvals'],
    [
      { kind: 'handedOver', count: 1 },
      '1 task was handed over to you',
      'Its approver didn’t decide in time. Now you can decide too.',
      '/top-5/approvals',
    ],
    [
      { kind: 'handedOver', count: 3 },
      '3 tasks were handed over to you',
      'Their approvers didn’t decide in time. Now you can decide too.',
      '/top-5/approvals',
    ],
    [
      { kind: 'decided', event: 'denied', change: 'Add numbers', ...taskFacts },
      'Ben Ode denied “Report”',
      'Add numbers',
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'decided', event: 'approved', change: null, edited: ['title', 'category'], ...taskFacts },
      'Ben Ode approved “Report” and changed its title and brand',
      null,
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'decided', event: 'sentBack', change: null, ...taskFacts },
      'Ben Ode sent “Report” back',
      null,
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'decided', event: 'signedOff', change: null, ...taskFacts },
      'Ben Ode signed off “Report”',
      null,
      '/top-5/tasks?task=7',
    ],
    [
      {
        ...{ ...meetingFacts, event: 'added', day: '2026-11-23' },
        ...{ before: { day: '2026-11-23', time: '10:00' }, after: { day: '2026-11-24', time: '14:00' } },
      },
      '“Weekly Review” on Mon 23 Nov was moved to Tue 24 Nov, 14:00',
      null,
      '/top-5/tools/schedule?meeting=5&day=2026-11-23',
    ],
    [{ kind: 'assigned', ...taskFacts }, 'Ben Ode created a task for you: “Report”', null, '/top-5/tasks?task=7'],
    [
      { kind: 'noted', count: 1, text: 'Ask [@Anna](person:1)', ...taskFacts },
      'Ben Ode wrote a note on “Report”',
      'Ask @Anna',
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'noted', count: 2, text: 'And **now**?', ...taskFacts },
      '2 new notes on “Report”',
      'And now?',
      '/top-5/tasks?task=7',
    ],
    [{ kind: 'noted', count: 1, text: null, ...taskFacts }, '1 new note on “Report”', null, '/top-5/tasks?task=7'],
    [
      { kind: 'mentioned', text: 'Ask [@Anna](person:1)', ...taskFacts },
      'Ben Ode mentioned you in “Report”',
      'Ask @Anna',
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'mentioned', count: 3, text: null, ...taskFacts },
      'Ben Ode mentioned you 3 times in “Report”',
      null,
      '/top-5/tasks?task=7',
    ],
    [
      { kind: 'recap', sprint: '2026 W47', personId: '7', person: 'Ben Ode', count: 1, text: 'Ask **earlier**' },
      'Ben Ode closed sprint 2026 W47',
      'Ask earlier',
      '/dashboard',
    ],
    [
      { kind: 'recap', sprint: '2026 W47', personId: '7', person: 'Ben Ode', count: 3, text: '' },
      'Ben Ode and 2 others closed sprint 2026 W47',
      null,
      '/dashboard',
    ],
    [
      { kind: 'boundary', sprint: '2026 W47', endAt: '2026-11-23T09:00:00Z', open: 1, waiting: 2 },
      'Sprint 2026 W47 ends Mon 23 Nov 10:00',
      '1 of your tasks is unfinished, and 2 tasks are waiting for your decision',
      '/dashboard',
    ],
    [
      { kind: 'boundary', sprint: '2026 W47', endAt: '2026-11-23T09:00:00Z', open: 0, waiting: 1 },
      'Sprint 2026 W47 ends Mon 23 Nov 10:00',
      '1 task is waiting for your decision',
      '/top-5/approvals',
    ],
    [
      { kind: 'asked', personId: '3', text: 'Why?', line: 'team', sprintId: '5', sprint: '2026 W47', by: 'Ben Ode' },
      'Ben Ode asked about “Team result” for sprint 2026 W47',
      'Why?',
      '/top-5/tools/bonus?person=3&sprint=5&line=team',
    ],
    [
      { kind: 'answered', text: 'So', line: 'team', sprintId: '5', sprint: '2026 W47', by: 'Ben Ode' },
      'Ben Ode answered your question about “Team result” for sprint 2026 W47',
      'So',
      '/top-5/tools/bonus?sprint=5&line=team',
    ],
    [
      { kind: 'roleAsked', personId: '3', person: 'Nora Lind', byId: '4', by: 'Ben Ode' },
      'Ben Ode requested a role for Nora Lind',
      'Nora Lind has no role and can open only My account.',
      '/usermanagement?person=3',
    ],
    [
      {
        ...{ kind: 'roleAsked', personId: '3', person: 'Nora Lind', byId: '4', by: 'Ben Ode' },
        ...{ role: 'Lead', roleBefore: 'Staff' },
      },
      'Ben Ode requested the role Lead for Nora Lind',
      'Nora Lind’s current role is Staff.',
      '/usermanagement?person=3',
    ],
    ...(
      [
        [null, 'Ada King declined the role Lead for Nora Lind'],
        ['Lead', 'Nora Lind now has the role Lead'],
        ['Staff', 'Nora Lind now has the role Staff, not Lead as you requested'],
      ] as const
    ).map(([given, sentence]): [NoticeFacts, string, null, string] => [
      {
        ...{ kind: 'roleAnswered', personId: '3', person: 'Nora Lind', byId: '1', by: 'Ada King' },
        ...{ role: 'Lead', given },
      },
      sentence,
      null,
      '/usermanagement?person=3',
    ]),
    [
      { kind: 'approvee', personId: '3', person: 'Nora Lind' },
      'You’re now an approver for Nora Lind',
      null,
      '/dashboard',
    ],
    [
      { kind: 'approvee', personId: '3', person: 'Nora Lind', count: 1 },
      'You’re now an approver for Nora Lind',
      null,
      '/dashboard',
    ],
    [
      { kind: 'approvee', personId: '3', person: 'Nora Lind', count: 10_000 },
      'You’re now an approver for Nora Lind and 9,999 others',
      null,
      '/dashboard',
    ],
    [
      { kind: 'absence', gap: 'is away too (26–27 Nov)', delegateId: '4', delegate: 'Dana Kim', ...days },
      'Your delegate Dana Kim is away too (26–27 Nov), so tasks will wait for you, another approver or an admin',
      'You’re away from Wed 25 Nov to Fri 27 Nov. Choose another delegate in My account.',
      '/account',
    ],
    [
      { ...delegate, note: '' },
      'You’re Nora Lind’s delegate from Wed 25 Nov to Fri 27 Nov',
      'You can see and decide on tasks from the people they approve.',
      '/dashboard',
    ],
    [
      { ...delegate, lastDay: '2026-11-25', note: 'Vacation' },
      'You’re Nora Lind’s delegate on Wed 25 Nov',
      'Vacation\nYou can see and decide on tasks from the people they approve.',
      '/dashboard',
    ],
    [
      { ...delegate, note: '', ended: true },
      'You’re no longer Nora Lind’s delegate (Wed 25 Nov to Fri 27 Nov)',
      null,
      '/dashboard',
    ],
    ...(
      [
        ['canceled', { before: monday }, 'canceled “Weekly Review” on Mon 23 Nov'],
        ['moved', { before: monday, after: tuesday }, 'moved “Weekly Review” on Mon 23 Nov to Tue 24 Nov, 14:00'],
        [
          'moved',
          { before: monday, after: { ...monday, time: '11:00' } },
          'moved “Weekly Review” on Mon 23 Nov to 11:00',
        ],
        ['restored', { after: monday }, 'restored “Weekly Review” on Mon 23 Nov, 10:00'],
        // Canceled and moved before it was read.
        ['restored', { before: monday, after: tuesday }, 'moved “Weekly Review” on Mon 23 Nov to Tue 24 Nov, 14:00'],
      ] as const
    ).map(([event, times, words]): [NoticeFacts, string, null, string] => [
      { ...meetingFacts, event, day: '2026-11-23', ...times },
      `Ada King ${words}`,
      null,
      `${schedule}?meeting=5&day=2026-11-23`,
    ]),
    ...(
      [
        ['moved', { before: mondays, after: tuesdays }, 'moved “Weekly Review” to Tuesdays, 09:30', '?meeting=5'],
        [
          'moved',
          { before: mondays, after: monday },
          'moved “Weekly Review” to Mon 23 Nov, 10:00',
          '?meeting=5&day=2026-11-23',
        ],
        [
          'moved',
          { before: monday, after: tuesdays },
          'moved “Weekly Review” on Mon 23 Nov to Tuesdays, 09:30',
          '?meeting=5',
        ],
        ['removed', { before: mondays }, 'removed “Weekly Review” from the schedule', ''],
        ['restored', { after: mondays }, 'restored “Weekly Review” on Mondays, 10:00', '?meeting=5'],
        ['added', { after: mondays }, 'added you to “Weekly Review” on Mondays, 10:00', '?meeting=5'],
        ['added', { after: tuesday }, 'added you to “Weekly Review” on Tue 24 Nov, 14:00', '?meeting=5&day=2026-11-24'],
        ['left', { before: monday }, 'removed you from “Weekly Review”', '?meeting=5'],
      ] as const
    ).map(([event, times, words, search]): [NoticeFacts, string, null, string] => [
      { ...meetingFacts, event, ...times },
      `Ada King ${words}`,
      null,
      `${schedule}${search}`,
    ]),
    [{ kind: 'access', lines: ['A', 'B'] }, 'Your access changed', 'A\nB', '/dashboard'],
  ])('%o', (facts, sentence, detail, path) => {
    expect(noticeWords(staff, facts, 'Europe/Berlin')).toEqual({ sentence, detail, path });
  });

  test('a sentence is one line without direction marks, whatever it quotes', () => {
    const typed = 'Report\r\nhttps://evil.test\u2028\u202e';
    const facts: NoticeFacts = { kind: 'mentioned', text: 'a\nb', ...taskFacts, title: typed, by: 'Ben\n\u2066Ode' };
    expect(noticeWords(staff, facts, 'UTC')).toMatchObject({
      sentence: 'Ben Ode mentioned you in “Report https://evil.test ”',
      detail: 'a\nb',
    });
    const access: NoticeFacts = { kind: 'access', lines: ['A\nB', 'C\u202e'] };
    expect(noticeWords(staff, access, 'UTC').detail).toBe('A B\nC');
  });

  test('who decides and keeps no tasks opens a task among the approvals', () => {
    const facts: NoticeFacts = { kind: 'mentioned', text: '', ...taskFacts };
    expect(noticeWords(approverOnly, facts, 'UTC').path).toBe('/top-5/approvals?task=7');
  });
});

describe('what a newer version stored', () => {
  const said = (kind: NoticeKind, facts: unknown) => storedNoticeWords(staff, { kind, facts }, 'UTC');

  test.each<[NoticeKind, unknown, string]>([
    ['absence', { kind: 'absence', hours: 4 }, 'My time away changed'],
    ['decided', { kind: 'decided', event: 'postponed', change: null, ...taskFacts }, 'Decision on my task'],
    ['asked', { kind: 'asked', personId: '3', line: 'gifts', by: 'B', text: '' }, 'A bonus question for me'],
    ['waiting', { kind: 'assigned', ...taskFacts }, 'Waiting for my decision'],
    ['noted', null, 'A note on a task'],
    ['meeting', { ...meetingFacts, event: 'split' }, 'One of my meetings changed'],
    [
      'meeting',
      { ...meetingFacts, event: 'canceled', before: { day: 'soon', time: '10:00' } },
      'One of my meetings changed',
    ],
    [
      'meeting',
      { ...meetingFacts, event: 'added', after: { weekday: 8, time: '10:00' } },
      'One of my meetings changed',
    ],
  ])('%s without what its words need is named', (kind, facts, sentence) => {
    expect(said(kind, facts)).toEqual({ sentence, detail: null, path: '/dashboard' });
  });

  test('with more than this version knows reads as before, also an unknown change of the account', () => {
    const more = { kind: 'assigned', ...taskFacts, priority: 'high' };
    expect(said('assigned', more).sentence).toBe('Ben Ode created a task for you: “Report”');
    const account = { kind: 'accountChanged', event: 'faceAdded', detail: {}, by: null, origin: 'Firefox, 192.0.2.7' };
    expect(said('accountChanged', account)).toMatchObject({
      sentence: 'Your account changed',
      detail: expect.stringContaining('Device: Firefox, 192.0.2.7.'),
    });
  });
});

describe('a change of access in words', () => {
  const none: Access = { role: 'Staff', permissions: ['VIEW_DASHBOARD'], approvers: ['Ada North'] };
  const roleless: Access = { ...none, role: null, permissions: ['VIEW_SALES'] };
  test.each<[string, Access, Access, string[]]>([
    ['nothing', none, none, []],
    ['a role', none, { ...none, role: 'Lead' }, ['Your role is now Lead']],
    ['no role', none, { ...none, role: null }, ['You no longer have a role', 'Removed permissions: Dashboard']],
    ['what can’t be used without a role', roleless, { ...roleless, permissions: ['VIEW_SALES', 'VIEW_TOOLS'] }, []],
    [
      'what a role opens',
      roleless,
      { ...roleless, role: 'Staff', permissions: ['VIEW_SALES', 'VIEW_DASHBOARD'] },
      ['Your role is now Staff', 'New permissions: Sales, Dashboard'],
    ],
    [
      'permissions',
      none,
      { ...none, permissions: ['VIEW_TOP_5', 'VIEW_TOOLS', 'VIEW_DASHBOARD'] },
      ['New permissions: S.T.A.R.T, Tools'],
    ],
    [
      'the application',
      { ...none, permissions: ['VIEW_TOP_5', 'VIEW_DASHBOARD'] },
      { ...none, permissions: ['VIEW_TOP_5'] },
      ['Removed permissions: S.T.A.R.T, Dashboard'],
    ],
    ['an admin holds everything, so nothing is listed', none, { ...none, role: 'admin' }, ['Your role is now admin']],
    ['approvers', none, { ...none, approvers: ['Ada North', 'Ben'] }, ['Your approvers are now Ada North, Ben']],
    ['no approver', none, { ...none, approvers: [] }, ['You no longer have an approver']],
  ])('%s', (_what, before, after, lines) => {
    expect(accessLines(before, after)).toEqual(lines);
  });
});

describe('a mail', () => {
  const base = { name: 'Anna', appName: 'Staff dashboard', publicUrl: 'https://dash.test', more: 0 };
  const denied = { sentence: 'Ben denied “Report”', detail: 'Add\nnumbers', path: '/top-5/tasks?task=7' };

  test('of one notice has its sentence as subject, its reason, and a link to the page', () => {
    expect(noticeMail({ ...base, notices: [denied] })).toEqual({
      subject: 'Ben denied “Report”',
      text: `Hello Anna,

Ben denied “Report”
  Add
  numbers
https://dash.test/top-5/tasks?task=7

-- 
Choose which notifications Staff dashboard sends you:
https://dash.test/dashboard?dialog=notices`,
    });
  });

  test('of several says each of them', () => {
    const waiting = { sentence: '2 tasks are waiting for your decision', detail: null, path: '/top-5/approvals' };
    const { subject, text } = noticeMail({ ...base, notices: [denied, waiting] });
    expect(subject).toBe('2 notifications from Staff dashboard');
    expect(text).toContain(
      'https://dash.test/top-5/tasks?task=7\n\n2 tasks are waiting for your decision\nhttps://dash.test/top-5/approvals',
    );
  });

  test('says how many more there are than it lists', () => {
    const { subject, text } = noticeMail({ ...base, notices: [denied], more: 1_999 });
    expect(subject).toBe('2,000 notifications from Staff dashboard');
    expect(text).toContain('task=7\n\nAnd 1,999 more:\nhttps://dash.test/dashboard\n\n-- ');
  });
});
