// What the schedule reads and sends.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Scope } from '#core/access/brands.ts';
import type { MeetingException, Seats, WeeklySeries } from '#core/toolbox/meeting-times.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const meetingFields = graphql(`
  fragment MeetingFields on Meeting @_unmask {
    id
    title
    team
    wholeTeam
    chair {
      id
      displayName
    }
    attendees {
      id
      displayName
    }
    attendeeCount
    guests {
      id
      displayName
    }
    weekday
    time
    minutes
    place
    link
    agenda
    firstDay
    onceOn
    exceptions {
      day
      toDay
      toTime
    }
    version
  }
`);

const scheduleDocument = graphql(
  `
    query Schedule {
      schedule {
        ...MeetingFields
      }
    }
  `,
  [meetingFields],
);

const peopleDocument = graphql(`
  query MeetingPeople($search: String, $team: String) {
    meetingPeople(search: $search, team: $team) {
      id
      displayName
      email
    }
  }
`);

const createDocument = graphql(`
  mutation CreateMeeting(
    $title: String!
    $team: String!
    $wholeTeam: Boolean
    $chairId: ID!
    $attendeeIds: [ID!]!
    $onceOn: String
    $weekday: Int!
    $time: String!
    $minutes: Int!
    $place: String!
    $link: String!
    $agenda: String!
  ) {
    createMeeting(
      title: $title
      team: $team
      wholeTeam: $wholeTeam
      chairId: $chairId
      attendeeIds: $attendeeIds
      onceOn: $onceOn
      weekday: $weekday
      time: $time
      minutes: $minutes
      place: $place
      link: $link
      agenda: $agenda
    ) {
      id
      title
    }
  }
`);

const updateDocument = graphql(`
  mutation UpdateMeeting(
    $id: ID!
    $version: Int!
    $title: String!
    $team: String!
    $wholeTeam: Boolean
    $chairId: ID!
    $attendeeIds: [ID!]!
    $onceOn: String
    $weekday: Int!
    $time: String!
    $minutes: Int!
    $place: String!
    $link: String!
    $agenda: String!
  ) {
    updateMeeting(
      id: $id
      version: $version
      title: $title
      team: $team
      wholeTeam: $wholeTeam
      chairId: $chairId
      attendeeIds: $attendeeIds
      onceOn: $onceOn
      weekday: $weekday
      time: $time
      minutes: $minutes
      place: $place
      link: $link
      agenda: $agenda
    ) {
      id
      title
    }
  }
`);

const removeDocument = graphql(`
  mutation RemoveMeeting($id: ID!, $version: Int!) {
    removeMeeting(id: $id, version: $version) {
      id
    }
  }
`);

const restoreDocument = graphql(`
  mutation RestoreMeeting($id: ID!) {
    restoreMeeting(id: $id) {
      id
    }
  }
`);

const occurrenceDocument = graphql(`
  mutation ChangeMeetingOfDay(
    $id: ID!
    $version: Int!
    $day: String!
    $toDay: String
    $toTime: String
    $restore: Boolean
  ) {
    changeMeetingOfDay(id: $id, version: $version, day: $day, toDay: $toDay, toTime: $toTime, restore: $restore) {
      id
      version
    }
  }
`);

type Answer = ResultOf<typeof scheduleDocument>['schedule'][number];
export type Seat = Answer['chair'];
/** In the core's form, with people's names. */
export type Meeting = Omit<Answer, 'team' | 'exceptions'> &
  WeeklySeries &
  Seats & { readonly team: Scope | null; readonly exceptions: readonly MeetingException[] };

/** The draft of a new meeting, or of changes to one. */
export const meetingDraft = (meeting: Meeting | null): string => (meeting ? `meeting:${meeting.id}` : 'new-meeting');

export function meetingOf({ exceptions, team, ...answer }: Answer): Meeting {
  return {
    ...answer,
    team: team as Scope | null,
    chairId: answer.chair.id,
    attendeeIds: answer.attendees.map(({ id }) => id),
    everyone: answer.wholeTeam && team === null,
    exceptions: exceptions.map(({ day, toDay, toTime }) => ({
      day,
      to: toDay === null || toTime === null ? null : { day: toDay, time: toTime },
    })),
  };
}

export const scheduleQuery = queryOptions({
  queryKey: ['schedule'],
  queryFn: async ({ signal }) => (await request(scheduleDocument, {}, { signal })).schedule.map(meetingOf),
  staleTime: 0,
});

export const peopleQuery = (search: string, team?: Scope) =>
  queryOptions({
    queryKey: ['meeting-people', search, team ?? null],
    queryFn: async ({ signal }) => (await request(peopleDocument, { search, team }, { signal })).meetingPeople,
    placeholderData: keepPreviousData,
  });

export type MeetingForm = {
  readonly title: string;
  readonly team: string;
  readonly wholeTeam: boolean;
  readonly chairId: string;
  /** The guests: the team or the company comes with `wholeTeam`. */
  readonly attendeeIds: string[];
  /** Missing for a weekly one. */
  readonly onceOn?: string;
  readonly weekday: number;
  readonly time: string;
  readonly minutes: number;
  readonly place: string;
  readonly link: string;
  readonly agenda: string;
};

export const createMeeting = async (form: MeetingForm) => (await request(createDocument, form)).createMeeting;
export const updateMeeting = async (form: MeetingForm & { id: string; version: number }) =>
  (await request(updateDocument, form)).updateMeeting;
export const removeMeeting = async ({ id, version }: Meeting) =>
  (await request(removeDocument, { id, version })).removeMeeting;
export const restoreMeeting = async (id: string) => (await request(restoreDocument, { id })).restoreMeeting;

export type DayChange = {
  readonly id: string;
  readonly version: number;
  readonly day: string;
  readonly toDay?: string;
  readonly toTime?: string;
  readonly restore?: boolean;
};
export const changeDay = async (change: DayChange) => (await request(occurrenceDocument, change)).changeMeetingOfDay;
