// Notifies people of changed access, whatever the cause, in the change's transaction.
import { randomUUID } from 'node:crypto';
import { isAdmin } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { accessLines } from '#core/notifications/notice-words.ts';
import type { AccessActor, AccessChange, RoleRequest } from '#server/access/access-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { admins } from './bonus-notices.store.ts';
import { writeNotices } from './notices.service.ts';
import { forgetNotices, forgetReadNotices, insertNotices } from './write-notices.ts';

export async function notifyAccessChanges(
  actor: AccessActor,
  queries: Queries,
  changes: readonly AccessChange[],
): Promise<void> {
  for (const { personId, before, after } of changes)
    if (before?.role === null && after.role !== null)
      await writeNotices(actor, queries, forgetNotices(roleRequestKey(personId)));
  for (const change of changes) await notifyApprovers(actor, queries, change);
  const people = changes.flatMap(({ personId, before, after }) => {
    const lines = before === null ? [] : accessLines(before, after);
    return lines.length > 0 ? [{ id: personId, facts: { kind: 'access', lines } as const }] : [];
  });
  if (people.length === 0) return;
  const notices = { key: `access:${randomUUID()}`, at: actor.clock.now(), kind: 'access', people } as const;
  await writeNotices(actor, queries, insertNotices({ ...notices, mails: actor.mail?.configured ?? false }));
}

/** Tells approvers of a person who keeps tasks and is new to them. What is undone is told no more. */
async function notifyApprovers(
  actor: AccessActor,
  queries: Queries,
  { personId, name, before, after }: AccessChange,
): Promise<void> {
  const [earlier, now] = [approversOfTasks(before), approversOfTasks(after)];
  for (const id of earlier.filter((each) => !now.includes(each)))
    await writeNotices(actor, queries, forgetNotices(approveeKey(personId, id)));
  for (const id of now.filter((each) => !earlier.includes(each) && each !== actor.viewer?.id)) {
    const facts = { kind: 'approvee', personId, person: name } as const;
    const notices = {
      key: approveeKey(personId, id),
      at: actor.clock.now(),
      kind: facts.kind,
      people: [{ id, facts }],
    };
    await writeNotices(actor, queries, insertNotices({ ...notices, mails: actor.mail?.configured ?? false }));
  }
}

const approversOfTasks = (access: AccessChange['before']): readonly string[] =>
  access && !isAdmin(access) && access.permissions.includes(topFivePermission) ? access.ownApproverIds : [];

const approveeKey = (personId: string, approverId: string): string => `approvee:${personId}:${approverId}`;

/** One request per person, until they have a role. */
const roleRequestKey = (personId: string): string => `role:${personId}`;

/** Returns how many admins were told: not who has it unread, or turned it off. */
export async function notifyRoleRequest(actor: AccessActor, queries: Queries, request: RoleRequest): Promise<number> {
  const facts = { kind: 'roleAsked', ...request } as const;
  const people = (await admins(queries)).map(({ id }) => ({ id, facts }));
  const notices = { key: roleRequestKey(request.personId), at: actor.clock.now(), kind: facts.kind, people };
  await writeNotices(actor, queries, forgetReadNotices(notices.key));
  const mails = actor.mail?.configured ?? false;
  return (await writeNotices(actor, queries, insertNotices({ ...notices, mails }))).length;
}
