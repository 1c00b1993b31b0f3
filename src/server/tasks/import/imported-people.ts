// The names of a source as people of ours: how they are called, and an address that reaches nobody.
import { createHash } from 'node:crypto';
import { applicationPermission, type Permission, topFivePermission } from '#core/access/permissions.ts';

/** The role of people that came with an import; they cannot sign in until somebody gives them a password. */
export const importedRole = {
  name: 'Imported',
  permissions: [applicationPermission, topFivePermission] satisfies Permission[],
};

/** A domain that is reserved for what does not exist; each source has its own, as both may know a "jane". */
export function addressOf(name: string, source: string): string {
  const isPlain = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);
  return `${isPlain ? name : plainName(name)}@${source}.import.invalid`;
}

/** What is left of a name in an address may be the same for two people: a part of its hash tells them apart. */
function plainName(name: string): string {
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return letters ? `${letters}-${mark}` : mark;
}

/** `jane.doe` and `Jane Doe` are Jane Doe; any other name stands as it is. */
export function personName(name: string): { firstName: string; lastName: string } {
  const parts = name.split(/[._\s]+/).filter(Boolean);
  const areWords = parts.length > 1 && parts.every((part) => /^\p{L}[\p{L}'’-]*$/u.test(part));
  if (!areWords) return { firstName: name, lastName: '' };
  const [first = '', ...rest] = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return { firstName: first, lastName: rest.join(' ') };
}
