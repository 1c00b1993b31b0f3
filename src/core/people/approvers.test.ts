import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApproverCandidate,
  approverCircles,
  approverWarning,
  defaultApproverOf,
  effectiveApprovers,
  mergeApprovers,
  mostApprovers,
  ownApproversSentence,
  planApprovers,
} from './approvers.ts';

const candidate = (id: string, more: Partial<ApproverCandidate> = {}): ApproverCandidate => ({
  id,
  displayName: `Person ${id}`,
  role: 'Approver',
  permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'],
  approverIds: [],
  disabled: false,
  ...more,
});
const candidates = new Map(
  [candidate('1'), candidate('2'), candidate('3', { permissions: [] }), candidate('4', { disabled: true })].map(
    (one) => [one.id, one] as const,
  ),
);
const person = { id: '1', displayName: 'Cat Crew', ownApproverIds: ['2'] };

describe('giving a person approvers', () => {
  it.each([
    ['oneself', ['1'], undefined, 'BAD_INPUT', 'People can’t approve their own tasks. Choose someone else'],
    ['nobody', ['99'], undefined, 'BAD_INPUT', 'This approver no longer exists. Choose someone else'],
    ['__proto__', ['__proto__'], undefined, 'BAD_INPUT', 'This approver no longer exists. Choose someone else'],
    ['a disabled account', ['4'], undefined, 'BAD_INPUT', 'Person 4’s account is disabled. Choose someone else'],
    [
      'too many',
      Array.from({ length: mostApprovers + 1 }, (_, index) => String(index + 100)),
      undefined,
      'BAD_INPUT',
      `Cat Crew can’t have more than ${mostApprovers} approvers`,
    ],
    [
      'others than the caller saw',
      ['3'],
      ['3', '2'],
      'CONFLICT',
      'Someone else changed Cat Crew’s approvers. Review them and try again',
    ],
    ['none known where there is one', ['3'], [], 'CONFLICT', expect.any(String)],
  ] as const)('%s is refused', (_what, wanted, known, code, message) => {
    expect(planApprovers(person, wanted, candidates, known)).toMatchObject({ kind: 'refusal', code, message });
  });
  it.each([
    [['2', '3'], ['2'], { approverIds: ['2', '3'], added: ['3'], removed: [] }],
    [['3', '3'], undefined, { approverIds: ['3'], added: ['3'], removed: ['2'] }],
    [[], ['2'], { approverIds: [], added: [], removed: ['2'] }],
  ] as const)('%j with %j known is planned', (wanted, known, plan) => {
    expect(planApprovers(person, wanted, candidates, known)).toEqual({ kind: 'plan', ...plan });
  });
  it('the same ones change nothing, whatever the caller saw: somebody else did it already', () => {
    expect(planApprovers(person, ['2'], candidates, ['3'])).toEqual({ kind: 'unchanged' });
  });
  it('an approver who was disabled later may stay beside a new one', () => {
    expect(planApprovers({ ...person, ownApproverIds: ['4'] }, ['4', '2'], candidates)).toMatchObject({ kind: 'plan' });
  });
});

describe('the approvers that count (D26)', () => {
  it.each([
    [[], null, []],
    [[], '9', ['9']],
    [['2'], '9', ['2']],
    [['2', '3'], null, ['2', '3']],
    [[], '1', []],
  ] as const)('with %j and the default approver %s are %j', (own, byDefault, expected) => {
    expect(effectiveApprovers('1', own, byDefault)).toEqual(expected);
  });
  it.each([
    [undefined, null, null],
    [undefined, '7', '7'],
    [null, '7', null],
    ['8', '7', '8'],
    ['8', null, '8'],
  ] as const)('the default approver chosen as %s with %s in the environment is %s', (chosen, environment, id) => {
    expect(defaultApproverOf(chosen, environment)).toBe(id);
  });
});

describe('an approver with whom tasks stay undecided', () => {
  it.each([
    [{ disabled: true }, 'disabled'],
    [{ permissions: ['VIEW_DASHBOARD'] }, 'mayNotDecide'],
    [{}, null],
    [{ role: 'admin', permissions: [] }, null],
    [{ role: 'admin', disabled: true }, 'disabled'],
    [{ canSignIn: false }, 'cannotSignIn'],
  ] as const)('%j: %s', (more, warning) => {
    expect(approverWarning({ ...candidate('5'), canSignIn: true, ...more })).toBe(warning);
  });
});

describe('what a person is told about their approvers', () => {
  const lena = { displayName: 'Lena Hoffmann', decides: true };
  const marcus = { displayName: 'Marcus Adeyemi', decides: true };
  const away = { displayName: 'Grace Whitfield', decides: false };
  const gone = { displayName: 'Tomás Pereira', decides: false };
  const ada = { displayName: 'Ada North' };
  it.each([
    [[], [ada], 'You have no approver. Ask Ada North to choose one.'],
    [[], [], 'You have no approver. Ask an admin to choose one.'],
    [[away], [ada], 'Grace Whitfield can’t approve your tasks right now. Ask Ada North to choose another approver.'],
    [
      [away, gone],
      [],
      'Grace Whitfield and Tomás Pereira can’t approve your tasks right now. Ask an admin to choose another approver.',
    ],
    [[lena, away], [ada], 'Lena Hoffmann approves your tasks.'],
    [[lena, marcus], [], 'Lena Hoffmann or Marcus Adeyemi approves your tasks.'],
    [
      [{ ...lena, awayFrom: '2026-12-07' }],
      [],
      'Lena Hoffmann approves your tasks. Lena Hoffmann will be away from Mon 7 Dec.',
    ],
  ])('%j, with the admins %j', (approvers, admins, sentence) => {
    const said = ownApproversSentence(approvers, admins, { role: 'Staff' });
    expect(said).toMatchObject({ sentence, isMissing: !approvers.some(({ decides }) => decides) });
    expect(said.names === null).toBe(said.isMissing);
  });
  it('names who chooses approvers before the admins', () => {
    const contacts = [{ displayName: 'Hana Reyes' }, ada];
    expect(ownApproversSentence([], [ada], { role: 'Staff' }, contacts).sentence).toBe(
      'You have no approver. Ask Hana Reyes or Ada North to choose one.',
    );
  });
  it('an admin’s tasks are decided by the other admins', () => {
    const said = (admins: readonly { readonly displayName: string }[]) =>
      ownApproversSentence([], admins, { role: 'admin' }).sentence;
    expect(said([ada])).toBe('Ada North approves your tasks.');
  });
  it('an admin without others is not told to ask one', () => {
    const said = (approvers: (typeof away)[]) => ownApproversSentence(approvers, [], { role: 'admin' }).sentence;
    expect(said([])).toBe('You have no approver.');
    expect(said([away])).toBe('Grace Whitfield can’t approve your tasks right now.');
  });
});

describe('circles of approval', () => {
  const circles = (map: Record<string, string[]>) =>
    approverCircles(new Map(Object.entries(map)))
      .map((circle) => circle.toSorted())
      .toSorted();
  it.each([
    ['a chain', { a: ['b'], b: ['c'], c: [] }, []],
    ['two who approve each other', { a: ['b'], b: ['a'] }, [['a', 'b']]],
    ['three in a ring, and who hangs on it', { a: ['b'], b: ['c'], c: ['a'], d: ['a'] }, [['a', 'b', 'c']]],
    [
      'two of them',
      { a: ['b'], b: ['a'], c: ['d'], d: ['c', 'a'] },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['an approver who is in no list', { a: ['z'] }, []],
    ['nobody', {}, []],
  ] as const)('%s', (_what, map, expected) => {
    expect(circles(map as unknown as Record<string, string[]>)).toEqual(expected);
  });
  it('are found in a chain of ten thousand people', () => {
    const ring = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [index, [String((index + 1) % 10_000)]]),
    );
    expect(circles(ring)[0]).toHaveLength(10_000);
  });
  it('hold exactly those who reach each other', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.dictionary(id, fc.uniqueArray(id, { maxLength: 3 })), (drawn) => {
        const map = Object.fromEntries(
          Object.entries(drawn).map(([key, ids]) => [key, ids.filter((other) => other !== key)]),
        );
        const reaches = (from: string, to: string): boolean => {
          const seen = new Set<string>();
          const rest = [...(map[from] ?? [])];
          for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
            if (next === to) return true;
            if (!seen.has(next)) rest.push(...(map[next] ?? []));
            seen.add(next);
          }
          return false;
        };
        const found = circles(map);
        for (const one of 'abcdef')
          for (const other of 'abcdef')
            if (one !== other)
              expect(found.some((circle) => circle.includes(one) && circle.includes(other))).toBe(
                reaches(one, other) && reaches(other, one),
              );
      }),
    );
  });
});

it.each([
  ['adds to what someone else added', ['2'], ['2', '3'], ['2', '4'], ['2', '4', '3']],
  ['takes out what someone else kept', ['2', '5'], ['5'], ['2', '5', '4'], ['5', '4']],
  ['doesn’t bring back what someone else took out', ['2', '5'], ['2', '5', '3'], ['5'], ['5', '3']],
  ['is the same choice as someone else’s', ['2'], ['3'], ['3'], ['3']],
])('a choice of approvers that %s', (_, before, after, now, merged) => {
  expect(mergeApprovers(before, after, now)).toEqual(merged);
});
