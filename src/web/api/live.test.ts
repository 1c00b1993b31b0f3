import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pausedReads } from './live.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reading() {
  const answers: (() => void)[] = [];
  const reads = pausedReads(() => new Promise<void>((answer) => answers.push(answer)));
  /** The answer comes, and the pause after it ends. */
  const answered = async () => {
    answers.at(-1)!();
    await vi.advanceTimersByTimeAsync(2_000);
  };
  return { ...reads, answered, times: () => answers.length };
}

test('changes that come faster than answers wait for the answer and are read again after it', async () => {
  const { want, answered, times } = reading();
  for (let change = 0; change < 30; change += 1) want();
  expect(times()).toBe(1);
  await answered();
  expect(times()).toBe(2);
  await answered();
  expect(times()).toBe(2);
});

test('a read that gets no answer is given up for the next one, and only then', async () => {
  const stuck: boolean[] = [];
  const { want } = pausedReads((isStuck) => {
    stuck.push(isStuck);
    return stuck.length === 1 ? new Promise(() => {}) : Promise.resolve();
  });
  want();
  want();
  await vi.advanceTimersByTimeAsync(16_999);
  expect(stuck).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(stuck).toEqual([false, true]);
  want();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stuck).toEqual([false, true, false]);
});

test('a change after a quiet time is read at once', async () => {
  const { want, answered, times } = reading();
  want();
  await answered();
  want();
  expect(times()).toBe(2);
});
