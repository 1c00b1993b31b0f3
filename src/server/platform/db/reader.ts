// Where what nobody decides by is read: a replica, where there is one, so that the numbers do not slow the tasks down. A replica is
// a moment behind, so nothing that guards a write is ever read here.
import { type Database, type DatabaseOptions, openDatabase, type Queries } from './database.ts';
import { isContended } from './database-failures.ts';

export type Reader = {
  /** Whether it is the database itself that is read. */
  readonly isDatabase: boolean;
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Without a replica. */
export const readerOf = (database: Database): Reader => ({
  isDatabase: true,
  read: (work) => work(database.drizzle),
  close: async () => {},
});

/** How long a replica that failed is left alone. */
const pauseMs = 10_000;

type ReaderOptions = Pick<DatabaseOptions, 'url' | 'poolSize' | 'throughPooler' | 'log'> & {
  readonly database: Database;
};

/** Reads the replica, and the database itself while the replica cannot answer: what is wrong with the question fails there too. */
export function openReader({ database, log, ...address }: ReaderOptions): Reader {
  const replica = openDatabase({ ...address, log });
  let askAgainAt = 0;
  return {
    isDatabase: false,
    async read(work) {
      if (performance.now() < askAgainAt) return work(database.drizzle);
      try {
        return await work(replica.drizzle);
      } catch (error) {
        // A replica takes back what a reader still reads when it is changed on the primary; that passes at once.
        if (!isContended(error)) askAgainAt = performance.now() + pauseMs;
        log.warn({ err: error }, 'the replica could not answer: the database is asked instead');
        return work(database.drizzle);
      }
    },
    close: () => replica.close(),
  };
}
