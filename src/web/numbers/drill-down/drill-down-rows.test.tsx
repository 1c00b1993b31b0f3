import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { metrics } from '#core/numbers/metrics.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { DrillDownRows } from './drill-down-rows.tsx';

const fields = ['source', 'external_id', 'donated_at', 'donor_ref', 'amount', 'currency', 'total_rows', 'total_amount'];
const rows = [
  { id: '1', parts: ['1'], value: '1', values: ['crm', '7', '2026-01-05', 'Quandt', '150', 'EUR', '3', '450'] },
];

test('a donor’s row shows how much they gave in all, not their first gift', async () => {
  const drillDown = { name: 'donors', metric: metrics.donations.donors, at: [], filters: [], words: [] };
  const days = { from: '2026-01-01', to: '2026-02-01' };
  await showPage(<DrillDownRows dataset="donations" drillDown={{ ...drillDown, days }} fields={fields} rows={rows} />);
  const heads = await screen.findAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    ...['Counted', 'Donor', 'Rows', 'Total', 'Given', 'Source', 'Source ID'],
  ]);
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells.slice(0, 4)).toEqual(['1', 'Quandt', '3', '€450.00']);
});
