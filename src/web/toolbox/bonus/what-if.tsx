import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readDecimal } from '#core/base/decimals.ts';
import {
  type BonusComponent,
  bonusComponentKeys,
  bonusComponents,
  exampleShares,
  linesAt,
  type Share,
  totalOf,
} from '#core/toolbox/bonus.ts';
import { Panel } from '#web/ui/panel.tsx';
import classes from './bonus-page.module.css';
import { type BonusOverview, type BonusStatement, corePlan, weekQuery } from './bonus-queries.ts';
import { exactMoney } from './bonus-words.ts';
import type { BonusChoice } from './use-bonus-choice.ts';

type Shares = Readonly<Record<BonusComponent, Share>>;
type Props = { readonly overview: BonusOverview; readonly choice: BonusChoice };

const percentOf = ({ part, whole }: Share): number => (whole === 0 ? 0 : Math.round((part / whole) * 100));

/** The sliders' start: exactly the statement's values, or the example's. */
function startOf(statement: BonusStatement | null | undefined): Shares {
  const share = (key: BonusComponent): Share => {
    const line = statement?.lines.find((each) => each.key === key);
    if (!line) return exampleShares[key];
    return line.waived ? { part: 1, whole: 1 } : line;
  };
  return { signedOff: share('signedOff'), firstPass: share('firstPass'), team: share('team') };
}

/** The result of a hypothetical week by the shown sprint's plan. */
export function WhatIf({ overview, choice }: Props) {
  const { data } = useQuery(weekQuery(choice.userId, choice.sprintId));
  const [moved, setMoved] = useState<{ readonly of: string; readonly shares: Partial<Shares> } | null>(null);
  const held = data?.plan?.version;
  const version = overview.bonusPlans.find(({ version: each }) => each === held) ?? overview.bonusPlans[0];
  if (!version) return null;
  const of = `${choice.userId} ${choice.sprintId}`;
  const movedHere = moved?.of === of ? moved.shares : {};
  // Only moved shares are whole percents: the rest stay exact, to match the statement to the cent.
  const shares: Shares = { ...startOf(data?.statement), ...movedHere };
  const percents = percentsOf(shares);
  const plan = corePlan(version);
  const total = totalOf(linesAt(plan, shares));
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
              onChange={(event) =>
                setMoved({
                  of,
                  shares: { ...movedHere, [key]: { part: Number(event.currentTarget.value), whole: 100 } },
                })
              }
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

const percentsOf = ({ signedOff, firstPass, team }: Shares): Readonly<Record<BonusComponent, number>> => ({
  signedOff: percentOf(signedOff),
  firstPass: percentOf(firstPass),
  team: percentOf(team),
});

const words = ({ signedOff, firstPass, team }: Readonly<Record<BonusComponent, number>>): string =>
  `A sprint with ${signedOff}% signed off, ${firstPass}% signed off first time and the team at ${team}%`;

function difference(more: bigint, currency: string): string {
  if (more === 0n) return ', same as the statement';
  return more > 0n
    ? `, ${exactMoney(more, currency)} more than the statement`
    : `, ${exactMoney(-more, currency)} less than the statement`;
}
