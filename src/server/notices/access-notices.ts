// Tells people that their access has changed, whatever changed it: what they may do is compared before and after.
import { randomUUID } from 'node:crypto';
import { heldPermissions } from '#core/access/access.ts';
import { type Access, accessLines } from '#core/notifications/notice-words.ts';
import type { Clock } from '../db/clock.ts';
import type { Queries } from '../db/database.ts';
import type { LiveChanges } from '../live/live.service.ts';
import type { Mailer } from '../mail/mailer.ts';
import * as store from './access.store.ts';
import { writeNotices } from './notices.service.ts';
import { insertNotices } from './write-notices.ts';

/** A request, or a command, which sends no mails. */
type Changing = {
  readonly clock: Clock;
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly mail?: Pick<Mailer, 'configured'>;
  /** Null: nobody of the company, such as a command or the identity provider. */
  readonly viewer: { readonly id: string } | null;
};

async function readAccess(queries: Queries, ids: readonly string[]): Promise<Map<string, Access>> {
  const rows = await store.accessOf(queries, ids);
  return new Map(
    rows.map(({ id, role, stored, approvers }) => [
      id,
      { role, permissions: heldPermissions(role, stored), approvers },
    ]),
  );
}

/** Makes the change and tells those of these people whose access is another then, in the transaction of the change. Nobody is told of what they did to themselves. */
export async function tellingAccess<Result>(
  context: Changing,
  queries: Queries,
  personIds: readonly string[],
  change: () => Promise<Result>,
): Promise<Result> {
  const ids = personIds.filter((id) => id !== context.viewer?.id);
  const before = await readAccess(queries, ids);
  const result = await change();
  const after = await readAccess(queries, ids);
  const people = [...after].flatMap(([id, access]) => {
    const earlier = before.get(id);
    const lines = earlier ? accessLines(earlier, access) : [];
    return lines.length > 0 ? [{ id, facts: { kind: 'access', lines } as const }] : [];
  });
  if (people.length === 0) return result;
  const notices = { key: `access:${randomUUID()}`, at: context.clock.now(), kind: 'access', people } as const;
  await writeNotices(context, queries, insertNotices({ ...notices, mails: context.mail?.configured ?? false }));
  return result;
}

/** The same for a change of the default approver: it concerns everybody who keeps tasks and has no approver of their own. */
export async function tellingOfDefaultApprover<Result>(
  context: Changing,
  queries: Queries,
  change: () => Promise<Result>,
): Promise<Result> {
  return tellingAccess(context, queries, await store.withoutApproverOfTheirOwn(queries), change);
}
