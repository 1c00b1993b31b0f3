// A number's change from its comparison (ui.md 3.5): percent for amounts, points for rates.
import type { Unit } from '#core/numbers/metrics.ts';
import { numberWords } from './number-format.ts';

export type Change =
  /** Not comparable: one of the two is missing. */
  | { readonly kind: 'none' }
  /** The comparison is zero. There may have been something before it. */
  | { readonly kind: 'noneBefore' }
  | { readonly kind: 'same' }
  | { readonly kind: 'moved'; readonly up: boolean; readonly size: string; readonly words: string };

/** Beyond this a percentage says less than "from 12". */
const largestPercent = 9_999;

export function changeOf(now: string | null, before: string | null, unit: Unit): Change {
  if (now === null || before === null) return { kind: 'none' };
  const [after, earlier] = [Number(now), Number(before)];
  const difference = after - earlier;
  if (unit === 'percent') return moved(difference, ' pt', ' points');
  if (difference === 0) return { kind: 'same' };
  if (earlier === 0) return { kind: 'noneBefore' };
  const percent = (difference / Math.abs(earlier)) * 100;
  if (Math.abs(percent) > largestPercent)
    return { kind: 'moved', up: percent > 0, size: '> 9,999%', words: 'over 9,999 percent' };
  return moved(percent, '%', ' percent');
}

function moved(difference: number, sign: string, words: string): Change {
  const rounded = Number(Math.abs(difference).toFixed(1));
  if (difference === 0) return { kind: 'same' };
  if (rounded === 0) return { kind: 'moved', up: difference > 0, size: `< 0.1${sign}`, words: `under 0.1${words}` };
  const size = rounded < 100 ? rounded.toFixed(1) : numberWords(String(Math.round(rounded)), 'count', null);
  return { kind: 'moved', up: difference > 0, size: size + sign, words: size + words };
}

export type Judged = 'good' | 'bad' | 'neither';

/** Color follows good or bad, not up or down: a rising refund rate is bad. */
export function judge(change: Change, good: 'up' | 'down' | 'none'): Judged {
  if (change.kind !== 'moved' || good === 'none') return 'neither';
  return change.up === (good === 'up') ? 'good' : 'bad';
}
