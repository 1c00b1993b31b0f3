import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import { OwnApproversSentence } from './own-approvers.tsx';

const own = { sentence: 'You have no approver.', names: null, isMissing: true };

test('only an admin chooses their own approver', async () => {
  await showPage(<OwnApproversSentence own={own} />, { viewer: viewerWith('USER_MANAGEMENT') });
  await screen.findByText('You have no approver.');
  expect(screen.queryByRole('link')).toBeNull();
});

test('an admin without an approver has the way to choose one', async () => {
  await showPage(<OwnApproversSentence own={own} />, { viewer: { ...viewerWith(), role: 'admin' } });
  const link = await screen.findByRole('link', { name: 'Choose one' });
  expect(link.getAttribute('href')).toBe('/approvermanagement?open=viewer');
});
