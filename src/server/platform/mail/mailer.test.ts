import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../../test/mail-server.ts';
import { type Mail, MailFailure, openMailer } from './mailer.ts';

const from = 'Staff dashboard <dashboard@company.test>';
const mail: Mail = { to: 'anna@company.test', subject: 'Task approved', text: 'Your task was approved.' };

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.refuse(null);
  server.mails.length = 0;
});

const mailer = () => openMailer({ mail: { url: server.url, from } });
const failureOf = (sending: Promise<void>): Promise<MailFailure> =>
  sending.then(
    () => Promise.reject(new Error('The mail was sent')),
    (error) => {
      expect(error).toBeInstanceOf(MailFailure);
      return error as MailFailure;
    },
  );

test('without a mail server nothing is sent, and whoever asks is told', async () => {
  const none = openMailer({ mail: undefined });
  expect(none.configured).toBe(false);
  expect((await failureOf(none.send(mail))).message).toBe('No mail server is set up');
});

test.each([
  ['anna@company.test\r\nbcc: eve@else.test'],
  ['anna@company.test, eve@else.test'],
  ['Anna <anna@company.test>'],
  ['anna'],
  ['anna@jira.import.invalid'],
  [''],
])('%j isn’t one address that can receive mail, so nothing is sent', async (to) => {
  expect((await failureOf(mailer().send({ ...mail, to }))).permanent).toBe(true);
  expect(server.mails).toEqual([]);
});

test('a mail arrives as it was written, from the sender that is set', async () => {
  const text = 'Zoë approved “Größe prüfen”.\n\nhttps://dash.company.test/top-5/tasks?task=7\n.\nEnd';
  await mailer().send({ ...mail, subject: 'Größe prüfen was approved', text, id: 'notice-7' });
  expect(server.mails).toHaveLength(1);
  const [received] = server.mails;
  expect(received).toMatchObject({ from: 'dashboard@company.test', to: ['anna@company.test'], text });
  expect(received?.headers).toMatchObject({
    from,
    to: 'anna@company.test',
    subject: 'Größe prüfen was approved',
    'message-id': '<notice-7@company.test>',
    'auto-submitted': 'auto-generated',
  });
  expect(received?.headers['content-type']).toContain('text/plain');
});

test.each([
  'Hello\r\nBcc: eve@else.test',
  'Hello\nBcc: eve@else.test',
  'Hello\rBcc: eve@else.test',
  'Hello\u2028Bcc: x',
])('a line break in a subject stays in the subject: %j', async (subject) => {
  await mailer().send({ ...mail, subject });
  const [received] = server.mails;
  expect(received?.to).toEqual(['anna@company.test']);
  expect(received?.headers).not.toHaveProperty('bcc');
  expect(received?.headers.subject).toMatch(/^Hello Bcc: /);
});

describe('a failure says why, and whether to try again', () => {
  test.each([
    [{ at: 'recipient', code: 550, text: 'No such person' }, true, true],
    [{ at: 'mail', code: 554, text: 'Looks like spam' }, true, true],
    [{ at: 'recipient', code: 450, text: 'Come back later' }, false, true],
    [{ at: 'recipient', code: 421, text: 'Closing down' }, false, false],
    [{ at: 'mail', code: 451, text: 'The disk is full' }, false, false],
  ] as const)('%o', async (refusal, permanent, onlyThisMail) => {
    server.refuse(refusal);
    const failure = await failureOf(mailer().send(mail));
    expect(failure).toMatchObject({ permanent, onlyThisMail });
    expect(failure.message).toContain(refusal.text);
  });

  test('nobody listens', async () => {
    const gone = await startMailServer();
    await gone.stop();
    const failure = await failureOf(openMailer({ mail: { url: gone.url, from } }).send(mail));
    expect(failure.permanent).toBe(false);
    expect(failure.message).toContain('ECONNREFUSED');
  });
});

describe('with a password', () => {
  const login = { user: 'dash', password: 'p@ss:word/%' };
  const urlWith = (port: number, password: string) => `smtp://dash:${encodeURIComponent(password)}@127.0.0.1:${port}`;

  test('the right one sends, a wrong one is told without being shown and is tried again', async () => {
    const closed = await startMailServer({ login });
    await openMailer({ mail: { url: urlWith(closed.port, login.password), from } }).send(mail);
    expect(closed.mails).toHaveLength(1);
    const failure = await failureOf(openMailer({ mail: { url: urlWith(closed.port, 'wr0ng!'), from } }).send(mail));
    expect(failure).toMatchObject({ permanent: false });
    expect(failure.message).toContain('EAUTH');
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain('wr0ng!');
    await closed.stop();
  });

  test('it leaves this machine over TLS only, and only to whom the certificate names', async () => {
    const asked: string[] = [];
    const closed = await startMailServer({ login, onLogin: (user) => asked.push(user) });
    // 0.0.0.0 reaches this machine but isn't its name.
    const elsewhere = `smtp://dash:secret-word@0.0.0.0:${closed.port}`;
    const secure = await startMailServer({ login, secure: true, onLogin: (user) => asked.push(user) });
    const stranger = `smtps://dash:secret-word@127.0.0.1:${secure.port}`;
    for (const url of [elsewhere, stranger, `smtps://dash:secret-word@127.0.0.1:${closed.port}`])
      expect((await failureOf(openMailer({ mail: { url, from } }).send(mail))).permanent).toBe(false);
    expect(asked).toEqual([]);
    await closed.stop();
    await secure.stop();
  });
});
