// Decides the shape of what the role editor sends.
// Asked by the server's queries and mutations and by the dialog that names a role.
import * as z from 'zod/mini';
import { filled, id, pageInput, version } from './inputs.ts';
import { type Permission, permissionKeys, readPermission } from './permissions.ts';

export const roleLimits = { name: 60, edits: 200, permissions: 200 } as const;

/** Letters that cannot be seen would let two names look alike (`\p{C}`: control, format, private use). */
const name = filled(roleLimits.name).check(
  z.refine<string>((text) => !/\p{C}/u.test(text), 'contains a character that cannot be seen'),
);

/** Misspelt as in spec 6 means the intended one (D9). In the order of the list, each once. */
const permissions = z.pipe(
  z
    .array(z.string().check(z.refine<string>((text) => readPermission(text) !== null, 'is not a permission')))
    .check(z.maxLength(roleLimits.permissions, `holds more than ${roleLimits.permissions} permissions`)),
  z.transform((keys: string[]) => knownPermissions(keys)),
);

/** The permissions among these texts, in the order of the list, each once. */
export function knownPermissions(texts: readonly string[]): Permission[] {
  const read = new Set(texts.map(readPermission));
  return permissionKeys.filter((permission) => read.has(permission));
}

const edit = z.strictObject({ id, version, name: z.optional(name), permissions: z.optional(permissions) });
const edits = z
  .array(edit)
  .check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(roleLimits.edits, `holds more than ${roleLimits.edits} roles`),
  );

export const roleNameInput = z.strictObject({ name });
export const createRoleInput = z.strictObject({ name, permissions });
export const roleDifferenceInput = z.strictObject({ edits });
export const saveRolesInput = z.strictObject({
  edits,
  /** The difference that was looked at. */
  seen: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not the difference that was shown')),
});
export const deleteRoleInput = z.strictObject({ id, version });
export const roleIdInput = z.strictObject({ id });
export const roleHistoryInput = z.strictObject({ id, ...pageInput.shape });
