// Who calls a route of signing in, and from where.
import type { FastifyRequest } from 'fastify';

export type Caller = {
  readonly address: string;
  readonly agent: string | undefined;
  readonly requestId: string;
  /** What the browser kept from an earlier sign-in; empty when it wants to be remembered. */
  readonly device?: string | undefined;
};

const longestAgent = 500;

/** The user agent as sessions and the log of an account keep it: a sign-in is found by the same text in both. */
export const keptAgent = (agent: string | undefined): string | null => agent?.slice(0, longestAgent) ?? null;

export const callerOf = ({ ip, id, headers }: FastifyRequest): Caller => ({
  address: ip,
  agent: headers['user-agent'],
  requestId: id,
});
