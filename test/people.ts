// People and their sessions, written straight into the database of a test.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Permission } from '#core/access/permissions.ts';
import { tokenHash } from '#server/platform/viewer.ts';

type Asked = Pick<pg.Pool, 'query'>;

export type NewPerson = {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** `admin`, or any name: the role is made with the permissions. Null: no role. */
  readonly role?: string | null;
  readonly permissions?: readonly Permission[];
  readonly grants?: readonly Permission[];
  readonly team?: string | null;
  readonly approvers?: readonly string[];
  readonly invisible?: boolean;
  readonly passwordHash?: string | null;
};

/** What a person needs to import every type of data. */
export const importing: readonly Permission[] = [
  ...(['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT', 'VIEW_AFFILIATE_STATS', 'VIEW_CUSTOMER_SERVICE'] as const),
  ...(['VIEW_DISTRIBUTIONS', 'VIEW_PRODUCT_PAYMENTS', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'VIEW_GREEN_SALES'] as const),
  ...(['VIEW_CODEX_SALES', 'VIEW_BGP_SALES', 'READ_BGP', 'READ_GREEN', 'READ_CODEX', 'VIEW_DONATIONS'] as const),
  ...(['VIEW_FREE_A_GIRL_DONATIONS', 'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS'] as const),
  'VIEW_WHO_LIVES_DONATIONS',
];

let made = 0;

/** Before every sprint of the tests: their clock stands still, the database's goes on. */
const joined = '2026-01-05T09:00:00Z';

/** Gives the id. */
export async function makePerson(pool: Asked, person: NewPerson = {}): Promise<string> {
  made += 1;
  const {
    email = `person${made}@example.test`,
    firstName = 'Person',
    lastName = String(made),
    team = null,
    grants = [],
    approvers = [],
    passwordHash = null,
  } = person;
  const role = person.role === undefined ? `Role ${made}` : person.role;
  if (role !== null && role !== 'admin') {
    await pool.query('insert into roles (name, permissions) values ($1, $2) on conflict (name) do nothing', [
      role,
      person.permissions ?? ['VIEW_DASHBOARD'],
    ]);
  }
  const { rows } = await pool.query<{ id: string }>(
    `insert into people (email, first_name, last_name, role, grants, team, top5_invisible, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id::text`,
    [email, firstName, lastName, role, grants, team, person.invisible ?? false, passwordHash, joined],
  );
  const { id } = rows[0] as { id: string };
  for (const approver of approvers)
    await pool.query('insert into approvers (person_id, approver_id) values ($1, $2)', [id, approver]);
  return id;
}

/** A token, without the cost of a password, of the person with this id or email. */
export async function makeSession(pool: Asked, who: string, now: Temporal.Instant, hours = 1): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await pool.query(
    `insert into sessions (token_hash, person_id, created_at, expires_at)
     select $1, id, $3, $4 from people where email = $2 or id::text = $2`,
    [tokenHash(token), who, now.toString(), now.add({ hours }).toString()],
  );
  return token;
}
