// Notifies every server of a database about changes. NOTIFY is part of the change's transaction, and each
// server listens on its own connection. Possible gaps are reported, and then clients read again.

import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TaskEventKind } from '#core/tasks/task.ts';
import type { Queries } from '../db/database.ts';
import { HostClient } from '../db/host-client.ts';
import type { Log } from '../db/log.ts';
import { executePrepared } from '../db/prepared.ts';

/** A task changed. Includes the owner's approvers, to save a lookup of who can see it. */
export type TaskChange = {
  readonly taskId: string;
  readonly sprintId: string;
  readonly userId: string;
  readonly version: number;
  readonly actorId: string | null;
  readonly event: TaskEventKind;
  readonly approverIds: readonly string[];
};

/** Approvers changed: the affected people with their approvers before and after. */
export type ApproversChange = { readonly personIds: readonly string[] };

/** The notifications of these people changed. */
export type NoticesChange = { readonly personIds: readonly string[] };

/**
 * The permissions of these people, and of everyone with one of these roles, changed, or the list of roles
 * did.
 */
export type RightsChange = { readonly roles: readonly string[]; readonly personIds: readonly string[] };

/** Sessions of these people ended or have another token. Their permissions are the same. */
export type SessionsChange = { readonly personIds: readonly string[] };

export type LiveTopics = {
  readonly taskChanged: TaskChange;
  readonly settingsChanged: null;
  readonly approversChanged: ApproversChange;
  readonly noticesChanged: NoticesChange;
  readonly rightsChanged: RightsChange;
  readonly sessionsChanged: SessionsChange;
};
type Topic = keyof LiveTopics;

export type LiveChanges = {
  /** The expression that notifies all servers, for use in a changing statement. */
  notification<T extends Topic>(topic: T, message: LiveTopics[T]): SQL;
  /** Sent to all servers on commit, to none on rollback. */
  publish<T extends Topic>(queries: Queries, topic: T, message: LiveTopics[T]): Promise<void>;
  /** Returns the unsubscribe function. */
  on<T extends Topic>(topic: T, listener: (message: LiveTopics[T]) => void): () => void;
  /**
   * Called when messages may have been missed: the connection was lost and is back, or a message was too
   * long.
   */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
};

const channel = 'staff_dashboard';
/** PostgreSQL rejects a payload of 8000 bytes or more. */
const largestPayload = 7_900;
const longestPauseMs = 5_000;
/** Firewalls forget a silent connection within minutes, and tell neither side. */
const heartbeat = { everyMs: 30_000, answerMs: 10_000 };

type Message = { readonly topic: Topic | 'gap'; readonly message?: unknown };
type Listener = (message: never) => void;

/** Anyone on the database can notify the channel: an unreadable message counts as a possible gap. */
function messageOf(text: string): Message {
  try {
    return (JSON.parse(text) as Message | null) ?? { topic: 'gap' };
  } catch {
    return { topic: 'gap' };
  }
}

/** Makes every open page reload its data on commit, for bulk changes. */
export async function publishGap(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_notify(${channel}, ${JSON.stringify({ topic: 'gap' } satisfies Message)})`);
}

/** A message contains at most this many ids. */
const idsOfOneMessage = 500;

/** Any number of people, in several messages: a message that is too long would end every socket. */
export async function publishToPeople(
  live: Pick<LiveChanges, 'publish'>,
  queries: Queries,
  topic: 'approversChanged' | 'noticesChanged',
  personIds: Iterable<string>,
): Promise<void> {
  const all = [...personIds];
  for (let from = 0; from < all.length; from += idsOfOneMessage)
    await live.publish(queries, topic, { personIds: all.slice(from, from + idsOfOneMessage) });
}

const serverName = 'staff-dashboard live';

/** The statement that does so for any number of people. `people` is a part of `from` with their `person_id`. */
export const notifyPeople = (topic: 'noticesChanged', people: SQL): SQL => sql`
  select pg_notify(${channel}, json_build_object('topic', ${topic}::text, 'message', json_build_object('personIds', json_agg(person_id)))::text)
  from (select person_id, (row_number() over () - 1) / ${sql.raw(String(idsOfOneMessage))} as part from ${people}) parts group by part`;

/** `who`: what PostgreSQL calls the connection; a server's unless given. */
type LiveAddress = {
  readonly url: string;
  readonly log: Log;
  readonly who?: string;
  readonly heartbeat?: typeof heartbeat;
};

class Listeners implements LiveChanges {
  readonly #listeners = new Map<Topic | 'gap', Set<Listener>>();
  readonly #url: string;
  readonly #log: Log;
  readonly #who: string;
  readonly #heartbeat: typeof heartbeat;
  #client: HostClient | undefined;
  #closed = false;
  #connecting: Promise<void> = Promise.resolve();

  constructor({ url, log, who = serverName, heartbeat: beats = heartbeat }: LiveAddress) {
    this.#url = url;
    this.#log = log;
    this.#who = who;
    this.#heartbeat = beats;
  }

  notification(topic: Topic, message: unknown): SQL {
    const text = JSON.stringify({ topic, message } satisfies Message);
    const payload =
      Buffer.byteLength(text) > largestPayload ? JSON.stringify({ topic: 'gap' } satisfies Message) : text;
    return sql`pg_notify(${channel}, ${payload})`;
  }

  async publish<T extends Topic>(queries: Queries, topic: T, message: LiveTopics[T]): Promise<void> {
    await executePrepared(queries, sql`select ${this.notification(topic, message)}`);
  }

  on<T extends Topic>(topic: T, listener: (message: LiveTopics[T]) => void): () => void {
    return this.#add(topic, listener as Listener);
  }

  onGap(listener: () => void): () => void {
    return this.#add('gap', listener);
  }

  #add(topic: Topic | 'gap', listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #tell(text: string): void {
    const { topic, message } = messageOf(text);
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(message as never);
      } catch (error) {
        this.#log.error({ err: error, topic }, 'a listener to live changes failed');
      }
    }
  }

  async connect(): Promise<void> {
    const client = new HostClient({
      connectionString: this.#url,
      application_name: this.#who,
      connectionTimeoutMillis: 5_000,
      query_timeout: this.#heartbeat.answerMs,
    });
    let beating: NodeJS.Timeout | undefined;
    const onLost = (error?: Error) => {
      clearInterval(beating);
      client.removeAllListeners('end');
      if (this.#client !== client || this.#closed) return;
      this.#client = undefined;
      this.#log.warn({ err: error }, 'the connection for live changes was lost');
      this.#connecting = this.#reconnect();
    };
    client.on('error', onLost);
    client.on('end', onLost);
    client.on('notification', ({ payload }) => payload && this.#tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    beating = setInterval(() => {
      client.query('select').catch((error) => {
        onLost(error);
        client.end().catch(() => {});
      });
    }, this.#heartbeat.everyMs).unref();
  }

  async #reconnect(): Promise<void> {
    for (let pause = 100; !this.#closed; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        await this.connect();
        break;
      } catch (error) {
        this.#log.warn({ err: error }, 'can’t listen for live changes yet');
        await sleep(pause, undefined, { ref: false });
      }
    }
    if (!this.#closed) this.#tell(JSON.stringify({ topic: 'gap' } satisfies Message));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connecting;
    await this.#client?.end();
  }
}

/** Listens to the database at this address; throws if the first connection fails. */
export async function openLiveChanges(address: LiveAddress): Promise<LiveChanges> {
  const live = new Listeners(address);
  await live.connect();
  return live;
}

/** Whether a server uses the database: a running one always listens for changes. */
export async function isServed(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    'select from pg_stat_activity where datname = current_database() and application_name = $1 limit 1',
    [serverName],
  );
  return rows.length > 0;
}
