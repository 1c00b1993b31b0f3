// How much one answer may hold, and how many large ones a server prepares at once. Texts are counted where the database is asked
// for them, and everything else once more before the answer is written as JSON.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from './refusal-error.ts';

const megabyte = 1024 * 1024;

export const answerLimits = {
  /** Bytes of an answer, and of the texts that are read for it. */
  bytes: 16 * megabyte,
  /** A larger answer waits for a turn. */
  small: megabyte,
  /** Each takes several times its size until it is JSON. */
  largeAtOnce: 3,
  waiting: 100,
  /** Of one person: a page asks for fewer. */
  ownWaiting: 10,
  waitMs: 10_000,
} as const;

const retryAfterSeconds = 5;

/** Rows of a list that were read, and how many bytes all of them would be: more than the allowance where some were left out. */
export type Sized<Row> = { readonly rows: Row[]; readonly bytes: number };

const tooLarge = (): RefusalError =>
  new RefusalError(
    refuse(
      'QUERY_TOO_LARGE',
      `This answer would be larger than ${answerLimits.bytes / megabyte} MB. Ask for fewer tasks or fields at once`,
    ),
  );

const busy = (): RefusalError =>
  new RefusalError(refuse('TOO_MANY_ATTEMPTS', 'Other large answers are being prepared. Try again in a moment'), {
    retryAfter: retryAfterSeconds,
  });

type Turn = {
  /** The answer is JSON: the next person's may be made. */
  written(): void;
  /** The answer has left, or its caller has: the same person's next one may be made. */
  end(): void;
};
type Waiting = { readonly personId: string; begin(): void };

/** The turns for large answers on this server. Nobody has two at once, so nobody who reads slowly keeps others waiting. */
export class LargeAnswers {
  #free: number = answerLimits.largeAtOnce;
  /** People whose large answer hasn't left yet. */
  readonly #people = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  /** Throws TOO_MANY_ATTEMPTS when no turn comes in time. */
  async take(personId: string): Promise<Turn> {
    if (this.#free > 0 && !this.#people.has(personId)) this.#begin(personId);
    else await this.#wait(personId);
    let isWritten = false;
    const written = () => {
      if (!isWritten) this.#free++;
      isWritten = true;
      this.#beginNext();
    };
    return {
      written,
      end: () => {
        this.#people.delete(personId);
        written();
      },
    };
  }

  async #wait(personId: string): Promise<void> {
    const own = [...this.#waiting].filter((other) => other.personId === personId);
    if (own.length >= answerLimits.ownWaiting || this.#waiting.size >= answerLimits.waiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { personId, begin: resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => {
      // Whoever was given a turn has left the set.
      if (this.#waiting.delete(waiting)) reject(busy());
    }, answerLimits.waitMs).unref();
    await promise.finally(() => clearTimeout(timer));
  }

  #begin(personId: string): void {
    this.#free--;
    this.#people.add(personId);
  }

  #beginNext(): void {
    for (const waiting of this.#waiting) {
      if (this.#free === 0) return;
      if (this.#people.has(waiting.personId)) continue;
      this.#waiting.delete(waiting);
      this.#begin(waiting.personId);
      waiting.begin();
    }
  }
}

type Read<Row> = (allowance: number) => Promise<Sized<Row>>;

/** What one request may still read and answer. */
export class AnswerBudget {
  readonly #turns: LargeAnswers;
  readonly #personId: string;
  #read = 0;
  #last: Promise<unknown> = Promise.resolve();
  #turn: Turn | null = null;
  #ended = false;

  constructor(turns: LargeAnswers, personId: string) {
    this.#turns = turns;
    this.#personId = personId;
  }

  /** Reads of one request follow each other, so each knows what is left. A large one waits for its turn and reads again. */
  read<Row>(read: Read<Row>): Promise<Row[]> {
    return this.#inOrder(async () => {
      if (this.#read >= answerLimits.bytes) throw tooLarge();
      const small = Math.max(0, answerLimits.small - this.#read);
      if (this.#turn === null) {
        const { rows, bytes } = await read(small);
        if (bytes <= small) return this.#spend(rows, bytes);
        await this.#becomeLarge();
      }
      return this.#readRest(read);
    });
  }

  /** For reads in a transaction, which should not wait for a turn while it holds rows. */
  readAtOnce<Row>(read: Read<Row>): Promise<Row[]> {
    return this.#inOrder(async () => {
      if (this.#read >= answerLimits.bytes) throw tooLarge();
      return this.#readRest(read);
    });
  }

  /** Refuses an answer that is too large before it is written as JSON, where a large one waits for its turn. */
  async admit(answer: unknown): Promise<void> {
    const bytes = jsonBytes(answer, answerLimits.bytes);
    if (bytes > answerLimits.bytes) throw tooLarge();
    if (bytes > answerLimits.small && this.#turn === null) await this.#becomeLarge();
  }

  written(): void {
    this.#turn?.written();
  }

  /** The answer has left, or its caller has. */
  end(): void {
    this.#ended = true;
    this.#turn?.end();
    this.#turn = null;
  }

  async #becomeLarge(): Promise<void> {
    const turn = await this.#turns.take(this.#personId);
    if (this.#ended) turn.end();
    else this.#turn = turn;
  }

  async #readRest<Row>(read: Read<Row>): Promise<Row[]> {
    const left = answerLimits.bytes - this.#read;
    const { rows, bytes } = await read(left);
    if (bytes > left) {
      this.#read = answerLimits.bytes;
      throw tooLarge();
    }
    return this.#spend(rows, bytes);
  }

  #spend<Row>(rows: Row[], bytes: number): Row[] {
    this.#read += bytes;
    return rows;
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** JSON writes a character in up to 6 bytes. */
const mostBytesOfUnit = 6;

/** Bytes of the value as JSON; where it is far from `most`, an upper bound of them that costs less to find. */
function jsonBytes(value: unknown, most: number): number {
  const bound = sum(value, (text) => text.length * mostBytesOfUnit + 2, most);
  return bound <= answerLimits.small ? bound : sum(value, (text) => Buffer.byteLength(JSON.stringify(text)), most);
}

/** Stops soon after `most`. */
function sum(value: unknown, lengthOf: (text: string) => number, most: number): number {
  if (typeof value === 'string') return lengthOf(value);
  // Of `null`, numbers and the like, with the comma.
  if (typeof value !== 'object' || value === null) return 24;
  let total = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      total += sum(item, lengthOf, most - total) + 1;
      if (total > most) break;
    }
    return total;
  }
  for (const key in value) {
    total += key.length + 4 + sum((value as Record<string, unknown>)[key], lengthOf, most - total);
    if (total > most) break;
  }
  return total;
}
