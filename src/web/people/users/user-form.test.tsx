import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { scopeKeys } from '#core/access/brands.ts';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { UserForm } from './user-form.tsx';
import { rolesQuery, type UserDetail, userQuery } from './users-queries.ts';

const user = {
  ...{ id: '7', email: 'nora@example.test', firstName: 'Nora', lastName: 'Lind', displayName: 'Nora Lind' },
  ...{
    role: null,
    team: null,
    approverId: [],
    approverNames: [],
    byDefault: false,
    top5Invisible: false,
    top5From: null,
  },
  ...{
    top5Bound: null,
    disabled: false,
    hasPassword: true,
    linkUntil: null,
    approves: false,
    approverWarning: null,
    awayUntil: null,
  },
};
const detail = {
  ...{ user, version: 'a'.repeat(32), grants: [], rolePermissions: [], controlRefusal: null, reachRefusal: null },
  ...{ linksAreMailed: false, waysIn: null },
  rolesAsked: [{ role: 'Sales', by: 'Grace Whitfield', at: new Date().toISOString() }],
} as unknown as UserDetail;
const viewer = { ...viewerWith(), role: 'admin' };
const nobodyLeft = () => ({ leftWithoutApprover: [] });
const saved = { userId: '7', version: 'a'.repeat(32), role: 'Sales' };

it('gives the requested role by the button next to the request, as saving it does', async () => {
  const sent: object[] = [];
  const hands = await showPage(<UserForm detail={detail} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({
        assignableRoles: [{ name: 'Sales', permissions: ['VIEW_DASHBOARD'], version: '4.1' }],
      }),
      LeftWithoutApprover: nobodyLeft,
      UpdateUser: (fields: object) => {
        sent.push(fields);
        return { updateUser: { ...user, role: 'Sales' } };
      },
      ManagedUser: () => ({ managedUser: { ...detail, user: { ...user, role: 'Sales' }, rolesAsked: [] } }),
    },
  });
  await hands.click(await screen.findByRole('button', { name: 'Give Sales' }));
  await message('Changes to Nora Lind saved');
  expect(sent).toEqual([{ ...saved, roleVersion: '4.1' }]);
});

/** As the panel shows it: with what was read last. */
function Editing() {
  const { data = detail } = useQuery({ ...userQuery('7'), initialData: detail, staleTime: Number.POSITIVE_INFINITY });
  return <UserForm detail={data} />;
}

it('gives the requested role without the other changes, which stay unsaved', async () => {
  localStorage.clear();
  const sent: object[] = [];
  const given = { ...user, role: 'Sales' };
  const hands = await showPage(<Editing />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({
        assignableRoles: [{ name: 'Sales', permissions: ['VIEW_DASHBOARD'], version: '4.1' }],
      }),
      LeftWithoutApprover: nobodyLeft,
      UpdateUser: (fields: object) => {
        sent.push(fields);
        return { updateUser: given };
      },
      ManagedUser: () => ({ managedUser: { ...detail, version: 'b'.repeat(32), user: given, rolesAsked: [] } }),
    },
  });
  await hands.type(await screen.findByRole('textbox', { name: 'Last name' }), 'e');
  await hands.click(screen.getByRole('button', { name: 'Give Sales' }));
  await message('Changes to Nora Lind saved');
  expect(sent).toEqual([{ ...saved, roleVersion: '4.1' }]);
  await expect.poll(() => localStorage.getItem('of-person:viewer:draft:person:7')).toContain('bbbb');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Last name' }).value).toBe('Linde');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.at(-1)).toEqual({ userId: '7', version: 'b'.repeat(32), lastName: 'Linde' });
  localStorage.clear();
});

it('puts the role back when it is declined after giving it was refused, and keeps other changes', async () => {
  localStorage.clear();
  const sent: object[] = [];
  const hands = await showPage(<UserForm detail={detail} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({
        assignableRoles: [{ name: 'Sales', permissions: ['VIEW_DASHBOARD'], version: '4.1' }],
      }),
      LeftWithoutApprover: nobodyLeft,
      UpdateUser: (fields: { role?: string }) => {
        sent.push(fields);
        if (fields.role) refuse('REASON_NEEDED', 'Sales requires a license. Enter a reason', 'reason');
        return { updateUser: user };
      },
      DeclineRole: () => ({ declineRole: { version: detail.version } }),
      ManagedUser: () => ({ managedUser: { ...detail, rolesAsked: [] } }),
    },
  });
  await hands.click(await screen.findByRole('button', { name: 'Give Sales' }));
  await hands.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'no');
  await hands.click(screen.getByRole('button', { name: 'Decline Sales' }));
  await message('You declined the role Sales');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Role' }).value).toBe('No role');
  expect(screen.queryByRole('textbox', { name: /^Reason/ })).toBeNull();
  expect(screen.queryByText('Unsaved changes')).toBeNull();
  await hands.type(screen.getByRole('textbox', { name: 'Last name' }), 'e');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await message('Changes to Nora Lind saved');
  expect(sent.at(-1)).toEqual({ userId: '7', version: detail.version, lastName: 'Linde' });
  localStorage.clear();
});

it('sends the version that the role had when it was chosen, and its current one after a refusal', async () => {
  const sent: object[] = [];
  let version = '4.1';
  const hands = await showPage(<UserForm detail={detail} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [{ name: 'Sales', permissions: ['VIEW_DASHBOARD'], version }] }),
      UpdateUser: (fields: { roleVersion: string }) => {
        sent.push(fields);
        if (sent.length === 1) refuse('CONFLICT', 'Someone changed the person');
        if (fields.roleVersion !== version) refuse('CONFLICT', 'Someone changed the role', 'role');
        return { updateUser: { ...user, role: 'Sales' } };
      },
      ManagedUser: () => ({ managedUser: detail }),
      LeftWithoutApprover: () => ({ leftWithoutApprover: [] }),
    },
  });
  await hands.click(await screen.findByRole('combobox', { name: 'Role' }));
  await hands.click(await screen.findByRole('option', { name: 'Sales' }));
  version = '9.2';
  // As the server's event does.
  await queryClient.refetchQueries(rolesQuery);
  await expect.poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false);
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Someone changed the person');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Someone changed the role');
  await expect
    .poll(async () => {
      await hands.click(screen.getByRole('button', { name: 'Save' }));
      return sent.at(-1);
    })
    .toEqual({ ...saved, roleVersion: '9.2' });
  expect(sent.slice(0, 2)).toEqual([0, 1].map(() => ({ ...saved, roleVersion: '4.1' })));
});

/** Someone else gives the person a role that the viewer lacks. */
function Changing() {
  const [shown, show] = useState(detail);
  const given = { ...detail, version: 'b'.repeat(32), user: { ...user, role: 'Sales' } } as UserDetail;
  return (
    <>
      <Button onClick={() => show(given)}>Someone else saves</Button>
      <UserForm detail={shown} />
    </>
  );
}

it('warns of nothing that someone else changed while the person was edited', async () => {
  localStorage.clear();
  const hands = await showPage(<Changing />, {
    viewer: { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT'), role: 'People' },
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [{ name: 'Sales', permissions: ['VIEW_SALES'], version: '4.1' }] }),
    },
  });
  const warning = await screen.findByText('Without a role, this person can sign in but can open only My account.');
  // In one column it is below the role, not below the team.
  const team = screen.getByRole('combobox', { name: 'Team' });
  expect(warning.compareDocumentPosition(team)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await hands.type(await screen.findByRole('textbox', { name: 'Last name' }), 'h');
  await hands.click(screen.getByRole('button', { name: 'Someone else saves' }));
  const told = (await screen.findByText(/^Someone else edited this person/)).parentElement;
  // Beside the buttons: on a phone the start of the form is out of sight.
  expect(told?.nextElementSibling?.textContent).toContain('Save');
  expect(screen.queryByText(/^You can’t undo this/)).toBeNull();
});

it('keeps what is corrected while other changes are being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let now = detail;
  const hands = await showPage(<UserForm detail={detail} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      UpdateUser: async () => {
        await promise;
        now = { ...detail, version: 'b'.repeat(32), user: { ...user, firstName: 'Nora-May' } } as UserDetail;
        return { updateUser: now.user };
      },
      ManagedUser: () => ({ managedUser: now }),
    },
  });
  await hands.type(await screen.findByLabelText('First name'), '-May');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await hands.type(screen.getByLabelText('Last name'), 'e');
  resolve();
  await message('Changes to Nora Lind saved');
  await expect.poll(() => localStorage.getItem('of-person:viewer:draft:person:7')).toContain('bbbb');
  expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Linde');
  localStorage.clear();
});

/** What a list of changes marks: “Team: -Connect +Give”. */
const marked = (region: string): string[] =>
  [...screen.getByRole('region', { name: region }).querySelectorAll('span + p')].map((text) => {
    const marks = [...text.querySelectorAll('del, ins')].map(
      ({ tagName, textContent }) => (tagName === 'DEL' ? '-' : '+') + textContent?.trim(),
    );
    return `${text.previousElementSibling?.textContent}: ${marks.join(' ')}`;
  });

it('keeps both choices of approvers, also if the own one was begun before a reload', async () => {
  localStorage.clear();
  const draft = { version: 'a'.repeat(32), approvers: ['1'], fields: { approverId: ['1', '2'] } };
  localStorage.setItem('of-person:viewer:draft:person:7', JSON.stringify(draft));
  const names = ['Ada', 'Ben', 'Cleo'].map((displayName, index) => ({ id: `${index + 1}`, displayName }));
  const theirs = { ...user, approverId: ['1', '3'], approverNames: ['Ada', 'Cleo'] };
  const sent: object[] = [];
  const hands = await showPage(
    <UserForm detail={{ ...detail, version: 'b'.repeat(32), user: theirs } as UserDetail} />,
    {
      viewer,
      answers: {
        PeopleToChoose: () => ({ peopleToChoose: names }),
        AssignableRoles: () => ({ assignableRoles: [] }),
        UpdateUser: (fields: object) => {
          sent.push(fields);
          return { updateUser: theirs };
        },
        ManagedUser: () => ({ managedUser: detail }),
      },
    },
  );
  await hands.click(await screen.findByRole('button', { name: 'Load the other changes' }));
  // Save keeps both.
  expect(marked('Your changes')).toEqual(['Approvers: +Ben']);
  expect(marked('Other changes')).toEqual(['Approvers: +Cleo']);
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent).toMatchObject([{ approverId: ['1', '3', '2'], version: 'b'.repeat(32) }]);
  localStorage.clear();
});

it('shows the guarded fields of an admin as disabled, with the reason, to people who aren’t admins', async () => {
  const shown = { ...detail, user: { ...user, role: 'admin' }, rolesAsked: [] };
  await showPage(<UserForm detail={shown} />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: { PeopleToChoose: () => ({ peopleToChoose: [] }), AssignableRoles: () => ({ assignableRoles: [] }) },
  });
  await screen.findByText('Only admins can change an admin’s sign-in and permissions.');
  const isOff = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).disabled;
  expect(isOff('Role')).toBe(true);
  expect(isOff('Team')).toBe(true);
});

it('says once that someone else changed the same field, and then what Save replaces', async () => {
  localStorage.clear();
  const theirs = { ...detail, version: 'b'.repeat(32), user: { ...user, firstName: 'Nora-May', lastName: 'Lund' } };
  const hands = await showPage(<Editing />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      UpdateUser: () => refuse('CONFLICT', 'Someone else edited this person'),
      ManagedUser: () => ({ managedUser: theirs }),
    },
  });
  await hands.type(await screen.findByRole('textbox', { name: 'Last name' }), 'e');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Load the other changes' });
  expect(screen.getAllByText(/^Someone else edited this person/)).toHaveLength(1);
  await hands.click(screen.getByRole('button', { name: 'Load the other changes' }));
  await screen.findByRole('region', { name: 'Your changes' });
  expect(marked('Your changes')).toEqual(['Last name: -Lund +Linde']);
  // The form took over what only someone else changed.
  expect(marked('Other changes')).toEqual(['First name: -Nora +Nora-May']);
  localStorage.clear();
});

it('names every field that the form took over from someone else, in words', async () => {
  localStorage.clear();
  const people = ['Ada North', 'Ada South'].map((displayName, index) => ({ id: `${index + 1}`, displayName }));
  const theirs = {
    ...{ ...user, role: 'Sales', team: 'give', approverId: ['2'], approverNames: ['Ada South'] },
    ...{ top5From: 'direct', top5Invisible: true },
  };
  const before = { ...user, team: 'connect', approverId: ['1'], approverNames: ['Ada North'] };
  const seen = { ...detail, user: before, rolesAsked: [] } as unknown as UserDetail;
  queryClient.setQueryData(userQuery('7').queryKey, seen);
  const hands = await showPage(<Editing />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: people }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      UpdateUser: () => refuse('CONFLICT', 'Someone else edited this person'),
      ManagedUser: () => ({ managedUser: { ...seen, version: 'b'.repeat(32), user: theirs } }),
    },
  });
  await hands.type(await screen.findByRole('textbox', { name: 'Last name' }), 'e');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await hands.click(await screen.findByRole('button', { name: 'Load the other changes' }));
  await expect
    .poll(() => marked('Other changes'))
    .toEqual([
      'Role: -None +Sales',
      'Team: -Connect +Give',
      'Approvers: -Ada North +Ada South',
      'Uses S.T.A.R.T: -No +Yes',
      'Invisible in stats: -No +Yes',
    ]);
  localStorage.clear();
});

const leadAnswers = {
  PeopleToChoose: () => ({ peopleToChoose: [] }),
  AssignableRoles: () => ({
    assignableRoles: ['Lead', 'Sales'].map((name) => ({ name, permissions: ['VIEW_DASHBOARD'], version: '4.1' })),
  }),
};

it('shows before Save what the viewer can’t change, and why', async () => {
  localStorage.clear();
  const message = 'This would show others stats that you can’t see. Ask an admin to do it';
  const teams = ['', ...scopeKeys].map((value) => ({ field: 'team', value, message }));
  const hidden = { field: 'top5Invisible', value: 'true', message: 'Ask an admin to hide them' };
  const show = (refusedChoices: object[], approverIds: string[] = []) =>
    showPage(<UserForm detail={{ ...detail, refusedChoices } as UserDetail} />, {
      viewer: { ...viewerWith('USER_MANAGEMENT'), approverIds },
      answers: {
        PeopleToChoose: () => ({ peopleToChoose: [] }),
        AssignableRoles: () => ({ assignableRoles: [] }),
      },
    });
  await show([...teams, hidden], ['7']);
  const team = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Team' });
  expect(team.disabled).toBe(true);
  screen.getByText(`${message}. Also applies to the current sprint’s bonus.`);
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  expect([
    screen.getByRole<HTMLInputElement>('switch', { name: /^Invisible in stats/ }).disabled,
    field('First name').disabled,
  ]).toEqual([true, false]);
  screen.getByText('Ask an admin to hide them.');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Approvers' }).disabled).toBe(true);
  screen.getByText('You can’t choose who approves your approver. Ask an admin.');
  cleanup();
  const hands = await show(teams.filter(({ value }) => value === 'codex'));
  await hands.click(await screen.findByRole('combobox', { name: 'Team' }));
  const isGray = async (name: string) =>
    (await screen.findByRole('option', { name })).getAttribute('data-combobox-disabled');
  expect([await isGray('Codex'), await isGray('Give')]).toEqual(['true', null]);
  screen.getByText('Ask an admin for the teams in gray. Also applies to the current sprint’s bonus.');
});

it('warns before someone leaves a team in which the viewer can’t put them back', async () => {
  localStorage.clear();
  const message = 'This would show others stats that you can’t see. Ask an admin to do it';
  const inTeam = { ...detail, user: { ...detail.user, team: 'give' } };
  const hands = await showPage(
    <UserForm detail={{ ...inTeam, refusedChoices: [{ field: 'team', value: 'give', message }] } as UserDetail} />,
    {
      viewer: viewerWith('USER_MANAGEMENT'),
      answers: {
        PeopleToChoose: () => ({ peopleToChoose: [] }),
        AssignableRoles: () => ({ assignableRoles: [] }),
      },
    },
  );
  await screen.findByText('Also applies to the current sprint’s bonus.');
  await hands.click(await screen.findByRole('combobox', { name: 'Team' }));
  await hands.click(await screen.findByRole('option', { name: 'No team' }));
  screen.getByText('Only an admin can move this person back to Give.');
  // Until it is saved, the team can be chosen again.
  await hands.click(screen.getByRole('combobox', { name: 'Team' }));
  await hands.click(await screen.findByRole('option', { name: 'Give' }));
  expect(screen.queryByText(/move this person back/)).toBeNull();
});

it('shows what moves to another approver, and Undo restores the one before', async () => {
  localStorage.clear();
  const draft = { version: detail.version, approvers: [], fields: { approverId: ['1'] } };
  localStorage.setItem('of-person:viewer:draft:person:7', JSON.stringify(draft));
  const sent: unknown[] = [];
  const managed = {
    ...{ id: '7', displayName: 'Nora Lind', role: null, team: null, disabled: false, ownApproverIds: [] },
    ...{ toApprove: 1, toSignOff: 0, away: null },
  };
  const row = { person: managed, approvers: [], byDefault: false, unapproved: true, circle: [] };
  const item = { id: '9', userId: '7', sprintId: '1', title: 'Ship it', status: 'INAPPROVAL' };
  const after = { ...user, approverId: ['1'], approverNames: ['Ada'] };
  const hands = await showPage(<UserForm detail={detail} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [{ id: '1', displayName: 'Ada' }] }),
      AssignableRoles: () => ({ assignableRoles: [] }),
      PeopleWithApprovers: () => ({ approverManagement: { people: { rows: [row], total: 1, next: null } } }),
      PendingItems: () => ({ pendingItems: [{ ...item, statusAt: '2026-11-16T10:00:00Z' }] }),
      UpdateUser: () => ({ updateUser: after }),
      ManagedUser: () => ({ managedUser: { ...detail, version: 'b'.repeat(32), user: after } }),
      SetApprovers: ({ changes }: { changes: unknown }) => {
        sent.push(changes);
        return { setApprovers: { defaultVersion: 1 } };
      },
    },
  });
  await screen.findByRole('heading', { name: '1 task will be reassigned' });
  await screen.findByText('Ship it');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await message('Changes to Nora Lind saved');
  await hands.click(screen.getByRole('button', { name: 'Undo' }));
  await message('Approvers restored');
  expect(sent).toEqual([[{ userId: '7', approverIds: [], known: ['1'] }]]);
});

it('says before saving another role who is left without an approver', async () => {
  localStorage.clear();
  const asked: object[] = [];
  const answer = Promise.withResolvers<void>();
  const lead = { ...detail, user: { ...user, role: 'Lead', approves: true }, rolesAsked: [] } as unknown as UserDetail;
  const hands = await showPage(<UserForm detail={lead} />, {
    viewer,
    answers: {
      ...leadAnswers,
      LeftWithoutApprover: async (variables: object) => {
        asked.push(variables);
        await answer.promise;
        return { leftWithoutApprover: ['Ann Left'] };
      },
    },
  });
  await hands.click(await screen.findByRole('combobox', { name: 'Role' }));
  await hands.click(await screen.findByRole('option', { name: 'Sales' }));
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await expect.poll(() => asked).toHaveLength(1);
  expect(save.disabled).toBe(true);
  await screen.findByText('Checking who this leaves without an approver…');
  answer.resolve();
  await screen.findByText('Left without an approver: Ann Left.');
  expect(save.disabled).toBe(false);
  expect(asked).toEqual([{ userIds: ['7'], role: 'Sales' }]);
});

/** The form of an approver whose role Sales was requested, with what the check and Save did. */
async function openLead(check: () => object) {
  localStorage.clear();
  const calls: string[] = [];
  const lead = { ...detail, user: { ...user, role: 'Lead', approves: true } } as unknown as UserDetail;
  const hands = await showPage(<UserForm detail={lead} />, {
    viewer,
    answers: {
      ...leadAnswers,
      LeftWithoutApprover: () => {
        calls.push('check');
        return check();
      },
      UpdateUser: () => {
        calls.push('save');
        return { updateUser: { ...user, role: 'Sales' } };
      },
      ManagedUser: () => ({ managedUser: { ...detail, user: { ...user, role: 'Sales' }, rolesAsked: [] } }),
    },
  });
  return { hands, calls };
}

it('gives a requested role only once it has named those who are left without an approver', async () => {
  const { hands, calls } = await openLead(() => ({ leftWithoutApprover: ['Ann Left'] }));
  const give = await screen.findByRole('button', { name: 'Give Sales' });
  await hands.click(give);
  await screen.findByText('Left without an approver: Ann Left.');
  expect(calls).toEqual(['check']);
  await hands.click(give);
  await message('Changes to Nora Lind saved');
  // Saving reads it again.
  expect(calls.slice(0, 2)).toEqual(['check', 'save']);
});

it('gives no role once the form was discarded, or where the check failed', async () => {
  const answer = Promise.withResolvers<object>();
  const { hands, calls } = await openLead(() => answer.promise);
  await hands.click(await screen.findByRole('button', { name: 'Give Sales' }));
  await hands.click(await screen.findByRole('button', { name: 'Discard' }));
  answer.resolve({ leftWithoutApprover: [] });
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })?.hasAttribute('disabled')).toBe(true);
  cleanup();
  const failed = await openLead(() => refuse('UNAVAILABLE', 'Try again'));
  await failed.hands.click(await screen.findByRole('button', { name: 'Give Sales' }));
  await screen.findByText('Couldn’t check who this leaves without an approver.');
  expect([...calls, ...failed.calls]).toEqual(['check', 'check']);
});

it('doesn’t lock Save where the check fails', async () => {
  const { hands, calls } = await openLead(() => refuse('UNAVAILABLE', 'Try again'));
  await hands.click(await screen.findByRole('combobox', { name: 'Role' }));
  await hands.click(await screen.findByRole('option', { name: 'Sales' }));
  await screen.findByText('Couldn’t check who this leaves without an approver.');
  await hands.click(screen.getByRole('button', { name: 'Save' }));
  await message('Changes to Nora Lind saved');
  expect(calls.slice(0, 2)).toEqual(['check', 'save']);
});

it('says that a link was revoked only after the email address changed', async () => {
  const invited = { ...user, role: 'Lead', linkUntil: '2026-12-01T10:00:00Z' };
  const saveWith = async (field: string, changed: object) => {
    localStorage.clear();
    const onLinkRevoked = vi.fn();
    const now = { ...invited, ...changed, linkUntil: null };
    const hands = await showPage(
      <UserForm detail={{ ...detail, user: invited } as unknown as UserDetail} onLinkRevoked={onLinkRevoked} />,
      {
        viewer,
        answers: {
          PeopleToChoose: () => ({ peopleToChoose: [] }),
          AssignableRoles: () => ({ assignableRoles: [] }),
          UpdateUser: () => ({ updateUser: now }),
          ManagedUser: () => ({ managedUser: { ...detail, user: now } }),
        },
      },
    );
    await hands.type(await screen.findByRole('textbox', { name: field }), 'e');
    await hands.click(screen.getByRole('button', { name: 'Save' }));
    await message('Changes to Nora Lind saved');
    await expect.poll(() => screen.queryByText('Unsaved changes')).toBeNull();
    cleanup();
    return onLinkRevoked.mock.calls.length;
  };
  expect(await saveWith('Last name', { lastName: 'Linde' })).toBe(0);
  expect(await saveWith('Email', { email: 'nora@example.teste' })).toBe(1);
});

const staffDetail = {
  ...detail,
  user: { ...user, role: 'Staff' },
  grants: ['VIEW_TOOLS'],
  rolePermissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_DISTRIBUTIONS'],
  rolesAsked: [{ role: 'Sales', by: 'Grace Whitfield', at: new Date().toISOString() }],
} as unknown as UserDetail;

async function formOf(person: UserDetail) {
  localStorage.clear();
  const hands = await showPage(<UserForm detail={person} />, {
    viewer,
    answers: {
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      AssignableRoles: () => ({
        assignableRoles: [
          { name: 'Staff', permissions: person.rolePermissions, version: '1.1' },
          { name: 'Copy of Staff', permissions: person.rolePermissions, version: '2.1' },
          { name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_GREEN_SALES'], version: '3.1' },
        ],
      }),
      LeftWithoutApprover: nobodyLeft,
    },
  });
  const choose = async (role: string) => {
    await hands.click(screen.getByRole('combobox', { name: 'Role' }));
    await hands.click(await screen.findByRole('option', { name: role }));
  };
  await screen.findByText(/^Grace Whitfield requested/);
  return { hands, choose };
}

const effects = () => screen.queryAllByText(/^(Gains|Loses) \d/).map(({ textContent }) => textContent);

it('says beside a requested role what the person gains and loses, and what they keep by a direct grant', async () => {
  const { hands, choose } = await formOf(staffDetail);
  await hands.click(await screen.findByText('Gains 2 permissions, loses 1'));
  expect(screen.getByText(/Distributions$/).textContent).toBe('− Loses Pages: Distributions');
  expect(screen.getByText(/Green tab$/).textContent).toBe('+ Gains Sales, Sales: Green tab');
  // Chosen in the form, it is said there.
  await choose('Sales');
  expect(effects()).toEqual(['Gains 2 permissions, loses 1']);
});

it.each([
  ['Copy of Staff', []],
  ['admin', [/^Gains \d+ permissions$/]],
  ['No role', ['Loses 3 permissions']],
])('says below the role what %s changes, and nothing about the one that the person has', async (role, said) => {
  const { choose } = await formOf({
    ...staffDetail,
    rolesAsked: [{ role: 'Staff', by: 'Grace Whitfield', at: new Date().toISOString() }],
  });
  expect(effects()).toEqual([]);
  await choose(role);
  expect(effects()).toEqual(said.map((words) => expect.stringMatching(words)));
});
