import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SignedIn } from '#web/api/viewer.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { ApproverPicker } from './approver-picker.tsx';
import type { Candidate } from './people-to-choose.ts';

const person = (id: string, displayName: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, displayName, email: `${id}@company.test`, disabled: false, approves: true, approverWarning: null },
  ...more,
});
const people = [
  person('1', 'Nora Lind'),
  person('2', 'Zoe Abel'),
  person('3', 'Ann Lee', { approverWarning: 'mayNotDecide' }),
  person('4', 'Ben Ode', { approves: false }),
  person('5', 'Zoe Abel', { approverWarning: 'cannotSignIn' }),
  person('6', 'Gone', { disabled: true, approverWarning: 'disabled' }),
];

/** The server's search: nobody is sent who wasn't asked for. */
const PeopleToChoose = ({ find, ids = [] }: { find?: string; ids?: string[] }) => ({
  peopleToChoose: people.filter(
    ({ id, displayName, disabled }) =>
      ids.includes(id) || (find !== undefined && !disabled && displayName.toLowerCase().includes(find.toLowerCase())),
  ),
});

async function open(viewer: SignedIn, chosen: string[] = [], before: string[] = []) {
  const user = await showPage(
    <ApproverPicker label="Approvers" {...{ chosen, before }} without="1" onChange={() => {}} />,
    { viewer, answers: { PeopleToChoose } },
  );
  await user.click(await screen.findByRole('combobox', { name: 'Approvers' }));
  await screen.findAllByRole('option');
  return user;
}

const grace = { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT'), role: 'People' };

it('locks people who approve nobody yet for a manager, and says why', async () => {
  await open(grace);
  const locked = screen.getByRole('option', { name: 'Ben Ode' });
  expect(locked.hasAttribute('data-combobox-disabled')).toBe(true);
  screen.getByText('New approvers (only admins can add)');
});

it('lists people who can decide first, then others with the reason, without the person and disabled accounts', async () => {
  await open({ ...grace, role: 'admin' });
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Ben Ode',
    'Zoe Abel (2@company.test)',
    'Ann LeeCan’t approve: no access to Approvals',
    'Zoe Abel (5@company.test)Can’t approve: no sign-in method yet',
  ]);
});

it('offers everyone to an approver who shares their own person, and warns of who is chosen', async () => {
  const approver = { ...grace, permissions: [...grace.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
  await open(approver, ['3'], [approver.id]);
  screen.getByText('Ann Lee: Can’t approve: no access to Approvals.');
  expect(screen.getByRole('option', { name: 'Ben Ode' }).hasAttribute('data-combobox-disabled')).toBe(false);
});

it('searches on the server, and keeps the names of the chosen people while it does', async () => {
  const user = await open({ ...grace, role: 'admin' }, ['6', '3']);
  await screen.findByText('Gone: Account disabled. Can’t approve.');
  await user.type(screen.getByRole('combobox', { name: 'Approvers' }), 'ben');
  await waitFor(() => expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Ben Ode']));
  screen.getByText('Ann Lee');
  screen.getByText('Gone, disabled');
});

it('says until when someone is away and who decides then, in the option and once chosen', async () => {
  const away = { until: '2026-12-04', delegate: 'Dana Kim', problem: null };
  const answers = {
    PeopleToChoose: () => ({ peopleToChoose: [person('2', 'Zoe Abel', { away }), person('4', 'Ben Ode')] }),
  };
  const user = await showPage(<ApproverPicker label="Approvers" chosen={[]} onChange={() => {}} />, {
    viewer: grace,
    answers,
  });
  await user.click(await screen.findByRole('combobox', { name: 'Approvers' }));
  const options = await screen.findAllByRole('option');
  const note = 'Away until Fri 4 Dec (delegate: Dana Kim)';
  expect(options.map(({ textContent }) => textContent)).toEqual(['Ben Ode', `Zoe Abel${note}`]);
  cleanup();
  await showPage(<ApproverPicker label="Approvers" chosen={['2']} onChange={() => {}} />, { viewer: grace, answers });
  await screen.findByText(`Zoe Abel: ${note}.`);
});

it('an older server, during an upgrade, gives the people without when they are away', async () => {
  const user = await showPage(<ApproverPicker label="Approvers" chosen={[]} onChange={() => {}} />, {
    viewer: grace,
    answers: {
      PeopleToChoose: () => refuse('BAD_INPUT', 'Cannot query field "away"'),
      OlderPeopleToChoose: PeopleToChoose,
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Approvers' }));
  await screen.findByRole('option', { name: 'Nora Lind' });
});
