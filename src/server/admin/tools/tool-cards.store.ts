// SQL of the cards of the staff tools.
import { type SQL, sql } from 'drizzle-orm';
import type { ToolHealth } from '#core/admin/tool-cards.ts';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type ToolCardRow = {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly link: string;
  readonly ownerId: string | null;
  readonly owner: (Named & { readonly disabled: boolean }) | null;
  readonly permission: string | null;
  readonly health: ToolHealth;
  readonly healthNote: string;
  readonly healthAt: string;
  readonly version: number;
  readonly removed: boolean;
};

async function cardsWhere(queries: Queries, condition: SQL): Promise<ToolCardRow[]> {
  const { rows } = await queries.execute<ToolCardRow>(sql`
    select c.id::text, c.group_name as "group", c.title, c.description, c.link, c.owner_id::text as "ownerId",
      case when p.id is not null
        then json_build_object('firstName', p.first_name, 'lastName', p.last_name, 'email', p.email,
          'disabled', p.disabled_at is not null) end as owner,
      c.permission, c.health, c.health_note as "healthNote", c.health_at as "healthAt", c.version,
      c.removed_at is not null as removed
    from tool_cards c left join people p on p.id = c.owner_id
    where ${condition} order by lower(c.group_name), c.group_name, c.place, c.id`);
  return rows;
}

export function readCards(queries: Queries): Promise<ToolCardRow[]> {
  return cardsWhere(queries, sql`c.removed_at is null`);
}

export async function readCard(queries: Queries, id: string): Promise<ToolCardRow | undefined> {
  const [row] = await cardsWhere(queries, sql`c.id = ${id}::bigint`);
  return row;
}

/**
 * Locked until the transaction ends: cards are few and change rarely, so serializing keeps places and
 * versions consistent.
 */
export async function lockCards(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('tool cards'))`);
}

export async function countCards(queries: Queries): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from tool_cards where removed_at is null`,
  );
  return (rows[0] as { count: number }).count;
}

export type CardValues = {
  readonly title: string;
  readonly group: string;
  readonly description: string;
  readonly link: string;
  readonly ownerId: string | null;
  readonly permission: string | null;
};

const lastPlace = (group: string): SQL =>
  sql`(select coalesce(max(place), 0) + 1 from tool_cards where group_name = ${group})`;

export async function insertCard(
  queries: Queries,
  { title, group, description, link, ownerId, permission }: CardValues,
  at: string,
): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into tool_cards (title, group_name, description, link, owner_id, permission, health_at, place)
    values (${title}, ${group}, ${description}, ${link}, ${ownerId}::bigint, ${permission}, ${at}::timestamptz, ${lastPlace(group)})
    returning id::text`);
  return rows[0]!.id;
}

/** A card that moves to another group goes last. */
export async function saveCard(
  queries: Queries,
  id: string,
  { title, group, description, link, ownerId, permission }: CardValues,
): Promise<void> {
  await queries.execute(sql`
    update tool_cards set title = ${title}, description = ${description}, link = ${link}, owner_id = ${ownerId}::bigint,
      permission = ${permission}, place = case when group_name = ${group} then place else ${lastPlace(group)} end,
      group_name = ${group}, version = version + 1
    where id = ${id}::bigint`);
}

/** `at` is since when it applies: editing the note doesn't change it. */
export async function saveHealth(
  queries: Queries,
  id: string,
  { health, note, at }: { readonly health: ToolHealth; readonly note: string; readonly at: string },
): Promise<void> {
  await queries.execute(sql`
    update tool_cards set health_at = case when health = ${health} then health_at else ${at}::timestamptz end,
      health = ${health}, health_note = ${note}, version = version + 1 where id = ${id}::bigint`);
}

export async function saveRemoved(queries: Queries, id: string, at: string | null): Promise<void> {
  await queries.execute(
    sql`update tool_cards set removed_at = ${at}::timestamptz, version = version + 1 where id = ${id}::bigint`,
  );
}

export async function saveOrder(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.execute(sql`
    update tool_cards set place = o.place from unnest(${sql.param(ids)}::bigint[]) with ordinality o (id, place)
    where tool_cards.id = o.id`);
}
