import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import LoginPage from './login-page.tsx';

const refused = { error: { code: 'NOT_SIGNED_IN', message: 'Sign in to continue' } };
const stepToken = 's'.repeat(43);

afterEach(() => sessionStorage.clear());

/** Signs in on a page whose server wants this step next. */
async function signIn(next: 'secondStep' | 'setUpSecondStep') {
  await showPage(null);
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/api/auth/login')
      ? Response.json({ next, stepToken, steps: ['code'] })
      : Response.json(refused, { status: 401 }),
  );
  render(<LoginPage />);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Email'), 'ada@company.test');
  await user.type(screen.getByLabelText('Password'), 'kettle rover eleven');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  return user;
}

function reload(): void {
  cleanup();
  render(<LoginPage />);
}

const secondStep = () => screen.findByRole('heading', { name: 'Two-step sign-in' });
const signInForm = () => screen.findByRole('heading', { name: 'Sign in' });

it('a wrong password is selected: what is typed next replaces it', async () => {
  await showPage(null);
  const wrong = { code: 'WRONG_CREDENTIALS', message: 'Wrong email or password' };
  vi.stubGlobal('fetch', async () => Response.json({ error: wrong }, { status: 401 }));
  render(<LoginPage />);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Email'), 'ada@company.test');
  await user.type(screen.getByLabelText('Password'), 'kettle{Enter}');
  await screen.findByText('Wrong email or password');
  await user.keyboard('rover');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('rover');
});

it('a step that signs in without a second factor isn’t kept for a reload', async () => {
  await signIn('setUpSecondStep');
  await screen.findByRole('heading', { name: 'Set up two-step sign-in' });
  reload();
  await signInForm();
  expect(JSON.stringify(sessionStorage)).not.toContain(stepToken);
});

it('the second step survives a reload of its tab, outside the address, until someone else signs in', async () => {
  const user = await signIn('secondStep');
  await secondStep();
  reload();
  expect(screen.queryByLabelText('Email')).toBe(null);
  await secondStep();
  reload();
  await secondStep();
  expect(location.href).not.toContain(stepToken);
  await user.click(screen.getByRole('button', { name: 'Sign in as someone else' }));
  await signInForm();
  reload();
  await signInForm();
});

it('the second step ends with its time', async () => {
  await signIn('secondStep');
  await secondStep();
  const late = Date.now() + 10 * 60_000;
  vi.spyOn(Date, 'now').mockReturnValue(late);
  reload();
  await signInForm();
  expect(JSON.stringify(sessionStorage)).not.toContain(stepToken);
});

it('a second step that the server no longer knows isn’t kept', async () => {
  const user = await signIn('secondStep');
  await user.type(await screen.findByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  await screen.findByText('That took too long. Sign in again');
  reload();
  await signInForm();
  expect(JSON.stringify(sessionStorage)).not.toContain(stepToken);
});

it('a passkey offered in the email field that nobody chose is no error; one that was asked for is', async () => {
  await showPage(null);
  const get = vi.fn(() => Promise.reject(new DOMException('Not allowed', 'NotAllowedError')));
  const isConditionalMediationAvailable = () => Promise.resolve(true);
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable }),
  );
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'));
  vi.stubGlobal('fetch', async () => Response.json({ challenge: 'YQ', rpId: 'company.test' }));
  render(<LoginPage />);
  await expect.poll(() => get.mock.calls.length).toBe(1);
  await act(() => get.mock.results[0]?.value.catch(() => {}));
  expect(screen.queryByText(/No passkey was used/)).toBeNull();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  expect(await screen.findAllByText(/No passkey was used/)).toHaveLength(1);
});
