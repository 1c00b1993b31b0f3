// Who a person acts for as an approver: themselves, and the absent approvers whose delegate they are (D40).
import { type SQL, sql } from 'drizzle-orm';
import type { Viewer } from '#core/access/access.ts';

/** A person with what `delegateOf` of the viewer says. */
export type ActingPerson = Pick<Viewer, 'id' | 'delegateOf'>;

/** A condition: the approver in this column is the person, or someone whose delegate they are. */
export function actsFor({ id, delegateOf = [] }: ActingPerson, approverId: SQL): SQL {
  if (delegateOf.length === 0) return sql`${approverId} = ${id}`;
  return sql`${approverId} = any(${sql.param([id, ...delegateOf])}::bigint[])`;
}
