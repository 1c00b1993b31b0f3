import { afterEach, expect, test, vi } from 'vitest';
import { keepToken, onSignedInElsewhere, signOut } from '#web/api/session.ts';
import { forgetSignedOutReason, readSignedOutReason } from '#web/api/signed-out-reason.ts';
import { leaveWithOtherTabs } from './leave.ts';

const address = location.href;
let stop = () => {};
afterEach(() => {
  stop();
  signOut();
  forgetSignedOutReason();
  localStorage.clear();
  history.replaceState(null, '', address);
  vi.restoreAllMocks();
});

/** What a browser tells its other tabs when one of them writes this key. */
const stored = (key: string, newValue: string | null) =>
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));

test('a tab that another one signed out remembers its page and says why', () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  history.replaceState(null, '', '/top-5/tasks?task=17');
  stop = leaveWithOtherTabs();
  stored('signed-out-at', '1');
  expect(replace.mock.calls).toEqual([['/?goto=%2Ftop-5%2Ftasks%3Ftask%3D17']]);
  expect(readSignedOutReason()).toBe('You signed out in another tab.');
});

test('a sign-in page hears that another tab has signed in, even before its cookie arrives, and not that it signed out', () => {
  vi.useFakeTimers();
  const heard = vi.fn();
  stop = onSignedInElsewhere(heard);
  keepToken('token');
  stored('session-ends-at', null);
  vi.runAllTimers();
  expect(heard).not.toHaveBeenCalled();
  signOut();
  stored('session-ends-at', '1');
  vi.advanceTimersByTime(100);
  expect(heard).not.toHaveBeenCalled();
  keepToken('token');
  vi.runAllTimers();
  expect(heard).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
