import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../../test/needs.ts';
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

const onLinux = needs('Linux', process.platform === 'linux');

/** A folder whose lock, of this process, says this of its start. */
function heldSince(start: (boot: string, ticks: string) => string): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const held = holdFolder(folder, { what: 'a server' });
  onTestFinished(() => held.release());
  const file = join(folder, 'server.lock');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { start: string };
  const [boot, ticks] = lock.start.split(' ') as [string, string];
  writeFileSync(file, JSON.stringify({ ...lock, start: start(boot, ticks) }));
  return { folder, file };
}

test('a server whose sandbox hides the boot holds its folder against a command that sees it', onLinux, () => {
  const { folder } = heldSince((_boot, ticks) => `undefined ${ticks}`);
  expect(holderOf(folder)).toMatchObject({ pid: process.pid });
  expect(() => holdFolder(folder, { what: 'a command' })).toThrow(/is in use by a server/);
});

test('the lock of an earlier process with the same pid is stale, of this boot or an earlier one', onLinux, () => {
  expect(holderOf(heldSince((boot, ticks) => `${boot} ${Number(ticks) - 1}`).folder)).toBeUndefined();
  expect(holderOf(heldSince((_boot, ticks) => `another-boot ${ticks}`).folder)).toBeUndefined();
});

test('where the start is hidden too, the lock holds as long as its heartbeat is fresh', onLinux, () => {
  const { folder, file } = heldSince((boot) => `${boot} undefined`);
  expect(holderOf(folder)).toMatchObject({ pid: process.pid });
  const before = Date.now() / 1_000 - 60;
  utimesSync(file, before, before);
  expect(holderOf(folder)).toBeUndefined();
});
