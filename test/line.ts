// A line between two machines of a company, with everything that lines do: slow, swallowing, deaf in one
// direction, torn.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `good`: all goes through. `slow`: every piece is late. `silent`: connections are taken and all is
 * swallowed. `half`: what is sent arrives, what is answered does not. `torn`: connections that are there are
 * reset, new ones too.
 */
export type LineState = 'good' | 'slow' | 'silent' | 'half' | 'torn';

export type Line = {
  readonly port: number;
  become(state: LineState): void;
  close(): Promise<void>;
};

const lateMs = 100;

type Address = { readonly host: string; readonly port: number } | { readonly path: string };

export async function layLine(to: Address): Promise<Line> {
  let state: LineState = 'good';
  const sockets = new Set<Socket>();
  const tear = (socket: Socket) => socket.resetAndDestroy();

  /** Pieces keep their order also when each is late; a changed state applies to pieces still on their way. */
  async function pass(from: Socket, onwards: Socket, isAnswer: boolean): Promise<void> {
    try {
      for await (const piece of from) {
        if (state === 'slow') await sleep(lateMs);
        const isSwallowed = state === 'silent' || (state === 'half' && isAnswer);
        if (!isSwallowed && onwards.writable && !onwards.write(piece)) await once(onwards, 'drain');
      }
      if (state === 'good' || state === 'slow') onwards.end();
    } catch {
      onwards.destroy();
    }
  }

  const listener = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'torn') {
      tear(near);
      return;
    }
    const far = connect({ ...to, allowHalfOpen: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
    }
    void pass(near, far, false);
    void pass(far, near, true);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    become(next) {
      state = next;
      if (next === 'torn') for (const socket of sockets) tear(socket);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
