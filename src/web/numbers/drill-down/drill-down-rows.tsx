import { dayWithYear, instantWithYear } from '#core/base/day-words.ts';
import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { config } from '#web/api/config.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { none } from '#web/charts/percent.ts';
import type { DrillDown } from '../shared/drill-down.ts';
import classes from './drill-down-panel.module.css';
import type { RowsPage } from './number-row-queries.ts';

type Props = {
  readonly dataset: DatasetKey;
  readonly drillDown: DrillDown;
  readonly fields: RowsPage['fields'];
  readonly rows: RowsPage['rows'];
};

/** The rows as imported; fields without any value are hidden. */
export function DrillDownRows({ dataset, drillDown, fields, rows }: Props) {
  if (rows.length === 0) return null;
  const currencyAt = fields.indexOf(datasetOf(dataset).currency ?? '');
  const columns = columnsOf(dataset, fields).filter(({ index }) => rows.some(({ values }) => values[index]));
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
            {columns.map(({ name, field, title }) => (
              <th key={name} scope="col" data-numeric={isNumeric(field?.type) || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, value, values }) => (
            <tr key={id}>
              {added && <td data-numeric>{numberWords(value, drillDown.metric.unit, values[currencyAt] ?? null)}</td>}
              {columns.map(({ name, index, field }) => (
                <td key={name} data-numeric={isNumeric(field?.type) || undefined} title={values[index] ?? undefined}>
                  {cellWords(values[index] ?? null, field?.type, values[currencyAt] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The time comes first, the source last; columns with the same value in every row are hidden. */
function columnsOf(dataset: DatasetKey, names: RowsPage['fields']) {
  const { fields, datedBy, scope, currency } = datasetOf(dataset);
  const place = (name: string): number => (name === datedBy ? 0 : Object.hasOwn(fields, name) ? 1 : 2);
  return names
    .map((name, index) => ({
      name,
      index,
      field: fields[name],
      title: fields[name]?.title ?? originTitles[name] ?? name,
    }))
    .filter(({ name }) => name !== scope && name !== currency)
    .toSorted((a, b) => place(a.name) - place(b.name));
}

/** Every row has these in addition to its dataset's fields. */
const originTitles: Readonly<Record<string, string>> = { source: 'Source', external_id: 'Source id' };

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
