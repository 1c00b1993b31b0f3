import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReplaced, replaceToken, sendWithToken } from './session.ts';

let cookie = '';
// Test files share the document: its own cookie is back when this one ends.
beforeAll(() => {
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => cookie,
    set: (written: string) => {
      if (written.startsWith('internal-dash-token=')) cookie = written.split(';')[0] ?? '';
    },
  });
});
afterAll(() => {
  Reflect.deleteProperty(document, 'cookie');
});
const keep = (token: string) => {
  cookie = `internal-dash-token=${token}`;
};
const refused = Object.assign(new Error('refused'), { statusCode: 401 });

test('a call that is refused while another tab confirms waits for the new token', async () => {
  keep('old');
  const tab = new BroadcastChannel('session');
  const witness = new BroadcastChannel('session');
  const heard = new Promise((resolve) => witness.addEventListener('message', resolve, { once: true }));
  tab.postMessage('replacing');
  await heard;
  const waiting = isReplaced('old');
  keep('new');
  tab.postMessage('replaced');
  expect(await waiting).toBe(true);
  tab.close();
  witness.close();
});

test('an upload whose token a confirmation replaced is sent again, once, and one of an ended session is not', async () => {
  keep('old');
  const sent: string[] = [];
  const send = async (token: string) => {
    sent.push(token);
    if (token !== 'new') throw refused;
    return 'kept';
  };
  const confirming = replaceToken(
    async () => 'new',
    (token) => token,
  );
  expect(await sendWithToken(send)).toBe('kept');
  await confirming;
  expect(sent).toEqual(['old', 'new']);
  keep('over');
  await expect(sendWithToken(send)).rejects.toBe(refused);
  expect(sent).toEqual(['old', 'new', 'over']);
});
