// The network between a browser and the server, as a cable that can be pulled in the middle of a sentence.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Cable = {
  /** Where the browser goes instead of to the server. */
  readonly url: string;
  /** From now on every connection breaks once so many bytes went up it. */
  breakAfter(bytes: number): void;
  mend(): void;
  close(): Promise<void>;
};

export async function layCable(serverUrl: string): Promise<Cable> {
  const { hostname, port } = new URL(serverUrl);
  let limit = Number.POSITIVE_INFINITY;
  const sockets = new Set<Socket>();
  const listener = createServer((browser) => {
    const server = connect(Number(port), hostname);
    let sent = 0;
    const cut = () => {
      browser.destroy();
      server.destroy();
    };
    browser.on('data', (chunk) => {
      sent += chunk.length;
      if (sent > limit) browser.resetAndDestroy();
    });
    browser.pipe(server).pipe(browser);
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    breakAfter(bytes) {
      limit = bytes;
    },
    mend() {
      limit = Number.POSITIVE_INFINITY;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
