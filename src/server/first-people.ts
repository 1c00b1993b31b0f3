// The people in a server's database: the demo company, the first admin, or nobody yet.

import { seedDemo } from '#server/demo/seed.ts';
import { ensureFirstAdmin, hasPeople } from '#server/people/people.service.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { AppParts } from './app.ts';
import { assertDemoAllowed } from './demo/demo-guard.ts';

type Opened = { readonly config: Config } & Pick<AppParts, 'database' | 'clock' | 'log'>;

export type FirstPeople = {
  /** Whether the login page offers the demo accounts. */
  readonly demo: boolean;
  /** What the operator should know about who can sign in. */
  readonly notes: readonly string[];
};

export async function loadFirstPeople({ config, database, clock, log }: Opened): Promise<FirstPeople> {
  const { companyTimeZone: zone, demo, demoPassword: password, firstAdmin } = config;
  const now = clock.now();
  const notes: string[] = [];
  if (demo.load) await seedDemo(database, { now, zone, password, log });
  const isDemo = await assertDemoAllowed(database.pool, demo);
  if (firstAdmin && !(await ensureFirstAdmin(database, firstAdmin, now)))
    notes.push(
      `ADMIN_EMAIL and ADMIN_PASSWORD are ignored: this database already has people, and ${firstAdmin.email} is not an admin. Remove both from the settings. If no admin can sign in, run: npm run admin -- first-admin EMAIL`,
    );
  if (!(await hasPeople(database.drizzle)))
    notes.push('Nobody can sign in yet because the database is empty. Set ADMIN_EMAIL and ADMIN_PASSWORD and restart.');
  if (config.appEnv === 'production' && !config.publicUrl)
    notes.push(
      'PUBLIC_URL isn’t set. Set it to the https address that people open. You don’t need it for a trial on this machine.',
    );
  return { demo: isDemo && demo.load, notes };
}
