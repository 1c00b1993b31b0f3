import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../test/database-folder.ts';
import { stampBuild, stampOfBuild } from './build-stamp.ts';

test('a build that lost a file, or part of one, is not up to date', () => {
  const folder = openFolder('build-stamp');
  const file = join(folder, 'assets', 'page.js');
  try {
    expect(stampOfBuild(folder)).toBeUndefined();
    mkdirSync(join(folder, 'assets'));
    writeFileSync(file, 'the page');
    stampBuild(folder, 'made of these sources');
    expect(stampOfBuild(folder)).toBe('made of these sources');
    writeFileSync(file, 'the p');
    expect(stampOfBuild(folder)).toBeUndefined();
    rmSync(file);
    expect(stampOfBuild(folder)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
