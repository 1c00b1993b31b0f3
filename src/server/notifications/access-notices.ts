// Notifies people of changed access, whatever the cause, in the change's transaction.
import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { addToGroup } from '#core/base/groups.ts';
import { accessLines } from '#core/notifications/notice-words.ts';
import { approveesKey } from '#core/notifications/notices.ts';
import { mayDecide } from '#core/people/absences.ts';
import { undoSeconds } from '#core/tasks/task.ts';
import type { AccessActor, AccessChange, RoleAnswer, RoleRequest } from '#server/access/access-hook.ts';
import type { DelegateActor } from '#server/people/absence-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { notifyOfDelegates } from './absence-notices.ts';
import { admins } from './bonus-notices.store.ts';
import { writeNotices } from './notices.service.ts';
import {
  asNewest,
  forgetNotices,
  forgetNoticesById,
  insertNotices,
  isKnownIn,
  type NewNotices,
} from './write-notices.ts';

// Statements that tell approvers of new people: one notification for all who are new within a few minutes, as
// when a role changes or people are imported. `personIds` in its facts says who they are, and stays in the
// database. People who are taken away again leave the notification.

type Approvee = { readonly personId: string; readonly name: string };

/** People by their approver. */
type Approvees = ReadonlyMap<string, readonly Approvee[]>;

const idsOf = (approvees: readonly Approvee[]): string[] => approvees.map(({ personId }) => personId);

/** What was read starts again with the new people; what wasn't also names the earlier ones. */
const merge = sql`update set ${asNewest}, read_at = null,
  mail_at = coalesce(notices.mail_at, excluded.mail_at),
  facts = case when notices.read_at is not null then excluded.facts else notices.facts || jsonb_build_object(
    'count', (notices.facts->>'count')::int + (excluded.facts->>'count')::int,
    'personIds', (notices.facts->'personIds') || (excluded.facts->'personIds')) end`;

function insertApprovees(delivery: Pick<NewNotices, 'at' | 'mails'>, approvees: Approvees): SQL {
  const people = [...approvees].map(([id, all]) => {
    const [{ personId, name }] = all as [Approvee];
    const facts = { kind: 'approvee', personId, person: name, count: all.length, personIds: idsOf(all) } as const;
    return { id, facts };
  });
  return insertNotices({ ...delivery, key: approveesKey(delivery.at), kind: 'approvee', people, merge });
}

/** Removes these people from their approvers' notifications, and those that are left with nobody. */
function forgetApprovees(approvees: Approvees): SQL {
  const gone = sql`unnest(
    ${sql.param([...approvees].flatMap(([id, all]) => all.map(() => id)))}::bigint[],
    ${sql.param([...approvees.values()].flatMap(idsOf))}::text[]) as gone (approver_id, person_id)`;
  return sql`
    with told as materialized (
        select n.id, n.person_id as approver_id, p.id as person_id, p.place from notices n cross join lateral
          jsonb_array_elements_text(coalesce(n.facts->'personIds', jsonb_build_array(n.facts->'personId'))) with ordinality p (id, place)
        where n.kind = 'approvee' and n.person_id = any(${sql.param([...approvees.keys()])}::bigint[])),
      left_over as (
        select t.id, bool_or(gone.person_id is not null) as is_changed,
          array_agg(t.person_id order by t.place) filter (where gone.person_id is null) as ids
        from told t left join ${gone} using (approver_id, person_id) group by t.id),
      emptied as (
        delete from notices n using left_over l where n.id = l.id and l.ids is null returning n.person_id),
      changed as (
        update notices n set facts = n.facts || jsonb_build_object('personId', l.ids[1], 'count', cardinality(l.ids), 'personIds', to_jsonb(l.ids),
          'person', coalesce(nullif(btrim(p.first_name || ' ' || p.last_name), ''), p.email))
        from left_over l join people p on p.id = l.ids[1]::bigint where n.id = l.id and l.is_changed returning n.person_id)
    select person_id::text as "personId" from emptied union select person_id::text from changed`;
}

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
