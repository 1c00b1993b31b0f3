// Decides the shape and limits of inputs about signing in with a password, and links to set one. Used by the
// server's routes and the sign-in page's forms.
import * as z from 'zod/mini';
import { storable, text } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';

export const emailAddress = z.string().check(
  z.trim(),
  z.minLength(1, 'must not be blank'),
  z.maxLength(limits.email, `is longer than ${limits.email} characters`),
  storable,
  z.refine((value) => z.email().safeParse(value).success, 'isn’t valid. Enter one like ada@example.com'),
);

/** The browser's token from an earlier sign-in. Empty: it has none and stores the one in the answer. */
export const deviceToken = z.string().check(z.regex(/^([\w-]{43})?$/, 'is not the token of a device'));
/** As typed: a password may have any character. */
const typedPassword = z
  .string()
  .check(
    z.minLength(1, 'must not be blank'),
    z.maxLength(limits.password, `is longer than ${limits.password} characters`),
    storable,
  );
export const loginInput = z.strictObject({
  email: text(limits.email).check(z.trim(), z.minLength(1, 'must not be blank')),
  password: typedPassword,
  device: z.optional(deviceToken),
});

/** 256 random bits as base64url. */
export const linkToken = z.string().check(z.regex(/^[\w-]{43}$/, 'is not the token of a link'));
export const linkInput = z.strictObject({ token: linkToken });
/** `passwords.ts` decides whether the password is allowed, because it knows whose it is. */
export const newPasswordInput = z.strictObject({
  token: linkToken,
  password: z.string().check(z.maxLength(limits.password, `is longer than ${limits.password} characters`)),
});

export const forgottenInput = z.strictObject({ email: emailAddress });
