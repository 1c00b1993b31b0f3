// Timed reminders: digests for deciders, and the sprint's end for everyone with something open. Any number of
// servers can run this; one does each, in one transaction with its mark.
import { canUseApplication, heldPermissions, type Viewer } from '#core/access/access.ts';
import { boundaryDue, digestSlot, isDigestDue, type NoticeFacts } from '#core/notifications/notices.ts';
import type { Services } from '#server/platform/context.ts';
import { decidesForOthers, isOwnVisible } from '#server/tasks/visible-tasks.ts';
import { writeNotices } from './notices.service.ts';
import * as store from './reminders.store.ts';
import { insertNotices } from './write-notices.ts';

type Telling = Pick<Services, 'database' | 'clock' | 'live' | 'mail'>;
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
export async function sendDigests({ database, clock, live, mail }: Telling): Promise<void> {
  const slot = digestSlot(clock.now());
  const at = slot.toString();
  const key = `waiting:${at}`;
  if (await store.isRunDone(database.drizzle, key)) return;
  await database.transaction(async (queries) => {
    if (!(await store.takeRun(queries, key, at))) return;
    const people = (await store.decidersWithWork(queries, at))
      .filter((row) => decides(viewerOf(row)) && isDigestDue(slot, Temporal.Instant.from(row.newest), lastOf(row)))
      .map(({ id, count }): DigestFacts => ({ id, facts: { kind: 'waiting', count, upTo: at } }));
    if (people.length === 0) return;
    const told = await writeNotices(
      { live },
      queries,
      insertNotices({ key, at: slot, kind: 'waiting', people, mails: mail.configured }),
    );
    await store.hideEarlierDigests(queries, told, key, at);
  });
}

function lastOf({ lastAt, lastUpTo }: store.DeciderRow) {
  if (lastAt === null || lastUpTo === null) return null;
  return { at: Temporal.Instant.from(lastAt), upTo: Temporal.Instant.from(lastUpTo) };
}

/** Reminds people with open work twice before the sprint ends, and never after it. */
export async function sendSprintReminders({ database, clock, live, mail }: Telling): Promise<void> {
  const now = clock.now();
  const sprint = await store.sprintAtInstant(database.drizzle, now.toString());
  if (!sprint) return;
  const end = Temporal.Instant.from(sprint.endAt);
  const hours = boundaryDue(end, now);
  const key = `boundary:${sprint.id}:${hours}`;
  if (hours === null || (await store.isRunDone(database.drizzle, key))) return;
  await database.transaction(async (queries) => {
    if (!(await store.takeRun(queries, key, now.toString()))) return;
    const people = (await store.peopleWithOpenWork(queries, sprint.id)).flatMap((row): DigestFacts[] => {
      const viewer = viewerOf(row);
      const open = keepsTasks(viewer) ? row.open : 0;
      const waiting = decides(viewer) ? row.waiting : 0;
      if (open + waiting === 0) return [];
      const facts: NoticeFacts = { kind: 'boundary', sprint: sprint.name, endAt: end.toString(), open, waiting };
      return [{ id: row.id, facts }];
    });
    if (people.length === 0) return;
    const notices = { key, at: now, kind: 'boundary', people, mailBefore: end, mails: mail.configured } as const;
    await writeNotices({ live }, queries, insertNotices(notices));
  });
}
