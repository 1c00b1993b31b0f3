import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { tiesQuery } from './bulk-calls.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { User } from './users-queries.ts';

const people = ['1', '2'].map((id) => ({ id, displayName: `Person ${id}`, role: null }) as User);
const ties = {
  ...{ openTasks: 3, toDecide: 1, onlyApprover: ['Lotta Lost'], meetings: ['Weekly'] },
  tools: ['Payroll', 'Wiki'],
};

test('disabling several people says first what it ends, and stays open until the result', async () => {
  const onClose = vi.fn();
  const asked: object[] = [];
  const answer = Promise.withResolvers<void>();
  const user = await showPage(<BulkDialog opened chosen={people} onClose={onClose} onDone={() => {}} />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: {
      AssignableRoles: () => ({ assignableRoles: [] }),
      PreviewUserChanges: ({ users, change }: { users: { userId: string }[]; change: { disabled?: boolean } }) => ({
        previewUserChanges: users.map(({ userId }) => ({
          ...{ userId, version: '1', refusal: null, lacking: [] },
          changes: change.disabled ? [{ field: 'Account', before: 'enabled', after: 'disabled' }] : [],
        })),
      }),
      AccountTies: (variables: object) => {
        asked.push(variables);
        return { accountTies: ties };
      },
      ChangeUsers: async ({ users }: { users: { userId: string }[] }) => {
        await answer.promise;
        return {
          changeUsers: users.map(({ userId }) => ({ userId, outcome: 'changed', code: null, message: null })),
        };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Disable accounts' }));
  await screen.findByText('3 tasks not signed off, in this sprint or the next');
  for (const fact of [
    'One task is waiting for their decision',
    'Left without an approver: Lotta Lost',
    'Meetings they chair: Weekly',
    'Tools they own: Payroll, Wiki',
  ])
    screen.getByText(fact);
  expect(asked).toEqual([{ userIds: ['1', '2'] }]);
  screen.getByText(/permanently removes their passkeys/);
  await user.click(screen.getByRole('button', { name: 'Apply to 2 people' }));
  await expect.poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  answer.resolve();
  await screen.findByText('2 changed.');
  // Their passkeys are gone.
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('Undo gives each person whom nobody else moved the team from before, in as few calls as there were teams', async () => {
  const asked: object[] = [];
  const chosen = [
    ...[people[0]!, people[1]!].map((person) => ({ ...person, team: 'green' })),
    { ...people[0]!, id: '3', displayName: 'Person 3', team: null },
    { ...people[0]!, id: '4', displayName: 'Person 4', team: 'codex' },
    { ...people[0]!, id: '5', displayName: 'Person 5', team: 'green' },
  ];
  const onDone = vi.fn();
  const user = await showPage(<BulkDialog opened chosen={chosen} onClose={() => {}} onDone={onDone} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      AssignableRoles: () => ({ assignableRoles: [] }),
      PreviewUserChanges: ({ users }: { users: { userId: string }[] }) => ({
        previewUserChanges: users.map(({ userId }) => ({
          ...{ userId, version: asked.length === 0 ? '1' : '2', refusal: null, lacking: [] },
          // Someone else moves Person 2 right after the change.
          changes:
            userId === '4' || (asked.length > 0 && userId !== '2')
              ? []
              : [{ field: 'Team', before: '?', after: 'Codex' }],
        })),
      }),
      ChangeUsers: (variables: { users: { userId: string }[] }) => {
        asked.push(variables);
        return {
          changeUsers: variables.users.map(({ userId }) => ({ userId, outcome: 'changed', code: null, message: null })),
        };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Change team' }));
  await user.click(await screen.findByRole('combobox', { name: 'Team' }));
  await user.click(await screen.findByRole('option', { name: 'Codex' }));
  await user.click(await screen.findByRole('button', { name: 'Apply to 4 people' }));
  await screen.findByText('4 changed.');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('3 restored.');
  expect(asked.slice(1)).toEqual([
    { users: ['1', '5'].map((userId) => ({ userId, version: '2' })), change: { team: 'green' } },
    { users: [{ userId: '3', version: '2' }], change: { team: '' } },
  ]);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(onDone).toHaveBeenCalled();
});

test('setting the approvers waits for a choice, and nobody is one that is made on purpose', async () => {
  const asked: object[] = [];
  const user = await showPage(<BulkDialog opened chosen={people} onClose={() => {}} onDone={() => {}} />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: {
      AssignableRoles: () => ({ assignableRoles: [] }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
      PreviewUserChanges: ({ users, change }: { users: { userId: string }[]; change: object }) => {
        asked.push(change);
        return {
          previewUserChanges: users.map(({ userId }) => ({
            ...{ userId, version: '1', refusal: null, lacking: [] },
            changes: [{ field: 'Approvers', before: 'Ada North', after: 'nobody' }],
          })),
        };
      },
    },
  });
  await user.click(await screen.findByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Change approvers' }));
  const nobody = await screen.findByRole('checkbox', { name: 'Nobody' });
  expect(screen.getByRole('button', { name: 'Apply' })).toHaveProperty('disabled', true);
  await user.click(nobody);
  await screen.findByRole('button', { name: 'Apply to 2 people' });
  expect(asked).toEqual([{ approverId: [] }]);
  await user.click(nobody);
  await screen.findByRole('button', { name: 'Apply' });
});

test('giving a role says first who is left without an approver', async () => {
  const asked: object[] = [];
  const read = Promise.withResolvers<void>();
  const user = await showPage(<BulkDialog opened chosen={people} onClose={() => {}} onDone={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      AssignableRoles: () => ({
        assignableRoles: [{ name: 'Staff', permissions: ['VIEW_DASHBOARD'], version: '1.1' }],
      }),
      PreviewUserChanges: ({ users }: { users: { userId: string }[] }) => ({
        previewUserChanges: users.map(({ userId }) => ({
          ...{ userId, version: '1', refusal: null, lacking: [] },
          changes: [{ field: 'Role', before: 'Team lead', after: 'Staff' }],
        })),
      }),
      LeftWithoutApprover: async (variables: object) => {
        asked.push(variables);
        await read.promise;
        return { leftWithoutApprover: Array.from({ length: 12 }, (_, at) => `P${at}`) };
      },
    },
  });
  await user.type(await screen.findByRole('combobox', { name: 'Action' }), 'change role{Enter}');
  await user.click(await screen.findByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Staff' }));
  const apply = await screen.findByRole('button', { name: 'Apply to 2 people' });
  expect(apply).toHaveProperty('disabled', true);
  read.resolve();
  await screen.findByText('Left without an approver: P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more.');
  expect(apply).toHaveProperty('disabled', false);
  expect(asked).toEqual([{ userIds: ['1', '2'], role: 'Staff' }]);
});

test('a server of an older version says what depends on accounts without their tools, one account or several', async () => {
  const { tools: _new, ...older } = ties;
  await showPage(<p>People</p>, {
    answers: {
      AccountTies: () => refuse('BAD_INPUT', 'Cannot query field "tools" on type "AccountTies"'),
      OlderAccountTies: ({ userId }: { userId: string }) => ({ accountTies: { ...older, approves: Number(userId) } }),
      OlderAccountTiesOfAll: ({ userIds }: { userIds: string[] }) => ({
        accountTies: { ...older, approves: userIds.length },
      }),
    },
  });
  expect(await queryClient.fetchQuery(tiesQuery(['7'], true))).toEqual({ ...older, approves: 7 });
  expect(await queryClient.fetchQuery(tiesQuery(['7', '8'], true))).toEqual({ ...older, approves: 2 });
});

test('giving a role says of each person how many permissions they gain and lose', async () => {
  const staff = { ...people[0], role: 'Staff' } as User;
  const user = await showPage(
    <BulkDialog opened chosen={[staff, people[1] as User]} onClose={() => {}} onDone={() => {}} />,
    {
      viewer: { ...viewerWith(), role: 'admin' },
      answers: {
        AssignableRoles: () => ({
          assignableRoles: [
            { name: 'Staff', permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_DISTRIBUTIONS'], version: '1.1' },
            { name: 'Sales', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'], version: '2.1' },
          ],
        }),
        PreviewUserChanges: ({ users, change }: { users: { userId: string }[]; change: { role: string } }) => ({
          previewUserChanges: users.map(({ userId }) => ({
            ...{ userId, version: '1', refusal: null, lacking: [] },
            changes: change.role === 'Sales' ? [{ field: 'Role', before: '?', after: 'Sales' }] : [],
          })),
        }),
        LeftWithoutApprover: () => ({ leftWithoutApprover: [] }),
      },
    },
  );
  await user.click(await screen.findByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'Change role' }));
  await user.click(await screen.findByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Sales' }));
  await screen.findByText('Role: ? → Sales. Gains 1 permission, loses 2');
  screen.getByText('Role: ? → Sales. Gains 2 permissions');
  screen.getByText(/Direct permissions/);
  await user.click(screen.getByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Staff' }));
  expect(await screen.findAllByText('unchanged')).toHaveLength(2);
  expect(screen.queryByText(/Direct permissions/)).toBeNull();
});

test('an admin who gives themselves another role is told that only another admin can undo it', async () => {
  const user = await showPage(<BulkDialog opened chosen={people} onClose={() => {}} onDone={() => {}} />, {
    viewer: { ...viewerWith(), id: '1', role: 'admin' },
    answers: {
      AssignableRoles: () => ({
        assignableRoles: [{ name: 'Staff', permissions: ['VIEW_DASHBOARD'], version: '1.1' }],
      }),
      PreviewUserChanges: () => ({ previewUserChanges: [] }),
      LeftWithoutApprover: () => ({ leftWithoutApprover: [] }),
    },
  });
  await user.type(await screen.findByRole('combobox', { name: 'Action' }), 'change role{Enter}');
  await user.click(await screen.findByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Staff' }));
  await screen.findByText('You’ll no longer be an admin. Only another admin can undo this.');
});
