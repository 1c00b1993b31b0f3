import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BonusCurve,
  bonusComponentKeys,
  bonusComponents,
  curveAt,
  exampleShares,
  linesAt,
  totalOf,
} from '#core/toolbox/bonus.ts';
import { shareWords } from '#core/toolbox/bonus-words.ts';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { type TrendLine, TrendLines } from '#web/charts/trend-lines.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import classes from './bonus-page.module.css';
import { type BonusOverview, corePlan, type PlanVersion, planInEffect, weekQuery } from './bonus-queries.ts';
import {
  curveWords,
  effectWords,
  exactMoney,
  factorWords,
  money,
  percentLabels,
  percents,
  roundingWords,
} from './bonus-words.ts';
import type { BonusChoice } from './use-bonus-choice.ts';

type Props = { readonly overview: BonusOverview; readonly choice: BonusChoice };

/** The plan in words, with an example computed by the core, and the curve's chart. */
export function PlanPanel({ overview, choice: { userId, sprintId } }: Props) {
  const { bonusPlans } = overview;
  const [chosen, setChosen] = useState<{ readonly id: string; readonly sprintId: string | null } | null>(null);
  const { data } = useQuery(weekQuery(userId, sprintId));
  // The version of the shown statement, until another one is chosen beside it.
  const shown = bonusPlans.find(({ version }) => version === data?.plan?.version);
  const byHand = chosen?.sprintId === sprintId ? bonusPlans.find(({ id }) => id === chosen.id) : undefined;
  const version = byHand ?? shown ?? planInEffect(overview) ?? bonusPlans[0];
  if (!version) return null;
  const choice = (
    <SearchSelect
      aria-label="Plan version"
      w={225}
      data={bonusPlans.map(({ id, version: each, from }) => ({
        value: id,
        label: `Version ${each}, from ${from.name}`,
      }))}
      value={version.id}
      onChange={(id) => setChosen(id === null ? null : { id, sprintId })}
      allowDeselect={false}
    />
  );
  return (
    <Panel title="How it works" actions={choice}>
      <div className={classes.words}>
        <Words overview={overview} version={version} />
        <Example version={version} />
        <CurveChart version={version} />
      </div>
    </Panel>
  );
}

function Words({ overview, version }: { overview: BonusOverview; version: PlanVersion }) {
  const { base, currency, fairHours, components, note, author } = version;
  return (
    <>
      <p>
        The base amount per sprint is <strong>{money(base, currency)}</strong>. Your bonus depends on three parts:
      </p>
      <ul>
        {components.map(({ key, ...curve }) => (
          <li key={key}>
            {curveWords(key, curve)}
            <DefinitionCard {...bonusComponents[key]} />
          </li>
        ))}
      </ul>
      <p className={classes.formula}>
        Amount = base × the sum of each part’s weight × factor. Each part is {roundingWords(currency)}.
      </p>
      <p>
        If an approver holds up a task for more than {fairHours} working hours, it’s left out of the signed-off share
        until it’s signed off.
        <DefinitionCard
          title="Held up"
          meaning={[
            `A task is held up if it waited for its approver for more than ${fairHours} working hours (Monday to Friday, 9:00 to 17:00, except company holidays). Waits that ended in a denial, a send-back or your own move don’t count.`,
            'Time in Completed counts. Time in Awaiting Approval counts only until the sprint ends, and only if the approval was slow.',
            'An approval is slow if it took more than half the working time that was left in the sprint when you submitted the task.',
            'A held-up task is left out until it’s signed off. If every approved task is left out, the signed-off share pays in full. The rework-free share pays in full if completed work is held up and nothing was signed off or sent back.',
          ]}
          formula={`waited > ${fairHours} working hours and not Signed Off = left out`}
        />
      </p>
      <p>A statement is recorded with the sprint’s result and never changes. Later sign-offs show as corrections.</p>
      <p className={classes.quiet}>
        Version {version.version} by {author}, {effectWords(overview, version)}. {note}
      </p>
    </>
  );
}

function Example({ version }: { version: PlanVersion }) {
  const plan = corePlan(version);
  const lines = linesAt(plan, exampleShares);
  return (
    <table className={classes.example}>
      <caption className="visually-hidden">A worked example</caption>
      <thead>
        <tr>
          <th scope="col">Worked example</th>
          <th scope="col">Weight and factor</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {bonusComponentKeys.map((key, index) => {
          const line = lines[index];
          if (!line) return null;
          const { weight } = plan.components[key];
          return (
            <tr key={key}>
              <th scope="row">
                {bonusComponents[key].title}: {shareWords(line)}
              </th>
              <td>
                {weight}% {factorWords(plan.components[key], line)}
              </td>
              <td>{exactMoney(line.amount, plan.currency)}</td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">Total</th>
          <td />
          <td>{exactMoney(totalOf(lines), plan.currency)}</td>
        </tr>
      </tbody>
    </table>
  );
}

const factorTicks = [0, 0.25, 0.5, 0.75, 1, 1.25];
const factor = (value: number | null) => (value === null ? '–' : `× ${Math.round(value * 100) / 100}`);

const valuesOf = (curve: BonusCurve) => percents.map((percent) => curveAt(curve, percent / 100));
const sameAs = (curve: BonusCurve) => `${curve.from} ${curve.full} ${curve.cap}`;

/** One line per curve; parts with the same curve share it. */
function linesOf({ components }: PlanVersion): TrendLine[] {
  const groups = Map.groupBy(components, sameAs);
  return [...groups.values()].map((group) => ({
    key: group[0]!.key,
    title: groups.size === 1 ? 'All parts' : group.map(({ key }) => bonusComponents[key].title).join(', '),
    values: valuesOf(group[0]!),
  }));
}

/** What each share counts: from nothing, continuously, up to the cap. */
function CurveChart({ version }: { version: PlanVersion }) {
  return (
    <TrendLines
      title="What a share pays"
      of="Share"
      labels={percentLabels}
      lines={linesOf(version)}
      format={factor}
      ticks={factorTicks.filter((tick) => tick <= Math.max(...version.components.map(({ cap }) => cap)) / 100 + 0.25)}
    />
  );
}
