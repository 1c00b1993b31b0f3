// What `npm start` tells Node, for measurements that start the server in another way.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

const [, ...words] = scripts.start.split(' ');
export const startOptions: readonly string[] = words.slice(
  0,
  words.findIndex((word) => !word.startsWith('--')),
);
