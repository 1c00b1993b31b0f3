import { screen, waitForElementToBeRemoved } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '#web/api/config.ts';
import { keepToken } from '#web/api/session.ts';
import { signedInAgain } from '#web/api/signed-in-again.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { SessionDialog } from './session-dialog.tsx';

const user = { id: 'ada', email: 'ada@company.test', firstName: 'Ada', lastName: 'B', role: null, permissions: [] };
const answers: Record<string, () => Response> = {
  '/config.json': () =>
    Response.json({ dashboardServerUrl: '', singleSignOn: { name: 'Company ID', origin: location.origin } }),
  '/api/auth/sso/start': () => Response.json({ url: 'https://provider.test/' }),
};

/** What the browser says once another tab has signed in with this token, and the server knows its person. */
function signInElsewhere(token: string, email: string): void {
  answers['/api/auth/user'] = () => Response.json({ user: { ...user, email } });
  keepToken(token);
  window.dispatchEvent(new StorageEvent('storage', { key: 'session-ends-at', newValue: '1' }));
}

/** A call that was refused waits; the promise is its going on. */
async function showEnded() {
  const hands = await showPage(
    <>
      <p>The page</p>
      <SessionDialog email={user.email} />
    </>,
  );
  await screen.findByText('The page');
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return answers[url]?.();
  });
  await loadConfig();
  const goneOn = signedInAgain();
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  return { hands, asked, goneOn };
}

test('another person who signs in in another tab doesn’t open the page, and the same person does', async () => {
  const { asked, goneOn } = await showEnded();
  signInElsewhere('theirs', 'bob@company.test');
  await expect.poll(() => asked).toContain('/api/auth/user');
  signInElsewhere('own', user.email);
  await goneOn;
  await waitForElementToBeRemoved(() => screen.queryByRole('dialog'));
  expect(asked.filter((url) => url === '/api/auth/user')).toHaveLength(2);
});

test('the provider opens in a new tab, and the page with its input stays', async () => {
  const { hands } = await showEnded();
  const tab = { location: { assign: vi.fn() }, close: vi.fn() };
  const open = vi.spyOn(window, 'open').mockReturnValueOnce(null);
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const button = await screen.findByRole('button', { name: 'Sign in with Company ID in a new tab' });
  await hands.click(button);
  await screen.findByText('Your browser blocked the new tab. Allow it, then try again');
  open.mockReturnValueOnce(tab as never);
  await hands.click(button);
  await expect.poll(() => tab.location.assign.mock.calls).toEqual([['https://provider.test/']]);
  expect(leave).not.toHaveBeenCalled();
  signInElsewhere('own', user.email);
  await waitForElementToBeRemoved(() => screen.queryByRole('dialog'));
});
