// Ways into an account that belong to areas above: calendar feeds and service tokens.
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';
import type { EventActor } from '../auth/account-events.service.ts';

export type CalendarFeedWay = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

export type ServiceTokenWay = CalendarFeedWay & { readonly expiresAt: string };

type Ways<Way> = {
  /** The person's open ones. */
  list(queries: Queries, personId: string, now: Temporal.Instant): Promise<readonly Way[]>;
  /** Closes one or all of a person's, records each, and returns those that were open. */
  revoke(queries: Queries, actor: EventActor, personId: string, id?: string): Promise<readonly unknown[]>;
};

export const waysInHook = createHook<{
  readonly calendarFeeds: Ways<CalendarFeedWay>;
  readonly serviceTokens: Ways<ServiceTokenWay>;
}>('waysInHook');
