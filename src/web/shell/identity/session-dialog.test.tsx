import { TextInput } from '@mantine/core';
import { act, screen, waitForElementToBeRemoved } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '#web/api/config.ts';
import { send } from '#web/api/send.ts';
import { keepToken, rememberPerson } from '#web/api/session.ts';
import { signedInAgain } from '#web/api/signed-in-again.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { useTypeAhead } from '#web/ui/typed-ahead.ts';
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
async function showEnded(page: ReactNode = null) {
  const hands = await showPage(
    <>
      <p>The page</p>
      {page}
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

/** A page with C, whose form waits for a call. */
function NewTask() {
  const [isOpen, setOpen] = useState(false);
  const [isReady, setReady] = useState(false);
  useTypeAhead(isOpen, () => setOpen(false));
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New task
      </button>
      <button type="button" onClick={() => void signedInAgain()?.then(() => setReady(true))}>
        Load
      </button>
      <Dialog opened={isReady} title="New task" onClose={() => {}}>
        <TextInput label="Title" data-autofocus />
      </Dialog>
    </>
  );
}

test('the password takes the keys while the page waits for its form, which gets what was typed before', async () => {
  const { hands, goneOn } = await showEnded(<NewTask />);
  signInElsewhere('own', user.email);
  await goneOn;
  await waitForElementToBeRemoved(() => screen.queryByRole('dialog'));
  await hands.click(screen.getByRole('button', { name: 'New task' }));
  await hands.keyboard('Call Ada');
  await act(async () => screen.getByRole('button', { name: 'Load' }).click());
  const password = await screen.findByLabelText<HTMLInputElement>(`Password for ${user.email}`);
  await expect.poll(() => document.activeElement).toBe(password);
  await hands.keyboard('secret');
  expect(password.value).toBe('secret');
  signInElsewhere('again', user.email);
  const title = await screen.findByLabelText<HTMLInputElement>('Title');
  await expect.poll(() => title.value).toBe('Call Ada');
});

test('a question in the middle of typing leaves the keys with the page until a pause, and Enter sends no password', async () => {
  const { hands, asked, goneOn } = await showEnded(
    <>
      <NewTask />
      <TextInput label="Note" />
    </>,
  );
  const password = () => screen.getByLabelText<HTMLInputElement>(`Password for ${user.email}`);
  const signIn = async (token: string) => {
    signInElsewhere(token, user.email);
    await waitForElementToBeRemoved(() => screen.queryByRole('dialog', { name: 'Your session has ended' }));
  };
  await signIn('first');
  await goneOn;
  // The field with the focus.
  const note = screen.getByLabelText<HTMLInputElement>('Note');
  await hands.type(note, 'Call A');
  await act(async () => void signedInAgain());
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await hands.keyboard('da{Enter}');
  expect([note.value, password().value]).toEqual(['Call Ada', '']);
  await expect.poll(() => document.activeElement).toBe(password());
  await hands.keyboard('secret');
  expect([note.value, password().value]).toEqual(['Call Ada', 'secret']);
  await signIn('second');
  await expect.poll(() => document.activeElement).toBe(note);
  // The form that waits for a call.
  await hands.click(screen.getByRole('button', { name: 'New task' }));
  await act(async () => screen.getByRole('button', { name: 'Load' }).click());
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await hands.keyboard('Ask Bob{Enter}');
  expect(password().value).toBe('');
  await hands.click(password());
  await hands.keyboard('secret');
  expect(password().value).toBe('secret');
  await signIn('third');
  const title = await screen.findByLabelText<HTMLInputElement>('Title');
  await expect.poll(() => title.value).toBe('Ask Bob');
  expect(asked).not.toContain('/api/auth/login');
});

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

async function showOwn() {
  const hands = await showPage(
    <>
      <p>The page</p>
      <SessionDialog email={user.email} />
    </>,
  );
  await screen.findByText('The page');
  return hands;
}

test('a page stops once another tab signs in as someone else, also before it has heard of it', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  const hands = await showOwn();
  rememberPerson(user.id);
  const elsewhere = (person: string) =>
    act(() => window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in-person', newValue: person })));
  elsewhere(user.id);
  expect(screen.queryByRole('dialog')).toBeNull();
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Headers }) => {
    asked.push(headers.get('x-person'));
    return Response.json({ error: { code: 'OTHER_PERSON' } }, { status: 412 });
  });
  await act(() => expect(send('/api/auth/user', {})).rejects.toMatchObject({ code: 'OTHER_PERSON' }));
  expect(asked).toEqual([user.id]);
  await screen.findByRole('dialog', { name: 'Someone else signed in' });
  await hands.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a page hears that another tab belongs to someone else now', async () => {
  await showOwn();
  rememberPerson(user.id);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'signed-in-person', newValue: 'bob' })));
  await screen.findByRole('dialog', { name: 'Someone else signed in' });
});
