// When the demo company, whose passwords are public, may be loaded and served.
import type pg from 'pg';
import type { Settings } from '../config-variables.ts';
import { StartRefused } from '../start-refused.ts';
import { demoAccounts } from './demo-accounts.ts';

export type DemoPolicy = {
  /** Whether to load it into an empty database. */
  readonly load: boolean;
  /** Why a database that holds it is not served; null where it may be. */
  readonly refusal: string | null;
};

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** What lets other machines reach this server, or null. */
function exposure({ HOST, PUBLIC_URL, TRUSTED_PROXIES }: Settings): string | null {
  if (!loopback.test(HOST)) return `HOST is ${HOST}`;
  if (PUBLIC_URL && !loopback.test(new URL(PUBLIC_URL).hostname)) return `PUBLIC_URL is ${PUBLIC_URL}`;
  return TRUSTED_PROXIES ? 'TRUSTED_PROXIES is set' : null;
}

export function demoPolicy(settings: Settings): DemoPolicy {
  const { DEMO, APP_ENV, ADMIN_EMAIL, DATABASE_URL } = settings;
  const refusal = (): string | null => {
    if (APP_ENV === 'production') return 'APP_ENV is production';
    if (DEMO === true) return null;
    if (DEMO === false) return 'DEMO is 0';
    if (ADMIN_EMAIL) return 'ADMIN_EMAIL asks for your own company';
    const exposed = exposure(settings);
    return exposed && `${exposed}, so other machines can reach it`;
  };
  const reason = refusal();
  return { load: DEMO ?? (!DATABASE_URL && reason === null), refusal: reason };
}

/** A database whose tables may be of any version. */
type Asked = { query(text: string, values?: unknown[]): Promise<Pick<pg.QueryResult, 'rows'>> };

/** Versions before 0.2 left no mark; their demo is known by its accounts. */
export async function holdsDemo(database: Asked): Promise<boolean> {
  const has = async (table: string) =>
    (await database.query('select to_regclass($1) is not null as there', [table])).rows[0].there as boolean;
  if ((await has('demo_company_mark')) && (await database.query('select from demo_company_mark')).rows.length > 0)
    return true;
  const emails = demoAccounts.map(({ email }) => email);
  const sql = 'select from people where email = any($1::text[]) limit 1';
  return (await has('people')) && (await database.query(sql, [emails])).rows.length > 0;
}

/** Gives whether the database holds the demo company; refuses to go on where it may not. */
export async function assertDemoAllowed(database: Asked, { refusal }: DemoPolicy): Promise<boolean> {
  const demo = await holdsDemo(database);
  if (!demo || refusal === null) return demo;
  const orAllow = /production|ADMIN_EMAIL/.test(refusal) ? '' : ' To serve the demo company anyway, set DEMO=1.';
  throw new StartRefused(
    `This database holds the demo company, whose passwords are public, and ${refusal}. Set DATA_DIR or DATABASE_URL to an empty database.${orAllow}`,
  );
}
