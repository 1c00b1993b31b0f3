// A version of the plan while it is typed: texts in the form, and what the core says of them.
import { type BonusComponent, type BonusCurve, defaultCurve, defaultFairHours } from '#core/toolbox/bonus.ts';
import { planStartRefusal } from '#core/toolbox/bonus-plans.ts';
import type { BonusOverview, NewPlan, OverviewSprint, PlanVersion } from './bonus-queries.ts';

type Curves = Record<BonusComponent, Record<keyof BonusCurve, string>>;
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
