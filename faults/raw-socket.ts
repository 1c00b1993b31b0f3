// A caller that speaks HTTP by hand, and so can speak it badly.
import { connect, type Socket } from 'node:net';

export type RawSocket = {
  readonly socket: Socket;
  /** What was received so far, up to the limit. */
  answer(): string;
  /** The milliseconds from the start to the end of the connection, by either side. */
  readonly closed: Promise<number>;
};

const keptBytes = 64 * 1024;

export async function openRawSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const started = performance.now();
  let text = '';
  socket.on('data', (piece) => {
    if (text.length < keptBytes) text += piece.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => resolve(performance.now() - started));
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve).once('close', () => resolve());
  });
  return { socket, answer: () => text, closed };
}

/** The status of the first answer, or null where there was none. */
export function statusOf(answer: string): number | null {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
  return status === undefined ? null : Number(status);
}
