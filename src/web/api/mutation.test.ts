import { describe, expect, it } from 'vitest';
import { isSameCall, makeCalls } from './mutation.ts';

describe('a second call', () => {
  it('is another one when anything in it differs', () => {
    expect(isSameCall({ id: '1', done: true }, { id: '1', done: false })).toBe(false);
    expect(isSameCall({ id: '1' }, { id: '1', reason: undefined })).toBe(false);
    expect(isSameCall(['a', 'b'], ['b', 'a'])).toBe(false);
    expect(isSameCall([], {})).toBe(false);
    expect(isSameCall(null, {})).toBe(false);
  });

  it('is another one for another file or function, however alike they are', () => {
    expect(isSameCall({ file: new File(['a'], 'a.csv') }, { file: new File(['a'], 'a.csv') })).toBe(false);
    expect(
      isSameCall(
        () => 1,
        () => 1,
      ),
    ).toBe(false);
  });

  it('is the same one for the same words, lists and files', () => {
    const file = new File(['a'], 'a.csv');
    expect(isSameCall({ file, dryRun: false }, { file, dryRun: false })).toBe(true);
    expect(isSameCall({ tasks: [{ id: '1' }] }, { tasks: [{ id: '1' }] })).toBe(true);
    expect(isSameCall(undefined, undefined)).toBe(true);
  });
});

describe('presses before the answers', () => {
  it('join the one before when they ask for the same, and on, off and on again are three', async () => {
    const made: boolean[] = [];
    const { mutateAsync } = makeCalls(
      async (on: boolean) => {
        made.push(on);
        return on;
      },
      { current: null },
    );
    await Promise.all([mutateAsync(true), mutateAsync(true), mutateAsync(false), mutateAsync(true)]);
    expect(made).toEqual([true, false, true]);
    await mutateAsync(true);
    expect(made).toEqual([true, false, true, true]);
  });
});
