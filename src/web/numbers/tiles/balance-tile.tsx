import { useQuery } from '@tanstack/react-query';
import { Bars } from '#web/charts/bars.tsx';
import { DefinitionCard } from '#web/charts/definition-card.tsx';
import { drawn, numberWords, shortWords } from '#web/charts/number-format.ts';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { ChartTile } from './chart-tile.tsx';
import { balanceQuery } from './goal-queries.ts';

type Props = { readonly page: PageOfNumbers; readonly title: string; readonly height: number };

const parts = [
  ['collected', 'Collected'],
  ['remitted', 'Remitted'],
  ['open', 'Open'],
] as const;

const meaning =
  'Collected is every completed gift less its fee, since the first. Remitted is every paid payout of kind remittance whose program is the cause.';

/** What was given to the cause in all, what of it was passed on, and what is still to be. */
export function BalanceTile({ page, title, height }: Props) {
  const query = useQuery(balanceQuery(page.view.scope ?? '', page.view.currency));
  return (
    <ChartTile
      title={title}
      note={
        <>
          over all time <DefinitionCard title={title} formula="Open = collected - remitted" meaning={meaning} />
        </>
      }
      query={query}
      height={height}
      draw={(balance) => {
        const bars = parts.map(([key, label]) => ({
          key,
          label,
          value: drawn(balance[key]) ?? 0,
          shown: numberWords(balance[key], 'money', balance.currency),
          short: shortWords(drawn(balance[key]), 'money', balance.currency),
        }));
        return {
          twin: {
            caption: title,
            head: ['Balance', 'Amount'],
            rows: bars.map(({ label, shown, value }) => ({ label, shown: [shown], raw: [value] })),
          },
          chart: <Bars height={height} name={title} bars={bars} />,
        };
      }}
    />
  );
}
