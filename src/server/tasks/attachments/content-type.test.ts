import { expect, it } from 'vitest';
import { TypeReader, typeOfContent } from './content-type.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');

it('what has no mark has no type', async () => {
  expect(await typeOfContent(Buffer.from('hello'))).toBeNull();
});

it('good files that come together are recognised, though the machine has much to do', async () => {
  const found = await Promise.all(Array.from({ length: 40 }, () => typeOfContent(png)));
  expect(found.filter((type) => type === 'image/png')).toHaveLength(40);
});

it('one worker looks at file after file, and another takes over when it dies or hangs', async () => {
  const reader = new TypeReader(`
    const { parentPort, threadId } = require('node:worker_threads');
    parentPort.on('message', ([first]) => {
      if (first === 1) process.exit();
      if (first === 2) for (;;);
      parentPort.postMessage(String(threadId));
    });
    parentPort.postMessage('ready');
  `);
  const read = (first: number) => reader.read(Buffer.from([first]));
  const own = await read(0);
  expect(await Promise.all([read(0), read(0)])).toEqual([own, own]);
  expect(await read(1)).toBeNull();
  const second = await read(0);
  expect(second).not.toBe(own);
  expect(await read(2)).toBeNull();
  expect([null, own, second]).not.toContain(await read(0));
});

it('files beyond a hundred that wait are told to come back', async () => {
  const all = await Promise.allSettled(Array.from({ length: 150 }, () => typeOfContent(png)));
  expect(all.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(40);
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(100);
});
