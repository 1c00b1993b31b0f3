// Whether a person may decide others' tasks or manage people, as `callAccess` of the core says.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { callAccess } from '#core/access/call-access.ts';
import { applicationPermission } from '#core/access/permissions.ts';

const held = `(coalesce(r.permissions, '{}') || p.grants)`;

const may = (permission: string) =>
  sql.raw(`(p.role is not distinct from '${adminRole}' or p.role is not null
  and '${applicationPermission}' = any(${held}) and '${permission}' = any(${held}))`);

/** Conditions on the person `p` with the role `r`, also of a disabled account. */
export const mayDecide = may(callAccess.decisions[0]);
export const mayManagePeople = may(callAccess.people[0]);
