// The caller's calendar feeds in the API.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import {
  calendarFeeds,
  createCalendarFeed,
  type NewCalendarFeed,
  revokeCalendarFeed,
} from './calendar-feeds.service.ts';
import type { CalendarFeed } from './calendar-feeds.store.ts';

const CalendarFeedType = builder.objectRef<CalendarFeed>('CalendarFeed');
const NewCalendarFeedType = builder.objectRef<NewCalendarFeed>('NewCalendarFeed');

export function defineCalendarFeeds(): void {
  CalendarFeedType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      team: t.exposeString('team', { nullable: true, description: "Null: the caller's own meetings" }),
      createdAt: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  NewCalendarFeedType.implement({
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Path of the feed on this server. Shown once' }),
      feed: t.field({ type: CalendarFeedType, resolve: ({ feed }) => feed }),
    }),
  });
  builder.queryFields((t) => ({
    calendarFeeds: t.field({
      type: [CalendarFeedType],
      access: callAccess.schedule,
      resolve: (_root, _args, context) => calendarFeeds(context),
    }),
  }));
  builder.mutationFields((t) => ({
    createCalendarFeed: t.field({
      description: 'Creates a feed’s address. Replaces the previous one for the same meetings',
      type: NewCalendarFeedType,
      access: callAccess.schedule,
      args: { team: t.arg.string() },
      resolve: (_root, args, context) => createCalendarFeed(context, args),
    }),
    revokeCalendarFeed: t.field({
      type: CalendarFeedType,
      access: callAccess.schedule,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => revokeCalendarFeed(context, args),
    }),
  }));
}
