import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, readDecimal } from '../base/decimals.ts';
import { workingSpans } from '../base/working-hours.ts';
import type { TaskStatus } from '../tasks/task-status.ts';
import {
  approverDelay,
  type BonusCurve,
  type BonusPlan,
  type BonusTask,
  bonusLines,
  coinOf,
  curveAt,
  exampleShares,
  isHeldUp,
  lineAmount,
  linesAt,
  sharesOf,
  signedOffShare,
  tasksOfLine,
  totalOf,
  waitBounds,
} from './bonus.ts';

const straight = { from: 50, full: 100, cap: 120 };
const plan: BonusPlan = {
  base: readDecimal('100')!,
  currency: 'USD',
  fairHours: 24,
  components: {
    signedOff: { weight: 50, ...straight },
    firstPass: { weight: 30, ...straight },
    team: { weight: 20, ...straight },
  },
};
const task = (status: TaskStatus, more: Partial<BonusTask> = {}): BonusTask => ({
  taskId: '1',
  status,
  carriedOut: false,
  waitedSeconds: 0,
  sendBacks: 0,
  signOffs: status === 'DONE' ? 1 : 0,
  ...more,
});
const amounts = (lines: readonly { amount: bigint }[]) => lines.map(({ amount }) => decimalText(amount));
const hours = (count: number) => ({ waitedSeconds: count * 3600 });

const curves = fc
  .record({
    weight: fc.integer({ min: 0, max: 100 }),
    from: fc.integer({ min: 0, max: 99 }),
    full: fc.integer({ min: 1, max: 100 }),
    cap: fc.integer({ min: 100, max: 200 }),
  })
  .filter(({ from, full }) => from < full);
const bases = fc.bigInt({ min: 1n, max: 10_000_000_000n });
const shares = fc.tuple(fc.nat(60), fc.nat(60)).map(([part, more]) => ({ part, whole: part + more }));

describe('the curve', () => {
  it.each<[number, number]>([
    [0, 0],
    [0.5, 0],
    [0.5001, 0.0002],
    [0.75, 0.5],
    [1, 1],
    [1.05, 1.1],
    [1.1, 1.2],
    [2, 1.2],
  ])('makes of %f the share %f: nothing up to a half, all at one, and never more than 1.2', (share, paid) => {
    expect(curveAt({ weight: 100, ...straight }, share)).toBeCloseTo(paid, 10);
  });

  it('has no cliff and never falls: a little more never pays less, nor much more', () => {
    fc.assert(
      fc.property(
        curves,
        fc.double({ min: 0, max: 1.5, noNaN: true }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        (curve, x, step) => {
          const [low, high] = [curveAt(curve, x), curveAt(curve, x + step)];
          const steepest = 100 / (curve.full - curve.from);
          expect(high).toBeGreaterThanOrEqual(low);
          expect(high - low).toBeLessThanOrEqual(step * steepest + 1e-9);
        },
      ),
    );
  });

  it('reaches its cap where a plan counts in full before everything is done', () => {
    expect(
      amounts(
        linesAt(
          { ...plan, components: { ...plan.components, signedOff: { weight: 50, from: 50, full: 90, cap: 120 } } },
          { signedOff: { part: 1, whole: 1 }, firstPass: { part: 0, whole: 1 }, team: { part: 0, whole: 1 } },
        ),
      )[0],
    ).toBe('60');
  });
});

describe('the amount of a line', () => {
  const reference = (
    base: bigint,
    { weight, from, full, cap }: BonusCurve,
    { part, whole }: { part: number; whole: number },
  ) => {
    if (whole === 0) return 0;
    const share = Math.min(cap / 100, Math.max(0, ((part / whole) * 100 - from) / (full - from)));
    return (Number(base) * weight * share) / 100;
  };

  it('is base x weight x curve(share), within half a coin, and whole coins', () => {
    fc.assert(
      fc.property(bases, curves, shares, fc.constantFrom('USD', 'JPY', 'KWD'), (base, curve, share, currency) => {
        const amount = lineAmount({ base, currency }, curve, share);
        const coin = coinOf(currency);
        expect(amount % coin).toBe(0n);
        expect(Math.abs(Number(amount) - reference(base, curve, share))).toBeLessThanOrEqual(Number(coin) / 2 + 1e-3);
      }),
    );
  });

  it('never falls when more is done', () => {
    fc.assert(
      fc.property(bases, curves, fc.integer({ min: 1, max: 40 }), fc.nat(39), (base, curve, whole, part) => {
        const of = (done: number) =>
          lineAmount({ base, currency: 'USD' }, curve, { part: Math.min(done, whole), whole });
        expect(of(part + 1) >= of(part)).toBe(true);
      }),
    );
  });

  it.each([
    // 100 x 50 % x (2 x 3/4 - 1)
    ['100', 'USD', 3, 4, '25'],
    // A third: 0.3333 of 50 is 16.67
    ['100', 'USD', 4, 6, '16.67'],
    // Half a cent goes to the even one: 0.005 and 0.015.
    ['0.01', 'USD', 1, 1, '0'],
    ['0.03', 'USD', 1, 1, '0.02'],
    ['101', 'JPY', 1, 1, '50'],
    ['103', 'JPY', 1, 1, '52'],
    ['100', 'USD', 0, 0, '0'],
  ])('of %s %s with %i of %i is %s', (base, currency, part, whole, amount) => {
    const of = lineAmount({ base: readDecimal(base)!, currency }, plan.components.signedOff, { part, whole });
    expect(decimalText(of)).toBe(amount);
  });

  it('adds up: the total is the sum of the lines as they are shown', () => {
    fc.assert(
      fc.property(
        bases,
        fc.array(fc.constantFrom<TaskStatus>('DONE', 'TODO', 'INREVIEW', 'DENIED'), { maxLength: 8 }),
        shares,
        (base, statuses, team) => {
          const lines = bonusLines(
            { ...plan, base },
            statuses.map((status) => task(status)),
            team,
          );
          const shown = lines.map(({ amount }) => Math.round(Number(decimalText(amount)) * 100));
          expect(Math.round(Number(decimalText(totalOf(lines))) * 100)).toBe(
            shown.reduce((sum, each) => sum + each, 0),
          );
        },
      ),
    );
  });
});

describe('the time for which an approver held up a task', () => {
  const at = (text: string) => Temporal.Instant.from(`2026-11-${text}:00Z`);
  const ms = (text: string) => at(text).epochMilliseconds;
  const span = (from: string, to: string) => ({ from: ms(from), to: ms(to) });
  // From Monday to Monday, and two days to settle.
  const working = workingSpans(at('16T10:00'), at('25T10:00'), { zone: 'UTC', holidays: [] });
  const delay = (approval: ReturnType<typeof span> | null, now: ReturnType<typeof span> | null = null) =>
    approverDelay({ approval, now }, working, ms('23T10:00')) / 3600;

  it.each<[string, number, number]>([
    ['is none without a wait', delay(null), 0],
    ['counts nothing from Friday evening to Monday', delay(null, span('20T17:30', '23T09:00')), 0],
    ['counts the working hours of a wait that lasts', delay(null, span('17T11:00', '18T12:00')), 9],
    ['counts nothing before the sprint', delay(null, span('12T09:00', '16T12:00')), 2],
    ['counts the settling too', delay(null, span('20T16:00', '25T10:00')), 18],
    ['ignores an approval that left the owner time', delay(span('16T10:00', '18T12:00')), 0],
    ['ignores one that left as much time as it took', delay(span('17T10:00', '19T10:00')), 0],
    ['counts one that left less', delay(span('17T10:00', '19T10:06')), 16.1],
    ['counts one after the end of the sprint until that end', delay(span('20T15:00', '23T11:00')), 3],
    ['counts a minute of a task made in the last one', delay(span('23T09:59', '25T10:00')), 1 / 60],
    ['counts nothing of one made after the end', delay(span('23T10:30', '25T10:00')), 0],
    ['adds such a wait to the one that lasts', delay(span('16T10:00', '19T16:00'), span('20T10:00', '20T12:00')), 32],
    ['ignores early approval also then', delay(span('16T10:00', '16T16:00'), span('20T10:00', '20T12:00')), 2],
  ])('%s', (_words, found, hours) => {
    expect(found).toBe(hours);
  });

  it('is known from the bounds where a task only waits, or was approved early', () => {
    const end = ms('23T10:00');
    const instants = fc.noBias(fc.integer({ min: ms('13T10:00'), max: ms('25T10:00') }));
    fc.assert(
      fc.property(instants, instants, instants, fc.integer({ min: 1, max: 40 }), (one, other, until, fairHours) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { heldUpSince, approvedUntil } = waitBounds(working, end, until, fairHours);
        const isHeldUpSince = (since: number) => {
          const waitedSeconds = approverDelay({ approval: null, now: { from: since, to: until } }, working, end);
          return isHeldUp({ status: 'INREVIEW', waitedSeconds }, fairHours);
        };
        expect(isHeldUpSince(from)).toBe(heldUpSince !== null && from <= heldUpSince);
        if (heldUpSince !== null) expect([heldUpSince, heldUpSince + 1].map(isHeldUpSince)).toEqual([true, false]);
        if (to <= approvedUntil) expect(approverDelay({ approval: { from, to }, now: null }, working, end)).toBe(0);
      }),
    );
    const { approvedUntil } = waitBounds(working, end, end, 8);
    const approval = { from: ms('16T10:00'), to: approvedUntil + 1_000 };
    expect(approverDelay({ approval, now: null }, working, end)).toBeGreaterThan(0);
  });
});

describe('the fair clock', () => {
  it.each<[string, BonusTask, boolean]>([
    ['completed and waiting for longer than the plan allows', task('INREVIEW', hours(24.1)), true],
    ['completed and waiting for as long as the plan allows', task('INREVIEW', hours(24)), false],
    ['approved too late and not finished', task('TODO', hours(30)), true],
    ['signed off all the same: it counts', task('DONE', hours(30)), false],
    ['never approved: it is in no share anyway', task('INAPPROVAL', hours(90)), false],
    ['denied', task('DENIED', hours(90)), false],
  ])('of a task %s', (_words, each, heldUp) => {
    expect(isHeldUp(each, 24)).toBe(heldUp);
  });

  it('takes what was held up out of the whole, so that the approver’s delay costs nothing', () => {
    const tasks = [task('DONE'), task('DONE'), task('TODO'), task('INREVIEW', hours(48)), task('DENIED')];
    expect(signedOffShare(tasks, 24)).toEqual({ part: 2, whole: 3 });
    expect(signedOffShare(tasks, 72)).toEqual({ part: 2, whole: 4 });
  });

  it('never makes a line smaller than the same task without the delay', () => {
    const anyTask = fc.record({
      status: fc.constantFrom<TaskStatus>('DONE', 'TODO', 'INPROGRESS', 'INREVIEW', 'DENIED'),
      late: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyTask, { minLength: 1, maxLength: 8 }), (made) => {
        const of = (withDelay: boolean) =>
          totalOf(
            bonusLines(
              plan,
              made.map(({ status, late }) => task(status, hours(withDelay && late ? 60 : 0))),
              { part: 1, whole: 1 },
            ),
          );
        expect(of(true) >= of(false)).toBe(true);
      }),
    );
  });

  it('lets a part count in full when nothing is left to measure because all of it was held up', () => {
    const lines = bonusLines(plan, [task('INREVIEW', hours(48))], { part: 0, whole: 0 });
    expect(lines.map(({ waived }) => waived)).toEqual([true, true, false]);
    expect(amounts(lines)).toEqual(['50', '30', '0']);
    expect(amounts(bonusLines(plan, [task('TODO')], { part: 0, whole: 0 }))).toEqual(['0', '0', '0']);
  });

  it('pays exactly its weight for such a part, not what the curve adds above the full share', () => {
    const generous = {
      ...plan,
      components: { ...plan.components, signedOff: { weight: 50, from: 50, full: 90, cap: 120 } },
    };
    expect(amounts(bonusLines(generous, [task('INREVIEW', hours(48))], { part: 0, whole: 0 }))[0]).toBe('50');
    expect(amounts(bonusLines(generous, [task('DONE')], { part: 0, whole: 0 }))[0]).toBe('60');
  });

  it.each<[string, readonly BonusTask[]]>([
    ['nothing was completed', [task('TODO', hours(48)), task('INPROGRESS', hours(48))]],
    ['what was completed waited within the time', [task('TODO', hours(48)), task('INREVIEW', hours(2))]],
    ['what was completed was approved late', [task('INREVIEW', { ...hours(48), signOffSeconds: 24 * 3600 })]],
    ['the completed work had been sent back', [task('INREVIEW', { ...hours(48), sendBacks: 1 })]],
    ['other work was sent back', [task('INREVIEW', hours(48)), task('INPROGRESS', { sendBacks: 1 })]],
  ])('pays nothing without rework where %s', (_words, tasks) => {
    const [, firstPass] = bonusLines(plan, tasks, { part: 0, whole: 0 });
    expect(firstPass).toMatchObject({ waived: false, amount: 0n });
  });
});

describe('a statement', () => {
  it('is the worked example: 4 of 5 signed off, one sent back in four, the team at 85%', () => {
    const tasks = [task('DONE'), task('DONE'), task('DONE', { sendBacks: 1 }), task('DONE'), task('INPROGRESS')];
    const lines = bonusLines(plan, tasks, { part: 17, whole: 20 });
    expect(lines.map(({ part, whole }) => [part, whole])).toEqual([
      [4, 5],
      [3, 4],
      [17, 20],
    ]);
    expect(amounts(lines)).toEqual(['30', '15', '14']);
    expect(decimalText(totalOf(lines))).toBe('59');
    expect(linesAt(plan, exampleShares)).toEqual(lines);
  });

  it('comes to the same cents from what its lines say as from its tasks, under any plan', () => {
    const anyTask = fc.record({
      status: fc.constantFrom<TaskStatus>('DONE', 'TODO', 'INPROGRESS', 'INREVIEW', 'INAPPROVAL', 'DENIED'),
      waitedSeconds: fc.nat(60 * 3600),
      sendBacks: fc.nat(2),
      signOffs: fc.nat(2),
    });
    const tasks = fc.array(anyTask, { maxLength: 8 });
    const components = fc.record({ signedOff: curves, firstPass: curves, team: curves });
    fc.assert(
      fc.property(
        bases,
        fc.constantFrom('USD', 'JPY', 'KWD'),
        components,
        tasks,
        shares,
        (base, currency, parts, made, team) => {
          const drawn: BonusPlan = { base, currency, fairHours: 24, components: parts };
          const lines = bonusLines(
            drawn,
            made.map(({ status, ...more }) => task(status, more)),
            team,
          );
          expect(linesAt(drawn, sharesOf(lines))).toEqual(lines);
        },
      ),
    );
  });

  it('counts more send-backs than sign-offs as no quality, and no debt', () => {
    const [, firstPass] = bonusLines(plan, [task('DONE', { sendBacks: 3 })], { part: 0, whole: 1 });
    expect(firstPass).toMatchObject({ part: 0, whole: 1, amount: 0n });
  });

  it('names the tasks behind each line, and none behind the team’s', () => {
    const tasks = [
      task('DONE', { taskId: '1' }),
      task('DENIED', { taskId: '2' }),
      task('INPROGRESS', { taskId: '3', sendBacks: 1 }),
    ];
    const of = (key: 'signedOff' | 'firstPass' | 'team') => tasksOfLine(key, tasks).map(({ taskId }) => taskId);
    expect([of('signedOff'), of('firstPass'), of('team')]).toEqual([['1', '3'], ['1', '3'], []]);
  });
});
