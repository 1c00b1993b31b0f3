import { afterEach, expect, test, vi } from 'vitest';
import { isConnectionLost } from '#web/ui/connection.ts';
import { loadConfig } from './config.ts';
import { graphql } from './graphql.ts';
import { joinInFlight, request } from './request.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a second call while the first is under way shares its answer; a later one runs anew', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return runs;
  };
  expect(await Promise.all([joinInFlight('a', run), joinInFlight('a', run), joinInFlight('b', run)])).toEqual([
    1, 1, 2,
  ]);
  expect(await joinInFlight('a', run)).toBe(3);
});

test('the same call after another one is a call of its own: on, off, on ends on', async () => {
  const sent: string[] = [];
  const call = (key: string) => joinInFlight(key, async () => sent.push(key));
  await Promise.all([call('on'), call('off'), call('on'), call('on')]);
  expect(sent).toEqual(['on', 'off', 'on']);
});

test('a failure is shared too, and forgotten', async () => {
  const fails = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([joinInFlight('a', fails), joinInFlight('a', fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await joinInFlight('a', async () => 'yes')).toBe('yes');
});

test('a change that gets no answer is given up as a lost connection, and its repeat has the same key', async () => {
  const stopTimer = graphql(`mutation Stop { stopTimer { id } }`);
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit = {}) => {
    if (!url.endsWith('/graphql')) return Response.json({ top5ServerUrl: '' });
    keys.push(new Headers(headers).get('idempotency-key'));
    if (keys.length > 1) return Response.json({ data: { stopTimer: null } });
    return new Promise((_answer, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason)));
  });
  await loadConfig();
  const stopped = request(stopTimer).catch(({ code }: { code: string }) => code);
  await expect.poll(() => keys.length).toBe(1);
  limit.abort(new DOMException('', 'TimeoutError'));
  expect([await stopped, isConnectionLost()]).toEqual(['NETWORK', true]);
  await request(stopTimer);
  expect([keys[1] === keys[0], isConnectionLost()]).toEqual([true, false]);
});

test('the same change an hour after one without an answer is another one', async () => {
  const stopTimer = graphql(`mutation Stop { stopTimer { id } }`);
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit = {}) => {
    if (!url.endsWith('/graphql')) return Response.json({ top5ServerUrl: '' });
    keys.push(new Headers(headers).get('idempotency-key'));
    return keys.length < 3 ? new Response('', { status: 502 }) : Response.json({ data: { stopTimer: null } });
  });
  await loadConfig();
  const stop = () => request(stopTimer).catch(() => null);
  await stop();
  await stop();
  const later = Date.now() + 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  await stop();
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
});
