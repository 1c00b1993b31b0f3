import { describe, expect, it } from 'vitest';
import { errorPageTexts, isRefusal, refusals, refuse } from './refusals.ts';

describe('refusals (spec 6 and 8, D29)', () => {
  it.each([null, undefined, 'refusal', 7, {}, [], { kind: 'plan' }, { refusal: true }])('%j is none', (value) => {
    expect(isRefusal(value)).toBe(false);
  });
  it('carry their code and message, the field at fault only where there is one', () => {
    expect(refuse('NOT_FOUND')).toEqual({ kind: 'refusal', code: 'NOT_FOUND', message: refusals.NOT_FOUND.message });
    expect(refuse('BAD_INPUT', 'title is blank', { field: 'title' })).toEqual({
      kind: 'refusal',
      code: 'BAD_INPUT',
      message: 'title is blank',
      field: 'title',
    });
    expect(isRefusal(refuse('CONFLICT', undefined, { changed: ['title'] }))).toBe(true);
  });
  it('say what the specification words', () => {
    expect([
      refusals.NO_APPLICATION_PERMISSION.message,
      refusals.NO_PAGE_PERMISSION.message,
      refusals.NOT_APPROVED_BY_MANAGER.message,
      refusals.PAGE_NOT_FOUND.message,
      refusals.INTERNAL.message,
    ]).toEqual([
      "You don't have permission for this application",
      "You don't have permission for this page",
      'You should be approved by the manager',
      'This page could not be found',
      'Something went wrong',
    ]);
    expect(errorPageTexts).toEqual({
      backToHomePage: 'Back to the home page',
      fallback: 'An error occurred while showing the error page',
      fallbackLink: 'Go back to home',
    });
  });
  it('answer with a status of an error, 404 for what is not there and 500 by default', () => {
    for (const { statusCode } of Object.values(refusals)) expect(statusCode).toBeGreaterThanOrEqual(400);
    expect([
      refusals.PAGE_NOT_FOUND.statusCode,
      refusals.NOT_FOUND.statusCode,
      refusals.INTERNAL.statusCode,
      refusals.NOT_SIGNED_IN.statusCode,
    ]).toEqual([404, 404, 500, 401]);
  });
  it('tell nothing of the inside', () => {
    for (const { message } of Object.values(refusals))
      expect(message).not.toMatch(/sql|postgres|stack|null|undefined|\.ts/i);
  });
});
