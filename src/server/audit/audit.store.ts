// SQL of the audit log. Rows are added and never changed.
import type { Queries } from '../db/database.ts';
import { auditLog } from '../db/tables.ts';

export type AuditRow = {
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly before?: Record<string, unknown> | undefined;
  readonly after?: Record<string, unknown> | undefined;
  readonly requestId: string;
  readonly address: string;
  readonly at: string;
};

export async function insertAudit(queries: Queries, { actorId, ...row }: AuditRow): Promise<void> {
  await queries.insert(auditLog).values({ ...row, actorId: actorId === null ? null : BigInt(actorId) });
}
