import { expect, test } from 'vitest';
import { firstFactorNote, lastFactorNote } from './factor-note.tsx';

const passkey = { id: '1', name: 'Phone', synced: false, createdAt: '2026-11-23T10:00:00Z', lastUsedAt: null };
const app = { createdAt: '2026-11-23T10:00:00Z', lastUsedAt: null };

test('the first factor is announced, a second one is not', () => {
  expect(firstFactorNote({ passkeys: [], authenticator: null }, true)).toContain(
    'every sign-in with your password needs a second step',
  );
  expect(firstFactorNote({ passkeys: [passkey], authenticator: null }, true)).toBeNull();
  expect(firstFactorNote({ passkeys: [], authenticator: app }, true)).toBeNull();
});

test('removing the last one is announced, whichever it is', () => {
  expect(lastFactorNote({ passkeys: [passkey], authenticator: null }, true)).toContain('recovery codes are removed');
  expect(lastFactorNote({ passkeys: [], authenticator: app }, true)).toContain('recovery codes are removed');
  expect(lastFactorNote({ passkeys: [passkey], authenticator: app }, true)).toBeNull();
});

test('who has no password is told nothing about one', () => {
  const notes = [
    firstFactorNote({ passkeys: [], authenticator: null }, false),
    lastFactorNote({ passkeys: [passkey], authenticator: null }, false),
  ];
  expect(notes).toEqual(['Your other sessions will be signed out.', 'Your recovery codes are removed.']);
});
