// Timed reminders: digests and hand-overs for deciders, and the sprint's end for everyone with something open.
// Any number of servers can run this; one does each, in one transaction with its mark.
import { canUseApplication, heldPermissions, type Viewer } from '#core/access/access.ts';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { boundaryDue, boundaryMailBefore, digestSlot, isDigestDue } from '#core/notifications/notices.ts';
import { awayToday, runningDelegations } from '#server/people/absences.service.ts';
import type { Services } from '#server/platform/context.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import { handOverDue } from '#server/tasks/hand-over.ts';
import { decidesForOthers, isOwnVisible } from '#server/tasks/visible-tasks.ts';
import { writeNotices } from './notices.service.ts';
import * as store from './reminders.store.ts';
import { insertNotices } from './write-notices.ts';

type Telling = Pick<Services, 'database' | 'clock' | 'config' | 'live' | 'mail'>;
type DigestFacts = { readonly id: string; readonly facts: NoticeFacts };

const viewerOf = ({ id, role, stored }: { id: string; role: string | null; stored: string[] }): Viewer => ({
  id,
  role,
  permissions: heldPermissions(role, stored),
  approverIds: [],
});

const decides = (viewer: Viewer): boolean => canUseApplication(viewer) && decidesForOthers(viewer);
const keepsTasks = (viewer: Viewer): boolean => canUseApplication(viewer) && isOwnVisible(viewer);

/** Sends every decider one digest of what waits, at most once per quarter hour. */
export async function sendDigests({ database, clock, config, live, mail }: Telling): Promise<void> {
  const slot = digestSlot(clock.now());
  const at = slot.toString();
  const key = `waiting:${at}`;
  if (await store.isRunDone(database.drizzle, key)) return;
  await database.transaction(async (queries) => {
    if (!(await store.takeRun(queries, key, at))) return;
    const delegations = await runningDelegations({ clock, config }, queries);
    const people = (await store.decidersWithWork(queries, at, delegations))
      .filter((row) => decides(viewerOf(row)) && isDigestDue(slot, Temporal.Instant.from(row.newest), lastOf(row)))
      .map(({ id, count }): DigestFacts => ({ id, facts: { kind: 'waiting', count, upTo: at } }));
    if (people.length === 0) return;
    const told = await writeNotices(
      { live },
      queries,
      insertNotices({ key, at: slot, kind: 'waiting', people, mails: mail.configured }),
    );
    await store.hideEarlier(queries, told, 'waiting', { key, at });
  });
}

function lastOf({ lastAt, lastUpTo }: store.DeciderRow) {
  if (lastAt === null || lastUpTo === null) return null;
  return { at: Temporal.Instant.from(lastAt), upTo: Temporal.Instant.from(lastUpTo) };
}

/** Notifies the next in line of tasks that now waited too long, at most once per quarter hour (D41). */
export async function sendHandOvers(services: Telling & Pick<Services, 'settings'>): Promise<void> {
  const { database, clock, config, live, mail } = services;
  const due = handOverDue(services);
  if (due === null) return;
  const slot = digestSlot(clock.now());
  const key = `handedOver:${slot}`;
  if (await store.isRunDone(database.drizzle, key)) return;
  await database.transaction(async (queries) => {
    const since = await store.lastHandOver(queries);
    if (!(await store.takeRun(queries, key, due.before.toString()))) return;
    const delegations = await runningDelegations({ clock, config }, queries);
    const people = (await store.peopleHandedOverTo(queries, since, due, delegations))
      .filter((row) => decides(viewerOf(row)))
      .map(({ id, count }): DigestFacts => ({ id, facts: { kind: 'handedOver', count } }));
    if (people.length === 0) return;
    const notices = { key, at: slot, kind: 'handedOver', people, mails: mail.configured } as const;
    const told = await writeNotices({ live }, queries, insertNotices(notices));
    await store.hideEarlier(queries, told, 'handedOver', { key, at: slot.toString() });
  });
}

/**
 * Reminds people with open work twice before the sprint ends, and never after it. Not on days off, and nobody
 * who is away: their delegate hears what waits.
 */
export async function sendSprintReminders(services: Telling & Pick<Services, 'settings'>): Promise<void> {
  const { database, clock, config, live, mail } = services;
  const now = clock.now();
  const sprint = await store.sprintAtInstant(database.drizzle, now.toString());
  if (!sprint) return;
  const end = Temporal.Instant.from(sprint.endAt);
  const hours = boundaryDue(end, now, workCalendar(services));
  // With its end, which a holiday can move after a reminder.
  const key = `boundary:${sprint.id}:${hours}:${sprint.endAt}`;
  if (hours === null || (await store.isRunDone(database.drizzle, key))) return;
  await database.transaction(async (queries) => {
    if (!(await store.takeRun(queries, key, now.toString()))) return;
    const delegations = await runningDelegations({ clock, config }, queries);
    const away = await awayToday({ clock, config }, queries);
    const rows = await store.peopleWithOpenWork(queries, sprint.id, handOverDue(services), delegations);
    const people = rows.flatMap((row): DigestFacts[] => {
      const viewer = viewerOf(row);
      const open = keepsTasks(viewer) ? row.open : 0;
      const waiting = decides(viewer) ? row.waiting : 0;
      if (open + waiting === 0 || away.has(row.id)) return [];
      const facts: NoticeFacts = { kind: 'boundary', sprint: sprint.name, endAt: end.toString(), open, waiting };
      return [{ id: row.id, facts }];
    });
    if (people.length === 0) return;
    const mailBefore = boundaryMailBefore(end, hours);
    const notices = { key, at: now, kind: 'boundary', people, mailBefore, mails: mail.configured } as const;
    await writeNotices({ live }, queries, insertNotices(notices));
  });
}
