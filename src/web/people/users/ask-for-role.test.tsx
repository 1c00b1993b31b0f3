import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { AskForRole } from './ask-for-role.tsx';
import type { User } from './users-queries.ts';

const nora = { id: '7', firstName: 'Nora', displayName: 'Nora Lind', role: null } as User;
const hr = { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT'), role: 'People' };

it('says that an account without a role opens nothing, and asks the admins for one', async () => {
  const asked: string[] = [];
  const user = await showPage(<AskForRole user={nora} />, {
    viewer: hr,
    answers: {
      AskForRole: ({ userId }: { userId: string }) => {
        asked.push(userId);
        return { askForRole: nora };
      },
    },
  });
  await screen.findByText('Nora can’t open anything until an admin gives them a role.');
  await user.click(screen.getByRole('button', { name: 'Ask an admin for a role' }));
  await screen.findByText('The admins were notified.');
  expect(asked).toEqual(['7']);
});

it('offers an admin no request, since they give the role themselves', async () => {
  await showPage(<AskForRole user={nora} />, { viewer: { ...hr, role: 'admin' } });
  await screen.findByText('Nora can’t open anything until you give them a role.');
  expect(screen.queryByRole('button')).toBe(null);
});
