// Notices by the day on which they came, on the clock of the company.

/** "2026-11-18": days compare and are told apart by it. */
export function dayOf(instant: string, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(instant),
  );
}

const dayMs = 86_400_000;

function nameOf(day: string, today: string): string {
  const passed = Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  if (passed === 0) return 'Today';
  if (passed === 1) return 'Yesterday';
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
    .format(new Date(day))
    .replace(',', '');
}

/** In the order in which they come. */
export function groupByDay<Item extends { readonly at: string }>(
  items: readonly Item[],
  today: string,
  zone: string,
): { readonly name: string; readonly notices: readonly Item[] }[] {
  const days = Map.groupBy(items, ({ at }) => dayOf(at, zone));
  return [...days].map(([day, notices]) => ({ name: nameOf(day, today), notices }));
}
