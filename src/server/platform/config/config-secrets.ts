// Rejects secrets that are easy to guess or copied from a manual.
import * as z from 'zod';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { hidden, type Variable } from './config-values.ts';

const EXAMPLE = /change.?me|example|your.?secret|placeholder/i;

export const password: Variable<string> = {
  schema: z.string().min(8).max(1000),
  use: 'a password of 8 to 1000 characters',
  shown: hidden,
  secret: true,
};

/** The first admin's password follows the password rules, and can't be the manual's example. */
export const adminPassword: Variable<string> = {
  schema: z
    .string()
    .refine(
      (value) => passwordRefusal(value, { email: '', firstName: '', lastName: '' }) === null && !EXAMPLE.test(value),
    ),
  use: `a password of ${shortestPassword} or more characters that is hard to guess`,
  shown: hidden,
  secret: true,
};

const SMALLEST_KEY_BYTES = 32;

/** Random keys have many different characters; "aaaa..." and examples from a manual don't. */
export const key: Variable<string> = {
  schema: z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= SMALLEST_KEY_BYTES && new Set(value).size >= 10 && !EXAMPLE.test(value),
    ),
  use: `${SMALLEST_KEY_BYTES} random bytes or more, for example from: openssl rand -hex 32`,
  shown: hidden,
  secret: true,
};

export const secret: Variable<string> = {
  schema: z
    .string()
    .min(1)
    .refine((value) => !EXAMPLE.test(value)),
  use: 'the real secret, not an example',
  shown: hidden,
  secret: true,
};
