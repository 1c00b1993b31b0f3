// Reserves the port before anything changes: a start that can't listen must not migrate or start a database
// first.
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns the function that releases the port for the server. Throws like listening would: EADDRINUSE,
 * EACCES, ...
 */
export async function reservePort({ port, host }: { port: number; host: string }): Promise<() => Promise<void>> {
  const holder = createServer((socket) => socket.destroy());
  holder.listen({ port, host });
  await once(holder, 'listening');
  return async () => {
    if (!holder.listening) return;
    holder.close();
    await once(holder, 'close');
  };
}
