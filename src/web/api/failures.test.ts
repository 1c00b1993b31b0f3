import { expect, test } from 'vitest';
import { ApiError, type ErrorCode } from './api-error.ts';
import { isExplainedInPlace } from './failures.ts';

test.each<[ErrorCode, string | undefined, boolean]>([
  ['CONFLICT', undefined, true],
  ['NOT_FOUND', undefined, false],
  ['NOT_FOUND', 'userId', true],
  ['INTERNAL', undefined, false],
  ['CONFIRM_IDENTITY', undefined, true],
  ['CONFIRM_WITH_FACTOR', undefined, true],
  ['STILL_RUNNING', undefined, true],
  ['OTHER_PERSON', undefined, true],
  ['ACCOUNT_DISABLED', undefined, true],
])('%s of the field %s is explained in place: %s', (code, field, isExplained) => {
  expect(isExplainedInPlace(new ApiError({ code, field, message: 'No', statusCode: 400 }))).toBe(isExplained);
});
