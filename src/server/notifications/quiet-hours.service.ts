// People's quiet hours: their choice, and whose mails wait now.
import { defaultQuietHours, isQuiet, type QuietHours } from '#core/notifications/quiet-hours.ts';
import { recordAccountEvent } from '#server/access/auth/account-events.service.ts';
import { recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import * as store from './quiet-hours.store.ts';

export async function quietHours({ database, viewer }: RequestContext): Promise<QuietHours> {
  return (await store.readQuietHours(database.drizzle, viewer.id)) ?? defaultQuietHours;
}

/** An unchanged choice writes nothing. */
export async function chooseQuietHours(context: RequestContext, chosen: QuietHours): Promise<QuietHours> {
  const { database, viewer } = context;
  const before = await quietHours(context);
  const keys = Object.keys(defaultQuietHours) as (keyof QuietHours)[];
  if (keys.every((key) => before[key] === chosen[key])) return before;
  await database.transaction(async (queries) => {
    if (!(await store.saveQuietHours(queries, viewer.id, chosen))) return;
    await recordOwnChange(queries, context, {
      action: 'quietHoursChosen',
      subjectType: 'person',
      subjectId: viewer.id,
      before,
      after: chosen,
    });
    const { from, to } = chosen;
    if (chosen.on)
      await recordAccountEvent(queries, context, {
        personId: viewer.id,
        kind: 'quietHoursSet',
        detail: { from, to },
      });
  });
  return quietHours(context);
}

type Deciding = Pick<Services, 'database' | 'config' | 'settings'>;

/** The quiet hours that it is now, among those of people with a mail that is due. */
export async function quietNow(services: Deciding, now: Temporal.Instant): Promise<QuietHours[]> {
  const hours = await store.hoursOfDueMails(services.database.drizzle, now.toString());
  const calendar = workCalendar(services);
  return hours.filter((one) => isQuiet(one, now, calendar));
}
