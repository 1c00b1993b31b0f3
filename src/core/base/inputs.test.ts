import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { filled, line, readInput, text } from './inputs.ts';

const read = (value: string) =>
  readInput(z.strictObject({ text: text(9), note: z.optional(filled(9)) }), { text: value, note: value });

test('control characters are left out of texts, and the line breaks of other programs are kept', () => {
  expect(read('a\u0001\u001b\u0085b\vc\t')).toEqual({ text: 'a\nb\nc\t', note: 'a\nb\nc' });
});

test.each([
  ['a text', text],
  ['a filled text', filled],
  ['a line', line],
])('%s that is far too long is refused as it came, because cleaning it would take seconds', (_what, shape) => {
  const input = z.strictObject({ field: shape(9) });
  const refused = { kind: 'refusal', message: 'field is longer than 9 characters' };
  const hidden = '\u0001'.repeat(89);
  expect(readInput(input, { field: `a${hidden}` })).toEqual({ field: 'a' });
  expect(readInput(input, { field: `ab${hidden}` })).toMatchObject(refused);
  expect(readInput(input, { field: 'longer than nine' })).toMatchObject(refused);
});
