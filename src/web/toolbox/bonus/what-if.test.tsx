import { cleanup, fireEvent, screen } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText } from '#core/base/decimals.ts';
import { type BonusPlan, type BonusTask, bonusLines, totalOf } from '#core/toolbox/bonus.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { exactMoney } from './bonus-words.ts';
import { WhatIf } from './what-if.tsx';

const components = [
  { key: 'signedOff', weight: 100, from: 0, full: 100, cap: 100 },
  { key: 'firstPass', weight: 0, from: 0, full: 100, cap: 100 },
  { key: 'team', weight: 0, from: 0, full: 100, cap: 100 },
];
const plan = { id: '1', version: 1, from: null, base: '300.00', currency: 'EUR', fairHours: 24, components };
const lines = components.map(({ key }) => ({ key, part: 2, whole: 3, waived: false, amount: '200.00' }));

const choice = { userId: 'viewer', isOwn: true, sprintId: 'w47', line: null } as never;

test('an example begins with the cents of the statement, and only what is moved is in whole percent', async () => {
  await showPage(<WhatIf overview={{ bonusPlans: [plan] } as never} choice={choice} />, {
    answers: { BonusWeek: () => ({ bonusWeek: { plan: { version: 1 }, statement: { amount: '200.00', lines } } }) },
  });
  await expect.poll(() => screen.getByRole('status').textContent).toContain('€200.00');
  fireEvent.change(screen.getByRole('slider', { name: 'Rework-free share' }), { target: { value: '90' } });
  expect(screen.getByRole('status').textContent).toContain('€200.00, same as the statement');
});

test('a slider moved back to where it was comes to the statement’s cents again', async () => {
  await showPage(<WhatIf overview={{ bonusPlans: [plan] } as never} choice={choice} />, {
    answers: { BonusWeek: () => ({ bonusWeek: { plan: { version: 1 }, statement: { amount: '200.00', lines } } }) },
  });
  await expect.poll(() => screen.getByRole('status').textContent).toContain('€200.00');
  const before = screen.getByRole('status').textContent;
  const slider = screen.getByRole('slider', { name: 'Signed-off share' });
  fireEvent.change(slider, { target: { value: '68' } });
  expect(screen.getByRole('status').textContent).toContain('€204.00, €4.00 more than the statement');
  fireEvent.change(slider, { target: { value: '67' } });
  expect(screen.getByRole('status').textContent).toBe(before);
});

const percent = (min: number, max: number) => fc.integer({ min, max });
const anyCurve = fc
  .record({ weight: percent(0, 100), from: percent(0, 99), full: percent(1, 100), cap: percent(100, 200) })
  .filter(({ from, full }) => from < full);
const anyPlan: fc.Arbitrary<BonusPlan> = fc.record({
  base: fc.bigInt({ min: 1n, max: 10_000_000_000n }),
  currency: fc.constantFrom('USD', 'JPY', 'KWD'),
  fairHours: percent(1, 168),
  components: fc.record({ signedOff: anyCurve, firstPass: anyCurve, team: anyCurve }),
});
const anyTask: fc.Arbitrary<BonusTask> = fc.record({
  taskId: fc.constant('1'),
  status: fc.constantFrom('DONE', 'TODO', 'INPROGRESS', 'INREVIEW', 'INAPPROVAL', 'DENIED'),
  carriedOut: fc.boolean(),
  waitedSeconds: fc.nat(200 * 3600),
  sendBacks: fc.nat(2),
  signOffs: fc.nat(2),
});
/** One that its approver held up, and a part may have nothing else to measure. */
const heldUp = anyTask.map(
  (task) => ({ ...task, status: 'INREVIEW', waitedSeconds: 200 * 3600, signOffs: 0 }) as const,
);
const anyWeek = fc.oneof(fc.array(anyTask, { maxLength: 7 }), fc.array(heldUp, { minLength: 1, maxLength: 2 }));
const anyTeam = fc.tuple(fc.nat(40), fc.nat(40)).map(([part, more]) => ({ part, whole: part + more }));

test('any week under any plan comes to the cents that its statement records', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, anyWeek, anyTeam, async (drawn, tasks, team) => {
      const recorded = bonusLines(drawn, tasks, team);
      const amount = decimalText(totalOf(recorded));
      const parts = Object.entries(drawn.components).map(([key, each]) => ({ key, ...each }));
      const version = { ...plan, ...drawn, base: decimalText(drawn.base), components: parts };
      const statement = { amount, lines: recorded.map((line) => ({ ...line, amount: decimalText(line.amount) })) };
      const bonusWeek = { plan: { version: 1 }, statement };
      queryClient.setQueryData(['bonus', 'week', 'viewer', 'w47'], bonusWeek as never);
      await showPage(<WhatIf overview={{ bonusPlans: [version] } as never} choice={choice} />, {
        answers: { BonusWeek: () => ({ bonusWeek }) },
      });
      const shown = (await screen.findByRole('status')).querySelector('strong')?.textContent;
      cleanup();
      expect(shown).toBe(exactMoney(totalOf(recorded), drawn.currency));
    }),
    { numRuns: 25 },
  );
});
