import { type BonusCurve, bonusComponents, curveAt } from '#core/toolbox/bonus.ts';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import type { PlanVersion } from './bonus-queries.ts';

const step = 2;
const percents = Array.from({ length: 100 / step + 1 }, (_, index) => index * step);
const labels = percents.map((percent) => `${percent} %`);
const ticks = [0, 0.25, 0.5, 0.75, 1, 1.25];
const factor = (value: number | null) => (value === null ? '–' : `× ${Math.round(value * 100) / 100}`);

const valuesOf = (curve: BonusCurve) => percents.map((percent) => curveAt(curve, percent / 100));
const sameAs = (curve: BonusCurve) => `${curve.from} ${curve.full} ${curve.cap}`;

/** One line for each curve of the plan; parts with the same curve share it. */
function linesOf({ components }: PlanVersion): TrendLine[] {
  const groups = Map.groupBy(components, sameAs);
  return [...groups.values()].map((group) => ({
    key: group[0]!.key,
    title: groups.size === 1 ? 'All parts' : group.map(({ key }) => bonusComponents[key].title).join(', '),
    values: valuesOf(group[0]!),
  }));
}

/** What each share counts: from nothing, without a step, up to the cap. */
export function CurveChart({ version }: { version: PlanVersion }) {
  return (
    <TrendLines
      title="What a share counts"
      of="Share"
      labels={labels}
      lines={linesOf(version)}
      format={factor}
      ticks={ticks.filter((tick) => tick <= Math.max(...version.components.map(({ cap }) => cap)) / 100 + 0.25)}
    />
  );
}
