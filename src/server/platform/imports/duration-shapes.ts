// Finds columns of durations, to offer them.
import { readDuration, saysDuration } from '#core/base/durations.ts';

/** `isClear`: nothing else; numbers and times of the day need a name that says so. */
export type DurationShape = { readonly isClear: boolean };

const shares = { durations: 0.8 } as const;
/** A larger number is a moment in seconds. */
const mostNumber = 1e9;

export function isDuration(text: string): boolean {
  const read = readDuration(text, 'seconds');
  if ('ms' in read) return read.ms < mostNumber * 1_000;
  return 'ms' in readDuration(text, 'hours');
}

/** Null if most texts are no durations, or all are zero. */
export function durationShape(texts: readonly string[]): DurationShape | null {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  const durations = filled.filter(isDuration);
  const isZero = durations.every((text) => !/[1-9]/.test(text));
  if (isZero || durations.length < filled.length * shares.durations) return null;
  return { isClear: durations.some(saysDuration) };
}
