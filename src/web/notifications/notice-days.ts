// Notices by the day on which they came, on the clock of the company.
import { dayInZone, dayWords, weekdayOf } from '#core/base/day-words.ts';

const dayMs = 86_400_000;

function nameOf(day: string, today: string): string {
  const passed = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  if (passed === 0) return 'Today';
  if (passed === 1) return 'Yesterday';
  return `${weekdayOf(day)} ${dayWords(day)}`;
}

/** In the order in which they come. */
export function groupByDay<Item extends { readonly at: string }>(
  items: readonly Item[],
  today: string,
  zone: string,
): { readonly name: string; readonly notices: readonly Item[] }[] {
  const days = Map.groupBy(items, ({ at }) => dayInZone(at, zone));
  return [...days].map(([day, notices]) => ({ name: nameOf(day, today), notices }));
}
