// Decides a bonus: the curve, what counts in a sprint, and each line's exact amount. Used by the server when
// it records a sprint, by the forecast, and by the page's example and what-if.

import { divideHalfEven, tenThousandths } from '../base/decimals.ts';
import { currencyDigits } from '../base/formats.ts';
import { type Span, secondsWithin } from '../base/working-hours.ts';
import { statusRule, type TaskStatus } from '../tasks/task-status.ts';

export const bonusComponents = {
  signedOff: {
    title: 'Signed-off share',
    formula: 'Signed Off / (To Do + In Progress + Completed + Signed Off), without tasks held up by their approver',
    meaning: 'The share of approved tasks that were signed off.',
  },
  firstPass: {
    title: 'Rework-free share',
    formula: '1 − send-backs / sign-offs, never below 0',
    meaning:
      'Each send-back cancels one sign-off, even if that task isn’t signed off yet. Stats show send-backs per sign-off as Rework.',
  },
  team: {
    title: 'Team result',
    formula: 'The team’s signed-off share, without people left out of stats',
    meaning:
      'What the team finished. The team at the sprint’s end counts. For people without a team, the whole company counts.',
  },
} as const satisfies Record<string, { title: string; formula: string; meaning: string }>;

export type BonusComponent = keyof typeof bonusComponents;
export const bonusComponentKeys = Object.keys(bonusComponents) as BonusComponent[];

/**
 * In whole percent: nothing up to `from`, the full weight at `full`, and beyond that on the same line up to
 * `cap`.
 */
export type BonusCurve = {
  readonly weight: number;
  readonly from: number;
  readonly full: number;
  readonly cap: number;
};

/** `base` in ten-thousandths of the currency, for one sprint. */
export type BonusPlan = {
  readonly base: bigint;
  readonly currency: string;
  /** A task that its approver held up for more working hours doesn't count against its owner. */
  readonly fairHours: number;
  readonly components: Readonly<Record<BonusComponent, BonusCurve>>;
};

export const defaultCurve = { from: 50, full: 100, cap: 120 } as const;
/** One working day. */
export const defaultFairHours = 8;

/** A counted part of a whole. With a whole of 0 there is nothing to measure. */
export type Share = { readonly part: number; readonly whole: number };

/** A task as it counts in a sprint. `waitedSeconds`: by `approverDelay`. */
export type BonusTask = {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** Carried over, so it counts as not completed in this sprint. */
  readonly carriedOut: boolean;
  readonly waitedSeconds: number;
  /** Those since it was completed. Older statements don't tell them apart. */
  readonly signOffSeconds?: number;
  readonly sendBacks: number;
  readonly signOffs: number;
};

export type BonusLine = Share & {
  readonly key: BonusComponent;
  /** Pays in full, because the approver held up what it measures. */
  readonly waived: boolean;
  readonly amount: bigint;
};

/**
 * When a task waited for its approver. `approval`: until it was approved. `now`: since it got its status, if
 * it still waits. Waits that ended in a denial, in a send-back or by the owner excuse nothing.
 */
export type ApproverWaits = { readonly approval: Span | null; readonly now: Span | null };

/**
 * The working seconds for which its approver held up a task: while it still waits, and for the approval
 * unless the sprint then left its owner as much time. A wait for approval counts only until the sprint ends.
 * Otherwise a task created in its last minute would count as held up. `working`: the working hours of the
 * sprint and its settling.
 */
export function approverDelay({ approval, now }: ApproverWaits, working: readonly Span[], sprintEnd: number): number {
  const lasting = now === null ? 0 : secondsWithin(working, now);
  if (approval === null) return lasting;
  const approving = secondsWithin(working, { ...approval, to: Math.min(approval.to, sprintEnd) });
  const left = secondsWithin(working, { from: approval.to, to: sprintEnd });
  return approving > left ? approving + lasting : lasting;
}

/** Approved, not signed off, and its approver held it up for longer than the plan allows. */
export function isHeldUp(
  { status, waitedSeconds }: Pick<BonusTask, 'status' | 'waitedSeconds'>,
  fairHours: number,
): boolean {
  return statusRule(status).approved && status !== 'DONE' && waitedSeconds > fairHours * 3600;
}

/** `heldUpSince`: still waiting since then or longer, it is held up; null: none can be yet. */
export type WaitBounds = { readonly heldUpSince: number | null; readonly approvedUntil: number };

/**
 * What tells without a look at each task how long it waited. An approval up to `approvedUntil` left its owner
 * time enough. In milliseconds since the epoch.
 */
export function waitBounds(working: readonly Span[], sprintEnd: number, until: number, fairHours: number): WaitBounds {
  const start = working[0]?.from ?? until;
  const isLate = (since: number) => {
    const waitedSeconds = approverDelay({ approval: null, now: { from: since, to: until } }, working, sprintEnd);
    return isHeldUp({ status: 'INREVIEW', waitedSeconds }, fairHours);
  };
  const leavesTime = (to: number) =>
    approverDelay({ approval: { from: start, to }, now: null }, working, sprintEnd) === 0;
  return {
    heldUpSince: isLate(start) ? lastWhere(start, until, isLate) : null,
    approvedUntil: lastWhere(start, Math.max(until, sprintEnd), leavesTime),
  };
}

/** The last whole number of a range where something holds that holds at its start, and never again later. */
function lastWhere(from: number, to: number, holds: (at: number) => boolean): number {
  if (to - from <= 1) return holds(to) ? to : from;
  const middle = Math.floor((from + to) / 2);
  return holds(middle) ? lastWhere(middle, to, holds) : lastWhere(from, middle, holds);
}

export function signedOffShare(
  tasks: readonly Pick<BonusTask, 'status' | 'waitedSeconds'>[],
  fairHours: number,
): Share {
  const counted = tasks.filter((task) => statusRule(task.status).approved && !isHeldUp(task, fairHours));
  return { part: counted.filter(({ status }) => status === 'DONE').length, whole: counted.length };
}

export function firstPassShare(tasks: readonly BonusTask[]): Share {
  const sum = (of: 'sendBacks' | 'signOffs') => tasks.reduce((total, task) => total + task[of], 0);
  const signOffs = sum('signOffs');
  return { part: Math.max(0, signOffs - sum('sendBacks')), whole: signOffs };
}

/**
 * The parts that pay in full if they have nothing to measure. Rework is about completed work, so only a wait
 * for its sign-off counts there, and a send-back is a result.
 */
function waivedParts(tasks: readonly BonusTask[], fairHours: number): Readonly<Record<BonusComponent, boolean>> {
  const heldUp = tasks.filter((task) => isHeldUp(task, fairHours));
  const isCompletedHeldUp = heldUp.some(
    ({ status, waitedSeconds, signOffSeconds = waitedSeconds }) =>
      statusRule(status).completed && isHeldUp({ status, waitedSeconds: signOffSeconds }, fairHours),
  );
  return {
    signedOff: heldUp.length > 0,
    firstPass: isCompletedHeldUp && tasks.every(({ sendBacks }) => sendBacks === 0),
    team: false,
  };
}

export function addShares(shares: readonly Share[]): Share {
  return shares.reduce((all, { part, whole }) => ({ part: all.part + part, whole: all.whole + whole }), {
    part: 0,
    whole: 0,
  });
}

/** The tasks that count in a line. A team's aren't visible to the person. */
export function tasksOfLine(key: BonusComponent, tasks: readonly BonusTask[]): readonly BonusTask[] {
  if (key === 'signedOff') return tasks.filter(({ status }) => statusRule(status).approved);
  return key === 'firstPass' ? tasks.filter(({ signOffs, sendBacks }) => signOffs + sendBacks > 0) : [];
}

/**
 * The curve's result for a share, as an exact fraction. Continuous: it leaves 0 at `from` and stays at `cap`.
 */
function paidShare({ from, full, cap }: BonusCurve, { part, whole }: Share): { top: bigint; bottom: bigint } {
  const above = BigInt(part) * 100n - BigInt(from) * BigInt(whole);
  if (whole === 0 || above <= 0n) return { top: 0n, bottom: 1n };
  const bottom = BigInt(whole) * BigInt(full - from);
  return above * 100n > bottom * BigInt(cap) ? { top: BigInt(cap), bottom: 100n } : { top: above, bottom };
}

/** The share that pays exactly a part's weight. A higher one pays more, up to the curve's cap. */
export const fullShare = ({ full }: BonusCurve): Share => ({ part: full, whole: 100 });

/** The curve for charts and texts, for shares from 0 up. Never used for amounts. */
export function curveAt({ from, full, cap }: BonusCurve, share: number): number {
  return Math.min(cap / 100, Math.max(0, (share * 100 - from) / (full - from)));
}

/** A currency's smallest unit in ten-thousandths: payments have no smaller part. */
export const coinOf = (currency: string): bigint =>
  tenThousandths / 10n ** BigInt(Math.min(currencyDigits(currency), 4));

/**
 * base x weight x curve(share), rounded once, half to even, to the currency's smallest unit: so the displayed
 * lines add up.
 */
export function lineAmount({ base, currency }: Pick<BonusPlan, 'base' | 'currency'>, curve: BonusCurve, share: Share) {
  const { top, bottom } = paidShare(curve, share);
  const coin = coinOf(currency);
  return divideHalfEven(base * BigInt(curve.weight) * top, 100n * bottom * coin) * coin;
}

/** The lines of a person's sprint. Their sum is the amount (`totalOf`). */
export function bonusLines(plan: BonusPlan, tasks: readonly BonusTask[], team: Share): BonusLine[] {
  const shares: Record<BonusComponent, Share> = {
    signedOff: signedOffShare(tasks, plan.fairHours),
    firstPass: firstPassShare(tasks),
    team,
  };
  const waivable = waivedParts(tasks, plan.fairHours);
  const counted = (key: BonusComponent) => ({ ...shares[key], waived: shares[key].whole === 0 && waivable[key] });
  return linesAt(plan, {
    signedOff: counted('signedOff'),
    firstPass: counted('firstPass'),
    team: counted('team'),
  });
}

export function totalOf(lines: readonly Pick<BonusLine, 'amount'>[]): bigint {
  return lines.reduce((total, { amount }) => total + amount, 0n);
}

/** A share as a line counts it: a waived one pays its part's weight. */
export type CountedShare = Share & { readonly waived?: boolean };
export type CountedShares = Readonly<Record<BonusComponent, CountedShare>>;

/** The lines at given shares: of a statement, the example, the what-if, and a statement under another plan. */
export function linesAt(plan: BonusPlan, shares: CountedShares): BonusLine[] {
  return bonusComponentKeys.map((key) => {
    const { part, whole, waived = false } = shares[key];
    const curve = plan.components[key];
    const amount = lineAmount(plan, curve, waived ? fullShare(curve) : { part, whole });
    return { key, part, whole, waived, amount };
  });
}

/** What a statement's lines counted. */
export function sharesOf(lines: readonly (CountedShare & { readonly key: BonusComponent })[]): CountedShares {
  return Object.fromEntries(
    lines.map(({ key, part, whole, waived = false }) => [key, { part, whole, waived }]),
  ) as CountedShares;
}

/** Four of five tasks signed off, one send-back in four sign-offs, the team at 17 of 20. */
export const exampleShares: Readonly<Record<BonusComponent, Share>> = {
  signedOff: { part: 4, whole: 5 },
  firstPass: { part: 3, whole: 4 },
  team: { part: 17, whole: 20 },
};
