// The server as a separate process, as people start it. The caller ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtMain } from './built-server.ts';

/** What is kept of the output: the end of it, a log line for every request would fill the memory. */
const longestOutput = 200_000;

export type ServerProcess = {
  readonly child: ChildProcess;
  /** What it wrote to both streams, the last part of it. */
  output(): string;
  /** Its exit code, or null where a signal ended it. */
  readonly exit: Promise<number | null>;
  /** Its address, once it listens; throws with its output when it ends instead. */
  listening(): Promise<string>;
  /** SIGTERM, then waits for the end. */
  stop(): Promise<number | null>;
  /** SIGKILL, then waits for the end. */
  kill(): Promise<void>;
};

export type ServerStart = {
  readonly env: Readonly<Record<string, string>>;
  /** A program with its arguments that runs the server: `['prlimit', '--nofile=128']`. */
  readonly under?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly onOutput?: (text: string) => void;
  /** Where its output goes instead, by the shell; nothing of it is seen here then. */
  readonly logFile?: string;
  /** The program, if it isn't the built one. */
  readonly main?: string;
};

const intoFile = (file: string | undefined): string[] =>
  file === undefined ? [] : ['sh', '-c', `exec "$0" "$@" >>'${file}' 2>&1`];

/**
 * Starts the server with this environment and nothing of ours; on any free port unless `PORT` says otherwise.
 */
export function spawnServer({
  env,
  under = [],
  nodeOptions = [],
  onOutput,
  logFile,
  main = builtMain,
}: ServerStart): ServerProcess {
  const [program = process.execPath, ...parameters] = [
    ...under,
    ...intoFile(logFile),
    process.execPath,
    ...nodeOptions,
    main,
  ];
  const child = spawn(program, parameters, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: under.length > 0,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-longestOutput);
      onOutput?.(chunk);
    });
  }
  const exit = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      text += error.message;
      resolve(1);
    });
    child.once('exit', resolve);
  });
  const end = async (signal: NodeJS.Signals) => {
    // Some programs run the server as a child of their own: ended alone they would leave it behind.
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (under.length > 0 && child.pid !== undefined && isRunning) process.kill(-child.pid, signal);
    else child.kill(signal);
    return exit;
  };
  return {
    child,
    output: () => text,
    exit,
    async listening() {
      for (;;) {
        const [, address] = / is at (http:\S+)/.exec(text) ?? [];
        if (address !== undefined) return address;
        const ended = await Promise.race([exit.then(() => true), sleep(10, false)]);
        if (ended) throw new Error(`The server ended before it listened: ${text}`);
      }
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** The token of this sign-in. */
export async function signInOver(url: string, account: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`Nobody could sign in: ${response.status}`);
  return token;
}
