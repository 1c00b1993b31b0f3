// Reads that never guard a write, such as the numbers, go to a replica if there is one and leave the database
// to the tasks. A replica is slightly behind.
import { type Database, type DatabaseOptions, openDatabase, type Queries } from './database.ts';
import { isCanceled, isContended } from './database-failures.ts';

export type Reader = {
  /** Whether it reads the primary database itself. */
  readonly isDatabase: boolean;
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** A reader without a replica. */
export const readerOf = (database: Database): Reader => ({
  isDatabase: true,
  read: (work) => work(database.drizzle),
  close: async () => {},
});

/** How long a failed replica is left alone. */
const pauseMs = 10_000;

type ReaderOptions = Pick<DatabaseOptions, 'url' | 'poolSize' | 'throughPooler' | 'log'> & {
  readonly database: Database;
};

/** Reads the replica, or the database while the replica is down. A faulty query fails on both. */
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
        // What takes too long here takes too long there, and keeps the tasks' connections.
        if (isCanceled(error)) throw error;
        // A replica also ends a read that the primary's changes conflict with; that passes immediately.
        if (!isContended(error)) askAgainAt = performance.now() + pauseMs;
        log.warn({ err: error }, 'the replica could not answer: the database is asked instead');
        return work(database.drizzle);
      }
    },
    close: () => replica.close(),
  };
}
