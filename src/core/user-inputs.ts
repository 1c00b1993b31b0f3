// Decides the shape and the limits of what comes in about people and their accounts.
// Asked by the server's calls and by the forms of user management, which both parse with it.
import * as z from 'zod/mini';
import { filled, id, storable } from './inputs.ts';
import { limits } from './limits.ts';
import { approverIdList } from './people.ts';

export const userLimits = {
  name: 100,
  reason: 1_000,
  approvers: 20,
  /** People of one answer of the directory. */
  page: 1_000,
  /** People changed by one call. */
  bulk: 500,
  /** Bytes of a file of people: several thousand rows. */
  file: 2_000_000,
} as const;

/** Line breaks and signs that turn the direction of text could make a name look like something else, in a mail too. */
const oneLine = z.refine<string>(
  (value) => !/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(value),
  'contains a character that no name has',
);

export const emailAddress = z.string().check(
  z.trim(),
  z.minLength(1, 'must not be blank'),
  z.maxLength(limits.email, `is longer than ${limits.email} characters`),
  storable,
  z.refine((value) => z.email().safeParse(value).success, 'is not an e-mail address, like ada@example.com'),
);
const name = z
  .string()
  .check(z.trim(), z.maxLength(userLimits.name, `is longer than ${userLimits.name} characters`), storable, oneLine);
/** Empty: none (D36). */
const orNone = z.pipe(
  z.string().check(z.trim(), z.maxLength(userLimits.name, `is longer than ${userLimits.name} characters`), storable),
  z.transform((value: string) => (value === '' ? null : value)),
);
const approvers = z.pipe(
  z.array(id).check(z.maxLength(userLimits.approvers, `holds more than ${userLimits.approvers} people`)),
  z.transform((ids: string[]) => approverIdList(ids)),
);
const reason = filled(userLimits.reason);
/** A mark of the account as it was read, so that two people who change it at once are told. */
const version = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'is not a version'));

const fields = {
  email: z.optional(emailAddress),
  firstName: z.optional(name),
  lastName: z.optional(name),
  role: z.optional(orNone),
  team: z.optional(orNone),
  approverId: z.optional(approvers),
  top5Invisible: z.optional(z.boolean()),
  top5: z.optional(z.boolean()),
};

export const createUserInput = z.strictObject({
  ...fields,
  email: emailAddress,
  reason: z.optional(reason),
});
export const updateUserInput = z.strictObject({
  ...fields,
  userId: id,
  version,
  permissions: z.optional(z.array(z.string().check(storable)).check(z.maxLength(100, 'holds too many'))),
  reason: z.optional(reason),
});
export const userIdInput = z.strictObject({ userId: id });
export const setTopFiveInput = z.strictObject({ userId: id, on: z.boolean() });
export const setDisabledInput = z.strictObject({ userId: id, disabled: z.boolean() });
export const endSessionsInput = z.strictObject({
  userId: id,
  sessionId: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a session'))),
});
export const directoryInput = z.strictObject({ after: z.optional(id) });
export const changeUsersInput = z.strictObject({
  users: z
    .array(z.strictObject({ userId: id, version: z.optional(version) }))
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(userLimits.bulk, `holds more than ${userLimits.bulk} people`),
    ),
  role: z.optional(orNone),
  team: z.optional(orNone),
  approverId: z.optional(approvers),
  top5: z.optional(z.boolean()),
  disabled: z.optional(z.boolean()),
  reason: z.optional(reason),
});

export const importPeopleInput = z.strictObject({
  /** Base64. */
  file: z.base64().check(z.maxLength(Math.ceil(userLimits.file / 3) * 4, 'is too large: 2 MB at most')),
  dryRun: z.boolean(),
});

/** 256 random bits as base64url. */
export const linkToken = z.string().check(z.regex(/^[\w-]{43}$/, 'is not the token of a link'));
export const linkInput = z.strictObject({ token: linkToken });
/** Whether the password is good is asked of `core/passwords.ts`, which knows whose it is. */
export const newPasswordInput = z.strictObject({
  token: linkToken,
  password: z.string().check(z.maxLength(limits.password, `is longer than ${limits.password} characters`)),
});

export const changePasswordInput = z.strictObject({ password: newPasswordInput.shape.password });
export const forgottenInput = z.strictObject({ email: emailAddress });

export type CreateUser = z.output<typeof createUserInput>;
export type UpdateUser = z.output<typeof updateUserInput>;
export type ChangeUsers = z.output<typeof changeUsersInput>;
