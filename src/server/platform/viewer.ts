// The person behind a token, with everything the rules need, read in one indexed statement (D11, D14). A
// session that still needs a second factor opens only the routes of that step.
import { createHash } from 'node:crypto';
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import type { SessionLevel } from '#core/access/account-events.ts';
import type { Scope } from '#core/access/brands.ts';
import { opensProduct } from '#core/access/second-factor.ts';
import { dayInZone } from '#core/base/day-words.ts';
import { type RefusalCode, refuse } from '#core/base/refusals.ts';
import { delegationsToday } from '#core/people/absences.ts';
import { displayName } from '#core/people/people.ts';
import { batchedRead } from './batched-read.ts';
import { canSignInSql } from './can-sign-in.ts';
import type { Config } from './config/config.ts';
import type { Services, SignedInPerson } from './context.ts';
import { RefusalError } from './graphql/refusal-error.ts';
import { hashText } from './hash-text.ts';

/** 256 random bits as base64url. */
const tokenShape = /^[\w-]{43}$/;

export function tokenHash(token: string): Buffer {
  return hashText(token);
}

/** The token of `Bearer <token>`; null for anything else. Cookies are never read (D14). */
export function bearerToken(authorization: string | undefined): string | null {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  return token !== undefined && tokenShape.test(token) ? token : null;
}

/** The hash of a request's token; null without a session. */
export function sessionOf({ headers }: { headers: { authorization?: string | undefined } }): Buffer | null {
  const token = bearerToken(headers.authorization);
  return token === null ? null : tokenHash(token);
}

/** The upload's form field has the token with or without the word Bearer (D14). */
export function fieldToken(value: string): string | null {
  return tokenShape.test(value) ? value : bearerToken(value);
}

type Row = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: string | null;
  team: string | null;
  invisible: boolean;
  stored: string[];
  approver_ids: string[];
  is_away: boolean;
  absent: { id: string; role: string | null; stored: string[] }[];
};

type SessionRow = Row & {
  token_hash: Buffer;
  snapshot: string;
  level: SessionLevel;
  method: string | null;
  other_admin: boolean;
  disabled: boolean;
  running: boolean;
};

/** `day`: the parameter with the company's day. `absent`: who named this person as delegate and is away. */
const columns = (
  day: string,
) => `p.id::text, p.email, p.first_name, p.last_name, p.role, p.team, p.top5_invisible as invisible,
  coalesce(r.permissions, '{}') || p.grants as stored,
  array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as approver_ids,
  exists (select from absences o where o.person_id = p.id and ${day}::date between o.first_day and o.last_day) as is_away,
  (select coalesce(json_agg(json_build_object('id', w.id::text, 'role', w.role, 'stored', coalesce(wr.permissions, '{}') || w.grants) order by w.id), '[]')
    from absences a join people w on w.id = a.person_id and w.disabled_at is null left join roles wr on wr.name = w.role
    where a.delegate_id = p.id and ${day}::date between a.first_day and a.last_day) as absent`;
const tables = 'people p left join roles r on r.name = p.role';

/** SQL: whether an admin other than `p` can sign in. Only asked about admins. */
export const otherAdminSql = `(p.role = 'admin' and exists (
  select from people o where o.role = 'admin' and o.id <> p.id and ${canSignInSql('o')}))`;

const bySession = `select ${columns('$3')}, s.token_hash, s.level, s.method, ${otherAdminSql} as other_admin,
  p.disabled_at is not null as disabled, s.expires_at > $2 as running, pg_current_snapshot()::text as snapshot
  from sessions s join people p on p.id = s.person_id left join roles r on r.name = p.role where s.token_hash = any($1)`;

/** The company's day, as SQL's date. */
export const companyDay = ({
  clock,
  config,
}: Pick<Reading, 'clock'> & { readonly config: Pick<Config, 'companyTimeZone'> }): string =>
  dayInZone(clock.now(), config.companyTimeZone);

const viewerOfRow = ({ id, role, stored }: { id: string; role: string | null; stored: string[] }): Viewer => ({
  ...{ id, role, permissions: heldPermissions(role, stored), approverIds: [] },
});

function personOf(row: Row): SignedInPerson {
  const viewer = viewerOfRow(row);
  const delegate = { ...viewer, disabled: false, isAway: row.is_away };
  return {
    ...viewer,
    approverIds: row.approver_ids,
    ...delegationsToday(delegate, row.absent.map(viewerOfRow)),
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    team: row.team as Scope | null,
    topFiveInvisible: row.invisible,
  };
}

type Reading = Pick<Services, 'database' | 'clock' | 'config'>;

/** `refusal`: why it doesn't open the product. The holder of its token can learn why it ended. */
type FoundSession = {
  readonly viewer: SignedInPerson;
  readonly level: SessionLevel;
  readonly refusal: RefusalCode | null;
};

function refusalOf(row: SessionRow, { secondFactor }: Reading['config']): RefusalCode | null {
  if (row.disabled) return 'ACCOUNT_DISABLED';
  if (!row.running) return 'NOT_SIGNED_IN';
  const isOpen = opensProduct(row, secondFactor, { role: row.role, otherAdmin: row.other_admin });
  return isOpen ? null : 'SECOND_FACTOR_NEEDED';
}

/** By the token's hash in hex. */
async function readSessions(
  { database, clock, config }: Reading,
  hashes: readonly string[],
): Promise<Map<string, FoundSession>> {
  const { rows } = await database.pool.query<SessionRow>({
    name: 'sessions',
    text: bySession,
    values: [hashes.map((hash) => `\\x${hash}`), clock.now().toString(), companyDay({ clock, config })],
  });
  return new Map(
    rows.map((row) => {
      const viewer = personOf(row);
      snapshots.set(viewer, row.snapshot);
      return [row.token_hash.toString('hex'), { viewer, level: row.level, refusal: refusalOf(row, config) }];
    }),
  );
}

/** The people behind valid tokens that need no further step, by the token's hash in hex. */
export async function readViewers(services: Reading, hashes: readonly string[]): Promise<Map<string, SignedInPerson>> {
  const found = await readSessions(services, hashes);
  return new Map([...found].flatMap(([hash, { viewer, refusal }]) => (refusal === null ? [[hash, viewer]] : [])));
}

const snapshots = new WeakMap<SignedInPerson, string>();

/**
 * PostgreSQL's snapshot name at the lookup of a token's person: while it is the same, nothing has changed.
 */
export const snapshotAtLookUp = (viewer: SignedInPerson): string | undefined => snapshots.get(viewer);

/** Of the connections, because strangers' made-up tokens must leave the others free. */
const mostLookUps = 2;

/** Requests that arrive together share one lookup; each gets fresh data. */
const foundSession = batchedRead(readSessions, ({ database }) => database, mostLookUps);

/** The person with this id, signed in or not; null if the account is gone or disabled. */
export async function readViewerOfPerson(
  { database, ...services }: Reading,
  id: string,
): Promise<SignedInPerson | null> {
  const { rows } = await database.pool.query<Row>({
    name: 'viewer of person',
    text: `select ${columns('$2')} from ${tables} where p.id = $1 and p.disabled_at is null`,
    values: [id, companyDay(services)],
  });
  return rows[0] ? personOf(rows[0]) : null;
}

/** Identifies a session without giving access: a hash of the stored hash. */
export const sessionIdOf = (session: Buffer): string => createHash('sha256').update(session).digest('hex');

/** The session that asked for a link. */
export type LinkHolder = { readonly personId: string; readonly sessionId: string };

/**
 * The person behind a link; null if the account is gone or disabled, or the session was over at `at`. A
 * session that is ended early counts as over since its start.
 */
export async function readLinkHolder(
  { database, ...services }: Reading,
  { personId, sessionId }: LinkHolder,
  at: Temporal.Instant,
): Promise<SignedInPerson | null> {
  const { rows } = await database.pool.query<Row>({
    name: 'holder of a link',
    text: `select ${columns('$4')} from ${tables} where p.id = $1 and p.disabled_at is null and exists (
      select from sessions s where s.person_id = p.id and encode(sha256(s.token_hash), 'hex') = $2 and s.expires_at > $3)`,
    values: [personId, sessionId, at.toString(), companyDay(services)],
  });
  return rows[0] ? personOf(rows[0]) : null;
}

/**
 * Rereads the caller, for long-running work that checks before each step. Throws if the account is disabled
 * or the session ended.
 */
export async function readCaller(
  services: Reading,
  { viewer, session }: { readonly viewer: { readonly id: string }; readonly session: Buffer | null },
): Promise<SignedInPerson> {
  const key = session?.toString('hex');
  const now = key ? (await readViewers(services, [key])).get(key) : await readViewerOfPerson(services, viewer.id);
  if (!now) throw notSignedIn();
  return now;
}

const notSignedIn = () => new RefusalError(refuse('NOT_SIGNED_IN'));

async function sessionOfToken(services: Reading, token: string | null): Promise<FoundSession> {
  if (token === null) throw notSignedIn();
  const found = await foundSession(services, tokenHash(token).toString('hex'));
  if (!found) throw notSignedIn();
  return found;
}

/** The person behind a token, or a refusal when the session has ended or needs a second factor. */
export async function readViewer(services: Reading, token: string | null): Promise<SignedInPerson> {
  const { viewer, refusal } = await sessionOfToken(services, token);
  if (refusal) throw new RefusalError(refuse(refusal));
  return viewer;
}

/** A session at any level, for the sign-in routes. */
export type SessionAtStep = {
  readonly session: Buffer;
  readonly level: SessionLevel;
  readonly person: { readonly id: string; readonly email: string; readonly name: string };
};

/**
 * The session behind a token, including what it still needs. A complete one only counts as such while the
 * policy lets it open the product.
 */
export async function readSession(services: Reading, token: string | null): Promise<SessionAtStep> {
  const { viewer, level, refusal } = await sessionOfToken(services, token);
  // A complete session is checked as everywhere else.
  if (refusal && (level === 'full' || refusal !== 'SECOND_FACTOR_NEEDED')) throw new RefusalError(refuse(refusal));
  const { id, email } = viewer;
  return { session: tokenHash(token as string), level, person: { id, email, name: displayName(viewer) } };
}
