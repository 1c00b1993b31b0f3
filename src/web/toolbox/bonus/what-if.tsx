import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readDecimal } from '#core/base/decimals.ts';
import {
  type BonusComponent,
  type BonusLine,
  type BonusPlan,
  bonusComponentKeys,
  bonusComponents,
  type CountedShares,
  exampleShares,
  fullShare,
  linesAt,
  type Share,
  sharesOf,
  totalOf,
} from '#core/toolbox/bonus.ts';
import { Panel } from '#web/ui/panel.tsx';
import classes from './bonus-page.module.css';
import { type BonusOverview, corePlan, weekQuery } from './bonus-queries.ts';
import { exactMoney, moreOrLess } from './bonus-words.ts';
import type { BonusChoice } from './use-bonus-choice.ts';

type Props = { readonly overview: BonusOverview; readonly choice: BonusChoice };

const percentOf = ({ part, whole }: Share): number => (whole === 0 ? 0 : Math.round((part / whole) * 100));

/** The result of a hypothetical week by the shown sprint's plan. */
export function WhatIf({ overview, choice }: Props) {
  const { data } = useQuery(weekQuery(choice.userId, choice.sprintId));
  const [moved, setMoved] = useState<{ readonly of: string; readonly shares: Partial<CountedShares> } | null>(null);
  const held = data?.plan?.version;
  const version = overview.bonusPlans.find(({ version: each }) => each === held) ?? overview.bonusPlans[0];
  if (!version) return null;
  const of = `${choice.userId} ${choice.sprintId}`;
  const movedHere = moved?.of === of ? moved.shares : {};
  // Only moved shares are whole percents: the rest, and a slider moved back, match the statement to the cent.
  const plan = corePlan(version);
  const start = data?.statement ? sharesOf(data.statement.lines) : exampleShares;
  const lines = linesAt(plan, { ...start, ...movedHere });
  const percents = percentsOf(plan, lines);
  const unmoved = percentsOf(plan, linesAt(plan, start));
  const move = (key: BonusComponent, percent: number) => {
    const { [key]: _before, ...others } = movedHere;
    const shares = percent === unmoved[key] ? others : { ...others, [key]: { part: percent, whole: 100 } };
    setMoved(Object.keys(shares).length === 0 ? null : { of, shares });
  };
  const total = totalOf(lines);
  const now = data?.statement ? readDecimal(data.statement.amount) : null;
  return (
    <Panel
      title="What if"
      actions={
        moved?.of === of && (
          <Button variant="subtle" size="compact-sm" onClick={() => setMoved(null)}>
            Back to the statement
          </Button>
        )
      }
    >
      <div className={classes.sliders}>
        {bonusComponentKeys.map((key) => (
          <label key={key} className={classes.slider}>
            <span>{bonusComponents[key].title}</span>
            <span aria-hidden="true">{percents[key]}%</span>
            <input
              type="range"
              min={0}
              max={100}
              step={1}
              value={percents[key]}
              aria-label={bonusComponents[key].title}
              aria-valuetext={`${percents[key]} percent`}
              onChange={(event) => move(key, Number(event.currentTarget.value))}
            />
          </label>
        ))}
        <p className={classes.result}>
          <output>
            {words(percents)} comes to <strong>{exactMoney(total, plan.currency)}</strong>
            {now !== null && moved?.of === of && difference(total - now, plan.currency)}.
          </output>
        </p>
      </div>
    </Panel>
  );
}

/** The sliders' places. A waived line is at the share that pays its weight. */
const percentsOf = (plan: BonusPlan, lines: readonly BonusLine[]) =>
  Object.fromEntries(
    lines.map(({ key, waived, ...share }) => [key, percentOf(waived ? fullShare(plan.components[key]) : share)]),
  ) as Readonly<Record<BonusComponent, number>>;

const words = ({ signedOff, firstPass, team }: Readonly<Record<BonusComponent, number>>): string =>
  `A sprint with ${signedOff}% signed off, ${firstPass}% without rework and the team at ${team}%`;

const difference = (more: bigint, currency: string): string =>
  more === 0n ? ', same as the statement' : `, ${moreOrLess(more, currency)} than the statement`;
