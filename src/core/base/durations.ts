// Decides how long a written duration is: `3.5` hours, `0:03:30`, `2d 4h`. Used by the rules of imports, and by
// the wizard, which finds units in the names of columns.

/** Milliseconds. A day is 24 hours: durations are time elapsed. */
export const durationUnits = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
} as const;
export type DurationUnit = keyof typeof durationUnits;
export const durationUnitNames = Object.keys(durationUnits) as DurationUnit[];

const wordsOfUnits: Readonly<Record<DurationUnit, string>> = {
  days: 'd day days tag tage tagen j jour jours dia dias dag dagen',
  hours: 'h hr hrs hour hours std stunde stunden heure heures hora horas uur uren',
  minutes: 'm min mins minute minutes minuten minuto minutos minuut',
  seconds: 's sec secs second seconds sek sekunde sekunden seconde secondes seconden segundo segundos',
  milliseconds: 'ms msec millisecond milliseconds millisekunden millisecondes milisegundos',
};
const unitsByWord = new Map(
  durationUnitNames.flatMap((unit) => wordsOfUnits[unit].split(' ').map((word) => [word, unit] as const)),
);

/** The unit that a word or its abbreviation names in any of the wizard's languages. */
export const unitOfWord = (word: string): DurationUnit | null =>
  unitsByWord.get(word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()) ?? null;

export type ReadDuration = { readonly ms: number } | { readonly fault: string };

/** No duration that fits into a cell is longer. */
const longestText = 100;
const plainNumber = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
/** `1,234`: a leading zero is never before thousands. */
const couldBeThousands = /^[1-9]\d{0,2},\d{3}$/;
/** `27:10:00`, `1:03:10:00` and `1.03:10:00` with days. */
const clock = /(?:^|\s)(?:(\d+)[.:])?(\d+):([0-5]\d):([0-5]\d(?:[.,]\d+)?)$/;
const shortClock = /^(\d+):([0-5]\d)$/;
const timeOfDay = /^(?:[01]?\d|2[0-3]):\d\d(?::\d\d(?:[.,]\d+)?)?$/;
const piece = /(\d+(?:[.,]\d+)?)\s*(\p{L}+)\.?/gu;
const betweenPieces = /^(?:[\s,]|and|und|et|y|e|en)*$/i;
const iso = /^P(?=.)(?:(\d+)D)?(?:T(.+))?$/i;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));
const numberIn = (text: string): number => Number(text.replace(',', '.'));

/** `unit`: of plain numbers, and of the first part of `3:30`. Other texts say their units. */
export function readDuration(text: string, unit?: DurationUnit): ReadDuration {
  const bare = text.trim().replace('\u2212', '-');
  const [, sign, rest = ''] = /^([-+]?)\s*(.*)$/s.exec(bare)!;
  if (rest.length > longestText) return noDuration(bare);
  const size = unit && durationUnits[unit];
  const short = shortClock.exec(rest);
  if (couldBeThousands.test(rest))
    return {
      fault: `could be thousands: ${quoted(bare)}. Write it as ${rest.replace(',', '')} or ${rest.replace(',', '.')}`,
    };
  let ms = saidMs(rest);
  if (plainNumber.test(rest)) ms = numberIn(rest) * (size ?? (numberIn(rest) === 0 ? 0 : Number.NaN));
  if (short && (unit === 'hours' || unit === 'minutes')) ms = (Number(short[1]) + Number(short[2]) / 60) * size!;
  if (Number.isFinite(ms)) {
    if (sign === '-' && ms > 0) return { fault: `is negative: ${quoted(bare)}. Fix it, or leave the cell blank` };
    return { ms: Math.round(ms) };
  }
  if (plainNumber.test(rest)) return { fault: `has no unit: ${quoted(bare)}. Choose one, such as hours` };
  if (short) return { fault: `has no unit: ${quoted(bare)}. Choose hours for 3:30 hours, or minutes` };
  return noDuration(bare);
}

const noDuration = (text: string): ReadDuration => ({
  fault: `isn’t a duration: ${quoted(text)}. Write it like 3.5, 2:30:00 or 2d 4h`,
});

/** The milliseconds of a text that says its units; otherwise NaN. */
function saidMs(text: string): number {
  const [, isoDays = '0', isoTime = ''] = iso.exec(text) ?? [];
  if (iso.test(text)) return piecesMs(`${isoDays}d ${isoTime}`);
  const [tail, days = '0', hours, minutes, seconds] = clock.exec(text) ?? [];
  if (tail === undefined) return piecesMs(text);
  const ofClock =
    Number(days) * durationUnits.days +
    Number(hours) * durationUnits.hours +
    Number(minutes) * durationUnits.minutes +
    numberIn(seconds!) * durationUnits.seconds;
  return tail === text ? ofClock : piecesMs(text.slice(0, -tail.length)) + ofClock;
}

/** `2 days, 4 hours`: each unit once, the largest first. */
function piecesMs(text: string): number {
  let sum = 0;
  let last = Number.POSITIVE_INFINITY;
  const between = text.replace(piece, (_all, number: string, word: string) => {
    const unit = unitOfWord(word);
    const size = unit === null ? Number.NaN : durationUnits[unit];
    sum += size < last && !couldBeThousands.test(number) ? numberIn(number) * size : Number.NaN;
    last = size;
    return '';
  });
  return last < Number.POSITIVE_INFINITY && betweenPieces.test(between) ? sum : Number.NaN;
}

/** A text that is nothing but a duration. Numbers and clocks below a day can be something else. */
export const saysDuration = (text: string): boolean =>
  !plainNumber.test(text.trim()) && !timeOfDay.test(text.trim()) && 'ms' in readDuration(text);
