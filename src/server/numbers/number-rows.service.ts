// The rows behind a number, a page at a time: the parts of all of them add up to what the number is made of.

import { decimalText, tenThousandths } from '#core/base/decimals.ts';
import { datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { isSumOfLeaves, leavesOf, metricValue } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { placeText, type RowPlace, type RowsRequest, readRowsRequest } from '#core/numbers/number-request.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { fieldsOf } from './dataset-columns.ts';
import { openReading } from './number-access.ts';
import { type RowFound, readRows } from './number-rows.store.ts';
import { inNumberTurn } from './number-turns.ts';
import type { Reading } from './row-conditions.ts';

export type ShownRow = {
  readonly id: string;
  /** In the order of `fields`; money as exact decimals. */
  readonly values: (string | null)[];
  readonly parts: (string | null)[];
  /** What the row adds to a number that is a sum; null for a quotient or a median. */
  readonly value: string | null;
  readonly labels: Readonly<Record<string, string>>;
};

export type NumberRowsPage = {
  readonly currency: string | null;
  readonly fields: string[];
  readonly parts: string[];
  readonly rows: ShownRow[];
  readonly next: string | null;
};

function fieldText(type: FieldType, value: RowFound['fields'][string]): string | null {
  if (value === null || value === undefined) return null;
  return type === 'money' ? decimalText(BigInt(value as string)) : String(value);
}

/** What is asked for once, and read page by page. */
export class NumberRowsReader {
  readonly reading: Reading;
  readonly fields: string[];
  readonly leaves: string[];
  readonly #context: Services;
  readonly #metric: string;

  constructor(context: Services, reading: Reading, metric: string) {
    this.#context = context;
    this.#metric = metric;
    this.reading = reading;
    this.leaves = leavesOf(reading.dataset, metric);
    this.fields = ['source', 'external_id', ...fieldsOf(reading.dataset)];
  }

  async page(after: RowPlace | null, limit: number): Promise<{ rows: ShownRow[]; next: RowPlace | null }> {
    const { range } = this.reading;
    const span = { from: range.from.toString(), to: range.to.toString(), until: null };
    const found = await this.#context.reader.read((queries) =>
      readRows(queries, this.reading, this.leaves, span, { after, limit }),
    );
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return {
      rows: rows.map((row) => this.#shown(row)),
      next: found.length > limit && last ? { day: last.day, id: last.id } : null,
    };
  }

  #shown(row: RowFound): ShownRow {
    const { dataset } = this.reading;
    const { fields } = datasetOf(dataset);
    const values = this.fields.slice(2).map((field) => fieldText(fields[field]!.type, row.fields[field] ?? null));
    const parts = row.parts.map((part, index) => {
      if (part === null) return null;
      return BigInt(part) * (metricOf(dataset, this.leaves[index]!)?.unit === 'count' ? tenThousandths : 1n);
    });
    const own = isSumOfLeaves(dataset, this.#metric)
      ? metricValue(dataset, this.#metric, new Map(this.leaves.map((leaf, index) => [leaf, parts[index] ?? 0n])))
      : null;
    return {
      id: row.id,
      values: [row.source, row.externalId, ...values],
      parts: parts.map((part) => (part === null ? null : decimalText(part))),
      value: own === null ? null : decimalText(own),
      labels: row.labels,
    };
  }
}

/** Checks who asks, chooses the currency, and leaves the pages to be read. */
export async function openRows(
  context: Services & Pick<RequestContext, 'viewer'>,
  request: RowsRequest,
): Promise<NumberRowsReader> {
  const { reading } = await openReading(context, request);
  return new NumberRowsReader(context, reading, request.metric);
}

export async function numberRows(context: RequestContext, args: object): Promise<NumberRowsPage> {
  const request = orThrow(readRowsRequest(args));
  return inNumberTurn(context.viewer.id, async () => {
    const reader = await openRows(context, request);
    const { rows, next } = await reader.page(request.after, request.limit);
    const { fields, leaves, reading } = reader;
    return { currency: reading.currency, fields, parts: leaves, rows, next: next && placeText(next) };
  });
}
