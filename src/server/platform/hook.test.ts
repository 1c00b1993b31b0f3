import { expect, it } from 'vitest';
import { createHook } from './hook.ts';

it('a hook that nothing is connected to throws instead of doing nothing', () => {
  const hook = createHook<{ happened(): void }>('testHook');
  expect(() => hook.handlers().happened()).toThrow('Nothing is connected to testHook');
});

it('a connected hook passes the call on and gives its answer', () => {
  const hook = createHook<{ double(value: number): number }>('testHook');
  hook.connect({ double: (value) => value * 2 });
  expect(hook.handlers().double(4)).toBe(8);
});
