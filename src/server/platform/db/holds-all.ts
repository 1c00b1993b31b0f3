import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Permission } from '#core/access/permissions.ts';

/** Whether person `p`, whose role's row is `r`, is an admin or has a role and all of these permissions. */
export const holdsAll = (permissions: readonly Permission[]): SQL => sql`(p.role = ${adminRole}
  or (p.role is not null and coalesce(r.permissions, '{}') || p.grants @> ${sql.param([...permissions])}::text[]))`;
