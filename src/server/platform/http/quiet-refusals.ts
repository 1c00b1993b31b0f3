// Of one caller's refused requests, a few a minute are logged: a flood must not fill the log.
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { addressBucket } from './address-bucket.ts';

const minuteMs = 60_000;
export const mostLogged = 30;
/** Strangers can come from any number of addresses. */
const mostCallers = 10_000;

type Refused = { readonly since: number; count: number };
type Callers = LRUCache<string, Refused>;

/** By server. */
const refused = new WeakMap<object, Callers>();

function countedFor({ server: { server }, viewer, viewing, step, ip }: FastifyRequest): Refused {
  const callers = refused.get(server) ?? new LRUCache<string, Refused>({ max: mostCallers });
  refused.set(server, callers);
  const person = viewing?.impersonator ?? viewer ?? step?.person;
  const caller = person ? `person ${person.id}` : `address ${addressBucket(ip)}`;
  const now = performance.now();
  const before = callers.get(caller);
  const counted = before && now - before.since < minuteMs ? before : { since: now, count: 0 };
  callers.set(caller, counted);
  return counted;
}

/** Before the lines of a refused request. Warnings, errors and a more detailed log stay complete. */
export function quietFlood(request: FastifyRequest): void {
  const counted = countedFor(request);
  counted.count += 1;
  if (counted.count <= mostLogged || request.log.level !== 'info') return;
  if (counted.count === mostLogged + 1)
    request.log.warn({ req: request }, 'many refused requests: others of this minute are not logged');
  request.log.level = 'warn';
}
