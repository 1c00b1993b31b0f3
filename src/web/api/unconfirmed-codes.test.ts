import { afterEach, expect, test } from 'vitest';
import { rememberPerson, signOut } from './session.ts';
import { areCodesUnconfirmed, confirmCodesSaved, markCodesShown } from './unconfirmed-codes.ts';

afterEach(() => localStorage.clear());

test('codes that one person has not confirmed are nothing to the next person of this browser', () => {
  rememberPerson('1');
  markCodesShown();
  expect(areCodesUnconfirmed()).toBe(true);
  signOut();
  rememberPerson('2');
  expect(areCodesUnconfirmed()).toBe(false);
});

test('codes shown while signing in belong to the person who then signs in, whoever was here before', () => {
  rememberPerson('1');
  markCodesShown(true);
  rememberPerson('2');
  expect(areCodesUnconfirmed()).toBe(true);
  confirmCodesSaved();
  expect(areCodesUnconfirmed()).toBe(false);
});
