// What is watched during misbehavior: an ordinary person who keeps working, and the memory of the server.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { graphql } from './calls.ts';

const pauseMs = 50;

type Watched = {
  readonly answers: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  /** How far the server's memory went above where it stood, in megabytes. */
  readonly grownMb: number;
};

const residentMb = (pid: number): number => {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/** How long its first thread could have gone on while others had the processors, in milliseconds. */
export const processorWaitMs = (pid: number): number => {
  const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1_000_000;
};

/** Connections to the server that it keeps open. Those that it gave up may linger on the other side. */
export function openConnections(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const established = '01';
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === established).length;
}

type Neighbour = { stop(): Promise<Watched> };

/** Asks for the own tasks again and again, until it is stopped. */
export function workAlongside(url: string, token: string, pid: number): Neighbour {
  const times: number[] = [];
  const before = residentMb(pid);
  let [failed, most, isStopped] = [0, before, false];
  const work = (async () => {
    while (!isStopped) {
      const started = performance.now();
      const answer = await graphql(url, { token }, '{ getTasks(limit: 20) { id title status } }', {});
      times.push(performance.now() - started);
      if (answer.kind !== 'done') failed += 1;
      most = Math.max(most, residentMb(pid));
      await sleep(pauseMs);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await work;
      times.sort((left, right) => left - right);
      const at = (share: number) =>
        Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
      return { answers: times.length, failed, p50: at(0.5), p99: at(0.99), grownMb: Math.round(most - before) };
    },
  };
}

export const figuresOf = ({ answers, failed, p50, p99, grownMb }: Watched): Record<string, number> => ({
  'calls of somebody beside': answers,
  'of them failed': failed,
  'milliseconds beside p50': p50,
  'milliseconds beside p99': p99,
  'megabytes that the server grew': grownMb,
});
