// A number's rows, a page at a time: their parts add up to the number.

import { decimalText, tenThousandths } from '#core/base/decimals.ts';
import { datasetOf, type FieldType, hasHours } from '#core/numbers/datasets.ts';
import {
  isSumOfLeaves,
  leavesOf,
  metricValue,
  representedFields,
  representedReference,
} from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { placeText, type RowPlace, type RowsRequest, readRowsRequest } from '#core/numbers/number-request.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { fieldsOf } from './dataset-columns.ts';
import { openReading } from './number-access.ts';
import { type RowFound, readRows } from './number-rows.store.ts';
import type { Reading } from './row-conditions.ts';

export type ShownRow = {
  readonly id: string;
  /** In company time, as numbers count it. */
  readonly day: string;
  /** In the order of `fields`; money as exact decimals. */
  readonly values: (string | null)[];
  readonly parts: (string | null)[];
  /** What the row adds to a sum; null for a quotient or a median. */
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

/** A request that is read page by page. */
export class NumberRowsReader {
  readonly reading: Reading;
  readonly fields: string[];
  readonly leaves: string[];
  readonly #context: Services;
  readonly #metric: string;
  readonly #represents: boolean;

  constructor(context: Services, reading: Reading, metric: string) {
    this.#context = context;
    this.#metric = metric;
    this.reading = reading;
    this.leaves = leavesOf(reading.dataset, metric);
    this.#represents = representedReference(reading.dataset, metric) !== null;
    this.fields = [
      ...['source', 'external_id', ...fieldsOf(reading.dataset)],
      ...(this.#represents ? representedFields : []),
    ];
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
      next: found.length > limit && last ? this.#placeOf(last) : null,
    };
  }

  #placeOf({ day, id, fields }: RowFound): RowPlace {
    const dataset = datasetOf(this.reading.dataset);
    return { day, at: hasHours(dataset) ? String(fields[dataset.datedBy]) : null, id };
  }

  #shown(row: RowFound): ShownRow {
    const { dataset } = this.reading;
    const { fields, datedBy } = datasetOf(dataset);
    const values = fieldsOf(dataset).map((field) => {
      const { type } = fields[field]!;
      // The source gave no time: midnight would be made up.
      if (field === datedBy && row.isDayOnly) return row.day;
      if (type === 'instant' && row.texts[field]) return row.texts[field];
      return fieldText(type, row.fields[field] ?? null);
    });
    const [count = null, amount = null] = (this.#represents && row.represented) || [];
    const represented = this.#represents ? [count, amount === null ? null : decimalText(BigInt(amount))] : [];
    const parts = row.parts.map((part, index) => {
      if (part === null) return null;
      return BigInt(part) * (metricOf(dataset, this.leaves[index]!)?.unit === 'count' ? tenThousandths : 1n);
    });
    const own = isSumOfLeaves(dataset, this.#metric)
      ? metricValue(dataset, this.#metric, new Map(this.leaves.map((leaf, index) => [leaf, parts[index] ?? 0n])))
      : null;
    return {
      id: row.id,
      day: row.day,
      values: [row.source, row.externalId, ...values, ...represented],
      parts: parts.map((part) => (part === null ? null : decimalText(part))),
      value: own === null ? null : decimalText(own),
      labels: row.labels,
    };
  }
}

/** Checks access and chooses the currency; pages are read later. */
export async function openRows(
  context: Services & Pick<RequestContext, 'viewer'>,
  request: RowsRequest,
): Promise<NumberRowsReader> {
  const { reading } = await openReading(context, request);
  return new NumberRowsReader(context, reading, request.metric);
}

export async function numberRows(context: RequestContext, args: object): Promise<NumberRowsPage> {
  const request = orThrow(readRowsRequest(args));
  const reader = await openRows(context, request);
  const { rows, next } = await reader.page(request.after, request.limit);
  const { fields, leaves, reading } = reader;
  return { currency: reading.currency, fields, parts: leaves, rows, next: next && placeText(next) };
}
