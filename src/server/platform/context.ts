// What a request of the API has at hand. Built once in `app.ts` (Services) and once a request (RequestContext).
import type { FastifyBaseLogger } from 'fastify';
import type { Viewer } from '#core/access/access.ts';
import type { Scope } from '#core/access/brands.ts';
import type { Settings } from '#core/admin/settings.ts';
import type { Config } from './config/config.ts';
import type { Clock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import type { Reader } from './db/reader.ts';
import type { AnswerBudget } from './graphql/answer-budget.ts';
import type { LiveChanges } from './live/live.service.ts';
import type { Mailer } from './mail/mailer.ts';
import type { FileStore } from './storage/files.ts';

export type Services = {
  /** `linkSecret` is there by now: configured, or made and kept in the data folder. */
  readonly config: Config & { readonly linkSecret: string };
  readonly database: Database;
  /** For what may be a moment old and guards no write: the numbers. */
  readonly reader: Reader;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly live: LiveChanges;
  readonly mail: Mailer;
  /** The settings as they are now; kept in memory and refreshed when a server changes one. */
  readonly settings: () => Settings;
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
  /** Who really asks, while the viewer is somebody else whom they look as. Such a request changes nothing. */
  readonly impersonator?: SignedInPerson | undefined;
  /** What the request may still read and answer. */
  readonly budget: AnswerBudget;
  readonly requestId: string;
  /** The header `Idempotency-Key`, as it was sent. */
  readonly idempotencyKey?: string | string[] | undefined;
  readonly address: string;
  /** What the browser says of itself. */
  readonly agent?: string | undefined;
  /** The session that asks, by the hash of its token. */
  readonly session: Buffer | null;
};
