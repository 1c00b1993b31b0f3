// The haproxy that operators copy, in front of two small servers that say what reached them. F19 tries it
// with the product.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#server/platform/db/postmaster.ts';
import { haproxyFile } from '../../faults/f19-stopped-under-load.ts';
import { hasProgram, needs } from '../needs.ts';

/** From RFC 6455. */
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

describe('haproxy', needs('haproxy', hasProgram('haproxy', '-v')), () => {
  const ready = [true, true];
  const servers: Server[] = [];
  let haproxy: ChildProcess;
  let url: string;

  beforeAll(async () => {
    for (const at of [0, 1]) {
      const server = createServer((asked, answer) => {
        answer.statusCode = asked.url === '/readyz' && !ready[at] ? 503 : 200;
        answer.end(JSON.stringify({ at, url: asked.url, forwarded: asked.headers['x-forwarded-for'] }));
      });
      server.on('upgrade', (asked, socket) => {
        const accept = createHash('sha1')
          .update(`${asked.headers['sec-websocket-key']}${webSocketGuid}`)
          .digest('base64');
        const lines = ['HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket'];
        socket.end([...lines, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n'));
      });
      servers.push(server.listen(0, '127.0.0.1'));
      await once(server, 'listening');
    }
    const [SERVER_1, SERVER_2] = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const LISTEN = `127.0.0.1:${await freePort()}`;
    url = `http://${LISTEN}`;
    haproxy = spawn('haproxy', ['-db', '-f', haproxyFile], {
      env: { PATH: process.env.PATH, LISTEN, SERVER_1, SERVER_2 },
      stdio: 'ignore',
    });
    while (!(await fetch(url).catch(() => null))?.ok) await sleep(20);
  });
  afterAll(() => {
    haproxy.kill('SIGKILL');
    for (const server of servers) server.close().closeAllConnections();
  });

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers });
    return { status: answer.status, body: answer.ok ? JSON.parse(await answer.text()) : null };
  };

  it.each(['/metrics', '/metrics/', '/metrics?x=1', '/%6detrics', '/metric%73'])('keeps %s to itself', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
  it('says itself where a request comes from, whatever the request says', async () => {
    const { body } = await ask('/metrics-of-a-page', { 'x-forwarded-for': '203.0.113.7' });
    expect(body).toMatchObject({ url: '/metrics-of-a-page', forwarded: '127.0.0.1' });
  });
  it('passes WebSockets on', async () => {
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.from('sixteen letters.').toString('base64'),
    };
    const asked = request(`${url}/graphql`, { headers }).end();
    const [answer] = await Promise.race([once(asked, 'upgrade'), once(asked, 'response')]);
    expect(answer.statusCode).toBe(101);
  });
  it('leaves a server out that says it is not ready, and takes it back', async () => {
    const reached = async () =>
      new Set(await Promise.all(Array.from({ length: 6 }, async () => (await ask('/')).body?.at)));
    ready[0] = false;
    await expect.poll(reached, { interval: 200 }).toEqual(new Set([1]));
    ready[0] = true;
    await expect.poll(reached, { interval: 200 }).toEqual(new Set([0, 1]));
  });
});
