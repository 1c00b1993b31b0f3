import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FileStore } from '#server/platform/storage/files.ts';
import { useKey } from '#server/platform/storage/files.ts';
import { startTestApp, type TestApp, wednesday } from '../../../../test/app.ts';
import { clearAway } from './attachments.service.ts';

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.alloc(64),
]);
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n');

let server: TestApp;
let people: { owner: string; approver: string; stranger: string };
let tokens: { owner: string; approver: string; stranger: string };
let taskId: string;
let full = false;

beforeAll(async () => {
  server = await startTestApp();
  const { files } = server.parts;
  const keep = files.keep.bind(files);
  // A disk that the test can fill up.
  (files as { keep: FileStore['keep'] }).keep = async (key, path) => {
    await keep(key, path);
    if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const approver = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const owner = await server.person({
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'],
    approvers: [approver],
    role: 'Keeper',
  });
  const stranger = await server.person({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  people = { owner, approver, stranger };
  await server.sprint();
  await signInAll();
  const { data } = await server.gql(
    tokens.owner,
    'mutation ($userId: ID!) { createTask(title: "Write it down", userId: $userId) { id } }',
    { userId: owner },
  );
  taskId = data.createTask.id;
});
afterAll(() => server.stop());
beforeEach(async () => {
  full = false;
  server.clock.set(wednesday);
});

async function signInAll(): Promise<void> {
  tokens = {
    owner: await server.signIn(people.owner),
    approver: await server.signIn(people.approver),
    stranger: await server.signIn(people.stranger),
  };
}

type Part = { name: string; value: string | Buffer; fileName?: string };

function form(parts: Part[]): { payload: Buffer; headers: Record<string, string> } {
  const chunks = parts.flatMap(({ name, value, fileName }) => [
    Buffer.from(
      `--mark\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: text/html`}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return {
    payload: Buffer.concat([...chunks, Buffer.from('--mark--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=mark' },
  };
}

const upload = (parts: Part[], headers: Record<string, string> = {}) => {
  const { payload, headers: own } = form(parts);
  return server.call({ method: 'POST', url: '/attachment', payload, headers: { ...own, ...headers } });
};
const raw = (payload: string, boundary: string) =>
  server.call({
    method: 'POST',
    url: '/attachment',
    payload,
    headers: {
      authorization: `Bearer ${tokens.owner}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
const attach = (value: string | Buffer, fileName: string, more: Part[] = []) =>
  upload([
    { name: 'taskId', value: taskId },
    { name: 'authorization', value: tokens.owner },
    ...more,
    { name: 'attachment', value, fileName },
  ]);

test('a file that comes before its credentials is looked at for nobody unknown', async () => {
  const file = { name: 'attachment', value: 'no picture', fileName: 'x.png' };
  const send = async (authorization: string) =>
    (await upload([file, { name: 'taskId', value: taskId }, { name: 'authorization', value: authorization }])).json()
      .error.code;
  expect(await send('Bearer nobody')).toBe('NOT_SIGNED_IN');
  expect(await send(tokens.stranger)).toBe('NOT_FOUND');
  expect(await send(tokens.owner)).toBe('FILE_TYPE_NOT_ALLOWED');
  expect(incoming()).toBe(0);
});

test('a file from the page of someone else who was signed in before is taken for nobody', async () => {
  const parts = [
    { name: 'authorization', value: tokens.owner },
    { name: 'taskId', value: taskId },
    { name: 'attachment', value: png, fileName: 'a.png' },
  ];
  const answer = await upload(parts, { 'x-person': '999999' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([412, 'OTHER_PERSON']);
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== useKey)
    .map(({ name }) => name);
const stored = () => filesIn(join(server.parts.config.dataDir, 'files')).length;
const incoming = () => filesIn(server.parts.files.incoming).length;

test.each<[string, () => ReturnType<typeof upload>, number, string]>([
  [
    'nobody',
    () =>
      upload([
        { name: 'taskId', value: taskId },
        { name: 'attachment', value: png, fileName: 'a.png' },
      ]),
    401,
    'NOT_SIGNED_IN',
  ],
  [
    'a wrong token',
    () =>
      upload([
        { name: 'attachment', value: png, fileName: 'a.png' },
        { name: 'taskId', value: taskId },
        { name: 'authorization', value: 'A'.repeat(43) },
      ]),
    401,
    'NOT_SIGNED_IN',
  ],
  [
    'a cookie',
    () =>
      upload(
        [
          { name: 'taskId', value: taskId },
          { name: 'attachment', value: png, fileName: 'a.png' },
        ],
        { cookie: `internal-dash-token=${tokens.owner}` },
      ),
    401,
    'NOT_SIGNED_IN',
  ],
  [
    'somebody else',
    () =>
      upload([
        { name: 'taskId', value: taskId },
        { name: 'authorization', value: tokens.stranger },
        { name: 'attachment', value: png, fileName: 'a.png' },
      ]),
    404,
    'NOT_FOUND',
  ],
  [
    'a task that is not there',
    () =>
      upload([
        { name: 'taskId', value: '999' },
        { name: 'authorization', value: tokens.owner },
        { name: 'attachment', value: png, fileName: 'a.png' },
      ]),
    404,
    'NOT_FOUND',
  ],
  [
    'a task that is no id',
    () =>
      upload([
        { name: 'taskId', value: '1 or 1' },
        { name: 'authorization', value: tokens.owner },
        { name: 'attachment', value: png, fileName: 'a.png' },
      ]),
    400,
    'BAD_INPUT',
  ],
  [
    'no task',
    () =>
      upload([
        { name: 'authorization', value: tokens.owner },
        { name: 'attachment', value: png, fileName: 'a.png' },
      ]),
    400,
    'BAD_INPUT',
  ],
  [
    'no file',
    () =>
      upload([
        { name: 'taskId', value: taskId },
        { name: 'authorization', value: tokens.owner },
      ]),
    400,
    'BAD_INPUT',
  ],
  ['an empty file', () => attach('', 'a.txt'), 400, 'BAD_INPUT'],
  ['another field', () => attach(png, 'a.png', [{ name: 'userId', value: '1' }]), 400, 'BAD_INPUT'],
  ['a field twice', () => attach(png, 'a.png', [{ name: 'taskId', value: '1' }]), 400, 'BAD_INPUT'],
  [
    'two files',
    () =>
      upload([
        { name: 'taskId', value: taskId },
        { name: 'authorization', value: tokens.owner },
        { name: 'attachment', value: png, fileName: 'a.png' },
        { name: 'attachment', value: png, fileName: 'b.png' },
      ]),
    400,
    'BAD_REQUEST',
  ],
  [
    'a type that is not taken',
    () => attach('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'),
    415,
    'FILE_TYPE_NOT_ALLOWED',
  ],
  ['a page', () => attach('<script>alert(1)</script>', 'a.html'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['no extension', () => attach(png, 'picture'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['a page named a picture', () => attach('<script>alert(1)</script>', 'a.png'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['a PDF named a picture', () => attach(pdf, 'a.png'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['bytes named a text', () => attach(png, 'a.txt'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['a text with NUL', () => attach('a\0b', 'a.csv'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  ['a NUL alone', () => attach('\0', 'a.csv'), 415, 'FILE_TYPE_NOT_ALLOWED'],
  [
    '55 bytes that once hung the recogniser',
    () => attach(Buffer.from(`3026b2758e66cf11a6d900aa0062ce6c${'00'.repeat(39)}`, 'hex'), 'a.mp4'),
    415,
    'FILE_TYPE_NOT_ALLOWED',
  ],
  [
    'a body that is no form',
    () =>
      server.call({
        method: 'POST',
        url: '/attachment',
        payload: { taskId },
        headers: { authorization: `Bearer ${tokens.owner}` },
      }),
    415,
    'MEDIA_TYPE_NOT_SUPPORTED',
  ],
  [
    'a form that breaks off in its fields',
    () => raw('--mark\r\nContent-Disposition: form-data; name="taskId"\r\n\r\n1', 'mark'),
    400,
    'BAD_REQUEST',
  ],
  [
    'a form that breaks off in its file',
    () => raw('--mark\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\nhal', 'mark'),
    400,
    'BAD_REQUEST',
  ],
  ['a form with a boundary that is none', () => raw('--z--', 'z'.repeat(300)), 400, 'BAD_REQUEST'],
  ['a form of nothing', () => raw('', 'mark'), 400, 'BAD_INPUT'],
])('an upload that is refused leaves nothing: %s', async (_what, send, status, code) => {
  const before = stored();
  const response = await send();
  expect([response.statusCode, response.json().error?.code]).toEqual([status, code]);
  expect(response.body).not.toMatch(/\/tmp|incoming|FST_/);
  expect([stored(), incoming()]).toEqual([before, 0]);
});

test('a file above the limit is cut off there, also before anybody is known', async () => {
  const small = await startTestApp({
    beside: server,
    parts: { settings: () => ({ ...server.parts.settings(), attachmentMegabytes: 1 }) },
  });
  try {
    for (const size of [1024 * 1024 + 1, 3 * 1024 * 1024]) {
      const { payload, headers } = form([{ name: 'attachment', value: 'a'.repeat(size), fileName: 'a.txt' }]);
      const response = await small.call({ method: 'POST', url: '/attachment', payload, headers });
      expect([response.statusCode, response.json().error]).toEqual([
        413,
        { code: 'FILE_TOO_LARGE', field: 'attachment', message: 'The file is too large' },
      ]);
      expect(filesIn(small.parts.files.incoming)).toEqual([]);
    }
  } finally {
    await small.stop();
  }
});

test('an attached file has its name, type and size, its author, and a link (spec 3)', async () => {
  const response = await attach(png, 'week 47.png');
  expect([response.statusCode, response.json()]).toEqual([
    201,
    {
      attachment: {
        id: expect.any(String),
        userId: people.owner,
        userName: expect.any(String),
        fileName: 'week 47.png',
        mime: 'image/png',
        size: png.length,
        timeStamp: '2026-11-18T12:00:00.000Z',
        url: expect.stringMatching(/^\/attachment\/\d+\?/),
      },
    },
  ]);
  const { rows } = await server.database.pool.query(
    'select f.sha256, h.event, a.action from task_attachments f, task_history h, audit_log a where h.task_id = f.task_id order by f.id desc, h.id desc, a.id desc limit 1',
  );
  expect(rows[0]).toMatchObject({ sha256: createHash('sha256').update(png).digest(), event: 'fileAdded' });
  expect(incoming()).toBe(0);
});

test.each([
  ['the header', (token: string) => ({ authorization: `Bearer ${token}` })],
  ['the field with the word Bearer', null],
] as const)('the token is taken from %s, and the fields in any order', async (_what, headers) => {
  const fields: Part[] = [
    { name: 'attachment', value: 'a;b\n1;2\n', fileName: 'a.csv' },
    { name: 'taskId', value: taskId },
  ];
  const response = await (headers
    ? upload(fields, headers(tokens.owner))
    : upload([...fields, { name: 'authorization', value: `Bearer ${tokens.approver}` }]));
  expect([response.statusCode, response.json().attachment.mime]).toEqual([201, 'text/csv']);
});

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['..\\..\\windows.txt', 'windows.txt'],
  ['a\u202Egnp.exe.txt', 'a gnp.exe.txt'],
  [`${'x'.repeat(5_000)}.txt`, `${'x'.repeat(81)}.txt`],
  ['\u0001a\u0007.txt', 'a .txt'],
  ['Ünïcödé.txt', 'Ünïcödé.txt'],
])('a name is kept for reading and never as a path: %j', async (name, shown) => {
  const { attachment } = (await attach('text', name)).json();
  expect(attachment.fileName).toBe(shown);
  expect(Buffer.byteLength(attachment.fileName)).toBeLessThanOrEqual(255);
  expect(filesIn(join(server.parts.config.dataDir, 'files')).every((key) => /^[\da-f]{40}$/.test(key))).toBe(true);
  const download = await server.call({ url: attachment.url });
  expect(download.headers['content-disposition']).toMatch(/^attachment; filename=/);
  expect(download.body).toBe('text');
});

test('a full disk is told, and neither file nor row stays', async () => {
  const before = stored();
  full = true;
  const response = await attach('text', 'a.txt');
  expect([response.statusCode, response.json().error.code]).toEqual([507, 'OUT_OF_SPACE']);
  expect([stored(), incoming()]).toEqual([before, 0]);
});

test('an upload that breaks off leaves nothing', async () => {
  if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.app.server.address() as { port: number };
  const { payload } = form([
    { name: 'taskId', value: taskId },
    { name: 'authorization', value: tokens.owner },
    { name: 'attachment', value: 'a'.repeat(200_000), fileName: 'a.txt' },
  ]);
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /attachment HTTP/1.1\r\nHost: here\r\nContent-Type: multipart/form-data; boundary=mark\r\nContent-Length: ${payload.length}\r\n\r\n`,
  );
  socket.write(payload.subarray(0, 100_000));
  const [before] = [stored()];
  for (let waited = 0; incoming() === 0 && waited < 60_000; waited += 20) await sleep(20);
  expect(incoming()).toBe(1);
  socket.destroy();
  for (let waited = 0; incoming() > 0 && waited < 60_000; waited += 20) await sleep(20);
  expect([stored(), incoming()]).toEqual([before, 0]);
});

test('a file without an end is told that it is too large, and a part without a head’s end is cut off', async () => {
  const small = await startTestApp({
    beside: server,
    parts: { settings: () => ({ ...server.parts.settings(), attachmentMegabytes: 1 }) },
  });
  await small.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = small.app.server.address() as { port: number };
  /**
   * Sends chunks until stopped or up to `most` bytes; returns the answer, which a caller that keeps sending
   * may miss.
   */
  const sendWithoutEnd = async (start: string, most = Number.POSITIVE_INFINITY) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
    });
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    socket.write(
      `POST /attachment HTTP/1.1\r\nHost: here\r\nContent-Type: multipart/form-data; boundary=mark\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(start)}`,
    );
    while (!socket.destroyed && answer === '') {
      if (!socket.writableNeedDrain && socket.bytesWritten < most) socket.write(chunk('a'.repeat(50_000)));
      await sleep(5);
    }
    socket.destroy();
    return answer;
  };
  try {
    const head = '--mark\r\nContent-Disposition: form-data; name="attachment"';
    const answer = await sendWithoutEnd(`${head}; filename="a.txt"\r\n\r\n`, 1_200_000);
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*FILE_TOO_LARGE/);
    expect(await sendWithoutEnd(head)).not.toMatch(/^HTTP\/1\.1 2/);
    for (let waited = 0; filesIn(small.parts.files.incoming).length > 0 && waited < 60_000; waited += 20)
      await sleep(20);
    expect(filesIn(small.parts.files.incoming)).toEqual([]);
  } finally {
    await small.stop();
  }
});

/** Attaches a file as its owner, and returns the link shown on the task. */
async function attachedLink(token: string, value: string | Buffer, fileName: string): Promise<string> {
  const { attachment } = (await attach(value, fileName)).json();
  const { data } = await server.gql(
    token,
    'query ($taskId: ID!) { getTasks(taskId: $taskId) { attachments { id url } } }',
    { taskId },
  );
  return data.getTasks[0].attachments.find(({ id }: { id: string }) => id === attachment.id).url;
}

test('a link is good for ten minutes, for the person it was made for, and only unchanged', async () => {
  const link = await attachedLink(tokens.approver, 'text', 'a.txt');
  expect(await server.call({ url: link })).toMatchObject({ statusCode: 200, body: 'text' });
  const changed = [
    link.replace(/person=\d+/, `person=${people.stranger}`),
    link.replace(/expires=\d+/, 'expires=99999999999'),
    link.replace(/attachment\/\d+/, 'attachment/1'),
    link.replace(/signature=.{4}/, 'signature=AAAA'),
  ];
  for (const url of changed) expect([(await server.call({ url })).statusCode, url !== link]).toEqual([403, true]);
  for (const url of [link.split('?')[0] as string, `${link}&person=1`, `${link}&more=1`])
    expect((await server.call({ url })).statusCode).toBe(400);
  server.clock.advance({ minutes: 9, seconds: 59 });
  expect((await server.call({ url: link })).statusCode).toBe(200);
  server.clock.advance({ seconds: 1 });
  const late = await server.call({ url: link });
  expect([late.statusCode, late.json().error.code]).toEqual([403, 'LINK_EXPIRED']);
});

test('rights are checked again when a link is used', async () => {
  const link = await attachedLink(tokens.approver, 'text', 'a.txt');
  await server.database.pool.query('delete from approvers where person_id = $1', [people.owner]);
  expect((await server.call({ url: link })).statusCode).toBe(404);
  await server.database.pool.query('insert into approvers (person_id, approver_id) values ($1, $2)', [
    people.owner,
    people.approver,
  ]);
  expect((await server.call({ url: link })).statusCode).toBe(200);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [people.approver]);
  expect((await server.call({ url: link })).statusCode).toBe(403);
  await server.database.pool.query('update people set disabled_at = null where id = $1', [people.approver]);
});

test('a file is saved and never run; only pictures and texts are shown in place', async () => {
  const link = await attachedLink(tokens.owner, '<script>alert(1)</script>', 'a.md');
  const saved = await server.call({ url: link });
  expect(saved.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  });
  expect(saved.headers['content-disposition']).toMatch(/^attachment/);
  expect((await server.call({ url: `${link}&inline=1` })).headers['content-disposition']).toMatch(/^inline/);
  const paper = await server.call({ url: `${await attachedLink(tokens.owner, pdf, 'a.pdf')}&inline=1` });
  expect(paper.headers['content-disposition']).toMatch(/^attachment/);
});

const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(504)]);
const webp = Buffer.from('RIFF\x1a\0\0\0WEBPVP8 \x0e\0\0\0', 'latin1');

test.each([
  ['a table from Excel on Windows', Buffer.from('Straße;1\n', 'latin1'), 'a.csv', 'application/octet-stream', false],
  ['a text cut within a character', Buffer.from('é').subarray(0, 1), 'a.md', 'application/octet-stream', false],
  ['a log from PowerShell', Buffer.from('\ufeffDone\r\n', 'utf16le'), 'a.log', 'application/octet-stream', false],
  ['a text in UTF-8', Buffer.from('Straße'), 'a.txt', 'text/plain', true],
  ['an image that a browser saved as .jpg', webp, 'a.jpg', 'image/webp', true],
  [
    'a workbook with a password',
    compound,
    'a.xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    false,
  ],
])('%s is attached, and shown only if it has a type that shows it', async (_what, content, name, mime, isShown) => {
  const response = await attach(content, name);
  expect([response.statusCode, response.json().attachment?.mime]).toEqual([201, mime]);
  const { headers, rawPayload } = await server.call({ url: `${response.json().attachment.url}&inline=1` });
  expect(rawPayload).toEqual(content);
  expect(headers['content-disposition']).toMatch(isShown ? /^inline/ : /^attachment/);
  expect(headers['content-type']).toBe(mime === 'text/plain' ? 'text/plain; charset=utf-8' : mime);
});

test('a refusal says whether the kind or the content is the reason', async () => {
  const messageOf = async (content: Buffer | string, name: string) =>
    (await attach(content, name)).json().error.message;
  expect(await messageOf('hello', 'a.exe')).toMatch(/^This file type isn’t allowed/);
  for (const name of ['a.png', 'a.csv', 'a.xlsx', 'a.mp4'])
    expect(await messageOf(`${pdf}\0`, name)).toMatch(/^The file’s content doesn’t match its extension/);
});

test('what no task names is cleared away after days, and left alone while a copy of the database uses the files', async () => {
  const link = await attachedLink(tokens.owner, 'text', 'kept.txt');
  const before = stored();
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(server.parts.files.incoming, 'left'), 'half');
  writeFileSync(join(server.parts.config.dataDir, 'files', 'orphan'), 'nobody');
  server.clock.set(Temporal.Now.instant());
  await clearAway(server.parts);
  expect([stored(), incoming()]).toEqual([before + 1, 1]);
  const daysLater = async () => {
    server.clock.advance({ hours: 73 });
    await clearAway(server.parts);
    return [stored(), incoming()];
  };
  await server.parts.files.writeUse(JSON.stringify({ run: 'of a copy', since: server.clock.now() }));
  expect(await daysLater()).toEqual([before + 1, 0]);
  await server.parts.files.writeUse('{"run": "cut o');
  expect(await daysLater()).toEqual([before + 1, 0]);
  expect(await daysLater()).toEqual([before, 0]);
  server.clock.set(wednesday);
  expect((await server.call({ url: link })).statusCode).toBe(200);
});
