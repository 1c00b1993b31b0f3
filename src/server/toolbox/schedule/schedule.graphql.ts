// The weekly meetings in the API.
import { callAccess } from '#core/access/call-access.ts';
import type { MeetingException } from '#core/toolbox/meeting-times.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import {
  attendanceOf,
  changeOccurrence,
  createMeeting,
  type Meeting,
  meetingPeople,
  type NextMeeting,
  nextMeeting,
  removeMeeting,
  restoreMeeting,
  type Seat,
  schedule,
  updateMeeting,
} from './meetings.service.ts';

const SeatType = builder.objectRef<Seat>('MeetingSeat');
const ExceptionType = builder.objectRef<MeetingException>('MeetingException');
const MeetingType = builder.objectRef<Meeting>('Meeting');
const NextMeetingType = builder.objectRef<NextMeeting>('NextMeeting');

function defineTypes(): void {
  SeatType.implement({
    fields: (t) => ({ id: t.exposeID('id'), displayName: t.exposeString('displayName') }),
  });
  ExceptionType.implement({
    description: 'A week in which the meeting is moved, or canceled if `toDay` is null',
    fields: (t) => ({
      day: t.exposeString('day', { description: 'The day it was planned for' }),
      toDay: t.string({ nullable: true, resolve: ({ to }) => to?.day ?? null }),
      toTime: t.string({ nullable: true, resolve: ({ to }) => to?.time ?? null }),
    }),
  });
  MeetingType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      title: t.exposeString('title'),
      team: t.exposeString('team', { nullable: true }),
      chair: t.field({ type: SeatType, resolve: ({ chair }) => chair }),
      wholeTeam: t.exposeBoolean('wholeTeam', {
        description: 'Everyone in the team attends or, without a team, everyone in the company',
      }),
      attendees: t.field({
        description: 'The guests and, with `wholeTeam`, the team or the company. Without the chair, at most 200',
        type: [SeatType],
        resolve: async (meeting, _args, context) => (await attendanceOf(context, meeting)).people,
      }),
      attendeeCount: t.int({
        description: 'How many attend, without the chair',
        resolve: async (meeting, _args, context) => (await attendanceOf(context, meeting)).count,
      }),
      guests: t.field({ description: 'People added by name', type: [SeatType], resolve: ({ guests }) => guests }),
      weekday: t.exposeInt('weekday', { description: '1 is Monday' }),
      time: t.exposeString('time', { description: 'Company time, such as 09:30' }),
      minutes: t.exposeInt('minutes'),
      place: t.exposeString('place'),
      link: t.exposeString('link'),
      agenda: t.exposeString('agenda', { description: 'Markdown' }),
      firstDay: t.exposeString('firstDay'),
      onceOn: t.string({
        nullable: true,
        description: "The day of a meeting that doesn't repeat",
        resolve: ({ onceOn }) => onceOn ?? null,
      }),
      exceptions: t.field({ type: [ExceptionType], resolve: ({ exceptions }) => exceptions }),
      version: t.exposeInt('version'),
    }),
  });
  NextMeetingType.implement({
    fields: (t) => ({
      meeting: t.field({ type: MeetingType, resolve: ({ meeting }) => meeting }),
      day: t.exposeString('day'),
      start: t.exposeString('start'),
      end: t.exposeString('end'),
    }),
  });
}

const contentArgs = (t: Parameters<Parameters<typeof builder.mutationFields>[0]>[0]) => ({
  title: t.arg.string({ required: true }),
  team: t.arg.string({ required: true }),
  chairId: t.arg.id({ required: true }),
  wholeTeam: t.arg.boolean({
    description:
      'Everyone in the team attends, including people who join later. Without a team: everyone in the company',
  }),
  attendeeIds: t.arg.idList({ required: true, description: 'The guests: people added by name' }),
  onceOn: t.arg.string({ description: "For a meeting that doesn't repeat; `weekday` is then ignored" }),
  weekday: t.arg.int({ required: true }),
  time: t.arg.string({ required: true }),
  minutes: t.arg.int({ required: true }),
  place: t.arg.string({ required: true }),
  link: t.arg.string({ required: true }),
  agenda: t.arg.string({ required: true }),
});

function defineQueries(): void {
  builder.queryFields((t) => ({
    schedule: t.field({
      description: 'Every meeting, in the order of the week',
      type: [MeetingType],
      access: callAccess.schedule,
      resolve: (_root, _args, context) => schedule(context),
    }),
    nextMeeting: t.field({
      description: 'The meeting that the caller is in now or next',
      type: NextMeetingType,
      nullable: true,
      access: callAccess.schedule,
      resolve: (_root, _args, context) => nextMeeting(context),
    }),
    meetingPeople: t.field({
      description: 'People who can attend meetings. For admins and chairs',
      type: [PersonType],
      access: callAccess.schedule,
      args: { search: t.arg.string(), team: t.arg.string() },
      resolve: (_root, args, context) => meetingPeople(context, args),
    }),
  }));
}

export function defineSchedule(): void {
  defineTypes();
  defineQueries();
  builder.mutationFields((t) => ({
    createMeeting: t.field({
      type: MeetingType,
      access: 'admin',
      args: contentArgs(t),
      resolve: (_root, args, context) => createMeeting(context, args),
    }),
    updateMeeting: t.field({
      type: MeetingType,
      access: callAccess.schedule,
      args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }), ...contentArgs(t) },
      resolve: (_root, args, context) => updateMeeting(context, args),
    }),
    removeMeeting: t.field({
      type: MeetingType,
      access: 'admin',
      args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
      resolve: (_root, args, context) => removeMeeting(context, args),
    }),
    restoreMeeting: t.field({
      description: 'Restores a removed meeting',
      type: MeetingType,
      access: 'admin',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => restoreMeeting(context, args),
    }),
    changeMeetingOfDay: t.field({
      description: 'Cancels one occurrence, moves it (`toDay`, `toTime`) or restores it (`restore`)',
      type: MeetingType,
      access: callAccess.schedule,
      args: {
        id: t.arg.id({ required: true }),
        version: t.arg.int({ required: true }),
        day: t.arg.string({ required: true }),
        toDay: t.arg.string(),
        toTime: t.arg.string(),
        restore: t.arg.boolean(),
      },
      resolve: (_root, args, context) => changeOccurrence(context, args),
    }),
  }));
}
