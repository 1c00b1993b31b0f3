import { expect, test } from 'vitest';
import { sharedRead } from './shared-read.ts';

const source = {};
const tick = () => new Promise((resolve) => setTimeout(resolve));

/** Reads that each end when the test says so. */
function heldReads() {
  const running: PromiseWithResolvers<string>[] = [];
  const ask = (key = 'team') =>
    sharedRead(source, key, () => {
      running.push(Promise.withResolvers<string>());
      return running.at(-1)!.promise;
    });
  return { running, ask };
}

test('who asks while a read runs gets the next one, together with everyone else who asks until it starts', async () => {
  const { running, ask } = heldReads();
  const first = ask();
  await tick();
  const others = [ask(), ask(), ask()];
  await tick();
  expect(running.length).toBe(1);
  running[0]?.resolve('before');
  expect(await first).toBe('before');
  await tick();
  expect(running.length).toBe(2);
  running[1]?.resolve('after');
  expect(await Promise.all(others)).toEqual(['after', 'after', 'after']);
});

test('another key and another source wait for nothing', async () => {
  const { running, ask } = heldReads();
  const all = [ask('one'), ask('two'), sharedRead({}, 'one', async () => 'elsewhere')];
  await tick();
  for (const { resolve } of running) resolve('here');
  expect(await Promise.all(all)).toEqual(['here', 'here', 'elsewhere']);
});

test('a failed read fails for those who share it, and the next one runs', async () => {
  const { running, ask } = heldReads();
  const first = ask();
  await tick();
  const second = ask();
  running[0]?.reject(new Error('Broken'));
  await expect(first).rejects.toThrow('Broken');
  await tick();
  running[1]?.resolve('read');
  expect(await second).toBe('read');
});
