// Limits the size of an answer, and how many large ones a server prepares at once. Texts are counted when
// they are read from the database; everything is counted again before serialization.
import { refuse } from '#core/base/refusals.ts';
import { RefusalError } from './refusal-error.ts';

const megabyte = 1024 * 1024;

export const answerLimits = {
  /** The limit for an answer, and for the texts read for it. */
  bytes: 16 * megabyte,
  /** Larger answers wait for a turn. */
  small: megabyte,
  /** Each takes several times its size in memory until it is JSON. */
  largeAtOnce: 3,
  waiting: 100,
  /** Per person; a page sends fewer requests. */
  ownWaiting: 10,
  waitMs: 10_000,
} as const;

const retryAfterSeconds = 5;

/**
 * The rows read, and the size of the whole list in bytes, which exceeds the allowance if rows were left out.
 */
export type Sized<Row> = { readonly rows: Row[]; readonly bytes: number };

const tooLarge = (): RefusalError =>
  new RefusalError(
    refuse(
      'QUERY_TOO_LARGE',
      `This response would be larger than ${answerLimits.bytes / megabyte} MB. Ask for fewer tasks or fields at once`,
    ),
  );

const busy = (): RefusalError =>
  new RefusalError(refuse('TOO_MANY_ATTEMPTS', 'Other large responses are being prepared. Try again in a moment'), {
    retryAfter: retryAfterSeconds,
  });

type Turn = {
  /** The answer is serialized: the next person's turn can start. */
  written(): void;
  /** The answer was sent or its caller left: the same person's next turn can start. */
  end(): void;
};
type Waiting = { readonly personId: string; begin(): void };

/** The turns for large answers on this server. One per person, so a slow reader doesn't block others. */
export class LargeAnswers {
  #free: number = answerLimits.largeAtOnce;
  /** People whose large answer isn't fully sent yet. */
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
      // People with a turn are no longer in the set.
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

/** What one request can still read and answer. */
export class AnswerBudget {
  readonly #turns: LargeAnswers;
  readonly #personId: string;
  #read = 0;
  #handedOut = 0;
  #last: Promise<unknown> = Promise.resolve();
  #turn: Turn | null = null;
  #ended = false;

  constructor(turns: LargeAnswers, personId: string) {
    this.#turns = turns;
    this.#personId = personId;
  }

  /**
   * Reads of one request run in sequence, so each knows what is left. A large one waits for its turn and
   * reads again.
   */
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

  /** For reads in a transaction, which shouldn't wait for a turn while it locks rows. */
  readWithoutWaiting<Row>(read: Read<Row>): Promise<Row[]> {
    return this.#inOrder(async () => {
      if (this.#read >= answerLimits.bytes) throw tooLarge();
      return this.#readRest(read);
    });
  }

  /**
   * For what was read once and is answered under each alias: an answer takes most of its time before its size
   * is known.
   */
  handOut<Row>(rows: readonly Row[], bytesOfRow: number): readonly Row[] {
    this.#handedOut += rows.length * bytesOfRow;
    if (this.#handedOut > answerLimits.bytes) throw tooLarge();
    return rows;
  }

  /** Refuses an oversized answer before serialization; a large one waits for its turn. */
  async admit(answer: unknown): Promise<void> {
    const bytes = jsonBytes(answer, answerLimits.bytes);
    if (bytes > answerLimits.bytes) throw tooLarge();
    if (bytes > answerLimits.small && this.#turn === null) await this.#becomeLarge();
  }

  written(): void {
    this.#turn?.written();
  }

  /** The answer was sent, or its caller left. */
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

/** JSON can take 6 bytes for a character. */
const mostBytesOfUnit = 6;

/** The value's size as JSON. Far below `most`, returns a cheaper upper bound. */
function jsonBytes(value: unknown, most: number): number {
  const bound = sum(value, mostBytes, most);
  return bound <= answerLimits.small ? bound : sum(value, exactBytes, most);
}

type Scalar = string | number | boolean | null | undefined;

/** Numbers have at most 24 characters. */
const mostBytes = (value: Scalar): number => (typeof value === 'string' ? value.length * mostBytesOfUnit + 2 : 24);
const exactBytes = (value: Scalar): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');

/** Stops soon after `most`. */
function sum(value: unknown, lengthOf: (value: Scalar) => number, most: number): number {
  if (typeof value !== 'object' || value === null) return lengthOf(value as Scalar);
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
