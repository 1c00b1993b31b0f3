// Fills the blank cells of some columns from the row before. Exports of orders leave them blank on an order's
// later lines.
import { withCells } from './correctable-rows.ts';
import { find, isBlank, plainReading, type Reading } from './find-value.ts';
import type { FillRule, RowSource, SourceRow } from './source-row.ts';

/** Keeps the last known values of one order. A filled row's text has them too, for the report. */
export async function* filledRows(
  { rows, format, columns }: Pick<RowSource, 'rows' | 'format' | 'columns'>,
  rule: FillRule,
  missing: readonly string[],
): AsyncGenerator<SourceRow> {
  const reading: Reading = { ...plainReading, missing: new Set(missing) };
  let order = '';
  let known = new Map<string, unknown>();
  for await (const source of rows) {
    const { row } = source;
    if (row === null) {
      yield source;
      continue;
    }
    const { value } = find(rule.by, row, reading);
    const own = isBlank(value) ? '' : String(value).trim();
    if (own === '' || own !== order) known = new Map();
    order = own;
    const filled: Record<string, unknown> = {};
    for (const column of rule.columns) {
      const found = find(column, row, reading).value;
      if (!isBlank(found)) known.set(column, found);
      else if (known.has(column)) filled[column] = known.get(column);
    }
    const isFilled = Object.keys(filled).length > 0;
    yield isFilled
      ? { ...source, row: { ...row, ...filled }, text: withCells(source.text, filled, { format, columns }) }
      : source;
  }
}
