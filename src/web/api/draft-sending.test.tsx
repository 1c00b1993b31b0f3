import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { reportConnection } from '#web/ui/connection.ts';
import { refuse, showPage } from '../../../test/show-page.tsx';
import { networkError, readApiError } from './api-error.ts';
import { useDraftSending } from './draft-sending.ts';

afterEach(() => localStorage.clear());

/** A server that creates texts, and a connection that can lose what it is sent or what it answers. */
class Texts {
  readonly ids = new Map<string, string>();
  readonly texts = new Map<string, string>();
  readonly keys: string[] = [];
  lost: 'call' | 'answer' | null = null;
  running = false;
  /** A server of an older version, which refuses the question. */
  isOld = false;
  /** Answers after it. */
  waits: Promise<void> | null = null;
  asked = 0;
  create = async (text: string, key: string) => {
    this.keys.push(key);
    if (this.lost === 'call') throw networkError();
    if (text === '') throw readApiError({ code: 'BAD_INPUT' });
    const id = this.ids.get(key) ?? String(this.ids.size + 1);
    if (!this.ids.has(key)) this.texts.set(id, text);
    this.ids.set(key, id);
    await this.waits;
    if (this.lost) throw networkError();
    return text;
  };
  find = async (id: string) => this.texts.get(id) ?? null;
  result = async ({ key }: { key: string }) => {
    this.asked += 1;
    await this.waits;
    if (this.isOld) refuse('BAD_INPUT', 'Cannot query field "callResult" on type "Query"');
    return this.running ? refuse('STILL_RUNNING', 'Still running') : { callResult: this.ids.get(key) ?? null };
  };
}

/** Opens the form of these texts. `isCorrected`: whether it holds another text when one is found. */
async function open(server: Texts, isCorrected = false) {
  cleanup();
  const found: (readonly [string, string | null])[] = [];
  let sending: ReturnType<typeof useDraftSending<string, string>> | null = null;
  function Place() {
    sending = useDraftSending({
      ...{ draft: 'field', send: server.create, find: server.find, nameOf: (text) => text },
      onFound: (sent, made) => {
        found.push([sent, made]);
        return isCorrected;
      },
    });
    return <p>Open</p>;
  }
  await showPage(<Place />, { answers: { CallResult: server.result } });
  await expect.poll(() => document.body.textContent).toContain('Open');
  return {
    found,
    send: (text: string) => sending!.send(text).catch(({ message }: Error) => message),
    isSending: () => sending!.isSending,
    endCorrection: () => sending!.endCorrection(),
  };
}

type LostAnswer = { readonly lost?: 'answer' | 'call'; readonly isCorrected?: boolean };
const keptAt = 'of-person:viewer:sending:field';
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

/** A text that the server has, without the form knowing. */
async function lostAnswer(server: Texts, { lost = 'answer', isCorrected = false }: LostAnswer = {}) {
  const form = await open(server, isCorrected);
  server.lost = lost;
  expect(await form.send('Call')).toBe('Can’t reach the server');
  server.lost = null;
  return form;
}

test('a text that was removed after its answer got lost is created again, not reported as sent', async () => {
  const server = new Texts();
  const { send } = await lostAnswer(server);
  server.texts.clear();
  expect(await send('Call')).toBe('Call');
  expect([...server.texts.values()]).toEqual(['Call']);
});

test('the same text sent again after a lost answer is the first one', async () => {
  const server = new Texts();
  const { send } = await lostAnswer(server);
  expect(await send('Call')).toBe('Call');
  expect([server.texts.size, server.keys.length]).toEqual([1, 1]);
  await send('Call');
  await send('Call');
  expect(server.texts.size).toBe(3);
});

test('a corrected text is held back once, because the one before it was sent', async () => {
  const server = new Texts();
  const { send } = await lostAnswer(server);
  expect(await send('Call Lena')).toBe('“Call” was already sent. Send again to add this too');
  expect([...server.texts.values()]).toEqual(['Call']);
  await send('Call Lena');
  expect([...server.texts.values()]).toEqual(['Call', 'Call Lena']);
});

test('while the first call still runs, nothing else is sent', async () => {
  const server = new Texts();
  const { send } = await lostAnswer(server);
  server.running = true;
  expect(await send('Call Lena')).toBe('Still running');
  expect(server.keys.length).toBe(1);
});

test('what is typed into emptied fields isn’t held back, although the text before it is found only then', async () => {
  const server = new Texts();
  const { send, endCorrection, found } = await lostAnswer(server, { isCorrected: true });
  endCorrection();
  expect(await send('Write Lena')).toBe('Write Lena');
  expect([found, [...server.texts.values()]]).toEqual([[['Call', 'Call']], ['Call', 'Write Lena']]);
  server.lost = 'answer';
  await send('Ask Lena');
  server.lost = null;
  expect(await send('Ask Lena now')).toBe('“Ask Lena” was already sent. Send again to add this too');
});

test('what opens after a lost answer finds what was sent, once', async () => {
  const server = new Texts();
  await lostAnswer(server);
  const again = await open(server);
  await expect.poll(() => again.found).toEqual([['Call', 'Call']]);
  const later = await open(server);
  expect(await later.send('Call')).toBe('Call');
  expect([again.found.length, later.found.length, server.texts.size]).toEqual([1, 0, 2]);
});

test('what stays open finds it when the connection is back', async () => {
  const server = new Texts();
  reportConnection('lost');
  const { found } = await lostAnswer(server);
  expect(found).toEqual([]);
  reportConnection('back');
  await expect.poll(() => found).toEqual([['Call', 'Call']]);
});

test('a call that didn’t arrive is repeated with its key, and a refused one with another', async () => {
  const server = new Texts();
  const { send, found } = await open(server);
  server.lost = 'call';
  await send('Call');
  server.lost = null;
  await send('Call');
  await send('');
  await send('');
  const [first, second, third, fourth] = server.keys;
  expect([second === first, third === first, fourth === third, found]).toEqual([true, false, false, []]);
});

test('what another tab sent is said here', async () => {
  const { found } = await open(new Texts());
  const say = (sending: object) =>
    window.dispatchEvent(new StorageEvent('storage', { key: keptAt, newValue: JSON.stringify(sending) }));
  say({ key: '1', sent: 'Still on its way' });
  say({ key: '1', sent: 'Call', isDone: true });
  expect(found).toEqual([['Call', null]]);
});

test('a form that is sending doesn’t look for what it sends', async () => {
  const server = new Texts();
  const { send, found } = await open(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(server, { lost: 'answer', waits: promise });
  const first = send('Call');
  await expect.poll(() => server.keys.length).toBe(1);
  act(() => reportConnection('lost'));
  act(() => reportConnection('back'));
  await soon();
  expect([server.asked, found]).toEqual([0, []]);
  resolve();
  expect(await first).toBe('Can’t reach the server');
  server.lost = null;
  expect(await send('Call')).toBe('Call');
  expect(server.texts.size).toBe(1);
});

test('a form is sending while it asks, for a limited time, and sends nothing once it is closed', async () => {
  const server = new Texts();
  const { send, isSending } = await lostAnswer(server, { lost: 'call' });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.waits = promise;
  const limits = vi.spyOn(AbortSignal, 'timeout');
  const sent = send('Call');
  await expect.poll(() => server.asked).toBe(1);
  await expect.poll(isSending).toBe(true);
  expect(limits).toHaveBeenCalledWith(10_000);
  cleanup();
  resolve();
  expect(await sent).toBe('Not sent, because the form was closed');
  expect(server.keys.length).toBe(1);
});

test('without storage, and over another tab’s sending, the same text sent again is the first one', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  const server = new Texts();
  const { send } = await lostAnswer(server);
  expect(await send('Call')).toBe('Call');
  expect(server.texts.size).toBe(1);
  full.mockRestore();
  const other = new Texts();
  const shared = await lostAnswer(other);
  localStorage.setItem(keptAt, JSON.stringify({ key: 'elsewhere', sent: 'Other' }));
  expect(await shared.send('Call')).toBe('Call');
  expect(other.texts.size).toBe(1);
  expect(JSON.parse(localStorage.getItem(keptAt)!)).toEqual({ key: 'elsewhere', sent: 'Other' });
});

test('with a server of an older version, the same text is sent with its key, and another one waits', async () => {
  const server = new Texts();
  const { send, found } = await lostAnswer(server);
  server.isOld = true;
  expect(await send('Call Lena')).toBe('“Call” may have been sent. Try again in a few minutes');
  expect(await send('Call')).toBe('Call');
  expect([server.keys[0] === server.keys[1], server.texts.size, found]).toEqual([true, 1, []]);
});

test('a corrected text is held back once, also if the one before it was found first', async () => {
  const server = new Texts();
  reportConnection('lost');
  const { found, send } = await lostAnswer(server, { isCorrected: true });
  reportConnection('back');
  await expect.poll(() => found.length).toBe(1);
  expect(await send('Call Lena')).toBe('“Call” was already sent. Send again to add this too');
  expect(await send('Call Lena')).toBe('Call Lena');
  expect([...server.texts.values()]).toEqual(['Call', 'Call Lena']);
});
