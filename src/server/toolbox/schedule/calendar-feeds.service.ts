// Calendar feeds: a secret address from which calendars fetch a person's or team's meetings without a
// session. It has 256 random bits and is shown once. It works while its owner can read the schedule, and can
// be revoked anytime.
import { type Scope, scopes } from '#core/access/brands.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { calendarFeedInput, canReadSchedule, meetingIdInput } from '#core/toolbox/meetings.ts';
import { type EventActor, recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { calendarPath } from '#server/platform/log/calendar-path.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { readViewerOfPerson, tokenHash } from '#server/platform/viewer.ts';
import { calendarOf } from './calendar.ts';
import * as store from './calendar-feeds.store.ts';
import { meetingsOf } from './meetings.service.ts';

export type NewCalendarFeed = { readonly path: string; readonly feed: store.CalendarFeed };

/** Every new link is recorded permanently and reported to its owner. */
const mostFeedsPerDay = 20;

export function calendarFeeds({ database, viewer }: RequestContext): Promise<store.CalendarFeed[]> {
  return store.readFeeds(database.drizzle, viewer.id);
}

export async function createCalendarFeed(context: RequestContext, args: object): Promise<NewCalendarFeed> {
  const { team = null } = orThrow(readInput(calendarFeedInput, args));
  const { viewer, clock, database } = context;
  const token = randomToken();
  return database.transaction(async (queries) => {
    await assertRecentProof(queries, context);
    const at = clock.now().toString();
    const feed = await store.insertFeed(
      queries,
      { personId: viewer.id, team, hash: tokenHash(token), at },
      mostFeedsPerDay,
    );
    if (!feed)
      throw new RefusalError(
        refuse('CONFLICT', `You created ${mostFeedsPerDay} calendar feeds in the last 24 hours. Try again tomorrow`),
      );
    await recordAudit(queries, context, { action: 'calendarFeedCreated', ...subject(feed), after: { team } });
    await recordAccountEvent(queries, context, {
      personId: viewer.id,
      kind: 'feedCreated',
      detail: { name: nameOf(team) },
    });
    return { path: calendarPath(token), feed };
  });
}

export function revokeCalendarFeed(context: RequestContext, args: object): Promise<store.CalendarFeed> {
  const { id } = orThrow(readInput(meetingIdInput, args));
  const { viewer, database } = context;
  return database.transaction(async (queries) => {
    const [feed] = await revokeFeedsOf(queries, context, viewer.id, id);
    if (!feed) throw new RefusalError(refuse('NOT_FOUND'));
    return feed;
  });
}

/** Revokes one or all of a person's feeds; returns the revoked ones. */
export async function revokeFeedsOf(
  queries: Queries,
  actor: EventActor,
  personId: string,
  id?: string,
): Promise<store.CalendarFeed[]> {
  const revoked = await store.revokeFeeds(queries, { id, personId, at: actor.clock.now().toString() });
  for (const feed of revoked) {
    const { team } = feed;
    await recordAudit(queries, actor, { action: 'calendarFeedRevoked', ...subject(feed), before: { team } });
    await recordAccountEvent(queries, actor, { personId, kind: 'feedRevoked', detail: { name: nameOf(team) } });
  }
  return revoked;
}

export type NamedFeed = store.CalendarFeed & { readonly name: string };

export async function feedsOf(queries: Queries, personId: string): Promise<NamedFeed[]> {
  const feeds = await store.readFeeds(queries, personId);
  return feeds.map((feed) => ({ ...feed, name: nameOf(feed.team) }));
}

const subject = ({ id }: store.CalendarFeed) => ({ subjectType: 'calendarFeed', subjectId: id });

const nameOf = (team: Scope | null): string => (team === null ? 'My meetings' : `${scopes[team].title} meetings`);

/** The calendar at an address. Not found if it was revoked or its owner can't read the schedule now. */
export async function calendarOfFeed(
  services: Services,
  token: string,
  onLookUp: (feed: store.GoodFeed | null) => void,
): Promise<string> {
  const { database, clock, config } = services;
  const feed = await store.goodFeed(database.drizzle, tokenHash(token));
  const owner = feed && (await readViewerOfPerson(services, feed.personId));
  const isThere = owner && canReadSchedule(owner);
  onLookUp(isThere ? feed : null);
  if (!isThere) throw new RefusalError(refuse('NOT_FOUND'));
  // A refused request doesn't count as use.
  await store.noteUse(database.drizzle, feed.id, clock.now().toString());
  const { team, personId } = feed;
  const meetings = await meetingsOf(services, database.drizzle, team === null ? { personId } : { team });
  return calendarOf(meetings, {
    name: nameOf(team),
    product: config.appName,
    zone: config.companyTimeZone,
    now: clock.now(),
  });
}
