import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writePrivateFile } from './kept-secret.ts';

test('a secret that can’t be written leaves no draft with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
  expect(() => writePrivateFile(join(folder, 'taken'), 'secret')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
