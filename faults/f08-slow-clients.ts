// Sockets that send their headers or their body a byte at a time, and sockets that ask for much and read
// nothing. They have to go, and other people must not notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { figuresOf, openConnections, workAlongside } from './beside.ts';
import { upload } from './calls.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { makeStaff, Product, type Staff } from './product.ts';
import { openRawSocket, type RawSocket } from './raw-socket.ts';
import { prepareTasks } from './writers.ts';

/** How many of ten sockets read nothing: each of them holds megabytes in the kernel. */
const readersOfTen = 1;
const byteEveryMs = 1_000;
/** Who sends slowly is gone after 15 seconds, who reads nothing after twice 16. */
const watchedMs = 60_000;
const aloneMs = 3_000;
const largestP99Ms = 500;
const largestGrowthMb = 100;
const fileBytes = 8 * 1024 * 1024;

type Kind = 'headers' | 'body' | 'reading';

const kindOf = (index: number): Kind => (index % 10 < readersOfTen ? 'reading' : index % 2 === 0 ? 'headers' : 'body');

const firstWords: Readonly<Record<Kind, (token: string, link: string) => string>> = {
  headers: () => 'GET /dashboard HTTP/1.1\r\nHost: here\r\nX-Slow: ',
  body: (token) =>
    `POST /graphql HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`,
  reading: (_token, link) => `GET ${link} HTTP/1.1\r\nHost: here\r\n\r\n`.repeat(4),
};

async function openSlowly(kind: Kind, { url }: Product, token: string, link: string): Promise<RawSocket> {
  const raw = await openRawSocket(url);
  raw.socket.write(firstWords[kind](token, link));
  if (kind === 'reading') raw.socket.pause();
  else {
    const timer = setInterval(() => raw.socket.write('a'), byteEveryMs);
    void raw.closed.then(() => clearInterval(timer));
  }
  return raw;
}

/** A file that is large enough to fill what lies between the two ends. */
async function linkToLargeFile(url: string, staff: Staff): Promise<string> {
  const [task] = (await prepareTasks({ url: () => url, staff })).values();
  const content = Buffer.alloc(fileBytes, 'a');
  const token = staff.owners[0]?.token ?? '';
  const answered = await upload(url, { token }, { taskId: task?.id ?? '', name: 'large.txt', content });
  if (answered.kind !== 'done') throw new Error(`The file was not taken: ${JSON.stringify(answered)}`);
  return answered.body.attachment.url;
}

/** The milliseconds until the server has as few connections as before, or null if it never does. */
async function untilGone(url: string, before: number): Promise<number | null> {
  const started = performance.now();
  while (performance.now() - started < watchedMs) {
    await sleep(200);
    // The one who works beside may come over a second connection.
    if (openConnections(url) <= before + 1) return Math.round(performance.now() - started);
  }
  return null;
}

async function beSlow({ count, say }: Asked, product: Product, isFull: boolean): Promise<Outcome> {
  const { url } = product;
  const staff = await makeStaff(product.databaseUrl, 1);
  const token = staff.owners[0]?.token ?? '';
  const link = await linkToLargeFile(url, staff);
  const { pid } = product.server.child as { pid: number };
  const open = async (many: number): Promise<RawSocket[]> => {
    const sockets: RawSocket[] = [];
    for (let index = 0; index < many; index++) sockets.push(await openSlowly(kindOf(index), product, token, link));
    return sockets;
  };
  // What a server that has just begun grows by with its first connections, whatever they do, is not theirs.
  const first = await open(Math.ceil(count / 10));
  await sleep(aloneMs);
  for (const { socket } of first) socket.destroy();
  const alone = workAlongside(url, token, pid);
  await sleep(aloneMs);
  const { p99: p99Alone } = await alone.stop();

  const beside = workAlongside(url, token, pid);
  await sleep(aloneMs / 10);
  const before = openConnections(url);
  const sockets = await open(count);
  say(`${openConnections(url) - before} slow connections are open`);
  const goneAfter = await untilGone(url, before);
  const left = openConnections(url) - before;
  const watched = await beside.stop();
  for (const { socket } of sockets) socket.destroy();
  const failures = [
    ...(goneAfter === null ? [`${left} slow connections were still open after ${watchedMs / 1_000} s`] : []),
    ...(watched.failed > 0 ? [`${watched.failed} calls beside them failed`] : []),
    ...(isFull && watched.p99 > largestP99Ms ? [`beside them p99 was ${watched.p99} ms`] : []),
    ...(watched.grownMb > largestGrowthMb ? [`the server grew by ${watched.grownMb} MB`] : []),
  ];
  return {
    figures: {
      ...figuresOf(watched),
      'milliseconds alone p99': p99Alone,
      'milliseconds until the last slow one was gone': goneAfter ?? 'never',
    },
    failures,
  };
}

export const slowClients: Fault = {
  id: 'F8',
  title: 'Clients that send or read slowly, beside somebody who works',
  unit: 'sockets',
  trials: false,
  counts: { short: 60, full: 1_000 },
  async run(asked) {
    const product = new Product();
    try {
      await product.start();
      return await beSlow(asked, product, asked.count >= slowClients.counts.full);
    } finally {
      await product.end();
    }
  },
};
