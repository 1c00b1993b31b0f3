// Load: connections that ask as fast as they are answered, over sockets of our own. A client that costs
// little leaves the two cores to what is measured; it is the same for both sides.
import { connect, type Socket } from 'node:net';
import { percentile } from './measure.ts';

export type Asked = {
  readonly request: Buffer;
  /** Whether this is the right answer. */
  readonly isRight: (status: number, body: Buffer) => boolean;
};
/** What a connection asks next. */
export type Next = (connection: number) => Asked;

export type Load = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
};

export function requestOf(port: number, path: string, body: object, token?: string): Buffer {
  const text = JSON.stringify(body);
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${authorization}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const headEnd = Buffer.from('\r\n\r\n');

/** One keep-alive connection, one request at a time. */
class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  #head: { readonly status: number; readonly end: number; readonly length: number } | null = null;
  #answer: { resolve(answer: { status: number; body: Buffer }): void; reject(error: Error): void } | null = null;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    const lost = (error?: Error) => this.#answer?.reject(error ?? new Error('The server hung up'));
    this.#socket.on('error', lost).on('close', () => lost());
  }

  ask(request: Buffer): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket.write(request);
    });
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    this.#head ??= this.#readHead();
    if (this.#head === null || this.#received < this.#head.end + this.#head.length) return;
    const { status, end, length } = this.#head;
    const all = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#received = 0;
    this.#head = null;
    this.#answer?.resolve({ status, body: all.subarray(end, end + length) });
  }

  #readHead() {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const end = all.indexOf(headEnd);
    if (end < 0) return null;
    const head = all.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`An answer without a length: ${head}`);
    return { status: Number(head.slice(9, 12)), end: end + headEnd.length, length: Number(length) };
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Asks for so many seconds; the first wrong answer ends it. Connections are spread over the ports. */
export async function load(ports: readonly number[], connections: number, seconds: number, next: Next): Promise<Load> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1_000;
  const work = async (index: number) => {
    const connection = new Connection(ports[index % ports.length]!);
    try {
      for (let before = performance.now(); before < until; ) {
        const { request, isRight } = next(index);
        const { status, body } = await connection.ask(request);
        if (!isRight(status, body)) throw new Error(`A wrong answer (${status}): ${body.toString('utf8', 0, 500)}`);
        const after = performance.now();
        times.push(after - before);
        before = after;
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
  const took = (performance.now() - started) / 1_000;
  return {
    requests: times.length,
    perSecond: times.length / took,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** One request, for its answer. */
export async function askOnce(port: number, request: Buffer): Promise<{ status: number; body: Buffer }> {
  const connection = new Connection(port);
  try {
    return await connection.ask(request);
  } finally {
    connection.close();
  }
}
