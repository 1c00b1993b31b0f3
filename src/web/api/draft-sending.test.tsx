import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
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
  create = async (text: string, key: string) => {
    this.keys.push(key);
    if (this.lost === 'call') throw networkError();
    if (text === '') throw readApiError({ code: 'BAD_INPUT' });
    const id = this.ids.get(key) ?? String(this.ids.size + 1);
    if (!this.ids.has(key)) this.texts.set(id, text);
    this.ids.set(key, id);
    if (this.lost) throw networkError();
    return text;
  };
  find = async (id: string) => this.texts.get(id) ?? null;
  result = ({ key }: { key: string }) =>
    this.running ? refuse('STILL_RUNNING', 'Still running') : { callResult: this.ids.get(key) ?? null };
}

/** Opens the form of these texts. */
async function open(server: Texts) {
  cleanup();
  const found: (readonly [string, string | null])[] = [];
  let send: (text: string) => Promise<string> = () => Promise.reject(new Error('not drawn yet'));
  function Place() {
    send = useDraftSending({
      ...{ draft: 'field', send: server.create, find: server.find, nameOf: (text) => text },
      onFound: (sent, made) => found.push([sent, made]),
    });
    return <p>Open</p>;
  }
  await showPage(<Place />, { answers: { CallResult: server.result } });
  await expect.poll(() => document.body.textContent).toContain('Open');
  return { found, send: (text: string) => send(text).catch(({ message }: Error) => message) };
}

/** A text that the server has, without the form knowing. */
async function lostAnswer(server: Texts) {
  const form = await open(server);
  server.lost = 'answer';
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
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'of-person:viewer:sending:field', newValue: JSON.stringify(sending) }),
    );
  say({ key: '1', sent: 'Still on its way' });
  say({ key: '1', sent: 'Call', isDone: true });
  expect(found).toEqual([['Call', null]]);
});
