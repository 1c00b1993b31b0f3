import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { readInput } from '../base/inputs.ts';
import {
  bonusLimits,
  canSeeBonusOf,
  createBonusPlanInput,
  curvesRefusal,
  planMessage,
  planStartRefusal,
  threadState,
} from './bonus-plans.ts';

const { admin, approver, staff, top5, people } = samplePeople;
const owner = { id: staff.id, approverIds: [approver.id] };

describe('who sees the amounts of a person', () => {
  it.each([
    ['a colleague', top5, false],
    ['who manages people', people, false],
    ['somebody named as approver without the permission', { ...top5, id: 'approver' }, false],
    ['the person', staff, true],
    ['the person’s approver', approver, true],
    ['an approver of others', { ...approver, id: 'other' }, false],
    ['an admin', admin, true],
  ] as const)('%s: %s', (_who, viewer, sees) => {
    expect(canSeeBonusOf(viewer, owner)).toBe(sees);
  });
});

describe('a message about a line', () => {
  const asked = [{ isQuestion: true }];
  it.each([
    ['a colleague', top5, asked, 'NOT_FOUND'],
    ['an approver where nothing was asked', approver, [], 'TRANSITION_NOT_ALLOWED'],
    ['the person', staff, [], true],
    ['the person again', staff, [...asked, { isQuestion: false }], true],
    ['the approver', approver, asked, false],
    ['an admin', admin, asked, false],
    ['an admin where the questions are full', admin, Array(bonusLimits.messages).fill(asked[0]), false],
    [
      'an approver where the answers are full',
      approver,
      [...asked, ...Array(bonusLimits.messages).fill({ isQuestion: false })],
      'TRANSITION_NOT_ALLOWED',
    ],
    [
      'the person where the questions are full',
      staff,
      Array(bonusLimits.messages).fill(asked[0]),
      'TRANSITION_NOT_ALLOWED',
    ],
  ] as const)('of %s', (_who, viewer, thread, expected) => {
    const plan = planMessage(viewer, owner, thread);
    expect(plan.kind === 'refusal' ? plan.code : plan.isQuestion).toBe(expected);
  });

  it('of an admin about their own line is a question, never an answer', () => {
    expect(planMessage(admin, { id: admin.id, approverIds: [] }, asked)).toMatchObject({ isQuestion: true });
  });

  it('leaves the thread open after a question and answered after an answer', () => {
    expect([
      threadState([]),
      threadState(asked),
      threadState([...asked, { isQuestion: false }]),
      threadState([{ isQuestion: false }, ...asked]),
    ]).toEqual([null, 'open', 'answered', 'open']);
  });
});

describe('a plan', () => {
  it.each([
    ['settled', false, false],
    ['settling', false, false],
    ['active', true, false],
    ['active', false, true],
    ['future', true, true],
    ['future', false, true],
  ] as const)('that begins in a sprint that is %s, with a plan in force: %s', (phase, holds, allowed) => {
    expect(planStartRefusal(phase, holds)).toEqual(
      allowed ? null : expect.objectContaining({ code: 'SPRINT_DOES_NOT_ALLOW' }),
    );
  });

  const curve = (weight: number, from = 50, full = 100) => ({ weight, from, full, cap: 120 });
  it('has weights that add up to 100 % and parts that begin before they are full', () => {
    expect(curvesRefusal({ signedOff: curve(50), firstPass: curve(30), team: curve(10) })?.message).toContain('90%');
    expect(curvesRefusal({ signedOff: curve(50), firstPass: curve(30, 80, 80), team: curve(20) })?.field).toBe(
      'components.firstPass.from',
    );
    expect(curvesRefusal({ signedOff: curve(100), firstPass: curve(0), team: curve(0) })).toBeNull();
  });

  const input = {
    fromSprintId: '7',
    base: '100.50',
    currency: 'EUR',
    fairHours: 24,
    components: { signedOff: curve(50), firstPass: curve(30), team: curve(20) },
    after: 0,
  };
  it.each([
    [{ base: '0' }, 'base'],
    [{ base: '1e3' }, 'base'],
    [{ base: '1000000.01' }, 'base'],
    [{ base: '1.00001' }, 'base'],
    [{ currency: 'eur' }, 'currency'],
    [{ currency: '__proto__' }, 'currency'],
    [{ fairHours: 0 }, 'fairHours'],
    [{ fairHours: 24.5 }, 'fairHours'],
    [{ components: { ...input.components, team: { ...curve(20), cap: 90 } } }, 'components.team.cap'],
    [{ components: { ...input.components, extra: curve(0) } }, 'components.extra'],
    [{ note: 'x'.repeat(501) }, 'note'],
    [{ after: -1 }, 'after'],
  ])('is refused with %o', (wrong, field) => {
    expect(readInput(createBonusPlanInput, { ...input, ...wrong })).toMatchObject({ code: 'BAD_INPUT', field });
  });
  it('is taken as it stands', () => {
    expect(readInput(createBonusPlanInput, input)).toEqual(input);
  });
});
