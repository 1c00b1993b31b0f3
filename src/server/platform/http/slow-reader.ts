// Disconnects clients that read too slowly, because each takes a shared slot.
import type { Writable } from 'node:stream';

export type Pace = { readonly windowMs: number; readonly bytes: number };

/** 8 KB a second, the pace of the slowest mobile network. */
export const slowestPace: Pace = { windowMs: 30_000, bytes: 30 * 8 * 1024 };

const looksInWindow = 10;
/** A reader that keeps up has drained the answer at some of these checks. */
const slowChecks = 8;

/** A part counts as read when the next one is requested, so parts must be small. */
const pieceBytes = 16 * 1024;

/** Passes lines or bytes on while the reader makes progress. Slow producers don't count against the reader. */
export async function* endSlowReader(
  response: Writable,
  lines: AsyncIterable<string | Buffer> | Iterable<string>,
  { windowMs, bytes }: Pace = slowestPace,
): AsyncGenerator<Buffer> {
  // Nothing would stop the timer then.
  if (response.destroyed) return;
  let taken = 0;
  let looks = 0;
  let behind = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (response.writableNeedDrain) behind += 1;
    if (looks < looksInWindow) return;
    if (behind >= slowChecks && taken < bytes) response.destroy();
    taken = looks = behind = 0;
  }, windowMs / looksInWindow).unref();
  // The last lines may still wait for the reader after the source ended.
  response.once('close', () => clearInterval(timer));
  for await (const line of lines) {
    const part = typeof line === 'string' ? Buffer.from(line) : line;
    for (let start = 0; start < part.length; start += pieceBytes) {
      const piece = part.subarray(start, start + pieceBytes);
      taken += piece.length;
      yield piece;
    }
  }
}
