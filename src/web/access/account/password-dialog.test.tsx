import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { isPasswordUnsure, signedInAgain } from '#web/api/signed-in-again.ts';
import { SessionDialog } from '#web/shell/identity/session-dialog.tsx';
import { message, showPage, viewerWith } from '../../../../test/show-page.tsx';
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

test('a change whose answer is lost says to try the new password, and is over when that signs in', async () => {
  const { email } = viewerWith();
  const onClose = vi.fn();
  const user = await showPage(
    <>
      <PasswordDialog onClose={onClose} />
      <SessionDialog email={email} />
    </>,
    { answers: { MySecondFactors: () => ({ mySecondFactors: noFactors }) } },
  );
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (url.endsWith('/api/auth/change-password')) return Promise.reject(new TypeError('Failed to fetch'));
    return url.endsWith('/api/auth/login') ? Promise.resolve(Response.json({ token: 'new' })) : others(url, init);
  });
  const submit = await screen.findByRole('button', { name: 'Change password' });
  await user.type(screen.getByLabelText('Current password'), 'this one');
  await user.type(screen.getByLabelText('New password'), 'walnut meadow copper tide');
  await user.click(submit);
  await expect.poll(isPasswordUnsure).toBe(true);
  await act(async () => void signedInAgain());
  await screen.findByText('Your password may have been changed. Try the new one.');
  await user.click(screen.getByLabelText(`Password for ${email}`));
  await user.keyboard('walnut meadow copper tide{Enter}');
  await message('Password changed. Your other sessions were signed out');
  expect(onClose).toHaveBeenCalledOnce();
});
