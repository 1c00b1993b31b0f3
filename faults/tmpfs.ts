// A separate volume, small enough to be filled.
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../test/database-folder.ts';
import { CannotRun } from './fault.ts';

export type SmallVolume = {
  readonly folder: string;
  /** A new folder on it, which the caller removes. */
  subfolder(name: string): string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
  remove(): void;
};

const blockBytes = 64 * 1024;

/** Writes until nothing fits any more, the last part byte by byte or nearly so. */
function takeAll(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (let size = blockBytes; size >= 512; ) {
      try {
        writeSync(descriptor, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size /= 2;
      }
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function smallVolume(megabytes: number): SmallVolume {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new CannotRun('root on Linux, to make a small volume');
  const folder = openFolder('staff-volume');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    throw new CannotRun(`the right to mount a tmpfs (${(error as Error).message.split('\n')[0]})`);
  }
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    subfolder(name) {
      const made = join(folder, name);
      mkdirSync(made);
      return made;
    },
    fill: () => takeAll(ballast),
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
