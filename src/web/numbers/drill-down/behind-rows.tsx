import { type DatasetKey, datasetOf, type FieldType } from '#core/numbers/datasets.ts';
import { config } from '#web/api/config.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { none } from '#web/charts/percent.ts';
import type { Behind } from '../shared/behind.ts';
import classes from './behind-panel.module.css';
import type { RowsPage } from './number-row-queries.ts';

type Props = {
  readonly dataset: DatasetKey;
  readonly behind: Behind;
  readonly pages: readonly RowsPage[];
};

/** The rows as they were imported; a field that none of them has is left out. */
export function BehindRows({ dataset, behind, pages }: Props) {
  const [first] = pages;
  const rows = pages.flatMap((page) => page.rows);
  if (!first || rows.length === 0) return null;
  const currencyAt = first.fields.indexOf(datasetOf(dataset).currency ?? '');
  const columns = columnsOf(dataset, first).filter(({ index }) => rows.some(({ values }) => values[index]));
  const added = rows.some(({ value }) => value !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys.
    <section className={classes.box} aria-label="Rows behind the number" tabIndex={0}>
      <table className={classes.table}>
        <caption className="visually-hidden">Rows behind {behind.metric.title}</caption>
        <thead>
          <tr>
            {added && (
              <th scope="col" data-numeric>
                Adds
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
              {added && <td data-numeric>{numberWords(value, behind.metric.unit, values[currencyAt] ?? null)}</td>}
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

/** When it happened comes first, where it came from last; what every row of the page has in common is left out. */
function columnsOf(dataset: DatasetKey, { fields: names }: RowsPage) {
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

/** Every row has these besides the fields of its dataset. */
const originTitles: Readonly<Record<string, string>> = { source: 'Source', external_id: 'Source id' };

const isNumeric = (type: FieldType | undefined): boolean => type === 'money' || type === 'whole' || type === 'score';

function cellWords(text: string | null, type: FieldType | undefined, currency: string | null): string {
  if (text === null || text === '') return none;
  if (type === 'money') return numberWords(text, 'money', currency);
  if (type === 'whole') return numberWords(text, 'count', null);
  if (type === 'flag') return text === 'true' ? 'Yes' : 'No';
  return type === 'instant' ? momentWords(text) : text;
}

/** With its year: rows reach back further than a week. */
function momentWords(instant: string): string {
  const moment = new Date(instant);
  if (Number.isNaN(moment.getTime())) return instant;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: config().companyTimeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment);
}
