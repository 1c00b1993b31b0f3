import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { filled, readInput, text } from './inputs.ts';

const read = (value: string) =>
  readInput(z.strictObject({ text: text(9), note: z.optional(filled(9)) }), { text: value, note: value });

test('control characters are left out of texts, and the line breaks of other programs are kept', () => {
  expect(read('a\u0001\u001b\u0085b\vc\t')).toEqual({ text: 'a\nb\nc\t', note: 'a\nb\nc' });
});
