import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refusals } from '#core/base/refusals.ts';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { FailureView } from './failure-view.tsx';

const { message } = refusals.NO_APPLICATION_PERMISSION;
const admin = { ...viewerWith('VIEW_DASHBOARD'), role: 'admin' };

test('a fault of the server says nothing about permissions but the words of the specification', async () => {
  await showPage(<FailureView statusCode={500} message={message} what="Loading the sprints" requestId="r-1" />, {
    viewer: admin,
  });
  await screen.findByRole('heading', { name: message });
  screen.getByText('Loading the sprints failed.');
  screen.getByText(/Something went wrong on our side/);
  expect(screen.queryByText(/role|permission to|kept/)).toBeNull();
});

test('a change that failed says that what was typed is kept', async () => {
  await showPage(<FailureView statusCode={500} message={message} what="Saving the task" typed />);
  await screen.findByText('Saving the task failed. Your draft is saved.');
});

const unapproved = refusals.NOT_APPROVED_BY_MANAGER.message;
const AccessHelp = () => ({
  accessHelp: {
    admins: [{ id: '1', displayName: 'Ingrid Solheim', email: 'ingrid@company.test' }],
    contacts: [{ id: '2', displayName: 'Hana Reyes', email: 'hana@company.test' }],
    roleAsked: { role: 'Staff', by: 'Grace Whitfield', at: new Date(Date.now() - 120_000).toISOString() },
  },
});

test.each([
  ['in a role without pages', 'Other', message, /Ask an admin to add what you need/, 'Ingrid Solheim'],
  ['without a role', null, message, /You have no role yet\. Ask a user manager or an admin/, 'Hana Reyes'],
  ['without an approver', 'Staff', unapproved, /Ask a user manager or an admin to choose one/, 'Hana Reyes'],
])('a refusal of someone %s says how to get in, who helps, and what was asked already', async (...row) => {
  const [, role, said, advice, name] = row;
  await showPage(<FailureView statusCode={403} message={said} />, {
    viewer: { ...viewerWith(), role },
    answers: { AccessHelp },
  });
  await screen.findByText(advice);
  const address = `${name.split(' ')[0]?.toLowerCase()}@company.test`;
  const link = await screen.findByRole('link', { name: address });
  expect(link.getAttribute('href')).toBe(
    `mailto:${encodeURIComponent(address)}?subject=Access%20to%20Staff%20dashboard`,
  );
  expect(screen.getByRole('list', { name: 'People who can help' }).textContent).toBe(`${name} ${address}`);
  screen.getByText(/Grace Whitfield requested the role Staff for you/);
});

test.each([
  ['FORBIDDEN', 403, 'Your role doesn’t include this. If you need it, ask an admin.'],
  ['NOT_FOUND', 404, 'It was removed, or your access changed. Go back and reload.'],
  ['NETWORK', 503, 'Check your connection, then try again.'],
] as const)(
  'a call refused with %s says why, whatever the words of the specification',
  async (code, statusCode, says) => {
    await showPage(<FailureView statusCode={statusCode} message={message} code={code} what="Saving the task" />, {
      viewer: admin,
    });
    await screen.findByText(says);
    expect(screen.queryByText(/doesn’t open any page/)).toBeNull();
  },
);
