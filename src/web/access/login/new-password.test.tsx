import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { keepToken, signOut } from '#web/api/session.ts';
import { writeStored } from '#web/api/stored.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { readAccountLink } from './account-link.ts';
import NewPassword from './new-password.tsx';

const token = 'x'.repeat(43);
const message = 'This link has expired or was already used. Ask for a new one';

afterEach(() => {
  signOut();
  localStorage.clear();
});

it.each([
  ['#invite=abc', { kind: 'invite', token: 'abc' }],
  ['#reset=', { kind: 'reset', token: '' }],
  [`#invite=${token}.`, { kind: 'invite', token }],
  ['#settings', null],
])('reads the link of %s, whole or not', (hash, link) => {
  expect(readAccountLink(hash)).toEqual(link);
});

it('a link that was cut says so, without asking the server', async () => {
  await showPage(null);
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  render(
    <NewPassword
      link={{ kind: 'invite', token: 'x' }}
      signIn={{} as never}
      onLeave={() => {}}
      onForgotten={() => {}}
    />,
  );
  expect((await screen.findByRole('alert')).textContent).toMatch('This link isn’t complete');
  expect(fetched).not.toHaveBeenCalled();
});

/** Opens a link that the server says doesn't work. */
async function openLink(kind: 'invite' | 'reset'): Promise<void> {
  await showPage(null);
  const refused = { error: { code: 'LINK_EXPIRED', message } };
  vi.stubGlobal('fetch', async () => Response.json(refused, { status: 403 }));
  render(<NewPassword link={{ kind, token }} signIn={{} as never} onLeave={() => {}} onForgotten={() => {}} />);
}

it('a link that does not work here says no more than the server, and a reset offers a new one', async () => {
  await openLink('reset');
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  screen.getByRole('button', { name: 'Forgot password?' });
});

it('an invitation that does not work welcomes nobody', async () => {
  await openLink('invite');
  await screen.findByRole('alert');
  screen.getByRole('heading', { name: 'Invitation' });
});

it('the browser that used a link says that the password is set, and offers no new link', async () => {
  writeStored('local', 'used-link', token);
  await openLink('reset');
  expect((await screen.findByRole('alert')).textContent).toBe('You already set your password. Sign in with it.');
  screen.getByRole('button', { name: 'Go to the sign-in page' });
  expect(screen.queryByRole('button', { name: 'Forgot password?' })).toBe(null);
});

it('a signed-in visitor with a link that does not work goes home', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  keepToken('token');
  await openLink('invite');
  await expect.poll(() => replace.mock.calls).toEqual([['/dashboard']]);
  expect(screen.queryByRole('alert')).toBe(null);
});

it('whose answer got lost is told, at the next press, to sign in if the password was set', async () => {
  await showPage(null);
  const user = userEvent.setup();
  let attempts = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/api/auth/link'))
      return Response.json({ link: { email: 'a@b.test', firstName: '', lastName: '' } });
    attempts += 1;
    if (attempts === 1) throw new TypeError('Failed to fetch');
    return Response.json({ error: { code: 'LINK_EXPIRED', message } }, { status: 403 });
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const onLeave = vi.fn();
  render(
    <NewPassword link={{ kind: 'invite', token }} signIn={{} as never} onLeave={onLeave} onForgotten={() => {}} />,
  );
  await user.type(await screen.findByLabelText(/^Password/), 'kettle rover eleven');
  const send = screen.getByRole('button', { name: 'Set password and sign in' });
  await user.click(send);
  await screen.findByText(/reach the server/);
  await user.click(send);
  await screen.findByText('If you set your password already, sign in with it.');
  await user.click(screen.getByRole('button', { name: 'Go to the sign-in page' }));
  expect(onLeave).toHaveBeenCalled();
});

it('an invitation opened while someone is signed in names the account that it signs out', async () => {
  await showPage(null);
  keepToken('t'.repeat(43));
  const link = { email: 'new@company.test', firstName: 'New', lastName: 'Hire' };
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(url.endsWith('/api/auth/user') ? { user: { email: 'ada@company.test' } } : { link }),
  );
  render(
    <NewPassword link={{ kind: 'invite', token }} signIn={{} as never} onLeave={() => {}} onForgotten={() => {}} />,
  );
  await screen.findByText('New Hire, set a password for new@company.test. ada@company.test will be signed out.');
});
