// Notifies people of changed access, whatever the cause, in the change's transaction.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { isAdmin } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { addToGroup } from '#core/base/groups.ts';
import { accessLines } from '#core/notifications/notice-words.ts';
import { mayDecide } from '#core/people/absences.ts';
import { undoSeconds } from '#core/tasks/task.ts';
import type { AccessActor, AccessChange, RoleAnswer, RoleRequest } from '#server/access/access-hook.ts';
import type { DelegateActor } from '#server/people/absence-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { notifyOfDelegates } from './absence-notices.ts';
import { type Approvee, forgetApprovees, insertApprovees } from './approvee-notices.ts';
import { admins } from './bonus-notices.store.ts';
import { writeNotices } from './notices.service.ts';
import { forgetNotices, forgetNoticesById, insertNotices, isKnownIn } from './write-notices.ts';

export async function notifyAccessChanges(
  actor: DelegateActor,
  queries: Queries,
  changes: readonly AccessChange[],
): Promise<void> {
  const deciding = ({ personId: id }: AccessChange, access: AccessChange['before']) =>
    access !== null && mayDecide({ id, ...access, approverIds: [] });
  const other = changes.filter((change) => deciding(change, change.before) !== deciding(change, change.after));
  if (other.length > 0)
    await notifyOfDelegates(
      actor,
      queries,
      other.map(({ personId }) => personId),
    );
  const delivery = { at: actor.clock.now(), mails: actor.mail?.configured ?? false };
  const undone = await undoneLately(queries, changes, delivery.at);
  const statements = [];
  const { fewer, more } = changesOfApprovers(actor, changes, undone);
  const unaware = await unawareApprovers(queries, fewer);
  if (fewer.size > 0) statements.push(forgetApprovees(fewer));
  if (more.size > 0) statements.push(insertApprovees(delivery, more));
  const forgotten = [...undone.values()].flatMap(({ noticeId, isUnknown }) => (isUnknown ? [noticeId] : []));
  if (forgotten.length > 0) statements.push(forgetNoticesById(forgotten));
  const people = changes.flatMap(({ personId, before, after }) => {
    const lines = before === null || undone.get(personId)?.isUnknown ? [] : accessLines(before, after);
    const back = before === null ? [] : accessLines(after, before);
    const knew = approversOfTasks(before).filter((id) => !unaware.get(id)?.has(personId));
    return lines.length > 0 ? [{ id: personId, facts: { kind: 'access', lines, back, knew } as const }] : [];
  });
  if (people.length > 0)
    statements.push(insertNotices({ ...delivery, key: `access:${randomUUID()}`, kind: 'access', people }));
  await writeNotices(actor, queries, ...statements);
}

/** `isUnknown`: the person doesn't know of the notification, and they needn't. */
type Undone = { readonly noticeId: string; readonly isUnknown: boolean; readonly knew: string[] | null };

/**
 * The people whose latest change is undone by these while its Undo button is shown, with its notification.
 * What was in force longer stays known to them. Locked, because it may be mailed just now.
 */
async function undoneLately(
  queries: Queries,
  changes: readonly AccessChange[],
  at: Temporal.Instant,
): Promise<Map<string, Undone>> {
  const { rows } = await queries.execute<Undone & { personId: string; back: string[] | null }>(sql`
    select distinct on (n.person_id) n.person_id::text as "personId", n.id::text as "noticeId", n.facts->'back' as back, n.facts->'knew' as knew,
      not ${isKnownIn('n')} as "isUnknown"
    from (select * from notices where kind = 'access' and at >= ${at.subtract({ seconds: undoSeconds }).toString()}::timestamptz
      and person_id = any(${sql.param(changes.map(({ personId }) => personId))}::bigint[]) order by id for update) n
    order by n.person_id, n.id desc`);
  const told = new Map(rows.map((row) => [row.personId, row]));
  return new Map(
    changes.flatMap(({ personId, before, after }) => {
      const last = told.get(personId);
      if (!last || before === null || accessLines(before, after).join('\n') !== last.back?.join('\n')) return [];
      // In between, someone else could read the person's tasks.
      const lent = approversOfTasks(before).some((id) => !approversOfTasks(after).includes(id));
      return [[personId, { ...last, isUnknown: last.isUnknown && !lent }]];
    }),
  );
}

/**
 * The people with tasks that each approver lost or got. Approvers aren't notified of their own changes, or of
 * people that they lost and got back within the undo time.
 */
function changesOfApprovers(actor: AccessActor, changes: readonly AccessChange[], undone: ReadonlyMap<string, Undone>) {
  const [fewer, more] = [new Map<string, Approvee[]>(), new Map<string, Approvee[]>()];
  for (const { personId, name, before, after } of changes) {
    const [earlier, now] = [approversOfTasks(before), approversOfTasks(after)];
    for (const id of earlier) if (!now.includes(id)) addToGroup(fewer, id, { personId, name });
    for (const id of now)
      if (!earlier.includes(id) && id !== actor.viewer?.id && !undone.get(personId)?.knew?.includes(id))
        addToGroup(more, id, { personId, name });
  }
  return { fewer, more };
}

/** Which of these people their approvers haven't heard of. */
async function unawareApprovers(
  queries: Queries,
  fewer: ReadonlyMap<string, readonly Approvee[]>,
): Promise<Map<string, Set<string>>> {
  if (fewer.size === 0) return new Map();
  const { rows } = await queries.execute<{ approverId: string; people: string[] }>(sql`
    select person_id::text as "approverId", jsonb_path_query_array(jsonb_agg(coalesce(facts->'personIds', facts->'personId')), '$[*][*]') as people
    from (select * from notices where kind = 'approvee' and not ${isKnownIn('notices')}
      and person_id = any(${sql.param([...fewer.keys()])}::bigint[]) order by id for update) n
    group by person_id`);
  return new Map(rows.map(({ approverId, people }) => [approverId, new Set(people)]));
}

const approversOfTasks = (access: AccessChange['before']): readonly string[] =>
  access && !isAdmin(access) && access.permissions.includes(topFivePermission) ? access.ownApproverIds : [];

/** The latest request of this asker for a person, until it is answered. */
const roleRequestKey = (personId: string, askedById: string): string => `role:${personId}:${askedById}`;

/** Returns how many admins were told: not who turned it off. */
export async function notifyRoleRequest(actor: AccessActor, queries: Queries, request: RoleRequest): Promise<number> {
  const facts = { kind: 'roleAsked', ...request } as const;
  const people = (await admins(queries)).map(({ id }) => ({ id, facts }));
  const notices = {
    key: roleRequestKey(request.personId, request.byId),
    at: actor.clock.now(),
    kind: facts.kind,
    people,
  };
  await writeNotices(actor, queries, forgetNotices(notices.key));
  const mails = actor.mail?.configured ?? false;
  return (await writeNotices(actor, queries, insertNotices({ ...notices, mails }))).length;
}

/** Tells who asked, unless they answered themselves, and no longer asks the admins. */
export async function notifyRoleAnswer(
  actor: AccessActor,
  queries: Queries,
  { askedById, ...answer }: RoleAnswer,
): Promise<void> {
  const delivery = { at: actor.clock.now(), mails: actor.mail?.configured ?? false };
  const people = [{ id: askedById, facts: { kind: 'roleAnswered', ...answer } as const }];
  await writeNotices(
    actor,
    queries,
    forgetNotices(roleRequestKey(answer.personId, askedById)),
    ...(askedById === answer.byId
      ? []
      : [insertNotices({ ...delivery, key: `roleAnswer:${randomUUID()}`, kind: 'roleAnswered', people })]),
  );
}
