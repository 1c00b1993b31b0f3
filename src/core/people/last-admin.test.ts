import { expect, test } from 'vitest';
import { lastAdminRefusal } from './last-admin.ts';

test.each([
  [['1'], ['1']],
  [
    ['1', '2'],
    ['1', '2'],
  ],
  [
    ['1', '2'],
    ['2', '3', '1'],
  ],
])('of the admins %j, %j may not all go', (admins, leaving) => {
  expect(lastAdminRefusal(admins, leaving)).toMatchObject({ code: 'LAST_ADMIN' });
});

test.each([
  [['1', '2'], ['1']],
  [['1'], ['2']],
  [['1'], []],
  // There is no admin already: removing someone else changes nothing.
  [[], ['2']],
])('of the admins %j, %j may go', (admins, leaving) => {
  expect(lastAdminRefusal(admins, leaving)).toBeNull();
});

test('the refusal counts them', () => {
  expect(lastAdminRefusal(['1'], ['1'])?.message).toBe(
    'This is the last admin who can sign in. Another admin must be able to sign in first',
  );
  expect(lastAdminRefusal(['1', '2'], ['1', '2'])?.message).toBe(
    'These are the last admins who can sign in. Another admin must be able to sign in first',
  );
});
