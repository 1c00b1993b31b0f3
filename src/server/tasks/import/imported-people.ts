// A source's names as people: their display name, and an address that can't receive mail.
import { createHash } from 'node:crypto';
import { applicationPermission, type Permission, topFivePermission } from '#core/access/permissions.ts';
import { oneLine } from '#core/base/one-line.ts';

/** The role of imported people; they can't sign in until someone gives them a password. */
export const importedRole = {
  name: 'Imported',
  permissions: [applicationPermission, topFivePermission] satisfies Permission[],
};

/** A reserved domain that never exists, separate per source, because two sources may both have a "jane". */
export function addressOf(name: string, source: string): string {
  const isPlain = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);
  return `${isPlain ? name : plainName(name)}@${source}.import.invalid`;
}

/** Two names can have the same plain form, so a part of the hash is added. */
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

/** `jane.doe` and `Jane Doe` become Jane Doe; any other name is unchanged. */
export function personName(given: string): { firstName: string; lastName: string } {
  const name = oneLine(given);
  const parts = name.split(/[._\s]+/).filter(Boolean);
  const areWords = parts.length > 1 && parts.every((part) => /^\p{L}[\p{L}'’-]*$/u.test(part));
  if (!areWords) return { firstName: name, lastName: '' };
  const [first = '', ...rest] = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return { firstName: first, lastName: rest.join(' ') };
}
