// Who calls a sign-in route, and from where.
import type { FastifyRequest } from 'fastify';

export type Caller = {
  readonly address: string;
  readonly agent: string | undefined;
  readonly requestId: string;
  /** The browser's token from an earlier sign-in; empty if it wants one. */
  readonly device?: string | undefined;
};

const longestAgent = 500;

/** The user agent as stored in sessions and the account log: the same text in both connects them. */
export const storedAgent = (agent: string | undefined): string | null => agent?.slice(0, longestAgent) ?? null;

export const callerOf = ({ ip, id, headers }: FastifyRequest): Caller => ({
  address: ip,
  agent: headers['user-agent'],
  requestId: id,
});
