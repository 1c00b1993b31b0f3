// Who calls a route of signing in, and from where.
import type { FastifyRequest } from 'fastify';

export type Caller = {
  readonly address: string;
  readonly agent: string | undefined;
  readonly requestId: string;
  /** What the browser kept from an earlier sign-in; empty when it wants to be remembered. */
  readonly device?: string | undefined;
};

export const callerOf = ({ ip, id, headers }: FastifyRequest): Caller => ({
  address: ip,
  agent: headers['user-agent'],
  requestId: id,
});
