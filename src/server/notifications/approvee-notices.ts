// Statements that tell approvers of new people: one notification for all who are new within a few minutes, as
// when a role changes or people are imported. `personIds` in its facts says who they are, and stays in the
// database. People who are taken away again leave the notification.
import { type SQL, sql } from 'drizzle-orm';
import { approveesKey } from '#core/notifications/notices.ts';
import { asNewest, insertNotices, type NewNotices } from './write-notices.ts';

export type Approvee = { readonly personId: string; readonly name: string };

/** People by their approver. */
type Approvees = ReadonlyMap<string, readonly Approvee[]>;

const idsOf = (approvees: readonly Approvee[]): string[] => approvees.map(({ personId }) => personId);

/** What was read starts again with the new people; what wasn't also names the earlier ones. */
const merge = sql`update set ${asNewest}, read_at = null,
  mail_at = coalesce(notices.mail_at, excluded.mail_at),
  facts = case when notices.read_at is not null then excluded.facts else notices.facts || jsonb_build_object(
    'count', (notices.facts->>'count')::int + (excluded.facts->>'count')::int,
    'personIds', (notices.facts->'personIds') || (excluded.facts->'personIds')) end`;

export function insertApprovees(delivery: Pick<NewNotices, 'at' | 'mails'>, approvees: Approvees): SQL {
  const people = [...approvees].map(([id, all]) => {
    const [{ personId, name }] = all as [Approvee];
    const facts = { kind: 'approvee', personId, person: name, count: all.length, personIds: idsOf(all) } as const;
    return { id, facts };
  });
  return insertNotices({ ...delivery, key: approveesKey(delivery.at), kind: 'approvee', people, merge });
}

/** Removes these people from their approvers' notifications, and those that are left with nobody. */
export function forgetApprovees(approvees: Approvees): SQL {
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
