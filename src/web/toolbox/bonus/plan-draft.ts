// A version of the plan while it is typed: texts in the form, and what the core says of them.

import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { type BonusComponent, type BonusCurve, defaultCurve, defaultFairHours } from '#core/toolbox/bonus.ts';
import { createBonusPlanInput, curvesRefusal, planStartRefusal } from '#core/toolbox/bonus-plans.ts';
import type { BonusOverview, NewPlan, OverviewSprint, PlanVersion } from './bonus-queries.ts';

export type Curves = Record<BonusComponent, Record<keyof BonusCurve, string>>;
export type TypedPlan = {
  fromSprintId: string;
  base: string;
  currency: string;
  fairHours: string;
  note: string;
  curves: Curves;
};

export const curveFields = [
  ['weight', 'Weight %'],
  ['from', 'Nothing up to %'],
  ['full', 'Full at %'],
  ['cap', 'At most %'],
] as const satisfies readonly (readonly [keyof BonusCurve, string])[];
const firstWeights: Record<BonusComponent, number> = { signedOff: 50, firstPass: 30, team: 20 };

function typedCurves(latest: PlanVersion | undefined): Curves {
  const curveOf = (key: BonusComponent): BonusCurve =>
    latest?.components.find((each) => each.key === key) ?? { weight: firstWeights[key], ...defaultCurve };
  const typed = (key: BonusComponent) =>
    Object.fromEntries(curveFields.map(([field]) => [field, String(curveOf(key)[field])])) as Curves[BonusComponent];
  return { signedOff: typed('signedOff'), firstPass: typed('firstPass'), team: typed('team') };
}

/** Where a plan may begin: the core says, as the server does. */
export function startsOf({ getSprints, bonusPlans }: BonusOverview): OverviewSprint[] {
  const current = getSprints.find(({ phase }) => phase === 'active');
  const holds = current !== undefined && bonusPlans.some(({ from }) => (from.startDate ?? '') <= current.startDate);
  return getSprints.filter(({ phase }) => planStartRefusal(phase as 'active', holds) === null);
}

const whole = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN);

export function planOf({ curves, fairHours, base, ...rest }: TypedPlan, after: number): NewPlan {
  const curve = (key: BonusComponent) =>
    Object.fromEntries(curveFields.map(([field]) => [field, whole(curves[key][field])])) as BonusCurve;
  const components = { signedOff: curve('signedOff'), firstPass: curve('firstPass'), team: curve('team') };
  return { ...rest, base: base.replace(/[\s,]/g, ''), fairHours: whole(fairHours), components, after };
}

export type PlanFault = { readonly field: string; readonly message: string };

/** The message beside the input at fault, or null; asked of the core. */
export function faultOf(plan: NewPlan): PlanFault | null {
  const read = readInput(createBonusPlanInput, plan);
  const refusal = isRefusal(read) ? read : curvesRefusal(read.components);
  return refusal && { field: refusal.field ?? '', message: words(refusal.field ?? '', refusal.message) };
}

function words(field: string, message: string): string {
  if (field === 'base') return 'Enter an amount above zero and up to a million, such as 120 or 99.50';
  if (field === 'currency') return 'Enter the three letters of a currency, such as USD';
  if (field === 'fairHours') return 'Enter whole hours from 1 to 168';
  return field.startsWith('components.') && message.startsWith(field)
    ? 'Enter whole percents: weights and starts up to 100, the most from 100 to 200'
    : message;
}

/** The form begins with the latest version. */
export function draftOf(overview: BonusOverview): TypedPlan {
  const [latest] = overview.bonusPlans;
  return {
    fromSprintId: startsOf(overview)[0]?.id ?? '',
    base: latest?.base ?? '',
    currency: latest?.currency ?? 'USD',
    fairHours: String(latest?.fairHours ?? defaultFairHours),
    note: '',
    curves: typedCurves(latest),
  };
}
