// Every documented way of starting, ended by a signal to the process that the operator knows: nothing is left
// running.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openFolder } from '../test/database-folder.ts';
import { needs } from '../test/needs.ts';
import { buildServer } from './build-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const executable = join(root, 'bin/staff-dashboard');
const canLook = existsSync('/proc/self/environ');
const canBeFirst = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
};

/**
 * The processes that were started for this folder: the server by its environment, the database by its
 * arguments.
 */
function processesOf(folder: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
      environment: read(`/proc/${pid}/environ`),
    }))
    .filter(({ command, environment }) => command.includes(folder) || environment.includes(folder));
}

// Most tests share one folder: to make a database takes longer than everything else.
const shared = openFolder('staff-signals');
let folder = shared;
afterEach(() => {
  for (const { pid } of processesOf(folder)) process.kill(pid, 'SIGKILL');
  if (folder !== shared) rmSync(folder, { recursive: true, force: true });
  folder = shared;
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

type Started = { readonly child: ChildProcess; readonly output: () => string };

function start([program = '', ...words]: readonly string[]): Started {
  const child = spawn(program, words, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: join(folder, 'data'), DEMO: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  return { child, output: () => text };
}

async function until({ child, output }: Started, pattern: RegExp): Promise<void> {
  while (!pattern.test(output())) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output()}`);
    await sleep(20);
  }
}

const nothingRuns = async () => {
  while (processesOf(folder).length > 0) await sleep(50);
};

/** `unshare` passes no signal on to its child, the first process of the namespace. */
const onlyChildOf = ({ child: { pid } }: Started): number =>
  Number(read(`/proc/${pid}/task/${pid}/children`).trim().split(' ')[0]);

describe('after a signal to the process that was started, nothing is left running', needs('/proc', canLook), () => {
  beforeAll(() => buildServer(root));

  it.each<[string, string[], NodeJS.Signals]>([
    ['npm start', ['npm', 'start'], 'SIGTERM'],
    ['npm run', ['npm', 'run', 'staff-dashboard', '--', 'serve'], 'SIGTERM'],
    ['run.mjs', ['node', 'scripts/run.mjs', 'src/server/main.ts', 'serve'], 'SIGTERM'],
    ['the bundle', [process.execPath, 'build/server/main.js'], 'SIGTERM'],
    ['the executable', [executable, 'serve'], 'SIGTERM'],
    ['the executable', [executable, 'serve'], 'SIGINT'],
    ['the executable', [executable, 'serve'], 'SIGHUP'],
  ])('%s: %j, %s', async (_name, command, signal) => {
    const started = start(command);
    await until(started, / is at http:/);
    expect(processesOf(folder).some(({ command }) => command.includes('postgres'))).toBe(true);
    started.child.kill(signal);
    await nothingRuns();
    expect(started.output()).toContain('"stopping: ');
  });

  it(
    'the executable as the first process of a container, SIGTERM',
    needs('the right to unshare a PID namespace', canBeFirst),
    async () => {
      const started = start(['unshare', '--pid', '--fork', '--mount-proc', executable, 'serve']);
      await until(started, / is at http:/);
      process.kill(onlyChildOf(started), 'SIGTERM');
      await nothingRuns();
      expect(started.output()).toContain('"stopping: ');
    },
  );

  it('a runner that is killed outright takes the server along', async () => {
    const started = start(['npm', 'run', 'staff-dashboard', '--', 'serve']);
    await until(started, / is at http:/);
    const shell = processesOf(folder).find(({ command }) => command.startsWith('sh -c'));
    process.kill(shell?.pid ?? started.child.pid!, 'SIGKILL');
    await nothingRuns();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s while it starts', async (signal) => {
    folder = openFolder('staff-signals');
    const started = start([executable, 'serve']);
    const database = () => processesOf(folder).some(({ command }) => command.includes('postgres'));
    while (!database()) await sleep(5);
    started.child.kill(signal);
    await nothingRuns();
    expect(started.output()).not.toContain(' is at http:');
  });
});
