import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FullTask } from '#web/tasks/shared/queries.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { TaskResend } from './resend.tsx';

const denied: FullTask = {
  id: '7',
  userId: 'viewer',
  owner: { id: 'viewer', displayName: 'Viewer', team: null },
  ownerApproverIds: ['marcus'],
  decidedFor: null,
  handedOver: null,
  ownerKeepsTasks: true,
  createdBy: { id: 'viewer', displayName: 'Viewer', team: null },
  sprintId: 'w47',
  status: 'DENIED',
  statusSince: '2026-11-16T11:00:00Z',
  title: 'Report on traffic',
  category: 'Blue',
  change: '',
  reason: 'The brand is wrong',
  created: '2026-11-16T10:00:00Z',
  extra: false,
  editedSince: null,
  carriedOver: 0,
  withdrawn: false,
  leftUndone: false,
  repeats: null,
  version: 2,
  summary: 'By Friday',
  notes: [],
  attachments: [],
  history: [],
};

test('a task denied for its brand is sent again with another brand', async () => {
  const sent: object[] = [];
  const user = await showPage(
    <TaskResend task={denied} startEditing={false} onStarted={() => {}}>
      By Friday
    </TaskResend>,
    {
      answers: {
        UpdateTask: (variables: object) => {
          sent.push(variables);
          return { updateTask: { ...denied, status: 'INAPPROVAL', category: 'Switch', version: 3 } };
        },
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Edit and resend' }));
  await user.click(screen.getByRole('combobox', { name: 'Brand' }));
  await user.click(await screen.findByRole('option', { name: 'Switch' }));
  await user.type(screen.getByLabelText('What did you change?'), 'The brand');
  await user.click(screen.getByRole('button', { name: 'Resend for approval' }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toMatchObject({ id: '7', title: 'Report on traffic', category: 'Switch', change: 'The brand' });
});
