// Slow uploads, also of senders who aren't known before their file.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { makeTeam, prepareTask, type Team } from '../../../../test/task-fixtures.ts';

let server: TestApp;
let team: Team;
let taskId: string;

beforeAll(async () => {
  server = await startTestApp();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  team = await makeTeam(server);
  taskId = await prepareTask(server.database, {
    ownerId: team.owner.id,
    sprintId: await server.sprint(),
    status: 'TODO',
  });
});
afterAll(() => server.stop());

const fileFirst = '--mark\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\ntext';
const rest = (token: string) =>
  `\r\n--mark\r\nContent-Disposition: form-data; name="taskId"\r\n\r\n${taskId}\r\n--mark\r\nContent-Disposition: form-data; name="authorization"\r\n\r\n${token}\r\n--mark--\r\n`;

type Sender = { readonly socket: Socket; answer(): string; readonly closed: Promise<boolean> };

/** Sends the headers and the start of the file, and announces more. */
function begin(from: string, headers = ''): Sender {
  const { port } = server.app.server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<boolean>((resolve) => {
    socket.once('close', () => resolve(true));
  });
  const length = Buffer.byteLength(fileFirst + rest(team.owner.token));
  socket.write(
    `POST /attachment HTTP/1.1\r\nHost: here\r\n${headers}Content-Type: multipart/form-data; boundary=mark\r\nContent-Length: ${length}\r\n\r\n${fileFirst}`,
  );
  return { socket, answer: () => text, closed };
}

async function until(met: () => boolean): Promise<void> {
  for (let waited = 0; !met() && waited < 10_000; waited += 20) await sleep(20);
  expect(met()).toBe(true);
}

test('strangers of one address wait for each other, for nobody else, and make room when they are slow', {
  timeout: 60_000,
}, async () => {
  const strangers = Array.from({ length: 5 }, () => begin('127.0.0.2', 'Expect: 100-continue\r\n'));
  await until(() => strangers.every(({ answer }) => answer().includes('100 Continue')));
  const sixth = begin('127.0.0.2');
  await until(() => sixth.answer().includes('HTTP/1.1 429'));
  const signedIn = begin('127.0.0.2', `Authorization: Bearer ${team.owner.token}\r\n`);
  signedIn.socket.write(rest(team.owner.token));
  await until(() => signedIn.answer().includes('HTTP/1.1 201'));
  const elsewhere = begin('127.0.0.1');
  elsewhere.socket.write(rest(team.owner.token));
  await until(() => elsewhere.answer().includes('HTTP/1.1 201'));
  const slow = Promise.all(strangers.map(({ closed }) => closed));
  expect(await Promise.race([slow, sleep(20_000, [])])).toEqual(strangers.map(() => true));
  // A place is free shortly after its connection has ended.
  let next: ReturnType<typeof begin>;
  do {
    next = begin('127.0.0.2');
    next.socket.write(rest(team.owner.token));
    await until(() => /HTTP\/1\.1 (201|429)/.test(next.answer()));
  } while (next.answer().includes('HTTP/1.1 429'));
  for (const { socket } of [sixth, signedIn, elsewhere, next]) socket.destroy();
});

test('slow uploads of one session leave room for those of the person’s other sessions', {
  timeout: 60_000,
}, async () => {
  const [stolen, own] = [await server.signIn(team.owner.id), await server.signIn(team.owner.id)];
  const headersOf = (token: string) => `Authorization: Bearer ${token}\r\n`;
  const slow = Array.from({ length: 6 }, () => begin('127.0.0.1', headersOf(stolen)));
  await until(() => slow.some(({ answer }) => answer().includes('HTTP/1.1 429')));
  const upload = begin('127.0.0.1', headersOf(own));
  upload.socket.write(rest(own));
  await until(() => upload.answer().includes('HTTP/1.1 201'));
  for (const { socket } of [...slow, upload]) socket.destroy();
});
