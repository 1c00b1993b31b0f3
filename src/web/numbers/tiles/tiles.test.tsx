import { act, cleanup, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showPage } from '../../../../test/show-page.tsx';
import type { PageOfNumbers } from '../shared/page-of-numbers.ts';
import { useView } from '../shared/view.ts';
import { BarsTile, FunnelTile } from './bar-tiles.tsx';
import { CalendarTile } from './calendar-tile.tsx';
import { BalanceTile, GoalTile } from './goal-tiles.tsx';
import { HeatTile } from './heat-tile.tsx';
import { KpiRow } from './kpi-row.tsx';
import { LineTile, StackTile } from './series-tiles.tsx';
import { AgesTile } from './size-tiles.tsx';
import { TableTile } from './table-tile.tsx';

type TileProps = {
  readonly dataset: DatasetKey;
  readonly tile: (page: PageOfNumbers) => ReactNode;
  readonly openDrillDown?: PageOfNumbers['openDrillDown'];
};

function Tile({ dataset, tile, openDrillDown = () => {} }: TileProps) {
  const { view, change } = useView(dataset);
  return tile({ view, today: '2026-11-24', change, openDrillDown });
}

/** Nothing of it answers for the next one. */
function leave(): void {
  cleanup();
  queryClient.clear();
}

const answer = (rows: readonly (readonly [keys: readonly (string | null)[], value: string])[], more: object = {}) => ({
  numbers: {
    currency: 'EUR',
    currencies: ['EUR'],
    currencyRows: [1],
    isEmpty: false,
    matchingRows: 7,
    isBacklogKnown: true,
    rows: rows.map(([keys, value]) => ({ keys, values: [value], previousValues: null })),
    groups: rows.length,
    goneGroups: 0,
    others: null,
    totals: ['1'],
    previousTotals: null,
    ...more,
  },
});

test.each([
  [
    'donations',
    '/donations?product=who-lives',
    (page) => <BalanceTile page={page} title="Collected and remitted" height={200} />,
  ],
  ['orders', '/sales?product=connect', (page) => <GoalTile page={page} title="Goal" name="net_sales" height={200} />],
  ['payouts', '/distributions', (page) => <CalendarTile page={page} title="Due" height={200} />],
] as const satisfies readonly (readonly [DatasetKey, string, TileProps['tile']])[])(
  'a tile of %s whose days are not the page’s waits for the page’s currency',
  async (dataset, address, tile) => {
    const asked: (string | null)[] = [];
    const ask = <Answer,>({ currency }: { currency: string | null }, found: Answer): Answer => {
      asked.push(currency);
      return found;
    };
    const balance = { currency: 'UAH', collected: '5', remitted: '2', open: '3' };
    await showPage(<Tile dataset={dataset} tile={tile} />, {
      address,
      answers: {
        // More than one metric: the numbers on top, which know the currency.
        Numbers: (variables: { metrics: string[]; currency: string | null }) =>
          variables.metrics.length > 1 ? answer([], { currency: 'UAH' }) : ask(variables, answer([])),
        NumberGoals: (variables: { currency: string | null }) => ask(variables, { numberGoals: [] }),
        DonationBalance: (variables: { currency: string | null }) => ask(variables, { donationBalance: balance }),
      },
    });
    await expect.poll(() => asked).toEqual(['UAH']);
  },
);

test('a balance is of all time: its card compares it with nothing and draws no days', async () => {
  await showPage(<Tile dataset="affiliate_activity" tile={(page) => <KpiRow page={page} />} />, {
    address: '/affiliate-stats',
    answers: {
      Numbers: ({ metrics }: { metrics: string[] }) =>
        answer([], { totals: metrics.map(() => '5'), previousTotals: metrics.map(() => '4') }),
    },
  });
  const cards = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  const [liability] = cards.filter((text) => text?.startsWith('Liability'));
  expect(liability).toMatch(/€5\.00all time$/);
  expect(cards.filter((text) => text?.includes('from'))).toHaveLength(cards.length - 1);
  expect(screen.queryByRole('img', { name: /^Liability/ })).toBeNull();
});

test('a card says how many rows a median leaves out', async () => {
  const values: Readonly<Record<string, string>> = { resolution: '6', resolution_left_out: '1200' };
  await showPage(<Tile dataset="conversations" tile={(page) => <KpiRow page={page} />} />, {
    address: '/customer-service',
    answers: {
      Numbers: ({ metrics }: { metrics: string[] }) =>
        answer([], { totals: metrics.map((name) => values[name] ?? '0') }),
    },
  });
  const cards = await screen.findAllByRole('listitem');
  const counted = cards.filter(({ textContent }) => textContent?.includes('left out'));
  expect(counted.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Resolution, median.*6\.0 h.*1,200 rows left out/),
  ]);
});

test('a card without a number because every row is left out says which rows those are', async () => {
  const values: Readonly<Record<string, string | null>> = { first_response: null, first_response_left_out: '1355' };
  await showPage(<Tile dataset="conversations" tile={(page) => <KpiRow page={page} />} />, {
    address: '/customer-service',
    answers: {
      Numbers: ({ metrics }: { metrics: string[] }) =>
        answer([], { totals: metrics.map((name) => (name in values ? values[name] : '0')) }),
    },
  });
  const cards = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  const [card] = cards.filter((text) => text?.includes('left out'));
  expect(card).toMatch(/1,355 rows left out: Opened or answered on a date without a time/);
  expect(card).not.toContain('No data in this period');
  expect(cards.slice(0, 2)).toEqual([expect.stringMatching(/^Opened/), expect.stringMatching(/^Resolved/)]);
});

test('a card says how many rows lack what its number needs', async () => {
  const values: Readonly<Record<string, string>> = {
    donors: '100',
    gifts: '12000',
    gifts_with_donor: '2000',
    gifts_with_recurrence: '12000',
  };
  await showPage(<Tile dataset="donations" tile={(page) => <KpiRow page={page} />} />, {
    address: '/donations?product=who-lives',
    answers: {
      Numbers: ({ metrics }: { metrics: string[] }) =>
        answer([], { totals: metrics.map((name) => values[name] ?? (name.endsWith('_fee') ? '12000' : '0')) }),
    },
  });
  const cards = await screen.findAllByRole('listitem');
  const lacking = cards.map(({ textContent }) => textContent).filter((text) => text?.endsWith(' gifts'));
  expect(lacking).toEqual([expect.stringMatching(/^Donors.*100.*No donor: 10,000 of 12,000 gifts/)]);
});

test('a card without a number says which field the rows lack, and that there is no data only without rows', async () => {
  const open = async (matchingRows: number) => {
    await showPage(<Tile dataset="orders" tile={(page) => <KpiRow page={page} />} />, {
      address: '/sales?product=codex',
      answers: {
        Numbers: ({ metrics }: { metrics: string[] }) =>
          answer([], {
            matchingRows,
            totals: metrics.map((name) => (['refunds', 'refund_rate'].includes(name) ? null : '5')),
          }),
      },
    });
    const cards = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
    leave();
    return cards.find((text) => text?.startsWith('Refund rate'));
  };
  const words = 'Missing in these rows: Refunded';
  expect(await open(7)).toMatch(new RegExp(`n/a: ${words}${words}$`));
  expect(await open(0)).toMatch(/n\/a: No data in this period$/);
});

test('bars of new and returning customers say how many orders have no customer', async () => {
  const values: Readonly<Record<string, string>> = { orders: '206', known_orders: '175' };
  await showPage(
    <Tile
      dataset="orders"
      tile={(page) => (
        <StackTile page={page} title="Customers" metrics={['new_orders', 'returning_orders']} height={200} />
      )}
    />,
    {
      address: '/sales?product=codex',
      answers: {
        Numbers: ({ metrics }: { metrics: string[] }) =>
          answer([], { totals: metrics.map((name) => values[name] ?? '80'), isEmpty: false }),
      },
    },
  );
  await screen.findByText('No customer: 31 of 206 orders');
});

test('a comparison that begins before the data has no percentage, but the day of the first data', async () => {
  const numbers = { totals: ['350', '7', '50', '1'], previousTotals: ['100', '2', '50', '1'], dataFrom: '2026-10-20' };
  await showPage(<Tile dataset="orders" tile={(page) => <KpiRow page={page} />} />, {
    address: '/sales?product=connect',
    answers: { Numbers: () => answer([], numbers) },
  });
  const [card] = await screen.findAllByRole('listitem');
  expect(card?.textContent).toMatch(/n\/a: data begins 20 Oct 2026data begins 20 Oct 2026/);
  expect(card?.textContent).not.toMatch(/%|from/);
});

test('a comparison that begins two days of a year before the data is shown with the day of the first data', async () => {
  const numbers = { totals: ['350', '7', '50', '1'], previousTotals: ['100', '2', '50', '1'], dataFrom: '2014-01-03' };
  await showPage(<Tile dataset="orders" tile={(page) => <KpiRow page={page} />} />, {
    address: '/sales?product=connect&from=2015-01-01&to=2015-12-31',
    answers: { Numbers: () => answer([], numbers) },
  });
  const [card] = await screen.findAllByRole('listitem');
  expect(card?.textContent).toMatch(/250%.*from .*100.*data begins 3 Jan 2014/);
});

test('the server sorts a table and sends its next page in that order', async () => {
  type Asked = { order: string; descending: boolean; offset: number; top: number; compare: string };
  const asked: Asked[] = [];
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Titles" by="title" metrics={['gross']} top={2} width={8} />
  );
  const names = ['Ark', 'Bow', 'Cup'];
  const answers = {
    Numbers: (variables: Asked) => {
      asked.push(variables);
      const sorted = variables.order === 'title' ? names : names.toReversed();
      const rows = sorted.slice(variables.offset, variables.offset + variables.top);
      return answer(
        rows.map((name) => [[name], '5']),
        { groups: 3, totals: ['15'], previousTotals: variables.compare === 'none' ? null : ['9'] },
      );
    },
  };
  const user = await showPage(<Tile dataset="orders" tile={table} />, { address: '/sales?product=connect', answers });
  const shown = () => screen.getAllByRole('button', { name: /^(Ark|Bow|Cup)$/ }).map(({ textContent }) => textContent);
  await screen.findByText(/^1–2/);
  expect(shown()).toEqual(['Cup', 'Bow']);
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  await screen.findByText(/^1–3/);
  expect(shown()).toEqual(['Cup', 'Bow', 'Ark']);
  await user.click(screen.getByRole('button', { name: 'Title' }));
  await screen.findByRole('button', { name: 'Ark' });
  await expect.poll(shown).toEqual(['Ark', 'Bow']);
  await user.click(screen.getByRole('button', { name: 'Gross sales, change' }));
  await expect.poll(() => asked.at(-1)).toMatchObject({ order: 'change', descending: true, offset: 0 });
  expect(asked.map(({ order, offset }) => `${order} ${offset}`)).toEqual(['gross 0', 'gross 2', 'title 0', 'change 0']);
});

test('a table says how many groups fell to nothing, and shows what fell most', async () => {
  const asked: { order?: string; descending?: boolean }[] = [];
  const answers = {
    Numbers: (variables: { order?: string; descending?: boolean }) => {
      asked.push(variables);
      const rows = [{ keys: ['Ark'], values: ['5'], previousValues: ['4'] }];
      return answer([], { rows, groups: 43, goneGroups: 42, totals: ['5'], previousTotals: ['9'] });
    },
  };
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Top titles" by="title" metrics={['gross']} top={1} width={12} />
  );
  const user = await showPage(<Tile dataset="orders" tile={table} />, { address: '/sales?product=connect', answers });
  await screen.findByText(/^42 more had numbers in the comparison period but have none in this one\./);
  expect(screen.getByRole('heading', { name: /Top titles/ }).textContent).toBe('Top titles 1');
  await user.click(screen.getByRole('button', { name: 'Show biggest drops' }));
  await expect.poll(() => asked.at(-1)).toMatchObject({ order: 'change', descending: false });
});

test('a change in a table says what it is from, and from 0 it says nothing of what was before that', async () => {
  const rows = [
    { keys: ['Ark'], values: ['1328'], previousValues: ['9644'] },
    { keys: ['Bow'], values: ['5'], previousValues: null },
  ];
  const answers = {
    Numbers: () => answer([], { rows, groups: 2, totals: ['1333'], previousTotals: ['9644'] }),
  };
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Top titles" by="title" metrics={['gross']} top={5} width={12} />
  );
  await showPage(<Tile dataset="orders" tile={table} />, { address: '/sales?product=connect', answers });
  const cells = (await screen.findAllByRole('row')).slice(1, 3).map((row) => row.lastElementChild?.textContent);
  expect(cells).toEqual([expect.stringMatching(/86\.2%.*from €9,644\.00$/), 'from €0.00']);
});

test('the change of a period whose data ends early is neither good nor bad, and says why', async () => {
  const show = async (newest: string) => {
    const numbers = { totals: ['350', '7', '50', '1'], previousTotals: ['100', '9', '50', '1'], newest };
    await showPage(<Tile dataset="orders" tile={(page) => <KpiRow page={page} />} />, {
      address: '/sales?product=connect&from=2021-08-01&to=2021-08-31',
      answers: { Numbers: () => answer([], numbers) },
    });
    return (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  };
  const [sales, orders] = await show('2021-08-16');
  expect(sales).toMatch(/up 250 percent.*from €100\.00.*data ends 16 Aug 2021, day 16 of 31/);
  expect(orders).toMatch(/down 22\.2 percent.*data ends 16 Aug 2021/);
  expect(`${sales}${orders}`).not.toMatch(/good|bad/);
  leave();
  const [almostAll] = await show('2021-08-28');
  expect(almostAll).toMatch(/up 250 percent, good/);
  expect(almostAll).not.toMatch(/data ends/);
});

test('a table leads with the first amount that its source has, and shows the change of that', async () => {
  const asked: { metrics: string[]; order?: string }[] = [];
  const totals: Readonly<Record<string, string>> = { conversion_rate: '4', sales: '900' };
  const answers = {
    Numbers: (variables: { metrics: string[]; order?: string }) => {
      asked.push(variables);
      const values = variables.metrics.map((name) => totals[name] ?? null);
      return answer([], {
        rows: [{ keys: ['Ark'], values, previousValues: values }],
        ...{ groups: 1, totals: values, previousTotals: values },
      });
    },
  };
  const metrics = ['clicks', 'conversion_rate', 'sales', 'commission'];
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Affiliates" by="affiliate" metrics={metrics} top={5} width={12} watch />
  );
  await showPage(<Tile dataset="affiliate_activity" tile={table} />, { address: '/affiliate-stats', answers });
  await screen.findByRole('button', { name: 'Sales, change' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim())).toEqual([
    ...['Affiliate', 'Sales', 'Sales, change', 'Clicks', 'Conversion rate', 'Commission'],
  ]);
  expect(asked.map(({ metrics: [first], order }) => [first, order])).toEqual([
    ['clicks', 'clicks'],
    ['sales', 'sales'],
  ]);
});

/** A table of the payouts of one batch or payer that has these numbers, now and in the comparison. */
async function showPayouts(
  tile: Partial<Parameters<typeof TableTile>[0]>,
  values: readonly string[],
  previousValues: readonly string[] | null = null,
) {
  const asked: { metrics: string[]; by: string[]; order?: string; compare: string }[] = [];
  const opened: unknown[] = [];
  const answers = {
    Numbers: (variables: (typeof asked)[number]) => {
      asked.push(variables);
      const given = ['paid', 'payouts', 'pending'];
      const sorted = (from: readonly string[]) => variables.metrics.map((name) => from[given.indexOf(name)]);
      const previous = previousValues && variables.compare !== 'none' ? sorted(previousValues) : null;
      const rows = [{ keys: ['B-1'], values: sorted(values), previousValues: previous }];
      return answer([], { rows, groups: 1, totals: sorted(values), previousTotals: previous });
    },
  };
  const metrics = ['paid', 'payouts', 'pending'];
  const table = (page: PageOfNumbers) => (
    <TableTile {...{ page, metrics }} title="Batches" by="batch" top={5} width={12} {...tile} />
  );
  const openDrillDown = (...place: unknown[]) => opened.push(place);
  const page = <Tile dataset="payouts" tile={table} openDrillDown={openDrillDown} />;
  return { user: await showPage(page, { address: '/distributions', answers }), asked, opened };
}

test('a row opens its first number that isn’t 0, or what it had in the comparison', async () => {
  const open = async (values: readonly string[], previousValues?: readonly string[]) => {
    const { user, opened } = await showPayouts({}, values, previousValues);
    await user.click(await screen.findByRole('button', { name: /B-1/ }));
    leave();
    return opened;
  };
  expect(await open(['9', '2', '0'])).toEqual([['paid', [['batch', 'B-1']]]]);
  expect(await open(['0', '2', '50'])).toEqual([['payouts', [['batch', 'B-1']]]]);
  const before = [
    ['batch', 'B-1'],
    ['compared', ''],
  ];
  expect(await open(['0', '0', '0'], ['0', '3', '40'])).toEqual([['payouts', before]]);
});

test('a table without a comparison asks for none', async () => {
  const { asked } = await showPayouts({ alone: true }, ['9', '2', '0'], ['8', '1', '0']);
  await screen.findByRole('button', { name: /B-1/ });
  expect(asked.map(({ compare }) => compare)).toEqual(['none']);
  expect(screen.queryByRole('button', { name: 'Paid, change' })).toBeNull();
});

test('a table that reads every row reads them once, also if it lacks its first number', async () => {
  const { user, asked } = await showPayouts({ onRequest: true }, ['0', '2', '50']);
  await user.click(await screen.findByRole('button', { name: 'Show batches' }));
  await screen.findByRole('button', { name: /B-1/ });
  expect(asked.map(({ by, order }) => [by, order])).toEqual([
    [[], undefined],
    [['batch'], 'payouts'],
  ]);
});

test('a table says how many rows lack what its numbers need, as the numbers on top do', async () => {
  const totals: Record<string, string> = {
    ...{ clicks: '9000', clicks_of_conversions: '5000', conversions: '935', conversions_of_clicks: '935' },
    ...{ activity: '1754', rows_with_conversions: '1555' },
  };
  const answers = {
    Numbers: ({ metrics }: { metrics: string[] }) => {
      const values = metrics.map((name) => totals[name] ?? null);
      return answer([], { rows: [{ keys: ['Ark'], values, previousValues: null }], groups: 1, totals: values });
    },
  };
  const table = (page: PageOfNumbers) => (
    <>
      <KpiRow page={page} />
      <TableTile page={page} title="Affiliates" by="affiliate" metrics={['clicks', 'conversions']} top={5} width={12} />
    </>
  );
  await showPage(<Tile dataset="affiliate_activity" tile={table} />, { address: '/affiliate-stats', answers });
  const panel = within(await screen.findByRole('region', { name: 'Affiliates' }));
  await panel.findByText('Clicks or conversions missing: 199 of 1,754 rows');
});

test('a team whose conversations are mostly open says how many its median is of', async () => {
  const found: Record<string, string> = { conversations: '100', resolution: '4', resolved_known: '20', sla_met: '90' };
  const answers = {
    Numbers: ({ metrics }: { metrics: string[] }) => {
      const values = metrics.map((name) => ({ ...found, sla_known: '100' })[name] ?? null);
      return answer([], { rows: [{ keys: ['Returns'], values, previousValues: null }], groups: 1, totals: values });
    },
  };
  const metrics = ['conversations', 'resolution', 'sla_met'];
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Teams" by="team" metrics={metrics} top={5} width={12} />
  );
  await showPage(<Tile dataset="conversations" tile={table} />, { address: '/customer-service', answers });
  const cells = (await screen.findAllByRole('cell')).map(({ textContent }) => textContent);
  expect(cells.slice(-2)).toEqual(['4.0 hbased on 20 of 100', '90.0%']);
  screen.getByTitle('No resolved or closed date: 80 of 100 conversations');
});

test('a table by title says that amounts of whole orders count at one title', async () => {
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Top titles" by="title" metrics={['gross']} top={5} width={12} />
  );
  const words = /discounts or refunds are of whole orders/;
  for (const hasWholeOrders of [false, true]) {
    const answers = { Numbers: () => answer([[['Lamp'], '5']], { hasWholeOrders, groups: 1 }) };
    await showPage(<Tile dataset="orders" tile={table} />, { address: '/sales?product=connect', answers });
    await screen.findByText('Lamp');
    expect(screen.queryAllByText(words)).toHaveLength(hasWholeOrders ? 1 : 0);
    leave();
  }
});

test('a table whose first number gets values after an import leads with it', async () => {
  let clicks = '0';
  const answers = {
    Numbers: ({ metrics }: { metrics: string[] }) => {
      const values = metrics.map((name) => (name === 'clicks' ? clicks : '900'));
      return answer([], { rows: [{ keys: ['Ark'], values, previousValues: null }], groups: 1, totals: values });
    },
  };
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Affiliates" by="affiliate" metrics={['clicks', 'sales']} top={5} width={12} />
  );
  await showPage(<Tile dataset="affiliate_activity" tile={table} />, { address: '/affiliate-stats', answers });
  const heads = () => screen.queryAllByRole('columnheader').map(({ textContent }) => textContent?.trim());
  await expect.poll(heads).toEqual(['Affiliate', 'Sales', 'Clicks']);
  clicks = '7';
  await act(() => queryClient.invalidateQueries({ queryKey: ['numbers'] }));
  await expect.poll(heads).toEqual(['Affiliate', 'Clicks', 'Sales']);
});

test('the backlog’s tiles say how many conversations ended on an unknown day', async () => {
  for (const tile of [
    (page: PageOfNumbers) => <AgesTile page={page} title="Open by age" height={200} />,
    (page: PageOfNumbers) => <LineTile page={page} title="Backlog" name="backlog" height={200} />,
  ]) {
    const totals: Record<string, string> = { backlog: '19', conversations: '522', open_or_dated: '19' };
    await showPage(<Tile dataset="conversations" tile={tile} />, {
      address: '/customer-service',
      answers: {
        Numbers: ({ metrics }: { metrics: string[] }) =>
          answer([[['0'], '19']], { totals: metrics.map((name) => totals[name]) }),
      },
    });
    await screen.findByText('No resolved or closed date: 503 of 522 conversations');
    leave();
  }
});

test('conversations without resolution times have no backlog, instead of all being open', async () => {
  const unknown = 'No conversation of this period has a resolved or closed date, so it’s unknown what was open.';
  const tiles = [
    (page: PageOfNumbers) => <AgesTile page={page} title="Open by age" height={200} />,
    (page: PageOfNumbers) => <LineTile page={page} title="Backlog" name="backlog" height={200} />,
  ];
  for (const tile of tiles) {
    for (const isBacklogKnown of [true, false]) {
      await showPage(<Tile dataset="conversations" tile={tile} />, {
        address: '/customer-service',
        answers: { Numbers: () => answer([[['0'], '3010']], { isBacklogKnown }) },
      });
      await screen.findByText(isBacklogKnown ? /3,010|Backlog/ : unknown);
      expect(screen.queryByText(unknown) === null).toBe(isBacklogKnown);
      leave();
    }
  }
});

test('a month that is compared with a few days of data shows them, but no percentage', async () => {
  const net = (page: PageOfNumbers) => <LineTile page={page} title="Net sales" name="net_sales" height={200} />;
  const rows = ['2004-01-01', '2004-02-01'].map((key) => ({ keys: [key], values: ['5'], previousValues: ['4'] }));
  const user = await showPage(<Tile dataset="orders" tile={net} />, {
    address: '/sales?product=connect&from=2004-01-01&to=2004-02-29&compare=year&by=month',
    answers: { Numbers: () => answer([], { rows, previousTotals: ['8'], dataFrom: '2003-01-28' }) },
  });
  const chart = await screen.findByRole('group', { name: /^Net sales/ });
  await user.tab();
  while (document.activeElement !== chart) await user.tab();
  await user.keyboard('{Home}');
  await expect.poll(() => chart.textContent).toMatch(/4.*, from 28 Jan 2003.*n\/a/);
  await user.keyboard('{End}');
  await expect.poll(() => chart.textContent).toMatch(/25/);
});

test('rows without a time of day are not shown at midnight but counted beside the map', async () => {
  const map = (page: PageOfNumbers) => <HeatTile page={page} title="By hour" name="lines" height={200} />;
  const show = (rows: Parameters<typeof answer>[0]) =>
    showPage(<Tile dataset="orders" tile={map} />, {
      address: '/sales?product=connect',
      answers: { Numbers: () => answer(rows) },
    });
  await show([
    [['1', '9'], '4'],
    [['1', null], '1200'],
  ]);
  await screen.findByText(/^Europe\/Amsterdam, 1,200 without a time of day/);
  leave();
  await show([
    [['1', '0'], '15'],
    [['2', '0'], '5'],
  ]);
  await screen.findByText('Europe/Amsterdam, all at 0:00, so the source may give only dates');
  leave();
  await show([[['1', null], '7']]);
  await screen.findByText(/dates without times of day, so there are no hours/);
});

const bars = (pareto: boolean) => (page: PageOfNumbers) => (
  <BarsTile page={page} title="Countries" name="net_sales" by="country" pareto={pareto} height={200} />
);
const showBars = (tile: TileProps['tile'], values: readonly (readonly [string, string])[]) =>
  showPage(<Tile dataset="orders" tile={tile} />, {
    address: '/sales?product=connect',
    answers: {
      Numbers: () =>
        answer(
          values.map(([key, value]) => [[key], value]),
          { totals: ['-6'] },
        ),
    },
  });

test('negative bars are drawn as long as their amounts, hollow', async () => {
  const values = [
    ['Ark', '-2'],
    ['Bow', '-4'],
  ] as const;
  await showBars(bars(false), values);
  const bow = await screen.findByRole('button', { name: /Bow/ });
  const [long] = bow.querySelectorAll<HTMLElement>('[data-negative]');
  expect(long?.style.width).toBe('100%');
  expect(screen.getByRole('button', { name: /Ark/ }).querySelector<HTMLElement>('[data-negative]')?.style.width).toBe(
    '50%',
  );
  leave();
  await showBars(
    (page) => <TableTile page={page} title="T" by="title" metrics={['net_sales']} top={5} width={8} />,
    values,
  );
  await screen.findByRole('button', { name: /Bow/ });
  expect([...document.querySelectorAll<HTMLElement>('[data-negative]')].map(({ style }) => style.width)).toEqual([
    '50%',
    '100%',
  ]);
});

test('a country has no earlier number if the comparison begins before the data', async () => {
  const show = (dataFrom: string | null) =>
    showPage(<Tile dataset="orders" tile={bars(false)} />, {
      address: '/sales?product=connect',
      answers: {
        Numbers: () =>
          answer([], {
            ...{ totals: ['4'], previousTotals: ['0'], dataFrom },
            rows: [{ keys: ['DE'], values: ['4'], previousValues: ['0'] }],
          }),
      },
    });
  await show(null);
  expect((await screen.findByRole('button', { name: /Germany/ })).title).toContain('previously');
  leave();
  await show('2026-11-01');
  expect((await screen.findByRole('button', { name: /Germany/ })).title).not.toContain('previously');
});

test('a Pareto chart says how much the largest so many make up', async () => {
  await showBars(bars(true), [
    ['Ark', '3'],
    ['Bow', '1'],
  ]);
  await screen.findByText('Top 1: 75%');
  await screen.findByText('Top 2: 100%');
});

test('what a source lacks is unknown in every tile, instead of zero or nothing due', async () => {
  const unknown = { Numbers: () => answer([], { totals: [null, '8', null] }) };
  const funnel = (page: PageOfNumbers) => (
    <FunnelTile
      page={page}
      {...{ title: 'Funnel', metrics: ['impressions', 'clicks', 'conversions'], height: 200 }}
      rates={['click_rate', 'conversion_rate']}
    />
  );
  await showPage(<Tile dataset="affiliate_activity" tile={funnel} />, {
    address: '/affiliate-stats',
    answers: unknown,
  });
  expect((await screen.findByRole('button', { name: /Impressions/ })).textContent).toContain('–');
  expect(screen.getByRole('button', { name: /Conversions/ }).textContent).not.toMatch(/0/);
  leave();
  await showPage(<Tile dataset="payouts" tile={(page) => <CalendarTile page={page} title="Due" height={200} />} />, {
    address: '/distributions',
    answers: unknown,
  });
  await screen.findByText(/None of the 7 rows in this period count toward Due\./);
});

test('a period without reversals says so, and shows no formula', async () => {
  const reasons = (page: PageOfNumbers) => (
    <BarsTile page={page} title="Reversals by reason" name="reversed" by="reason" height={200} />
  );
  await showPage(<Tile dataset="payouts" tile={reasons} />, {
    address: '/distributions',
    answers: { Numbers: () => answer([], { totals: ['0'] }) },
  });
  await screen.findByText('No reversals in this period.');
  expect(screen.queryByText(/Formula/)).toBeNull();
});

test('a funnel’s shares are rates of rows that give both steps, and say so if others lack one', async () => {
  const totals: Readonly<Record<string, string>> = {
    ...{ impressions: '50', clicks: '1010', conversions: '1', click_rate: '20', conversion_rate: '10' },
    ...{ activity: '3', rows_with_impressions: '1', rows_with_conversions: '3' },
  };
  const funnel = (page: PageOfNumbers) => (
    <FunnelTile
      page={page}
      {...{ title: 'Funnel', metrics: ['impressions', 'clicks', 'conversions'], height: 200 }}
      rates={['click_rate', 'conversion_rate']}
    />
  );
  await showPage(<Tile dataset="affiliate_activity" tile={funnel} />, {
    address: '/affiliate-stats',
    answers: {
      Numbers: ({ metrics }: { metrics: string[] }) =>
        answer([], { totals: metrics.map((name) => totals[name] ?? null) }),
    },
  });
  expect((await screen.findByRole('button', { name: /Clicks/ })).textContent).toContain(
    '20% of impressions, in rows with both',
  );
  expect(screen.getByRole('button', { name: /Conversions/ }).textContent).toMatch(/10% of clicks$/);
});

test('what was due in a long past period is drawn over all of it, not as its first month', async () => {
  type Asked = { by: string[]; from: string; to: string };
  const asked: Asked[] = [];
  await showPage(<Tile dataset="payouts" tile={(page) => <CalendarTile page={page} title="Due" height={200} />} />, {
    address: '/distributions?from=2012-01-01&to=2020-12-31&currency=EUR',
    answers: {
      Numbers: (variables: Asked) => {
        asked.push(variables);
        return answer([[['2019-03-01'], '5']]);
      },
    },
  });
  await screen.findByRole('button', { name: /Due/ });
  expect(asked).toMatchObject([{ by: ['month'], from: '2012-01-01', to: '2021-01-01' }]);
  leave();
  await showPage(<Tile dataset="payouts" tile={(page) => <CalendarTile page={page} title="Due" height={200} />} />, {
    address: '/distributions?from=2012-01-01&to=2020-12-31&currency=EUR',
    answers: { Numbers: () => answer([], { totals: ['0'] }) },
  });
  await screen.findByText(/None of the 7 rows in this period count toward Due\./);
});

test('an empty table asks for other days only if the period has no rows', async () => {
  const table = (page: PageOfNumbers) => (
    <TableTile page={page} title="Not counted" by="status" metrics={['pending_lines']} top={5} width={4} />
  );
  const shown = (matchingRows: number) =>
    showPage(<Tile dataset="orders" tile={table} />, {
      address: '/sales?product=connect',
      answers: { Numbers: () => answer([], { matchingRows }) },
    });
  await shown(7);
  await screen.findByText('None in this period');
  expect(screen.queryByText(/Choose other days/)).toBeNull();
  leave();
  await shown(0);
  await screen.findByText(/Choose other days or remove filters/);
});

test('a table that reads every row loads when someone asks, and its rows lead to theirs', async () => {
  const asked: string[][] = [];
  const opened: unknown[] = [];
  const table = (page: PageOfNumbers) => (
    <TableTile
      page={{ ...page, openDrillDown: (...place) => opened.push(place) }}
      {...{ title: 'Top donors', by: 'donor_ref', metrics: ['gross'], top: 20, width: 12 }}
      onRequest
    />
  );
  const user = await showPage(<Tile dataset="donations" tile={table} />, {
    address: '/donations?product=who-lives',
    answers: {
      Numbers: ({ by }: { by: string[] }) => {
        asked.push(by);
        return answer([[['Quandt'], '450']]);
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show top donors' }));
  await user.click(await screen.findByRole('button', { name: /Quandt/ }));
  expect(asked).toEqual([[], ['donor_ref']]);
  expect(opened).toEqual([['gross', [['donor_ref', 'Quandt']]]]);
});

test('a page left open shows the new day after midnight, and the new sprint after Monday’s boundary', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.parse('2026-11-22T22:59:30Z') });
  onTestFinished(() => void vi.useRealTimers());
  const shown = (page: PageOfNumbers) => <output>{page.view.days.from}</output>;
  await showPage(<Tile dataset="orders" tile={shown} />, { address: '/sales?product=connect&period=today' });
  await screen.findByText('2026-11-22');
  act(() => void vi.advanceTimersByTime(60_000));
  await screen.findByText('2026-11-23');
  leave();
  await showPage(<Tile dataset="orders" tile={shown} />, { address: '/sales?product=connect&period=sprint' });
  await screen.findByText('2026-11-16');
  act(() => void vi.advanceTimersByTime(10 * 60 * 60_000));
  await screen.findByText('2026-11-23');
});
