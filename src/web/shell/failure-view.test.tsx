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
  screen.getByText(/Something went wrong on the server/);
  expect(screen.queryByText(/role|permission to|kept/)).toBeNull();
});

test('a change that failed says that what was typed is kept', async () => {
  await showPage(<FailureView statusCode={500} message={message} what="Saving the task" typed />);
  await screen.findByText('Saving the task failed. What you typed is kept.');
});

test('a refusal says how to get the permission', async () => {
  await showPage(<FailureView statusCode={403} message={message} />, { viewer: { ...admin, role: 'Staff' } });
  await screen.findByText(/Ask an admin to add what you need/);
});
