import { expect, it } from 'vitest';
import { fixedClock } from '#server/platform/db/clock.ts';
import { assertGoodLink, type LinkQuery, linkFor } from './file-links.ts';

const clock = fixedClock('2026-11-18T12:00:00Z');
const [first, second] = ['first secret', 'second secret'];

/** A server with these secrets. */
const server = (linkSecret: string, linkSecretAlso?: string) =>
  ({ config: { linkSecret, linkSecretAlso }, clock, viewer: { id: '7' }, impersonator: null }) as unknown as Parameters<
    typeof linkFor
  >[0];
type Server = ReturnType<typeof server>;

const queryOf = (link: string) => Object.fromEntries(new URL(link, 'http://here').searchParams) as unknown as LinkQuery;
const holds = (made: Server, used: Server): boolean => {
  try {
    assertGoodLink(used, '3', queryOf(linkFor(made, { id: '3' })));
    return true;
  } catch {
    return false;
  }
};

it('a link holds with the secret that signed it, and with no other', () => {
  expect([holds(server(first), server(first)), holds(server(first), server(second))]).toEqual([true, false]);
});

it('at each step of a rotation a link of either server holds at the other', () => {
  const steps = [
    [server(first), server(first, second)],
    [server(first, second), server(second, first)],
    [server(second, first), server(second)],
  ] as const;
  // In the last step the first secret's links have expired.
  for (const [before, after] of steps) expect([holds(before, after), holds(after, before)]).toEqual([true, true]);
  expect(holds(server(first, second), server(second))).toBe(false);
});
