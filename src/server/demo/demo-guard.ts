// Stops a server from serving the demo company where the policy forbids it.
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { refuse } from '#core/base/refusals.ts';
import type { DemoPolicy } from '#server/platform/config/demo-policy.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { demoAccounts } from './demo-accounts.ts';

/** A database with tables of any version. */
type Asked = { query(text: string, values?: unknown[]): Promise<Pick<pg.QueryResult, 'rows'>> };

/** Versions before 0.2 left no mark; their demo is recognized by its accounts. */
export async function holdsDemo(database: Asked): Promise<boolean> {
  const has = async (table: string) =>
    (await database.query('select to_regclass($1) is not null as there', [table])).rows[0].there as boolean;
  if ((await has('demo_company_mark')) && (await database.query('select from demo_company_mark')).rows.length > 0)
    return true;
  const emails = demoAccounts.map(({ email }) => email);
  const sql = 'select from people where email = any($1::text[]) limit 1';
  return (await has('people')) && (await database.query(sql, [emails])).rows.length > 0;
}

/** What proxies add to a request. A browser sends none of them. */
const proxyHeaders =
  /^(forwarded|via|x-forwarded-.*|x-(original|real|client|cluster-client)-(ip|host)|cf-.*|true-client-ip|fastly-client-ip|cdn-loop)$/;

/** Refuses what a proxy forwards from other machines, which no setting of this server shows. */
export function keepDemoLocal(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (!Object.keys(headers).some((name) => proxyHeaders.test(name))) return;
    throw new RefusalError(
      refuse(
        'FORBIDDEN',
        'This is the demo company, whose passwords are public. To serve it through a proxy, set DEMO=1',
      ),
    );
  });
}

/** Returns whether the database has the demo company; throws where that isn't allowed. */
export async function assertDemoAllowed(database: Asked, { refusal }: DemoPolicy): Promise<boolean> {
  const demo = await holdsDemo(database);
  if (!demo || refusal === null) return demo;
  const orAllow = /production|ADMIN_EMAIL/.test(refusal) ? '' : ' To serve the demo company anyway, set DEMO=1.';
  throw new StartRefused(
    `This database has the demo company, whose passwords are public, and ${refusal}. Set DATABASE_URL to an empty database, or DATA_DIR to a new folder, for example DATA_DIR=company.${orAllow}`,
  );
}
