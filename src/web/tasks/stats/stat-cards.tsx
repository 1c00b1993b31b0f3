import { useQuery } from '@tanstack/react-query';
import { percentWords } from '#core/base/percent.ts';
import { DeltaPill } from '#web/charts/delta-pill.tsx';
import { DefinitionCard } from './definition-card.tsx';
import { ratioWords } from './employee-columns.tsx';
import classes from './stat-cards.module.css';
import { type DefinitionKey, definitions } from './stats-definitions.ts';
import { type SprintTotals, type StatsSprint, sprintTotalsQuery } from './stats-queries.ts';

type Card = {
  readonly key: DefinitionKey;
  readonly value: (totals: SprintTotals) => number | null;
  readonly words: (value: number | null) => string;
  readonly better: 'higher' | 'lower';
  readonly unit?: string;
  readonly digits?: number;
};

const cards: readonly Card[] = [
  {
    key: 'completed',
    value: (totals) => totals.completionPercentage,
    words: percentWords,
    better: 'higher',
    unit: 'pt',
  },
  {
    key: 'signedOff',
    value: (totals) => totals.signedOffPercentage,
    words: percentWords,
    better: 'higher',
    unit: 'pt',
  },
  {
    key: 'firstPass',
    value: (totals) => totals.firstPassPercentage,
    words: percentWords,
    better: 'higher',
    unit: 'pt',
  },
  { key: 'rework', value: (totals) => totals.rework, words: ratioWords, better: 'lower', digits: 2 },
];

type Props = {
  readonly totals: SprintTotals;
  /** The sprint is running: half a week isn't compared with a whole one. */
  readonly running: boolean;
  readonly previous: StatsSprint | null;
  readonly scope: string | null;
};

/** The selected people's four numbers, each with the previous sprint's. */
export function StatCards({ totals, running, previous, scope }: Props) {
  const before = useQuery(sprintTotalsQuery(previous?.id ?? null, scope)).data ?? null;
  return (
    <ul className={classes.cards}>
      {cards.map(({ key, value, words, better, unit, digits }) => {
        const now = value(totals);
        const then = before && value(before);
        return (
          <li key={key} className={classes.card}>
            <p className={classes.label}>
              {definitions[key].title} <DefinitionCard of={key} />
            </p>
            <p className={classes.value}>{words(now)}</p>
            <p className={classes.change}>
              {!running && (
                <DeltaPill
                  now={now}
                  before={then}
                  better={better}
                  {...(unit ? { unit } : {})}
                  {...(digits ? { digits } : {})}
                />
              )}
              <span className={classes.before}>
                {[running && 'so far', previous && before && `${words(then)} in ${previous.name}`]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
