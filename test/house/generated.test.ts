import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './source.ts';

it('what is made from other files is up to date: migrations, schema.graphql, the web’s types, the manual’s variables', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/generate.ts'), '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes('is not up to date'))).toEqual([]);
  expect(status, stderr).toBe(0);
});
