// Finds the formats of a column's dates, to offer them and to warn of a column with several.

export type DateShape = { readonly format: string; readonly count: number; readonly example: string };

const shares = { dates: 0.8 } as const;
const yearFirst = /^\d{4}([-/.])\d{1,2}\1\d{1,2}(.*)$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(.*)$/;
/** Days and months that could be either: 3/4/2026. */
const either = 'either';

function timeOf(rest: string): string | null {
  if (rest === '') return '';
  if (/^[T ]\d{1,2}:\d{2}$/.test(rest)) return ' H:mm';
  return /^[T ]\d{1,2}:\d{2}:\d{2}$/.test(rest) ? ' H:mm:ss' : null;
}

/** The format of one text; null if it is no date. */
function formatOfDate(text: string): string | null {
  if (/^(19|20)\d{2}$/.test(text)) return 'YYYY';
  const [, sign, after] = yearFirst.exec(text) ?? [];
  if (sign !== undefined) {
    if (sign === '-') return /^\d{4}-\d\d-\d\d$/.test(text) ? 'YYYY-MM-DD' : after === '' ? 'YYYY-M-D' : 'ISO';
    const time = timeOf(after!);
    return time === null ? null : `YYYY${sign}M${sign}D${time}`;
  }
  const [, first, between, second, year, rest] = yearLast.exec(text) ?? [];
  if (first === undefined) return null;
  const time = timeOf(rest!);
  const order = Number(first) > 12 ? ['D', 'M'] : Number(second) > 12 ? ['M', 'D'] : [either, either];
  return time === null ? null : `${order.join(between)}${between}${year!.length === 4 ? 'YYYY' : 'YY'}${time}`;
}

/**
 * The formats of a column's texts, the most frequent first; none if most texts are no dates, or if day and
 * month can't be told apart.
 */
export function dateShapes(texts: readonly string[]): DateShape[] {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  const found = new Map<string, { count: number; example: string }>();
  for (const text of filled) {
    const format = formatOfDate(text);
    if (format === null) continue;
    const { count, example } = found.get(format) ?? { count: 0, example: text };
    found.set(format, { count: count + 1, example });
  }
  const sum = [...found.values()].reduce((so, { count }) => so + count, 0);
  if (filled.length === 0 || sum < filled.length * shares.dates) return [];
  const eitherCount = (format: string) => (/^[DM]\W/.test(format) ? (found.get(withEither(format))?.count ?? 0) : 0);
  const known = [...found]
    .filter(([format]) => !format.startsWith(either))
    .map(([format, { count, example }]) => ({ format, example, count: count + eitherCount(format) }));
  return known.toSorted((one, other) => other.count - one.count);
}

/** The format of dates that this one can read as well, but not only this one. */
const withEither = (format: string): string => format.replace(/^([DM])(\W)[DM]/, `${either}$2${either}`);
