import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import ApproversPage from './approvers-page.tsx';

const counts = {
  ...{ active: 60, disabled: 2, approvers: 7, unable: 3, tasks: 0 },
  ...{ undecided: 0, none: 60, circle: 0, waiting: 0 },
};
const named = { email: 'bea@company.test', firstName: 'Bea', lastName: 'Boss', displayName: 'Bea Boss' };

/** The page, with this default approver. */
async function openPage(chosen: boolean, id: string | null = null, undecided = 0) {
  const stored = { id, chosen, version: 4 };
  const sent: object[] = [];
  const user = await showPage(<ApproversPage />, {
    viewer: { ...viewerWith('USER_MANAGEMENT'), role: 'admin' },
    address: '/approvermanagement',
    answers: {
      ApproverManagement: () => ({
        approverManagement: {
          ...{ defaultApproverId: stored.id, defaultIsChosen: stored.chosen, defaultVersion: stored.version },
          counts: { ...counts, undecided },
        },
      }),
      PeopleWithApprovers: () => ({ approverManagement: { people: { rows: [], total: 62, next: null } } }),
      PeopleToChoose: () => ({
        peopleToChoose: [{ ...named, id: '9', disabled: false, approves: true, approverWarning: null }],
      }),
      SetDefaultApprover: (change: { approverId?: string | null; version: number }) => {
        sent.push(change);
        stored.id = change.approverId ?? null;
        stored.chosen = true;
        stored.version += 1;
        return { setDefaultApprover: { defaultVersion: stored.version } };
      },
    },
  });
  return { user, stored, sent };
}

test('the page says which disabled people and approvers it counts, and a default approver is undone', async () => {
  const { user, stored, sent } = await openPage(true);
  await screen.findByText(
    '60 active people, 7 approvers, 3 of them unable to approve. 0 tasks are waiting for a decision.',
  );
  await screen.findByText('60 active, plus 2 disabled who still approve or have waiting tasks');
  await user.click(screen.getByRole('combobox', { name: 'Default approver' }));
  await user.click(await screen.findByRole('option', { name: /Bea Boss/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Default approver restored');
  expect(sent).toEqual([{ approverId: '9', version: 4 }, { version: 5 }]);
  expect(stored.id).toBeNull();
});

test('those without an approver are a link to them', async () => {
  await openPage(true, null, 2);
  const link = await screen.findByRole('link', { name: '2 people have no approver who can decide' });
  expect(link.getAttribute('href')).toBe('/approvermanagement?show=undecided');
});

test('a default approver that replaces the configured one can’t be undone: it would stay chosen', async () => {
  const { user, sent } = await openPage(false, '5');
  await user.click(await screen.findByRole('combobox', { name: 'Default approver' }));
  await user.click(await screen.findByRole('option', { name: /Bea Boss/ }));
  await message('Default approver saved');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(sent).toEqual([{ approverId: '9', version: 4 }]);
});

test('the first default approver is undone where the configuration names nobody', async () => {
  const { user, sent } = await openPage(false);
  await user.click(await screen.findByRole('combobox', { name: 'Default approver' }));
  await user.click(await screen.findByRole('option', { name: /Bea Boss/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('Default approver restored');
  expect(sent).toEqual([{ approverId: '9', version: 4 }, { version: 5 }]);
});

test('an older server, during an upgrade, gives its counts, without who is unable to approve', async () => {
  const { unable: _new, ...known } = counts;
  await showPage(<ApproversPage />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    address: '/approvermanagement',
    answers: {
      ApproverManagement: () => refuse('BAD_INPUT', 'Cannot query field "unable"'),
      OlderApproverManagement: () => ({
        approverManagement: { defaultApproverId: null, defaultIsChosen: true, defaultVersion: 1, counts: known },
      }),
      PeopleWithApprovers: () => ({ approverManagement: { people: { rows: [], total: 62, next: null } } }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
    },
  });
  await screen.findByText('60 active people, 7 approvers. 0 tasks are waiting for a decision.');
});
