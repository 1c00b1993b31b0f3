import { expect, test } from 'vitest';
import { refusals } from '#core/base/refusals.ts';
import { asApiError, readApiError } from './api-error.ts';

test.each(['__proto__', 'toString', 'forbidden', 7, undefined])('the unknown code %s counts as INTERNAL', (code) => {
  const error = readApiError({ code });
  expect([error.code, error.statusCode, error.message]).toEqual(['INTERNAL', 500, refusals.INTERNAL.message]);
});

test.each([
  [401, 'NOT_SIGNED_IN'],
  [429, 'TOO_MANY_ATTEMPTS'],
  [502, 'UNAVAILABLE'],
  [500, 'INTERNAL'],
])('an answer %i that is not ours becomes %s', (status, code) => {
  expect(readApiError({}, new Response('<html>', { status })).code).toBe(code);
});

test('a refusal keeps its words, its field, what changed and the request id', () => {
  const response = new Response(null, { status: 409, headers: { 'x-request-id': 'r1' } });
  const error = readApiError({ code: 'CONFLICT', message: 'Changed', field: 'title', changed: ['title', 3] }, response);
  expect(error).toMatchObject({ code: 'CONFLICT', statusCode: 409, message: 'Changed', field: 'title' });
  expect([error.changed, error.requestId]).toEqual([['title'], 'r1']);
});

test('anything thrown is told without its inner words', () => {
  expect(asApiError(new TypeError('x is undefined')).message).toBe(refusals.INTERNAL.message);
});
