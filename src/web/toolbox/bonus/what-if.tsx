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

type Percents = Readonly<Record<BonusComponent, number>>;
type Props = { readonly overview: BonusOverview; readonly choice: BonusChoice };

const percentOf = ({ part, whole }: Share): number => (whole === 0 ? 0 : Math.round((part / whole) * 100));

/** Where the sliders begin: what the statement has, or the example where there is none. */
function startOf(statement: BonusStatement | null | undefined): Percents {
  const share = (key: BonusComponent) => {
    const line = statement?.lines.find((each) => each.key === key);
    if (!line) return percentOf(exampleShares[key]);
    return line.waived ? 100 : percentOf(line);
  };
  return { signedOff: share('signedOff'), firstPass: share('firstPass'), team: share('team') };
}

/** What another week would have come to, by the plan of the sprint that is shown. */
export function WhatIf({ overview, choice }: Props) {
  const { data } = useQuery(weekQuery(choice.userId, choice.sprintId));
  const [moved, setMoved] = useState<{ readonly of: string; readonly percents: Percents } | null>(null);
  const held = data?.plan?.version;
  const version = overview.bonusPlans.find(({ version: each }) => each === held) ?? overview.bonusPlans[0];
  if (!version) return null;
  const of = `${choice.userId} ${choice.sprintId}`;
  const start = startOf(data?.statement);
  const percents = moved?.of === of ? moved.percents : start;
  const plan = corePlan(version);
  const shares = Object.fromEntries(
    bonusComponentKeys.map((key) => [key, { part: percents[key], whole: 100 }]),
  ) as Record<BonusComponent, Share>;
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
                setMoved({ of, percents: { ...percents, [key]: Number(event.currentTarget.value) } })
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

const words = ({ signedOff, firstPass, team }: Percents): string =>
  `A sprint with ${signedOff}% signed off, ${firstPass}% signed off first time and the team at ${team}%`;

function difference(more: bigint, currency: string): string {
  if (more === 0n) return ', as the statement has it';
  return more > 0n
    ? `, ${exactMoney(more, currency)} more than the statement`
    : `, ${exactMoney(-more, currency)} less than the statement`;
}
