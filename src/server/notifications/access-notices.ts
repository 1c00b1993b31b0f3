// Tells people that their access has changed, whatever changed it, in the transaction of the change.
import { randomUUID } from 'node:crypto';
import { accessLines } from '#core/notifications/notice-words.ts';
import type { AccessActor, AccessChange } from '#server/access/access-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { writeNotices } from './notices.service.ts';
import { insertNotices } from './write-notices.ts';

export async function tellOfAccessChanges(
  actor: AccessActor,
  queries: Queries,
  changes: readonly AccessChange[],
): Promise<void> {
  const people = changes.flatMap(({ personId, before, after }) => {
    const lines = accessLines(before, after);
    return lines.length > 0 ? [{ id: personId, facts: { kind: 'access', lines } as const }] : [];
  });
  if (people.length === 0) return;
  const notices = { key: `access:${randomUUID()}`, at: actor.clock.now(), kind: 'access', people } as const;
  await writeNotices(actor, queries, insertNotices({ ...notices, mails: actor.mail?.configured ?? false }));
}
