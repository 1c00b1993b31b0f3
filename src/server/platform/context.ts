// What API requests work with. Services are built in `app.ts`, RequestContext once per request.
import type { FastifyBaseLogger } from 'fastify';
import type { Viewer } from '#core/access/access.ts';
import type { Scope } from '#core/access/brands.ts';
import type { Settings } from '#core/admin/settings.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Config } from './config/config.ts';
import type { Clock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import type { Reader } from './db/reader.ts';
import type { AnswerBudget } from './graphql/answer-budget.ts';
import type { LiveChanges } from './live/live.service.ts';
import type { Mailer } from './mail/mailer.ts';
import type { FileStore } from './storage/files.ts';

export type Services = {
  /** `linkSecret` is always set here: configured, or generated and kept in the data folder. */
  readonly config: Config & { readonly linkSecret: string };
  readonly database: Database;
  /** For slightly stale reads that never guard a write, such as the numbers. */
  readonly reader: Reader;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly live: LiveChanges;
  readonly mail: Mailer;
  /** The current settings, cached and refreshed when a server changes one. */
  readonly settings: () => Settings;
  readonly background: BackgroundWork;
  readonly log: FastifyBaseLogger;
};

/** The person behind the token, read from the database with the request (D11, D14). */
export type SignedInPerson = Viewer & {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly team: Scope | null;
  readonly topFiveInvisible: boolean;
};

export type RequestContext = Services & {
  readonly viewer: SignedInPerson;
  /** The signed-in person while they view as someone else. Such a request can't change anything. */
  readonly impersonator?: SignedInPerson | undefined;
  /** How much the request can still read and answer. */
  readonly budget: AnswerBudget;
  readonly requestId: string;
  /** The header `Idempotency-Key`, as it was sent. */
  readonly idempotencyKey?: string | string[] | undefined;
  readonly address: string;
  /** The browser's User-Agent. */
  readonly agent?: string | undefined;
  /** The hash of the session's token. */
  readonly session: Buffer | null;
};
