// Who did what, written in the transaction that did it: one row per success, none when it is rolled back.
import type { SQL } from 'drizzle-orm';
import type { RequestContext } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { type AuditRow, auditStatement, insertAudit, readAuditOf } from './audit.store.ts';

export type AuditEntry = {
  /** What was done, as a verb in the past: `taskApproved`. */
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Values before and after; never a secret. */
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
};

/** `viewer` is null where nobody is signed in, as at a sign-in that failed. */
type Actor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
};

const rowOf = ({ viewer, requestId, address, clock }: Actor, entry: AuditEntry): AuditRow => ({
  ...entry,
  actorId: viewer?.id ?? null,
  requestId,
  address,
  at: clock.now().toString(),
});

/** Gives the id of the row. */
export function recordAudit(queries: Queries, actor: Actor, entry: AuditEntry): Promise<string> {
  return insertAudit(queries, rowOf(actor, entry));
}

/** The same for a statement with a CTE `changed`: one entry for each of its rows. */
export function auditCte(actor: Actor, entry: AuditEntry, changed: SQL): SQL {
  return auditStatement(rowOf(actor, entry), changed);
}

/** What happened to one thing, newest first. */
export { readAuditOf as auditOf };
