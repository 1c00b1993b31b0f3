// Which calls take an `Idempotency-Key`: what `callKey` is asked for in the server's code.
import { filesUnder, isTest, textOf } from './source.ts';

const asked = /callKey\(context, '(\w+)'/g;

/** Not a mutation: `POST /attachment`. */
export const upload = 'attachment';

export function callsWithKey(): string[] {
  const files = filesUnder('src/server').filter((path) => path.endsWith('.ts') && !isTest(path));
  return files.flatMap((path) => [...textOf(path).matchAll(asked)].map(([, name]) => name as string)).sort();
}
