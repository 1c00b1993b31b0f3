// The weekly meetings of the demo company.
import type { Scope } from '#core/access/brands.ts';
import { weekdayFrom } from '#core/toolbox/meeting-times.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { continueIdentity, insertRows } from '#server/platform/db/insert-rows.ts';
import { meetingAttendees, meetingExceptions, meetings } from '#server/toolbox/schedule/meeting-tables.ts';
import type { DemoPerson } from './demo-people.ts';

type DemoMeeting = {
  readonly title: string;
  readonly team: Scope | null;
  /** The meeting follows its team or, without one, the company. */
  readonly wholeTeam?: true;
  /** Email, or else the team's first person. */
  readonly chair: string;
  /** Everyone who is in these teams now attends; `accounts` are demo accounts. */
  readonly teams: readonly Scope[];
  readonly accounts: readonly string[];
  readonly weekday: number;
  readonly time: string;
  readonly minutes: number;
  readonly place: string;
  readonly link: string;
  readonly agenda: string;
};

const all: readonly DemoMeeting[] = [
  {
    title: 'Sprint kickoff',
    team: null,
    chair: 'admin@demo.test',
    teams: ['management'],
    accounts: ['approver@demo.test', 'staff@demo.test', 'top5@demo.test'],
    weekday: 1,
    time: '10:15',
    minutes: 30,
    place: 'Hall',
    link: 'https://meet.example.com/start',
    agenda:
      '1. What was signed off last week\n2. What we’re carrying over, and why\n3. Everyone’s **five** in one sentence',
  },
  {
    title: 'Connect weekly',
    team: 'connect',
    wholeTeam: true,
    chair: 'approver@demo.test',
    teams: [],
    accounts: ['staff@demo.test', 'sales@demo.test'],
    weekday: 2,
    time: '09:30',
    minutes: 45,
    place: 'Room 2',
    link: 'https://meet.example.com/connect',
    agenda: '- Sales and returns since last week\n- Blocked tasks\n- Questions for other teams',
  },
  {
    title: 'Shops and prices',
    team: 'connect',
    chair: 'sales@demo.test',
    teams: [],
    accounts: ['staff@demo.test', 'approver@demo.test'],
    weekday: 2,
    time: '10:00',
    minutes: 30,
    place: '',
    link: 'https://meet.example.com/shops',
    agenda: 'Prices that change this week.',
  },
  {
    title: 'Green review',
    team: 'green',
    wholeTeam: true,
    chair: 'top5@demo.test',
    teams: [],
    accounts: ['approver@demo.test'],
    weekday: 3,
    time: '14:00',
    minutes: 60,
    place: 'Room 1',
    link: '',
    agenda: 'Someone shows one thing they finished.',
  },
  {
    title: 'Approver check-in',
    team: 'management',
    chair: 'admin@demo.test',
    teams: [],
    accounts: ['approver@demo.test'],
    weekday: 4,
    time: '11:30',
    minutes: 30,
    place: 'Room 3',
    link: '',
    agenda: 'Tasks waiting over a day, and what this week’s denials have in common.',
  },
  {
    title: 'Weekly wrap-up',
    team: null,
    wholeTeam: true,
    chair: 'approver@demo.test',
    teams: [],
    accounts: [],
    weekday: 5,
    time: '15:00',
    minutes: 30,
    place: 'Hall',
    link: 'https://meet.example.com/close',
    agenda: 'What’s completed, what’s carried over, and one thank-you.',
  },
];

type Options = { readonly now: Temporal.Instant; readonly zone: string; readonly people: readonly DemoPerson[] };

export async function insertDemoMeetings(queries: Queries, { now, zone, people }: Options): Promise<void> {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const here = people.filter(({ leftSprintsAgo }) => leftSprintsAgo === null);
  const idOf = (email: string) => here.find((person) => person.email === email)!.id;
  const at = now.subtract({ hours: 24 * 62 }).toString({ fractionalSecondDigits: 3 });
  await insertRows(
    queries,
    meetings,
    all.map(({ teams: _teams, accounts: _accounts, chair, wholeTeam = false, ...meeting }, index) => ({
      ...meeting,
      wholeTeam,
      id: String(index + 1),
      // The same company has the same meetings, in calendars too.
      uid: `5f1d3c52-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
      chairId: idOf(chair),
      firstDay: weekdayFrom(today.subtract({ days: 63 }), meeting.weekday).toString(),
      version: 1,
      createdBy: here[0]!.id,
      createdAt: at,
      changedAt: at,
    })),
  );
  await continueIdentity(queries, meetings);
  await insertRows(
    queries,
    meetingAttendees,
    all.flatMap(({ teams, accounts, chair }, index) =>
      here
        .filter(
          ({ email, team }) => email !== chair && (accounts.includes(email) || teams.some((each) => each === team)),
        )
        .map(({ id }) => ({ meetingId: String(index + 1), personId: id })),
    ),
  );
  const nextFriday = weekdayFrom(today.add({ days: 1 }), 5);
  await insertRows(queries, meetingExceptions, [
    { meetingId: '4', day: weekdayFrom(nextFriday, 3).toString(), toDay: null, toTime: null },
    {
      meetingId: '6',
      day: nextFriday.toString(),
      toDay: nextFriday.subtract({ days: 1 }).toString(),
      toTime: '16:00',
    },
  ]);
}
