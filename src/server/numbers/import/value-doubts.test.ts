import { expect, test } from 'vitest';
import type { NumberRow } from '../number-row.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { ValueDoubts } from './value-doubts.ts';

const rowOf = (values: NumberRow['values']): NumberRow => ({ externalId: '1', values, labels: {}, texts: {} });

test('a run says of conversations that all count as open, and of other rows nothing about an end', () => {
  const fields = { external_id: 'id', opened_at: 'when', status: 'estado' };
  const doubts = new ValueDoubts(
    numbersMappings.conversations.parse({ dataset: 'conversations', source: 'x', fields }),
  );
  for (const status of ['exitoso', 'rechazado']) doubts.add({}, rowOf({ status }));
  expect(doubts.warnings(true)).toEqual([
    { field: 'status', column: 'Status', reason: expect.stringContaining('all 2 conversations count'), count: 2 },
  ]);
});

test('refunds that change stored rows are no doubt', () => {
  const doubts = new ValueDoubts({ dataset: 'orders', source: 'x', fields: {} } as never);
  doubts.add({}, rowOf({ status: 'refunded', gross: -5n }));
  expect([doubts.warnings(true).length, doubts.warnings(false)]).toEqual([1, []]);
});
