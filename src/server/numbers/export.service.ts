// A number's rows as CSV, by ticket.

import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { type CsvCell, csvLine, csvMark } from '#core/base/csv.ts';
import { plural } from '#core/base/formats.ts';
import { refuse } from '#core/base/refusals.ts';
import { withoutEmpty } from '#core/base/without-empty.ts';
import { datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { representedFields } from '#core/numbers/metric-value.ts';
import { numberLimits, type RowPlace, type RowsRequest, readExportRequest } from '#core/numbers/number-request.ts';
import { recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Download } from '#server/platform/tickets/ticket-download.ts';
import { makeTicket, redeemTicket, type Ticket } from '#server/platform/tickets/tickets.service.ts';
import { assertMayRead } from './number-access.ts';
import { type NumberRowsReader, openRows, type ShownRow } from './number-rows.service.ts';

export const exportPath = '/api/export';

export type ExportTicket = Ticket & { readonly url: string };

export async function makeExportTicket(context: RequestContext, args: object): Promise<ExportTicket> {
  const request = orThrow(readExportRequest(args));
  const { dataset, scope } = request;
  assertMayRead(context.viewer, dataset, scope);
  const made = await makeTicket(context, withoutEmpty(args));
  await context.database.transaction((queries) =>
    recordOwnChange(queries, context, {
      action: 'numbersExported',
      subjectType: 'numbers',
      subjectId: dataset,
      after: auditedRequest(request),
    }),
  );
  return { ...made, url: `${exportPath}?ticket=${made.ticket}` };
}

const mostAuditedValues = 10;

/**
 * Only the number of values where they are many, or name a customer or donor: an erasure can't change the
 * audit log.
 */
function auditedRequest({ dataset, scope, metric, currency, range, filters }: RowsRequest): Record<string, unknown> {
  const { person } = datasetOf(dataset);
  const audited = filters.map(({ field, values }) => {
    const isCounted = field === person?.field || values.length > mostAuditedValues;
    const words = isCounted ? plural(values.length, 'value') : values.map((value) => value ?? 'blank').join(', ');
    return `${field}: ${words}`;
  });
  return withoutEmpty({
    ...{ scope, metric, currency, from: range.from.toString(), until: lastDayOf(range) },
    filters: audited.length > 0 ? audited : null,
  });
}

const lastDayOf = ({ to }: RowsRequest['range']): string => to.subtract({ days: 1 }).toString();

/** A ticket's file with its first page read: errors surface before anything is sent. */
export async function redeemExportTicket(services: Services, ticket: string): Promise<Download> {
  const { viewer, holder, request: kept } = await redeemTicket(services, ticket);
  const request = orThrow(readExportRequest(kept));
  const assertAllowed = (person: SignedInPerson) => {
    const code = callRefusal(person, callAccess.numbers);
    if (code !== null) throw new RefusalError(refuse(code));
    assertMayRead(person, request.dataset, request.scope);
  };
  assertAllowed(viewer);
  const reader = await openRows({ ...services, viewer }, request);
  const first = await reader.page(null, numberLimits.page);
  const { dataset, scope, metric, range } = request;
  const parts = [dataset, scope, metric, range.from.toString(), lastDayOf(range)];
  return {
    fileName: `${parts.filter((part) => part !== null).join('-')}.csv`,
    lines: linesOf(reader, request.metric, first),
    holder,
    assertAllowed,
  };
}

type Page = { readonly rows: readonly ShownRow[]; readonly next: RowPlace | null };

async function* linesOf(reader: NumberRowsReader, metric: string, first: Page): AsyncGenerator<string> {
  // A number that is its own part needs no second column.
  const parts = reader.leaves.filter((leaf) => leaf !== metric);
  const day = isDayHidden(reader) ? [dayColumn] : [];
  yield csvMark + csvLine([...reader.fields, ...[metric, ...parts].map((name) => `adds to ${name}`), ...day]);
  for (let page = first; ; ) {
    yield page.rows.map((row) => csvLine(cellsOf(reader, metric, row))).join('');
    if (!page.next) return;
    page = await reader.page(page.next, numberLimits.page);
  }
}

const exact = (text: string | null): CsvCell => (text === null ? null : { decimal: text });

/** The day in company time that dates the row: spreadsheets can't read it from an instant. */
const dayColumn = 'day';
const isDayHidden = ({ reading }: NumberRowsReader): boolean => hasHours(datasetOf(reading.dataset));

/** A source's text of an instant without a time isn't changed. */
const stored = /T[\d:.]+Z$/;
const inCompanyTime = (text: string | null, zone: string): string | null =>
  text !== null && stored.test(text)
    ? Temporal.Instant.from(text).toZonedDateTimeISO(zone).toString({ timeZoneName: 'never' })
    : text;

function cellsOf(reader: NumberRowsReader, metric: string, row: ShownRow): CsvCell[] {
  const { fields, leaves, reading } = reader;
  const types = datasetOf(reading.dataset).fields;
  const values = row.values.map((value, index) => {
    const field = fields[index]!;
    const type = types[field]?.type;
    if ((representedFields as readonly string[]).includes(field)) return exact(value);
    if (type === 'instant') return inCompanyTime(value, reading.zone);
    return type === 'money' || type === 'whole' || type === 'score' ? exact(value) : value;
  });
  const parts = row.parts.flatMap((part, index) => (leaves[index] === metric ? [] : [exact(part)]));
  const own = leaves.includes(metric) ? (row.parts[leaves.indexOf(metric)] ?? null) : row.value;
  return [...values, exact(own), ...parts, ...(isDayHidden(reader) ? [row.day] : [])];
}
