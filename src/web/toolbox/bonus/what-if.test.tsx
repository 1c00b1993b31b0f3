import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { WhatIf } from './what-if.tsx';

const components = [
  { key: 'signedOff', weight: 100, from: 0, full: 100, cap: 100 },
  { key: 'firstPass', weight: 0, from: 0, full: 100, cap: 100 },
  { key: 'team', weight: 0, from: 0, full: 100, cap: 100 },
];
const plan = { id: '1', version: 1, from: null, base: '300.00', currency: 'EUR', fairHours: 24, components };
const lines = components.map(({ key }) => ({ key, part: 2, whole: 3, waived: false, amount: '200.00' }));

const choice = { userId: 'viewer', isOwn: true, sprintId: 'w47', line: null } as never;

test('an example begins with the cents of the statement, and only what is moved is in whole percent', async () => {
  await showPage(<WhatIf overview={{ bonusPlans: [plan] } as never} choice={choice} />, {
    answers: { BonusWeek: () => ({ bonusWeek: { plan: { version: 1 }, statement: { amount: '200.00', lines } } }) },
  });
  await expect.poll(() => screen.getByRole('status').textContent).toContain('€200.00');
  fireEvent.change(screen.getByRole('slider', { name: 'Signed off first time' }), { target: { value: '90' } });
  expect(screen.getByRole('status').textContent).toContain('€200.00, same as the statement');
});
