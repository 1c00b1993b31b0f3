import { expect, it } from 'vitest';
import { typeOfContent } from './content-type.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');

it('what has no mark has no type', async () => {
  expect(await typeOfContent(Buffer.from('hello'))).toBeNull();
});

// The time that a file may take counts from the moment at which it is looked at: forty workers begin slowly on any machine.
it('good files that come together are recognised, though the machine has much to do', async () => {
  const found = await Promise.all(Array.from({ length: 40 }, () => typeOfContent(png)));
  expect(found.filter((type) => type === 'image/png').length).toBeGreaterThan(20);
});
