import { expect, test } from 'vitest';
import type { BonusOverview } from './bonus-queries.ts';
import { curveWords, effectWords, planSentence, roundingWords } from './bonus-words.ts';

test('a curve promises nothing that no share reaches', () => {
  const curve = { weight: 20, from: 0, full: 100, cap: 120 };
  expect(curveWords('firstPass', curve)).toMatch(
    /weight 20%\. Pays for any result above 0%, and the full share at 100%\.$/,
  );
  expect(curveWords('firstPass', { ...curve, full: 90 })).toMatch(
    /the full share at 90%, and up to 1\.111× above that\.$/,
  );
  expect(curveWords('firstPass', { ...curve, from: 50, full: 90 })).toMatch(/and up to 1\.2× above that\.$/);
  expect(curveWords('firstPass', { ...curve, full: 90, cap: 100 })).toMatch(/, and the full share at 90%\.$/);
});

test.each([
  ['USD', 'rounded to the nearest $0.01'],
  ['JPY', 'rounded to the nearest ¥1'],
  ['KWD', 'rounded to the nearest KWD 0.001'],
])('an amount in %s is %s', (currency, words) => {
  expect(roundingWords(currency).replace(/\s/g, ' ')).toBe(words);
});

test('a version whose sprint hasn’t started will be in effect, and one that started is', () => {
  const version = (number: number, week: string, startDate: string) => ({
    ...{ id: String(number), version: number, base: '120', currency: 'USD' },
    from: { id: week, name: `2026 ${week}`, startDate },
  });
  const getSprints = [{ phase: 'active', startDate: '2026-11-23' }];
  const next = version(3, 'W49', '2026-11-30');
  const now = version(2, 'W40', '2026-09-28');
  const overview = (...bonusPlans: object[]) => ({ getSprints, bonusPlans }) as unknown as BonusOverview;
  expect(planSentence(overview(next, now))).toBe(
    'The base amount is $120.00 per sprint under version 2, in effect since 2026 W40. Version 3 will be in effect from sprint 2026 W49.',
  );
  expect(planSentence(overview(next))).toBe('Version 3 will be in effect from sprint 2026 W49.');
  expect(effectWords(overview(next, now), now as never)).toBe('in effect from sprint 2026 W40');
});
