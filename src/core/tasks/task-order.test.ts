import { expect, it } from 'vitest';
import { inTaskOrder, orderRefusal, withPlace } from './task-order.ts';

it.each([
  { own: ['1', '2'], wanted: ['1', '3'], says: 'a task of someone else, of another sprint, or withdrawn' },
  { own: [], wanted: ['1'], says: 'any task, of a person who has none' },
])('refuses to order $says', ({ own, wanted }) => {
  expect(orderRefusal(own, wanted)).toMatchObject({ kind: 'refusal', code: 'NOT_FOUND', field: 'taskIds' });
});

it.each([{ wanted: ['2', '1'] }, { wanted: ['2'] }, { wanted: [] }])(
  'allows $wanted of tasks 1 and 2',
  ({ wanted }) => {
    expect(orderRefusal(['1', '2'], wanted)).toBeNull();
  },
);

it.each([
  { order: [], shown: '1 2 3 4' },
  { order: ['3', '1', '2', '4'], shown: '3 1 2 4' },
  { order: ['4', '2'], shown: '4 2 1 3' },
  { order: ['9', '3', '8'], shown: '3 1 2 4' },
])('shows tasks 1 to 4 as $shown if their owner ordered $order', ({ order, shown }) => {
  const tasks = ['1', '2', '3', '4'].map((id) => ({ id }));
  const ids = inTaskOrder(tasks, order).map(({ id }) => id);
  expect(ids.join(' ')).toBe(shown);
});

it.each([
  { id: '1', place: 2, after: '2 3 1 4' },
  { id: '4', place: 0, after: '4 1 2 3' },
  { id: '2', place: 1, after: '1 2 3 4' },
  { id: '9', place: 4, after: '1 2 3 4 9' },
])('$id at place $place of 1 2 3 4 makes $after', ({ id, place, after }) => {
  expect(withPlace(['1', '2', '3', '4'], id, place).join(' ')).toBe(after);
});
