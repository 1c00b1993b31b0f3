import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holderOf, holdFolder } from './folder-lock.ts';

test('the lock of another user, which cannot be read, is refused and not waited for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  const held = holdFolder(folder, { what: 'a server' });
  onTestFinished(() => held.release());
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid!(65_534);
  else chmodSync(join(folder, 'server.lock'), 0);
  try {
    for (const attempt of [() => holderOf(folder), () => holdFolder(folder, { what: 'a command' })])
      expect(attempt).toThrow(/can't read .*server.lock.* Run this as that user/);
  } finally {
    if (isRoot) process.seteuid!(0);
    else chmodSync(join(folder, 'server.lock'), 0o600);
  }
});
