import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JoinedPieces } from './joined-pieces.ts';

const joinedOf = (pieces: readonly Uint8Array[], most = 1_000_000): Buffer => {
  const joined = new JoinedPieces(most);
  expect(pieces.filter((piece) => !joined.add(piece))).toEqual([]);
  return joined.take();
};

it('any pieces are one buffer with all their bytes in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (pieces) => {
      expect(joinedOf(pieces).equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});

it('of nothing they are empty', () => {
  expect(joinedOf([])).toHaveLength(0);
});

it('exactly as much as it may hold is taken, a piece beyond that is not, nor anything of it', () => {
  const joined = new JoinedPieces(5);
  expect(joined.add(Buffer.from('abc'))).toBe(true);
  expect(joined.add(Buffer.from('def'))).toBe(false);
  expect([joined.length, joined.add(Buffer.from('de')), joined.add(Buffer.from('f'))]).toEqual([3, true, false]);
  expect(joined.take().toString()).toBe('abcde');
});

it('what was taken stays as it is when more is joined', () => {
  const joined = new JoinedPieces(100);
  joined.add(Buffer.from('first'));
  const first = joined.take();
  joined.add(Buffer.from('other'));
  expect([first.toString(), joined.take().toString(), joined.length]).toEqual(['first', 'other', 0]);
});

it('a piece is copied: whoever gave it may write over it', () => {
  const piece = Buffer.from('abc');
  const joined = new JoinedPieces(100);
  joined.add(piece);
  piece.fill('x');
  expect(joined.take().toString()).toBe('abc');
});

it('pieces of a byte keep no more than twice what they hold, and never more than the limit', () => {
  for (const [bytes, most] of [
    [200_001, 1_000_000],
    [200_001, 250_000],
  ] as const) {
    const joined = joinedOf(
      Array.from({ length: bytes }, () => Buffer.from('a')),
      most,
    );
    expect(joined).toHaveLength(bytes);
    expect(joined.buffer.byteLength).toBeLessThanOrEqual(Math.min(2 * bytes, most));
  }
});
