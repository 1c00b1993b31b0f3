// How the bonus page writes amounts, shares and rules.

import { isScope, scopes } from '#core/access/brands.ts';
import { decimalText } from '#core/base/decimals.ts';
import {
  type BonusComponent,
  type BonusCurve,
  bonusComponents,
  coinOf,
  curveAt,
  type Share,
} from '#core/toolbox/bonus.ts';
import { shareWords } from '#core/toolbox/bonus-words.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { type BonusOverview, type PlanVersion, planInEffect } from './bonus-queries.ts';

export const money = (amount: string, currency: string): string => numberWords(amount, 'money', currency);
export const exactMoney = (amount: bigint, currency: string): string => money(decimalText(amount), currency);

/** "rounded to the nearest $0.01" */
export const roundingWords = (currency: string): string =>
  `rounded to the nearest ${exactMoney(coinOf(currency), currency)}`;

/** "$5.00 more", "$5.00 less", "the same". */
export function moreOrLess(more: bigint, currency: string): string {
  if (more === 0n) return 'the same';
  return more > 0n ? `${exactMoney(more, currency)} more` : `${exactMoney(-more, currency)} less`;
}

const factorOf = (value: number): string => String(Math.round(value * 1000) / 1000);

const percentStep = 2;

/** The shares in a chart of what a plan pays. */
export const percents = Array.from({ length: 100 / percentStep + 1 }, (_, index) => index * percentStep);
export const percentLabels = percents.map((percent) => `${percent}%`);

type Counted = Share & { readonly waived: boolean };

/** The curve's factor: "× 0.6". */
export function factorWords(curve: BonusCurve, { part, whole, waived }: Counted): string {
  if (waived) return `× ${factorOf(1)}`;
  return `× ${factorOf(whole === 0 ? 0 : curveAt(curve, part / whole))}`;
}

type CountedTask = { readonly sendBacks: number; readonly heldUp: boolean };

/** "1 of 3, 33%, without 1 held up by the approver" */
export function resultWords(line: Counted & { readonly key: BonusComponent }, tasks: readonly CountedTask[]): string {
  const heldUp = line.key === 'signedOff' ? tasks.filter((task) => task.heldUp).length : 0;
  return shareWords(line, tasks) + (heldUp > 0 ? `, without ${heldUp} held up by the approver` : '');
}

/**
 * "Signed-off share, weight 50%. Pays nothing at 50% or below, the full share at 90%, and up to 1.2× above
 * that."
 */
export function curveWords(key: BonusComponent, curve: BonusCurve): string {
  const { weight, from, full } = curve;
  const start = from === 0 ? 'for any result above 0%' : `nothing at ${from}% or below`;
  const title = `${bonusComponents[key].title}, weight ${weight}%`;
  // No share is above 100%, so the cap can be out of reach.
  const most = curveAt(curve, 1);
  if (most <= 1) return `${title}. Pays ${start}, and the full share at ${full}%.`;
  return `${title}. Pays ${start}, the full share at ${full}%, and up to ${factorOf(most)}× above that.`;
}

export const teamName = (team: string | null): string =>
  team === null ? 'the whole company' : `team ${isScope(team) ? scopes[team].title : team}`;

export const noStatements = {
  title: 'No statements yet',
  sentence: 'A statement is recorded when a sprint with tasks has settled.',
};

/** "25 h". Days would say less: these are working hours, and in older statements all hours. */
export const waitWords = (seconds: number): string => `${Math.round(seconds / 3600)} h`;

/** "in effect from sprint 2026 W49", also of a version whose sprint hasn't started. */
export function effectWords(overview: BonusOverview, { version, from }: PlanVersion): string {
  const isNext = version > (planInEffect(overview)?.version ?? 0);
  return `${isNext ? 'will be in effect' : 'in effect'} from sprint ${from.name}`;
}

/** The running sprint's plan and the next one. */
export function planSentence(overview: BonusOverview): string {
  const holds = planInEffect(overview);
  const [latest] = overview.bonusPlans;
  if (!latest) return 'How the bonus works, and your statement.';
  const next = `Version ${latest.version} ${effectWords(overview, latest)}.`;
  if (!holds) return next;
  const base = `The base amount is ${money(holds.base, holds.currency)} per sprint`;
  const now = `${base} under version ${holds.version}, in effect since ${holds.from.name}.`;
  return latest === holds ? now : `${now} ${next}`;
}
