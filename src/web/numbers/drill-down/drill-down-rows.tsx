import { dayWithYear, instantWithYear } from '#core/base/day-words.ts';
import { none } from '#core/base/percent.ts';
import { type DatasetKey, datasetOf, type FieldType, originTitles } from '#core/numbers/datasets.ts';
import { representedFields, representedReference } from '#core/numbers/metric-value.ts';
import { config } from '#web/api/config.ts';
import { numberWords } from '#web/charts/number-format.ts';
import type { DrillDown } from '../shared/drill-down.ts';
import classes from './drill-down-panel.module.css';
import type { RowsPage } from './number-row-queries.ts';

type Props = {
  readonly dataset: DatasetKey;
  readonly drillDown: DrillDown;
  readonly fields: RowsPage['fields'];
  readonly rows: RowsPage['rows'];
};

/**
 * The rows as imported; fields without any value are hidden. A row that stands for all of its donor or order
 * has their number and amount, without its own amounts.
 */
export function DrillDownRows({ dataset, drillDown, fields, rows }: Props) {
  if (rows.length === 0) return null;
  const currencyAt = fields.indexOf(datasetOf(dataset).currency ?? '');
  const columns = columnsOf(dataset, drillDown.name, fields).filter(({ index }) =>
    rows.some(({ values }) => values[index]),
  );
  const added = rows.some(({ value }) => value !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.box} aria-label="Rows behind the number" tabIndex={0}>
      <table className={classes.table}>
        <caption className="visually-hidden">Rows behind {drillDown.metric.title}</caption>
        <thead>
          <tr>
            {added && (
              <th scope="col" data-numeric>
                Counted
              </th>
            )}
            {columns.map(({ name, type, title }) => (
              <th key={name} scope="col" data-numeric={isNumeric(type) || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, value, values }) => (
            <tr key={id}>
              {added && <td data-numeric>{numberWords(value, drillDown.metric.unit, values[currencyAt] ?? null)}</td>}
              {columns.map(({ name, index, type }) => {
                const words = cellWords(values[index] ?? null, type, values[currencyAt] ?? null);
                return (
                  // The box cuts long texts.
                  <td key={name} data-numeric={isNumeric(type) || undefined} title={words}>
                    {words}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The time comes first, the source last; columns with the same value in every row are hidden. */
function columnsOf(dataset: DatasetKey, metric: string, names: RowsPage['fields']) {
  const { fields, datedBy, scope, currency } = datasetOf(dataset);
  const reference = representedReference(dataset, metric);
  const place = (name: string): number => {
    if (name === reference || isRepresented(name)) return name === reference ? 0 : 1;
    return name === datedBy ? 2 : Object.hasOwn(fields, name) ? 3 : 4;
  };
  const isOwnAmount = (name: string) => reference !== null && fields[name]?.type === 'money';
  return names
    .map((name, index) => ({
      name,
      index,
      type: typeOf(name, fields[name]?.type),
      title: fields[name]?.title ?? moreTitles[name] ?? name,
    }))
    .filter(({ name }) => name !== scope && name !== currency && !isOwnAmount(name))
    .toSorted((a, b) => place(a.name) - place(b.name));
}

const typeOf = (name: string, type: FieldType | undefined): FieldType | undefined =>
  name === totalAmount ? 'money' : name === totalRows ? 'whole' : type;

const [totalRows, totalAmount] = representedFields;
const isRepresented = (name: string): boolean => (representedFields as readonly string[]).includes(name);

const moreTitles: Readonly<Record<string, string>> = {
  ...originTitles,
  ...{ [totalRows]: 'Rows', [totalAmount]: 'Total' },
};

const isNumeric = (type: FieldType | undefined): boolean => type === 'money' || type === 'whole' || type === 'score';

function cellWords(text: string | null, type: FieldType | undefined, currency: string | null): string {
  if (text === null || text === '') return none;
  if (type === 'money') return numberWords(text, 'money', currency);
  if (type === 'whole') return numberWords(text, 'count', null);
  if (type === 'flag') return text === 'true' ? 'Yes' : 'No';
  return type === 'instant' ? momentWords(text) : text;
}

/** With the year: rows can be old. */
function momentWords(instant: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(instant)) return dayWithYear(instant);
  const moment = new Date(instant);
  if (Number.isNaN(moment.getTime())) return instant;
  return instantWithYear(moment.toISOString(), config().companyTimeZone);
}
