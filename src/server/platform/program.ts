// Where this program is, and its version.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources and the bundled server are at different depths below `package.json`. */
function findProgramFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('There is no package.json above this program');
  return findProgramFolder(parent);
}

export const programFolder: string = findProgramFolder(dirname(fileURLToPath(import.meta.url)));

/** Set by scripts/build-server.ts: a build's checkout may have newer sources. */
declare const BUILT_VERSION: string | undefined;

export function programVersion(): string {
  if (typeof BUILT_VERSION === 'string') return BUILT_VERSION;
  const { version } = JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8'));
  return version;
}

/** Where an operator finds the settings of a server, and the manual, as parts of a sentence. */
export const settingsFile = '.env (under systemd: /etc/staff-dashboard/environment)';
export const manual = 'docs/production.md (under systemd: docs/deployment.md)';

/** Why DATABASE_URL has no value, as a part of a sentence. An image has no `.env`, nor what reads one. */
export function withoutDatabaseUrl(): string {
  const [file, reader] = ['.env', 'scripts/env-file.mjs'].map((name) => join(programFolder, name)) as [string, string];
  return `DATABASE_URL isn't set${existsSync(file) || !existsSync(reader) ? '' : `, and there is no ${file}`}`;
}

/** Whether `server.sh` has started a server of this checkout: then it never creates another database. */
export const hasServed = (): boolean => readdirSync(programFolder).some((name) => name.endsWith('.commit'));
