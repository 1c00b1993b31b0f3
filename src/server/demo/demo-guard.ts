// Keeps a server from serving the demo company where the policy forbids it.
import { eq, inArray } from 'drizzle-orm';
import type { DemoPolicy } from '#server/platform/config/demo-policy.ts';
import type { Database } from '#server/platform/db/database.ts';
import { demoCompanyMark } from '#server/platform/db/installation-tables.ts';
import { people } from '#server/platform/db/tables.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { demoAccounts } from './demo-accounts.ts';

/** Versions before 0.2 left no mark; their demo is known by its accounts. */
export async function holdsDemo({ drizzle }: Pick<Database, 'drizzle'>): Promise<boolean> {
  const [marked] = await drizzle.select().from(demoCompanyMark).where(eq(demoCompanyMark.onlyRow, true));
  if (marked) return true;
  const emails = demoAccounts.map(({ email }) => email);
  return (
    (await drizzle.select({ id: people.id }).from(people).where(inArray(people.email, emails)).limit(1)).length > 0
  );
}

/** Gives whether the database holds the demo company; refuses to go on where it may not. */
export async function assertDemoAllowed(database: Database, { refusal }: DemoPolicy): Promise<boolean> {
  const demo = await holdsDemo(database);
  if (!demo || refusal === null) return demo;
  const orAllow = /production|ADMIN_EMAIL/.test(refusal) ? '' : ' To serve the demo company anyway, set DEMO=1.';
  throw new StartRefused(
    `This database holds the demo company, whose passwords are public, and ${refusal}. Set DATA_DIR or DATABASE_URL to an empty database.${orAllow}`,
  );
}
