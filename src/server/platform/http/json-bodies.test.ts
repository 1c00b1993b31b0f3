import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJsonBodies } from './json-bodies.ts';

const limit = 1_000;
const app = Fastify();
let url: string;

beforeAll(async () => {
  readJsonBodies(app);
  app.post('/', { bodyLimit: limit }, async ({ body }) => ({ body }));
  app.post('/large', { bodyLimit: 1_000_000 }, async () => ({}));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

type Answer = { readonly status: number | undefined; readonly answer: unknown };

/** Each piece is a chunk of HTTP. */
function send(pieces: readonly Uint8Array[], type = 'application/json'): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(url, { method: 'POST', headers: { 'content-type': type } }, (response) => {
    json(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
  }).on('error', reject);
  for (const piece of pieces) sent.write(piece);
  sent.end();
  return promise;
}

const inBytes = (text: string): Uint8Array[] => Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
const textOf = (bytes: number): string => JSON.stringify('a'.repeat(bytes - 2));

it('a body in chunks of a byte is whole, whatever letters they divide', async () => {
  const body = { text: 'é 日本 🙂', list: [1, null] };
  expect(await send(inBytes(JSON.stringify(body)))).toEqual({ status: 200, answer: { body } });
});

it('a body as large as its limit is read and one byte more is too large, in chunks as at once', async () => {
  for (const inPieces of [inBytes, (text: string) => [Buffer.from(text)]]) {
    expect((await send(inPieces(textOf(limit)))).status).toBe(200);
    expect(await send(inPieces(textOf(limit + 1)))).toMatchObject({
      status: 413,
      answer: { code: 'FST_ERR_CTP_BODY_TOO_LARGE' },
    });
  }
});

it('a body that says it is too large is refused without a look at it', async () => {
  const { statusCode } = await app.inject({
    ...{ method: 'POST', url: '/', payload: '{}' },
    headers: { 'content-type': 'application/json', 'content-length': String(limit + 1) },
  });
  expect(statusCode).toBe(413);
});

it('a long body of many objects is refused before it is parsed, and one long text is read', async () => {
  const sendLarge = (payload: string) =>
    app.inject({ method: 'POST', url: '/large', payload, headers: { 'content-type': 'application/json' } });
  const listOf = (objects: number) => `[${Array.from({ length: objects }, () => '{}').join()}]`;
  expect((await sendLarge(listOf(49_000))).statusCode).toBe(200);
  expect((await sendLarge(listOf(51_000))).statusCode).toBe(413);
  expect((await sendLarge(textOf(900_000))).statusCode).toBe(200);
});

it.each([
  ['', 'application/json', 400],
  ['{', 'application/json', 400],
  ['{"__proto__":{"a":1}}', 'application/json', 400],
  ['{"constructor":{"prototype":{"a":1}}}', 'application/json', 400],
  ['text', 'text/plain', 415],
])('%s as %s is refused', async (text, type, status) => {
  expect((await send(inBytes(text), type)).status).toBe(status);
});
