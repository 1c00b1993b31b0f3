// Calls to two server processes on one database that arrive together, and the people and tasks that they are
// about.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Product } from '../../faults/product.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { openFolder } from '../database-folder.ts';

export type Reply = { readonly status: number; readonly body: string };

type Sent = {
  readonly method?: 'POST' | 'GET';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
};

/** A request of which the server has everything but the last byte. */
export type Held = { release(): Promise<Reply> };

export async function hold(address: string, { method = 'POST', headers = {}, body = '' }: Sent): Promise<Held> {
  const bytes = Buffer.from(body);
  const sending = httpRequest(address, {
    method,
    headers: { ...headers, 'content-length': bytes.length },
    agent: false,
  });
  const reply = new Promise<Reply>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      } catch (error) {
        reject(error);
      }
    });
  });
  // The release reports its failure; until then it is unhandled.
  reply.catch(() => {});
  sending.flushHeaders();
  const [socket] = await once(sending, 'socket');
  if (socket.connecting) await once(socket, 'connect');
  await new Promise<void>((resolve) => sending.write(bytes.subarray(0, -1), () => resolve()));
  return {
    release() {
      sending.end(bytes.subarray(-1));
      return reply;
    },
  };
}

export type Call = {
  readonly server: 0 | 1;
  readonly token: string;
  readonly query: string;
  readonly variables?: object;
  readonly key?: string;
};

// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
export type Answered = { readonly status: number; readonly code: string | null; readonly data: any };

const heldCall = (urls: readonly string[], { server, token, query, variables = {}, key }: Call): Promise<Held> =>
  hold(`${urls[server]}/graphql`, {
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ query, variables }),
  });

export function answered({ status, body }: Reply): Answered {
  const { data, errors } = JSON.parse(body);
  return { status, data, code: errors?.[0].extensions.code ?? null };
}

export type TwoServers = {
  /** A third one, in this process and with a clock that stands still: to prepare and to look. */
  readonly app: TestApp;
  readonly urls: readonly [string, string];
  /** Where both keep their files. */
  readonly dataDir: string;
  /** Sends each one's last byte when all the others have arrived; returns the answers in order. */
  atOnce(calls: readonly Call[]): Promise<Answered[]>;
  call(call: Call): Promise<Answered>;
  stop(): Promise<void>;
};

export async function twoServers(): Promise<TwoServers> {
  const app = await startTestApp({ now: Temporal.Now.instant().toString() });
  const env = { LINK_SECRET: 'one-secret-for-both-of-the-servers' };
  const folder = openFolder('two-servers');
  const dataDir = join(folder, 'data');
  const products = [1, 2].map(() => new Product({ database: { url: app.databaseUrl }, dataDir, env }));
  await Promise.all(products.map((product) => product.start()));
  const urls = products.map(({ url }) => url) as [string, string];
  const atOnce = async (calls: readonly Call[]) => {
    const held = await Promise.all(calls.map((call) => heldCall(urls, call)));
    const replies = await Promise.all(held.map(({ release }) => release()));
    return replies.map(answered);
  };
  return {
    app,
    urls,
    dataDir,
    atOnce,
    call: async (call) => (await atOnce([call]))[0] as Answered,
    async stop() {
      for (const product of products) await product.end();
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In groups, to stay within the limits of servers and machine. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  run: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    const group = items.slice(start, start + size);
    results.push(...(await Promise.all(group.map((item, index) => run(item, start + index)))));
  }
  return results;
}
