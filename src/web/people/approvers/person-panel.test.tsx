import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { approverMap } from '#core/people/approver-map.ts';
import { showPage } from '../../../../test/show-page.tsx';
import type { Managed } from './approver-queries.ts';
import { PersonPanel } from './person-panel.tsx';

function person(id: string, displayName: string, more: Partial<Managed> = {}): Managed {
  return {
    ...{ id, displayName, email: `${id}@company.test`, team: null, role: 'Lead', disabled: false, canSignIn: true },
    ...{ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'], ownApproverIds: [] },
    ...{ toApprove: 0, toSignOff: 0, decided: 0, medianWaited: null, p90Waited: null },
    ...more,
  } as Managed;
}

async function choose(approvers: string[], name: string) {
  const people = [
    person('1', 'Lena Hoffmann', { ownApproverIds: approvers, toApprove: 1 }),
    person('2', 'Marcus Adeyemi'),
    person('3', 'Grace Whitfield'),
  ];
  const row = approverMap(people, null).people[0];
  const item = { id: '7', userId: '1', sprintId: '1', title: 'Ship it', status: 'INAPPROVAL', statusAt: '2026-11-16' };
  const user = await showPage(<PersonPanel row={row} people={people} onClose={() => {}} />, {
    answers: { PendingItems: () => ({ pendingItems: [{ ...item, statusAt: '2026-11-16T10:00:00Z' }] }) },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Approvers of Lena Hoffmann' }));
  await user.click(await screen.findByRole('option', { name }));
}

test('a second approver takes nothing from the first, so no task moves', async () => {
  await choose(['2'], 'Grace Whitfield');
  await screen.findByRole('heading', { name: 'All approvers can decide 1 task' });
  expect(screen.queryByText(/moves/)).toBeNull();
});

test('a first approver takes what waits', async () => {
  await choose([], 'Marcus Adeyemi');
  await screen.findByRole('heading', { name: '1 task moves' });
});
