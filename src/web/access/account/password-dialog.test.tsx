import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { PasswordDialog } from './password-dialog.tsx';

const noFactors = { passkeys: [], authenticator: null, recoveryCodesLeft: 0, required: false };

test('a new password goes with the current one, and a wrong one is said so', async () => {
  const user = await showPage(<PasswordDialog onClose={() => {}} />, {
    answers: { MySecondFactors: () => ({ mySecondFactors: noFactors }) },
  });
  const graphql = fetch;
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (!url.endsWith('/api/auth/change-password')) return graphql(url, init);
    sent.push(JSON.parse(String(init?.body)));
    return Promise.resolve(Response.json({ error: { code: 'WRONG_PROOF', message: 'No' } }, { status: 403 }));
  });
  const submit = await screen.findByRole('button', { name: 'Change password' });
  await user.type(screen.getByLabelText('New password'), 'walnut meadow copper tide');
  expect(submit).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Current password'), 'not this one');
  await user.click(submit);
  await screen.findByText('This isn’t your current password');
  expect(sent).toEqual([{ current: 'not this one', password: 'walnut meadow copper tide' }]);
});
