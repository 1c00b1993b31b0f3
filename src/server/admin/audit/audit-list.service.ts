// Searches the audit log: pages for the screen, and all matches as CSV. Admins only, because it shows what
// everyone did.

import { callRefusal } from '#core/access/call-access.ts';
import {
  type AuditDifference,
  type AuditFilter,
  actorWithoutPerson,
  auditDifferences,
  auditFilterInput,
  auditPageInput,
  auditPageRows,
  auditPeople,
} from '#core/admin/audit-log.ts';
import { csvLine, csvMark } from '#core/base/csv.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { withoutEmpty } from '#core/base/without-empty.ts';
import { displayName } from '#core/people/people.ts';
import { recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Download } from '#server/platform/tickets/ticket-download.ts';
import { makeTicket, redeemTicket, ticketExpired } from '#server/platform/tickets/tickets.service.ts';
import { type AuditLogRow, type AuditRows, type AuditSearch, readAuditRows, readNamed } from './audit-list.store.ts';

export const auditExportPath = '/api/audit/export';
const exportRows = 1_000;

export type ShownAuditRow = Omit<AuditLogRow, 'actor' | 'before' | 'after' | 'hash'> & {
  readonly actorName: string | null;
  readonly differences: readonly AuditDifference[];
};
export type AuditPage = { readonly rows: readonly ShownAuditRow[]; readonly next: string | null };

/** Days are in company time. */
function searchOf(filter: AuditFilter, zone: string): AuditSearch {
  const start = (day: string, days: number) =>
    Temporal.PlainDate.from(day).add({ days }).toZonedDateTime(zone).toInstant().toString();
  return {
    ...filter,
    from: filter.from === undefined ? undefined : start(filter.from, 0),
    until: filter.until === undefined ? undefined : start(filter.until, 1),
  };
}

function shown(found: AuditLogRow, people: ReadonlyMap<string, string>): ShownAuditRow {
  const { actor, before: _before, after: _after, hash: _hash, ...row } = found;
  return { ...row, actorName: actor && displayName(actor), differences: auditDifferences(found, people) };
}

export async function auditPage({ database, config }: RequestContext, args: object): Promise<AuditPage> {
  const { after = null, limit = auditPageRows, ...filter } = orThrow(readInput(auditPageInput, args));
  const search = searchOf(filter, config.companyTimeZone);
  const { rows, next } = await readAuditRows(database.drizzle, search, { after, limit });
  const ids = new Set(rows.flatMap(auditPeople));
  const people = await readNamed(database.drizzle, [...ids]);
  const names = new Map(people.map((person) => [person.id, displayName(person)]));
  return { rows: rows.map((row) => shown(row, names)), next };
}

/** A one-time download address for the matches, valid for a minute. */
export async function makeAuditTicket(context: RequestContext, args: object): Promise<string> {
  const filter = orThrow(readInput(auditFilterInput, args));
  const { ticket } = await makeTicket(context, { audit: withoutEmpty(args) });
  // Exporting the log is itself audited.
  await context.database.transaction((queries) =>
    recordOwnChange(queries, context, {
      action: 'auditExported',
      subjectType: 'auditLog',
      subjectId: 'csv',
      after: filter,
    }),
  );
  return `${auditExportPath}?ticket=${ticket}`;
}

export async function redeemAuditTicket(services: Services, ticket: string): Promise<Download> {
  const { viewer, holder, request } = await redeemTicket(services, ticket);
  const { audit } = request as { audit?: object };
  if (audit === undefined) throw ticketExpired();
  const assertAllowed = (person: SignedInPerson) => {
    const code = callRefusal(person, 'admin');
    if (code !== null) throw new RefusalError(refuse(code));
  };
  assertAllowed(viewer);
  const filter = orThrow(readInput(auditFilterInput, audit));
  const { companyTimeZone } = services.config;
  const today = services.clock.now().toZonedDateTimeISO(companyTimeZone).toPlainDate();
  const lines = linesOf(services, searchOf(filter, companyTimeZone));
  return { fileName: `audit-log-${today}.csv`, lines, holder, assertAllowed };
}

const head = [
  ...['id', 'at', 'person id', 'person', 'action', 'subject type', 'subject id', 'subject', 'before', 'after'],
  ...['address', 'request id', 'erased', 'position', 'hash'],
];

async function* linesOf({ database }: Services, search: AuditSearch): AsyncGenerator<string> {
  yield csvMark + csvLine(head);
  for (let after: string | null = null; ; ) {
    const page: AuditRows = await readAuditRows(database.drizzle, search, { after, limit: exportRows });
    yield page.rows.map(lineOf).join('');
    after = page.next;
    if (after === null) return;
  }
}

function lineOf({ actor, before, after, erased, ...row }: AuditLogRow): string {
  const name = actor ? displayName(actor) : actorWithoutPerson(row);
  return csvLine([
    ...[row.id, row.at, row.actorId, name, row.action, row.subjectType, row.subjectId],
    ...[row.subjectName, before && JSON.stringify(before), after && JSON.stringify(after), row.address, row.requestId],
    ...[erased ? 'yes' : 'no', row.position, row.hash],
  ]);
}
