// The version of this program, from package.json: two folders above the sources and the bundle alike.
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
