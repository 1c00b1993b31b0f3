// A span per statement: what it does and to which table, never its parameters.
import type pg from 'pg';
import { inSpan, isTracing } from '../telemetry/telemetry.ts';

type Asks = Pick<pg.Pool, 'query'>;

const verb = /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete|begin|commit|rollback|refresh|copy|set)\b/i;
const table = /\b(?:from|into|update|view)\s+(?:only\s+)?"?([a-z_][a-z0-9_]{0,62})"?/i;

/** As in OpenTelemetry: `SELECT people`. Long statements are recognized by their start. */
export function statementName(text: string): string {
  const beginning = text.slice(0, 2_000);
  const [, found = beginning.trimStart().split(/\s/, 1)[0]?.slice(0, 20) ?? ''] = verb.exec(beginning) ?? [];
  return [found.toUpperCase(), table.exec(beginning)?.[1]].filter(Boolean).join(' ');
}

type Query = (...parameters: unknown[]) => Promise<unknown>;

function tracing(asked: Asks): Query {
  const ask = asked.query.bind(asked) as Query;
  return (...parameters) => {
    const [first] = parameters as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    return inSpan(statementName(text), { 'db.system.name': 'postgresql' }, () => ask(...parameters));
  };
}

/**
 * Makes every query of a pool a span. The caller is known here, but no longer when a connection gets free.
 */
export function tracePool(pool: Asks): void {
  if (isTracing()) Object.assign(pool, { query: tracing(pool) });
}

/** The same for a transaction's connection, which returns to its pool unchanged. */
export function tracedClient(client: pg.PoolClient): pg.PoolClient {
  return isTracing() ? Object.create(client, { query: { value: tracing(client as Asks) } }) : client;
}
