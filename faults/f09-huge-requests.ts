// Requests without an end: bodies, headers, addresses, forms of a million parts, chunks of one byte. Each is
// refused as soon as it passes its limit, for any sender, and what it was is not kept in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { figuresOf, processorWaitMs, workAlongside } from './beside.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { makeStaff, Product } from './product.ts';
import { openRawSocket, statusOf } from './raw-socket.ts';

const [tenGigabytes, megabyte] = [10 * 1024 ** 3, 1024 ** 2];
/** Where an unlimited sender would have filled more than any limit. */
const mostSent = 200 * megabyte;
const longestWaitMs = 120_000;
const largestAnswerMs = 1_000;
/**
 * Of a server that is warm, as in full: one that has just begun grows by more with its first calls, whatever
 * they are.
 */
const largestGrowthMb = 50;

type Huge = {
  readonly what: string;
  readonly wants: readonly number[];
  readonly head: (token: string) => string;
  /** Sent repeatedly after the headers until stopped. */
  readonly piece?: string;
};

const post = (path: string, headers: readonly string[]) => (token: string) =>
  [`POST ${path} HTTP/1.1`, 'Host: here', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const form = 'Content-Type: multipart/form-data; boundary=mark';
const chunked = 'Transfer-Encoding: chunked';
const endlessly = `Content-Length: ${tenGigabytes}`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const kilobytes = 'a'.repeat(64 * 1024);
const part = (name: string, value = ''): string =>
  `--mark\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = '--mark\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\n';

const huge: readonly Huge[] = [
  { what: 'a query that says it has 10 GB', wants: [413], head: post('/graphql', [json, endlessly]), piece: kilobytes },
  {
    what: 'a query in chunks without an end',
    wants: [413],
    head: post('/graphql', [json, chunked]),
    piece: chunk(kilobytes),
  },
  {
    what: 'a query in chunks of a byte',
    wants: [413],
    head: post('/graphql', [json, chunked]),
    piece: chunk('a').repeat(4_096),
  },
  {
    what: 'a sign-in without an end',
    wants: [413],
    head: post('/api/auth/login', [json, chunked]),
    piece: chunk(kilobytes),
  },
  {
    what: 'a query of nobody without an end',
    wants: [401],
    head: () => post('/graphql', [json, chunked])('none'),
    piece: chunk(kilobytes),
  },
  {
    what: 'a query of brackets',
    wants: [413],
    head: (token) => `${post('/graphql', [json, 'Content-Length: 200000'])(token)}${'['.repeat(200_000)}`,
  },
  {
    what: 'an upload that says it has 10 GB',
    wants: [413],
    head: post('/attachment', [form, endlessly]),
    piece: kilobytes,
  },
  {
    what: 'a file without an end',
    wants: [413],
    head: (token) => `${post('/attachment', [form, chunked])(token)}${chunk(file)}`,
    piece: chunk(kilobytes),
  },
  {
    what: 'a form of a million parts',
    wants: [400, 413],
    head: post('/attachment', [form, chunked]),
    piece: chunk(part('taskId').repeat(100)),
  },
  {
    what: 'a part whose head has no end',
    wants: [400, 413],
    head: (token) => `${post('/attachment', [form, chunked])(token)}${chunk('--mark\r\nContent-Disposition: ')}`,
    piece: chunk(kilobytes),
  },
  {
    what: 'a chunk whose extension has no end',
    wants: [400, 413],
    head: (token) => `${post('/graphql', [json, chunked])(token)}1;`,
    piece: kilobytes,
  },
  {
    what: 'a header without an end',
    wants: [431],
    head: () => 'GET /dashboard HTTP/1.1\r\nHost: here\r\nX-Long: ',
    piece: kilobytes,
  },
  {
    what: 'headers without an end',
    wants: [431],
    head: () => 'GET /dashboard HTTP/1.1\r\nHost: here\r\n',
    piece: 'X-More: a\r\n'.repeat(500),
  },
  { what: 'an address without an end', wants: [431], head: () => 'GET /dashboard?', piece: kilobytes },
];

/** No status where the connection was ended: a caller that keeps sending doesn't always read why. */
type Stopped = {
  readonly status: number | null;
  readonly isEnded: boolean;
  /**
   * Without those in which the server waited for a processor: on a machine that does much else they are most
   * of all.
   */
  readonly milliseconds: number;
  readonly megabytes: number;
};

/** Goes on sending until there is an answer or an end. */
async function send({ url, server }: Product, token: string, { head, piece }: Huge): Promise<Stopped> {
  const pid = server.child.pid as number;
  const [started, waitedBefore] = [performance.now(), processorWaitMs(pid)];
  const { socket, answer } = await openRawSocket(url);
  const isOver = () => answer() !== '' || socket.destroyed || performance.now() - started > longestWaitMs;
  socket.write(head(token));
  const bytes = Buffer.from(piece ?? '');
  while (piece !== undefined && !isOver() && socket.bytesWritten < mostSent) {
    socket.write(bytes);
    // The answer is read between two pieces.
    do await new Promise((resolve) => setImmediate(resolve));
    while (socket.writableNeedDrain && !isOver());
  }
  while (!isOver()) await sleep(2);
  const milliseconds = performance.now() - started - (processorWaitMs(pid) - waitedBefore);
  const isEnded = socket.destroyed;
  socket.destroy();
  return { status: statusOf(answer()), isEnded, milliseconds, megabytes: socket.bytesWritten / megabyte };
}

async function sendAll({ count, say }: Asked, product: Product, isFull: boolean): Promise<Outcome> {
  const staff = await makeStaff(product.databaseUrl, 1);
  const token = staff.owners[0]?.token ?? '';
  if (isFull) for (const one of huge) await send(product, token, one);
  const beside = workAlongside(product.url, token, product.server.child.pid as number);
  const failures: string[] = [];
  const figures: Record<string, number> = {};
  for (const one of huge) {
    let longest = 0;
    for (let time = 0; time < count; time++) {
      const { status, isEnded, milliseconds, megabytes } = await send(product, token, one);
      longest = Math.max(longest, Math.round(milliseconds));
      if (status === null ? !isEnded : !one.wants.includes(status))
        failures.push(`${one.what} was answered ${status ?? 'nothing'} after ${Math.round(megabytes)} MB`);
    }
    figures[`${one.what}: longest milliseconds to the answer, without waits for a processor`] = longest;
    if (isFull && longest > largestAnswerMs) failures.push(`${one.what} was answered after ${longest} ms`);
  }
  const watched = await beside.stop();
  say(`${huge.length} kinds, ${failures.length} faults`);
  if (isFull && watched.grownMb > largestGrowthMb) failures.push(`the server grew by ${watched.grownMb} MB`);
  if (watched.failed > 0) failures.push(`${watched.failed} calls beside them failed`);
  return { figures: { ...figuresOf(watched), ...figures }, failures: [...new Set(failures)] };
}

export const hugeRequests: Fault = {
  id: 'F9',
  title: 'Requests without an end: bodies, headers, addresses, parts and chunks',
  unit: 'of each kind',
  trials: false,
  counts: { short: 1, full: 20 },
  async run(asked) {
    const product = new Product();
    try {
      await product.start();
      return await sendAll(asked, product, asked.count >= hugeRequests.counts.full);
    } finally {
      await product.end();
    }
  },
};
