// A running server reads its packages and pages from its checkout, so nothing replaces them under it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Ends this program with one line while a server runs from the checkout `root`. */
export function refuseUnderServer(root) {
  const script = join(root, 'examples', 'server.sh');
  // Windows has no sh, and an image no checkout: neither has a server of server.sh.
  if (process.platform === 'win32' || !existsSync(script)) return;
  const { stdout, stderr } = spawnSync('sh', [script, 'status', 'all'], { encoding: 'utf8' });
  // A line for each server, also for one that isn't running.
  const isRunning = (line) => / runs( as process \d+)?$/.test(line);
  const running = stdout.split('\n').filter(isRunning).join(', ');
  const stop = running.includes('.service') ? 'systemctl stop staff-dashboard' : 'sh examples/server.sh stop all';
  if (running) console.error(`${running} and would lose its files. First run: ${stop}`);
  else if (stderr.trim()) console.error(stderr.trim());
  else return;
  process.exit(1);
}
