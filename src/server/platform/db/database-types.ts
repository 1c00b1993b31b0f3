// How PostgreSQL's values arrive. Instants are ISO 8601 in UTC with milliseconds, as the API gives them; dates and
// intervals stay the text that they are, and 64-bit integers and decimals too, which a number would round.
import pg from 'pg';

const { builtins } = pg.types;
const TEXT_TYPES = new Set<number>([builtins.DATE, builtins.TIMESTAMP, builtins.INTERVAL]);

// 2026-11-20 12:00:00.123456+00, the fraction without trailing zeros: the session's zone is UTC. In JSON 2026-11-20T12:00:00.123456+00:00.
const IN_UTC = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::00)?$/;

/** An instant as it goes out, from how PostgreSQL writes it. A `Date` in between took a fifth of the time of the inbox. */
export function instantOf(text: string): string {
  const match = IN_UTC.exec(text);
  // Years beyond 9999 and infinity, which no clock of ours gives.
  if (!match) return text;
  const [, day, time, fraction = ''] = match;
  return `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

const asText = (text: string) => text;

function parserOf(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (format !== 'binary') {
    if (type === builtins.TIMESTAMPTZ) return instantOf;
    if (TEXT_TYPES.has(type)) return asText;
  }
  return pg.types.getTypeParser(type, format as 'text');
}

export const answerTypes = { getTypeParser: parserOf } as pg.CustomTypesConfig;
