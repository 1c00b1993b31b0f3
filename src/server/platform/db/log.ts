import type { BaseLogger } from 'pino';

/** What this folder logs to; a pino or Fastify logger fits. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;
