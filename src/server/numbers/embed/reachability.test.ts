import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { reachabilityOf } from './reachability.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('is no where nobody listens, where the answer is an error, and where we are sent on', async () => {
  const asked: (string | undefined)[] = [];
  const other = await serve((request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  const sendsOn = await serve((_request, response) => response.writeHead(302, { location: other }).end());
  const fails = await serve((_request, response) => response.writeHead(503).end());
  for (const siteUrl of ['http://127.0.0.1:1', sendsOn, fails]) expect(await reachabilityOf(siteUrl)()).toBe(false);
  expect(asked).toEqual([]);
});

it('is no after two seconds of silence', async () => {
  const hangs = await serve(() => {});
  const started = performance.now();
  expect(await reachabilityOf(hangs)()).toBe(false);
  expect(performance.now() - started).toBeGreaterThan(1_900);
});

it('is asked once in half a minute, also by many at once, and below the path of the address', async () => {
  const asked: (string | undefined)[] = [];
  const siteUrl = await serve((request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  let now = 0;
  const isReachable = reachabilityOf(`${siteUrl}/metabase`, () => now);
  expect(await Promise.all([isReachable(), isReachable(), isReachable()])).toEqual([true, true, true]);
  now = 29_999;
  await isReachable();
  expect(asked).toEqual(['/metabase/api/health']);
  now = 30_000;
  await isReachable();
  expect(asked).toHaveLength(2);
});
