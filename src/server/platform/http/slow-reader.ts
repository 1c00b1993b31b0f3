// Ends an answer that its reader takes too slowly: while it runs it holds a slot of everybody's.
import type { Writable } from 'node:stream';

export type Pace = { readonly windowMs: number; readonly bytes: number };

/** 8 KB a second, which the slowest mobile network gives. */
export const slowestPace: Pace = { windowMs: 30_000, bytes: 30 * 8 * 1024 };

const looksInWindow = 10;
/** A reader that keeps up has drained the answer at some of the looks. */
const looksBehind = 8;

/** A part counts as taken when the next one is asked for, so one part must be small against a window. */
const pieceBytes = 16 * 1024;

/** Passes the lines on while the reader makes progress. Lines that come slowly by themselves end nothing. */
export async function* endSlowReader(
  response: Writable,
  lines: AsyncIterable<string> | Iterable<string>,
  { windowMs, bytes }: Pace = slowestPace,
): AsyncGenerator<Buffer> {
  let taken = 0;
  let looks = 0;
  let behind = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (response.writableNeedDrain) behind += 1;
    if (looks < looksInWindow) return;
    if (behind >= looksBehind && taken < bytes) response.destroy();
    taken = looks = behind = 0;
  }, windowMs / looksInWindow).unref();
  // The last lines may still wait for the reader when there are no more to come.
  response.once('close', () => clearInterval(timer));
  for await (const line of lines) {
    const part = Buffer.from(line);
    for (let start = 0; start < part.length; start += pieceBytes) {
      const piece = part.subarray(start, start + pieceBytes);
      taken += piece.length;
      yield piece;
    }
  }
}
