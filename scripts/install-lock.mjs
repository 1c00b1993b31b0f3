// One installation at a time: several starts on a fresh checkout would tear each other's node_modules apart.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryToHold(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

// A holder that was killed leaves its file. It is renamed before it is removed: of two that find it, one
// succeeds.
function removeIfStale(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Between its creation and its content the file is empty; that holder is alive.
    if (!pid || isAlive(pid)) return;
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * Waits for the lock of the checkout `root` and returns what releases it; `onWait` is called once if it has
 * to wait.
 */
export async function holdInstallLock(root, onWait) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const file = join(root, '.cache', 'install.lock');
  for (let waited = false; !tryToHold(file); waited = true) {
    if (!waited) onWait();
    await sleep(300);
    removeIfStale(file);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}
