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

test('a folder below one that is closed to this user is named, not a lock that nobody has made', () => {
  const closed = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(closed, { recursive: true }));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid!(65_534);
  else chmodSync(closed, 0);
  try {
    expect(() => holderOf(join(closed, 'data'))).toThrow(/can't open .*data, because a folder above it is closed/);
  } finally {
    if (isRoot) process.seteuid!(0);
    else chmodSync(closed, 0o700);
  }
});
