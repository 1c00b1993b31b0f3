// SQL of the guidelines: versions, confirmations, and who hasn't confirmed.
import { sql } from 'drizzle-orm';
import type { Permission } from '#core/access/permissions.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { PlannedVersion } from '#core/toolbox/guidelines.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { holdsAll } from '#server/platform/db/holds-all.ts';
import { byPersonName, isAfterPerson } from '#server/platform/db/pages.ts';

type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };
export type VersionRow = Named & { readonly version: number; readonly note: string; readonly publishedAt: string };
export type GuidelinesRow = VersionRow & {
  readonly text: string;
  /** When the person confirmed this version, and the newest version they confirmed. */
  readonly confirmedAt: string | null;
  readonly lastConfirmed: number | null;
};

const versionColumns = sql`v.version, v.note, v.published_at as "publishedAt",
  p.first_name as "firstName", p.last_name as "lastName", p.email`;
const versions = sql`guideline_versions v join people p on p.id = v.published_by`;

/** A version as it concerns this person; by default the current one. */
export async function readVersion(
  queries: Queries,
  personId: string,
  version?: number,
): Promise<GuidelinesRow | undefined> {
  const { rows } = await queries.execute<GuidelinesRow>(sql`
    select ${versionColumns}, v.text, c.confirmed_at as "confirmedAt",
      (select max(version) from guideline_confirmations where person_id = ${personId}::bigint) as "lastConfirmed"
    from ${versions}
    left join guideline_confirmations c on c.version = v.version and c.person_id = ${personId}::bigint
    where ${version ?? null}::integer is null or v.version = ${version ?? null}::integer
    order by v.version desc limit 1`);
  return rows[0];
}

/** Newest first, limited to two hundred: nobody looks further back. */
export async function readVersions(queries: Queries): Promise<VersionRow[]> {
  const { rows } = await queries.execute<VersionRow>(
    sql`select ${versionColumns} from ${versions} order by v.version desc limit 200`,
  );
  return rows;
}

/** Of two concurrent publishers, the second waits and then sees the first one's version. */
export async function lockGuidelines(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('guidelines'))`);
}

export async function insertVersion(
  queries: Queries,
  { version, text, note }: PlannedVersion,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<void> {
  await queries.execute(sql`
    insert into guideline_versions (version, text, note, published_by, published_at)
    values (${version}, ${text}, ${note}, ${by}, ${at})`);
}

/** False when the person had confirmed it before. */
export async function insertConfirmation(
  queries: Queries,
  version: number,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    insert into guideline_confirmations (version, person_id, confirmed_at) values (${version}, ${by}, ${at})
    on conflict do nothing returning version`);
  return rows.length > 0;
}

export async function readCurrentConfirmation(queries: Queries, personId: string): Promise<boolean> {
  const { rows } = await queries.execute(
    sql`select 1 from current_guideline_confirmations where person_id = ${personId}::bigint`,
  );
  return rows.length > 0;
}

export type ReaderRow = Named & {
  readonly id: string;
  readonly team: string | null;
  readonly confirmedAt: string | null;
  readonly lastConfirmed: number | null;
};
export type ReadersQuery = {
  readonly permissions: readonly Permission[];
  readonly confirmed?: boolean | undefined;
  readonly search?: string | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
};
export type ReadersRow = {
  readonly readers: number;
  readonly confirmed: number;
  readonly matching: number;
  readonly page: readonly ReaderRow[];
};

/** The guidelines' readers: the total, the confirmed ones, and a page of search results by name. */
export async function readReaders(
  queries: Queries,
  { permissions, confirmed, search = '', limit, after }: ReadersQuery,
): Promise<ReadersRow> {
  const { rows } = await queries.execute<ReadersRow>(sql`
    with readers as (
      select p.id::text, p.first_name as "firstName", p.last_name as "lastName", p.email, p.team, c.confirmed_at as "confirmedAt"
      from people p left join roles r on r.name = p.role
      left join current_guideline_confirmations c on c.person_id = p.id
      where p.disabled_at is null and ${holdsAll(permissions)}
    ), found as (
      select * from readers
      where (${confirmed ?? null}::boolean is null or ("confirmedAt" is not null) = ${confirmed ?? null}::boolean)
        and ${contains(searchParts(search), `"firstName" || ' ' || "lastName" || ' ' || email || ' ' || coalesce(team, '')`)}
    ), page as (
      select f.*, (select max(version) from guideline_confirmations where person_id = f.id::bigint) as "lastConfirmed"
      from found f join people p on p.id = f.id::bigint
      where ${isAfterPerson(after)} order by ${byPersonName} limit ${limit + 1}
    )
    select (select count(*)::integer from readers) as readers,
      (select count("confirmedAt")::integer from readers) as confirmed,
      (select count(*)::integer from found) as matching,
      (select coalesce(json_agg(page), '[]') from page) as page`);
  return rows[0]!;
}
