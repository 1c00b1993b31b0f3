// Notifies people of changed access, whatever the cause, in the change's transaction.
import { randomUUID } from 'node:crypto';
import { isAdmin } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { addToGroup } from '#core/base/groups.ts';
import { accessLines } from '#core/notifications/notice-words.ts';
import type { AccessActor, AccessChange, RoleRequest } from '#server/access/access-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type Approvee, forgetApprovees, insertApprovees } from './approvee-notices.ts';
import { admins } from './bonus-notices.store.ts';
import { writeNotices } from './notices.service.ts';
import { forgetNotices, forgetReadNotices, insertNotices } from './write-notices.ts';

export async function notifyAccessChanges(
  actor: AccessActor,
  queries: Queries,
  changes: readonly AccessChange[],
): Promise<void> {
  const given = changes.filter(({ before, after }) => before?.role === null && after.role !== null);
  const statements = given.length > 0 ? [forgetNotices(given.map(({ personId }) => roleRequestKey(personId)))] : [];
  const { fewer, more } = changesOfApprovers(actor, changes);
  if (fewer.size > 0) statements.push(forgetApprovees(fewer));
  const delivery = { at: actor.clock.now(), mails: actor.mail?.configured ?? false };
  if (more.size > 0) statements.push(insertApprovees(delivery, more));
  const people = changes.flatMap(({ personId, before, after }) => {
    const lines = before === null ? [] : accessLines(before, after);
    return lines.length > 0 ? [{ id: personId, facts: { kind: 'access', lines } as const }] : [];
  });
  if (people.length > 0)
    statements.push(insertNotices({ ...delivery, key: `access:${randomUUID()}`, kind: 'access', people }));
  await writeNotices(actor, queries, ...statements);
}

/** The people each approver lost and got, of those who keep tasks. Nobody is told of their own doing. */
function changesOfApprovers(actor: AccessActor, changes: readonly AccessChange[]) {
  const [fewer, more] = [new Map<string, Approvee[]>(), new Map<string, Approvee[]>()];
  for (const { personId, name, before, after } of changes) {
    const [earlier, now] = [approversOfTasks(before), approversOfTasks(after)];
    for (const id of earlier) if (!now.includes(id)) addToGroup(fewer, id, { personId, name });
    for (const id of now)
      if (!earlier.includes(id) && id !== actor.viewer?.id) addToGroup(more, id, { personId, name });
  }
  return { fewer, more };
}

const approversOfTasks = (access: AccessChange['before']): readonly string[] =>
  access && !isAdmin(access) && access.permissions.includes(topFivePermission) ? access.ownApproverIds : [];

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
