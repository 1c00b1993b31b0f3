// How many imports run at once on all servers (security review, row 6), and what happens when the caller
// hangs up.
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inSlot, takeSlot, workLimits } from '#server/platform/db/work-slots.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';
import { takeRowsIn } from './incoming-rows.ts';

const mapping = {
  dataset: 'payments',
  source: 'till',
  currency: 'EUR',
  fields: {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'amount',
    status: { constant: 'paid' },
  },
};
const rows = Array.from({ length: 15_000 }, (_, at) => `${at},2026-01-05 10:00,${at}.25`);
const file = ['id,when,amount', ...rows].join('\n');
const oneRow = (id: string) => `id,when,amount\n${id},2026-01-05 10:00,1.25\n`;
const allWait = { code: 'TOO_MANY_ATTEMPTS', message: 'Other imports are waiting. Try again later' };

let app: TestApp;
let beside: TestApp;
let person: string;
let other: string;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ beside: app });
  [person, other] = [await importer(), await importer()];
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  for (const source of ['till', 'shop'])
    await app.gql(person, save, { name: source, mapping: JSON.stringify({ ...mapping, source }) });
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
});
beforeEach(() => app.database.pool.query('delete from work_slots'));

const importer = async (): Promise<string> => app.signIn(await app.person({ permissions: importing }));
const slots = async (): Promise<number> =>
  (await app.database.pool.query('select count(*)::int as count from work_slots')).rows[0].count;
const send = (at: TestApp, payload = file, query = 'mapping=till', by = person) =>
  at.call({
    method: 'POST',
    url: `/api/import/payments?${query}`,
    headers: { authorization: `Bearer ${by}`, 'content-type': 'text/csv' },
    payload,
  });

/** Begins to send a file, and goes on when it's asked. */
async function begin(path: string, by: string, length: number) {
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const call = request({
    ...{ method: 'POST', port, host: '127.0.0.1', path },
    headers: { authorization: `Bearer ${by}`, 'content-type': 'text/csv', 'content-length': length },
  });
  call.on('error', () => {});
  const answered = once(call, 'response');
  answered.catch(() => {});
  return { call, answered };
}

/** Runs the statement in a transaction that stays open during the work. */
async function whileHolding(statement: string, work: (holder: PoolClient) => Promise<void>): Promise<void> {
  const holder = await app.database.pool.connect();
  try {
    await holder.query(`begin; set local idle_in_transaction_session_timeout = 0; ${statement}`);
    await work(holder);
    await holder.query('commit');
  } finally {
    holder.release(true);
  }
}

/** Blocks imports at their first batch during the work. */
const whileTheyWait = (work: () => Promise<void>) => whileHolding('lock table payments in share mode', work);
/** Blocks what changes payments, or only what begins to. */
const whileLocked = (what: 'numbers' | 'import_runs', work: (holder: PoolClient) => Promise<void>) =>
  whileHolding(`select pg_advisory_xact_lock(hashtext('${what}'), hashtext('payments'))`, work);

test('of fourteen imports sent at once to two servers two run, and the others come back later', async () => {
  const dry = 'mapping=till&wait=no&dryRun=1';
  const [answers, last] = await new Promise<[Awaited<ReturnType<typeof send>>[], Awaited<ReturnType<typeof send>>]>(
    (resolve, reject) => {
      whileTheyWait(async () => {
        const sent = Array.from({ length: 14 }, (_, at) =>
          send(at % 2 ? app : beside, file, dry, at % 4 < 2 ? person : other),
        );
        const all = await Promise.all(sent);
        resolve([all, await send(app)]);
        expect(await slots()).toBe(workLimits.import);
      }).catch(reject);
    },
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect([answers.filter(({ statusCode }) => statusCode === 202).length, refused.length]).toEqual([2, 12]);
  expect(last.json().error).toEqual({
    code: 'TOO_MANY_ATTEMPTS',
    message: 'Other imports are running. Try again later',
  });
  expect([...refused, last].map(({ headers }) => headers['retry-after'])).toEqual(Array(13).fill('30'));
  await expect.poll(slots).toBe(0);
  expect((await send(app)).statusCode).toBe(200);
});

test('a file of more than 2 GB is refused before it is received', async () => {
  const { call, answered } = await begin('/api/import/payments?mapping=till', person, 2 * 1024 ** 3 + 1);
  call.flushHeaders();
  const [response] = await answered;
  expect(await json(response)).toMatchObject({
    error: { code: 'FILE_TOO_LARGE', message: 'The file is larger than 2 GB. Split it, or save it as Parquet or gzip' },
  });
  call.destroy();
  expect(await slots()).toBe(0);
});

test('a slot comes back when a file is refused, a mapping is not there, or the import fails', async () => {
  for (const [payload, query] of [
    ['', 'mapping=till'],
    ['a,b\n1,2\n', 'mapping=till'],
    [file, 'mapping=none'],
  ] as const) {
    expect((await send(app, payload, query)).statusCode).toBe(400);
    expect(await slots()).toBe(0);
  }
  await expect(inSlot(app.database, 'import', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await slots()).toBe(0);
});

test('while a file is received its sender takes no second slot, and a mapping is looked up before', async () => {
  const small = 'id,when,amount\nslow,2026-01-05 10:00,1.25\n';
  const path = '/api/import/payments?mapping=till';
  const slow = await begin(path, person, small.length);
  slow.call.write(small.slice(0, 20));
  await expect.poll(slots).toBe(1);
  const second = await begin(path, person, small.length);
  second.call.write(small.slice(0, 20));
  const [refused] = await second.answered;
  expect(refused.statusCode).toBe(429);
  expect(await json(refused)).toMatchObject({
    error: { message: 'Your other file is still uploading. Try again when it is done' },
  });
  const unknown = await begin('/api/import/payments?mapping=none', other, small.length);
  unknown.call.write(small.slice(0, 20));
  expect((await unknown.answered)[0].statusCode).toBe(400);
  expect((await send(app, small, 'mapping=till', other)).statusCode).toBe(200);
  slow.call.end(small.slice(20));
  expect((await slow.answered)[0].statusCode).toBe(200);
  for (const { call } of [slow, second, unknown]) call.destroy();
  await expect.poll(slots).toBe(0);
  // An import that runs is nobody's own.
  await whileTheyWait(async () => {
    for (const id of ['run-1', 'run-2'])
      expect(
        (await send(app, small.replace('slow', id), `mapping=${id === 'run-1' ? 'till' : 'shop'}&wait=no`)).statusCode,
      ).toBe(202);
  });
  await expect.poll(slots).toBe(0);
});

test('a service token has one import at a time, which leaves a slot to others', async () => {
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  const create = 'mutation { createServiceToken(name: "two", datasets: ["payments"]) { token } }';
  const { token } = (await app.gql(admin, create)).data.createServiceToken;
  const dry = 'mapping=till&dryRun=1&wait=no';
  await whileTheyWait(async () => {
    expect((await send(app, oneRow('token-1'), 'mapping=till&wait=no', token)).statusCode).toBe(202);
    for (const query of [dry, 'mapping=shop&wait=no']) {
      const second = await send(beside, oneRow('token-2'), query, token);
      expect([second.statusCode, second.json().error?.message]).toEqual([
        429,
        'This token’s other import is still running. Try again when it is done',
      ]);
    }
    expect((await send(app, oneRow('token-3'), 'mapping=shop&wait=no')).statusCode).toBe(202);
  });
  await expect.poll(slots).toBe(0);
  expect((await send(app, oneRow('token-2'), 'mapping=shop', token)).statusCode).toBe(200);
});

test('a session without a recent proof runs one import or dry run at a time, and its person another', async () => {
  const was = app.clock.now();
  const id = await app.person({ permissions: importing });
  const stale = await app.signIn(id);
  app.clock.advance({ minutes: 11 });
  for (const first of ['', '&dryRun=1']) {
    await whileTheyWait(async () => {
      expect((await send(app, oneRow(`stale${first}`), `mapping=till&wait=no${first}`, stale)).statusCode).toBe(202);
      for (const query of ['mapping=shop&wait=no', 'mapping=shop&wait=no&dryRun=1'])
        expect((await send(beside, oneRow('stale-2'), query, stale)).json().error?.code).toBe('CONFIRM_IDENTITY');
      const own = await send(beside, oneRow(`own${first}`), 'mapping=shop&wait=no', await app.signIn(id));
      expect(own.statusCode).toBe(202);
    });
    await expect.poll(slots).toBe(0);
  }
  app.clock.set(was);
});

test.each(['another sign-in', 'a copy of the token'])(
  'a person has one dry run at a time, and “Sign out everywhere” ends it: sent with %s',
  async (sentWith) => {
    const dry = 'mapping=till&dryRun=1&wait=no';
    const was = app.clock.now();
    const id = await app.person({ permissions: importing, passwordHash: 'set' });
    const other = await app.signIn(id);
    app.clock.set(was.add({ seconds: 1 }));
    const owner = await app.signIn(id);
    const thief = sentWith === 'another sign-in' ? other : owner;
    await whileTheyWait(async () => {
      const first = await send(app, file, dry, thief);
      expect(first.statusCode).toBe(202);
      const second = await send(beside, file, dry, thief);
      expect([second.statusCode, second.json().error?.message]).toEqual([
        429,
        'Your other file is still uploading or being checked. Try again when it is done',
      ]);
      expect((await send(app, oneRow(sentWith), 'mapping=shop&wait=no')).statusCode).toBe(202);
      expect((await app.gql(owner, 'mutation { signOutEverywhere(also: []) { token } }')).code).toBeNull();
      // Each progress report asks whether to continue.
      const seen = async () =>
        (await app.database.pool.query('select xmin from import_runs where id = $1', [first.json().run])).rows[0].xmin;
      for (let times = 0; times < 2; times += 1) {
        const before = await seen();
        await expect.poll(seen).not.toBe(before);
      }
    });
    await expect.poll(slots).toBe(0);
    const last = 'select state, reason from import_runs where is_dry_run order by id desc limit 1';
    expect((await app.database.pool.query(last)).rows).toEqual([
      {
        state: 'stopped',
        reason: 'The session that started it ended or was renewed. Run it again',
      },
    ]);
    app.clock.set(was);
  },
);

test('a dry run goes on when the hour of its session is over', async () => {
  const id = await app.person({ permissions: importing });
  let run = '';
  await whileTheyWait(async () => {
    run = (await send(app, file, 'mapping=till&dryRun=1&wait=no', await app.signIn(id))).json().run;
    app.clock.advance({ hours: 2 });
    const seen = async () =>
      (await app.database.pool.query('select xmin from import_runs where id = $1', [run])).rows[0].xmin;
    for (let times = 0; times < 2; times += 1) {
      const before = await seen();
      await expect.poll(seen).not.toBe(before);
    }
  });
  await expect.poll(slots).toBe(0);
  const { rows } = await app.database.pool.query('select state from import_runs where id = $1', [run]);
  expect(rows).toEqual([{ state: 'done' }]);
  app.clock.advance({ hours: -2 });
});

test.each(['session', 'service token'])('a file that is still being sent ends with its %s', async (kind) => {
  const admin = await app.person({ role: 'admin', passwordHash: 'set' });
  const owner = await app.signIn(admin);
  const create = 'mutation { createServiceToken(name: "slow", datasets: ["payments"]) { token } }';
  const by = kind === 'session' ? owner : (await app.gql(owner, create)).data.createServiceToken.token;
  const slow = await begin('/api/import/payments?mapping=till&wait=no', by, 1_000);
  slow.call.write('id,when,amount\n');
  await expect.poll(slots).toBe(1);
  if (kind === 'session')
    expect((await app.gql(owner, 'mutation { signOutEverywhere(also: []) { token } }')).code).toBeNull();
  else await app.database.pool.query('update service_tokens set revoked_at = now()');
  // The browser sends it again only after this answer.
  expect((await slow.answered)[0].statusCode).toBe(401);
  await expect.poll(slots).toBe(0);
  slow.call.destroy();
});

test('one person takes only a part of the previews and imports of people', async () => {
  for (const [kind, own] of [
    ['importPreview', 2],
    ['peopleImport', 1],
  ] as const) {
    const taken = [];
    for (let at = 0; at < own; at += 1) taken.push(await takeSlot(app.database, kind, 'one'));
    await expect(takeSlot(beside.database, kind, 'one')).rejects.toMatchObject({
      refusal: { code: 'TOO_MANY_ATTEMPTS' },
    });
    taken.push(await takeSlot(beside.database, kind, 'another'));
    await Promise.all(taken.map((slot) => slot.release()));
  }
});

test('a sender slower than 8 KB a second is ended, and one above the pace isn’t', async () => {
  const folder = app.parts.files.incoming;
  async function* drip(times: number, bytes: number) {
    for (let at = 0; at < times; at += 1) {
      yield Buffer.alloc(bytes);
      await sleep(20);
    }
  }
  const pace = { windowMs: 200, bytes: 1_000 };
  await expect(takeRowsIn(Readable.from(drip(1_000, 1)), folder, { pace })).rejects.toMatchObject({
    refusal: { code: 'BAD_REQUEST' },
  });
  expect(readdirSync(folder)).toEqual([]);
  const received = await takeRowsIn(Readable.from(drip(30, 1_000)), folder, { pace });
  expect(received.size).toBe(30_000);
  rmSync(received.path);
});

test('a slot of a server that died ends by itself, and one that is in use does not', async () => {
  const dead = await takeSlot(app.database, 'import');
  await takeSlot(beside.database, 'import');
  await expect(takeSlot(app.database, 'import')).rejects.toMatchObject({ refusal: { code: 'TOO_MANY_ATTEMPTS' } });
  await app.database.pool.query(
    "update work_slots set ends_at = now() - interval '1 second' where id = (select id from work_slots limit 1)",
  );
  const freed = await takeSlot(app.database, 'import');
  await expect(takeSlot(app.database, 'import')).rejects.toMatchObject({ refusal: { code: 'TOO_MANY_ATTEMPTS' } });
  await Promise.all([dead.release(), freed.release()]);
});

test('a slot can change its kind only while one of the other kind is free', async () => {
  const [first, second] = [await takeSlot(app.database, 'import'), await takeSlot(app.database, 'import')];
  expect(await first.become('importWaiting')).toBe(true);
  const third = await takeSlot(app.database, 'import');
  expect(await first.become('import')).toBe(false);
  expect(await first.become('importWaiting')).toBe(true);
  await second.release();
  expect(await first.become('import')).toBe(true);
  await expect(takeSlot(app.database, 'import')).rejects.toMatchObject({ refusal: { code: 'TOO_MANY_ATTEMPTS' } });
  await Promise.all([first.release(), third.release()]);
});

test('an import that waits for its source’s turn leaves the slot to another source', async () => {
  const kinds = async () =>
    (await app.database.pool.query('select kind from work_slots order by 1')).rows.map(({ kind }) => kind);
  const runs: string[] = [];
  await whileTheyWait(async () => {
    for (const id of ['turn-1', 'turn-2']) runs.push((await send(app, oneRow(id), 'mapping=till&wait=no')).json().run);
    await expect.poll(kinds).toEqual(['import', 'importWaiting']);
    const other = await send(beside, oneRow('turn-3'), 'mapping=shop&wait=no');
    expect(other.statusCode).toBe(202);
    runs.push(other.json().run);
    await expect.poll(kinds).toEqual(['import', 'import', 'importWaiting']);
  });
  await expect.poll(slots).toBe(0);
  const { rows: ends } = await app.database.pool.query('select state, inserted from import_runs where id = any($1)', [
    runs,
  ]);
  expect(ends).toEqual(runs.map(() => ({ state: 'done', inserted: '1' })));
});

test('imports that wait for a removal of their source leave all slots to others, and too many are refused', async () => {
  const admin = await app.signIn(await app.person({ role: 'admin' }));
  await send(app, oneRow('queue-0'));
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  await whileLocked('numbers', async () => {
    const removing = 'mutation { removeImportSource(dataset: "payments", source: "till") { id } }';
    expect((await app.gql(admin, removing)).code).toBeNull();
    for (let at = 1; at <= 6; at += 1)
      answers.push(await send(at % 2 ? app : beside, oneRow(`queue-${at}`), 'mapping=till&wait=no'));
  });
  await expect.poll(slots).toBe(0);
  const accepted = answers.filter(({ statusCode }) => statusCode === 202).map((answer) => answer.json().run);
  const { rows: ends } = await app.database.pool.query(
    'select state, reason, inserted::int from import_runs where id = any($1)',
    [accepted],
  );
  expect(ends).toEqual(Array(workLimits.importWaiting).fill({ state: 'done', reason: null, inserted: 1 }));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused.map((answer) => [answer.json().error, answer.headers['retry-after']])).toEqual(
    Array(2).fill([allWait, '30']),
  );
  expect((await send(app, oneRow('queue-7'), 'mapping=shop')).statusCode).toBe(200);
});

test('an import that has to wait for a command fails without a place for it, and a later one is refused', async () => {
  const { pool } = app.database;
  const places = Array.from({ length: workLimits.importWaiting }, () => takeSlot(app.database, 'importWaiting'));
  const waiting = await Promise.all(places);
  let sent: ReturnType<typeof send> | undefined;
  await whileLocked('import_runs', async (holder) => {
    sent = send(app, oneRow('place'));
    const waits = "select from pg_locks where locktype = 'advisory' and not granted";
    await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
    // A command that begins after the import looked for others.
    await holder.query(
      `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, state, started_at, seen_at, size)
      values ('payments', 'till', 'till', 'years.csv', false, 'command', 'running', $1, $1, 1)`,
      [app.clock.now().toString()],
    );
  });
  expect((await sent)!.json()).toMatchObject({ state: 'failed', reason: allWait.message, rows: 0, inserted: 0 });
  expect((await send(app, oneRow('place'))).json().error).toEqual(allWait);
  expect(await slots()).toBe(workLimits.importWaiting);
  // A dry run waits for nobody.
  expect((await send(app, oneRow('place'), 'mapping=till&dryRun=1')).json()).toMatchObject({ state: 'done', rows: 1 });
  // With a place, it waits until the command is done.
  await waiting.pop()!.release();
  sent = send(app, oneRow('place'));
  await expect.poll(slots).toBe(workLimits.importWaiting);
  await pool.query("update import_runs set state = 'done' where way = 'command'");
  expect((await sent).json()).toMatchObject({ state: 'done', inserted: 1 });
  await Promise.all(waiting.map((slot) => slot.release()));
});

test('each kind of work has slots of its own', async () => {
  const taken = [await takeSlot(app.database, 'peopleImport'), await takeSlot(app.database, 'peopleImport')];
  const people = await app.call({
    method: 'POST',
    url: '/api/people/import',
    headers: { authorization: `Bearer ${person}` },
    payload: { file: Buffer.from('e-mail\n').toString('base64'), dryRun: true },
  });
  expect([people.statusCode, people.json().error?.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  expect((await send(app)).statusCode).toBe(200);
  await Promise.all(taken.map((slot) => slot.release()));
});

test('an import whose caller hangs up stops, keeps what it did and gives its slot back', async () => {
  const { call } = await begin('/api/import/payments?mapping=till', person, Buffer.byteLength(file));
  await whileTheyWait(async () => {
    call.end(file);
    await once(call, 'finish');
    await expect
      .poll(async () => (await app.database.pool.query("select from import_runs where state = 'running'")).rowCount)
      .toBe(1);
    call.destroy();
  });
  await expect.poll(slots).toBe(0);
  const { rows: runs } = await app.database.pool.query(
    'select state, reason from import_runs order by id desc limit 1',
  );
  expect(runs).toEqual([
    { state: 'stopped', reason: 'The connection was closed. Import the file again: no row is counted twice' },
  ]);
});

test('whoever may not import any more when the file has come imports nothing', async () => {
  const personId = await app.person({ permissions: importing });
  const small = 'id,when,amount\nlate,2026-01-05 10:00,1.25\n';
  const { call, answered } = await begin('/api/import/payments?mapping=till', await app.signIn(personId), small.length);
  call.write(small.slice(0, 20));
  // The slot is taken once the sender is authorized.
  await expect.poll(slots).toBe(1);
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [personId]);
  call.end(small.slice(20));
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(401);
  await expect.poll(slots).toBe(0);
  expect((await app.database.pool.query("select from payments where external_id = 'late'")).rowCount).toBe(0);
});

test('an import that cannot be recorded leaves no thread and no file behind', async () => {
  const threads = () => (process.report.getReport() as { workers: unknown[] }).workers.length;
  await send(app, 'id,when,amount\n1,2026-01-05 10:00,1.25\n');
  const before = threads();
  await app.asOwner('alter table import_runs rename to import_runs_away');
  try {
    for (let time = 0; time < 3; time += 1) expect((await send(app)).statusCode).toBe(500);
  } finally {
    await app.asOwner('alter table import_runs_away rename to import_runs');
  }
  await expect.poll(threads).toBe(before);
  expect(readdirSync(app.parts.files.incoming)).toEqual([]);
});

test('an import ends when whoever sent it may not import any more, by session or by token', async () => {
  const admin = await app.person({ role: 'admin' });
  const owner = await app.signIn(admin);
  const create = 'mutation { createServiceToken(name: "till", datasets: ["payments"]) { token } }';
  const personId = await app.person({ permissions: importing });
  const service = (await app.gql(owner, create)).data.createServiceToken as { token: string };
  const ends: [string, () => Promise<unknown>][] = [
    [
      await app.signIn(personId),
      () => app.database.pool.query('update people set disabled_at = now() where id = $1', [personId]),
    ],
    [service.token, () => app.database.pool.query('update service_tokens set revoked_at = now()')],
  ];
  for (const [token, end] of ends) {
    await whileTheyWait(async () => {
      const { statusCode } = await app.call({
        method: 'POST',
        url: '/api/import/payments?mapping=till&wait=no',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
        payload: file,
      });
      expect(statusCode).toBe(202);
      await end();
      // Each progress report changes the row and asks whether to continue.
      const version = async () =>
        (await app.database.pool.query("select xmin from import_runs where state = 'running'")).rows[0].xmin;
      for (let times = 0; times < 2; times += 1) {
        const before = await version();
        await expect.poll(version).not.toBe(before);
      }
    });
    const last = 'select state, reason, inserted from import_runs order by id desc limit 1';
    await expect.poll(async () => (await app.database.pool.query(last)).rows[0].state).not.toBe('running');
    const { rows } = await app.database.pool.query(last);
    expect(rows[0]).toMatchObject({
      state: 'stopped',
      reason: 'The sender can no longer import. Imported rows stay',
    });
  }
});

test('a report of refused rows takes one of its person’s exports, and its ticket stays good while none is free', async () => {
  const id = await app.person({ permissions: importing });
  const by = await app.signIn(id);
  const { run } = (await send(app, 'id,when,amount\n1,soon,1\n', 'mapping=till', by)).json();
  const ask = 'mutation ($run: ID!) { createImportReportTicket(run: $run) }';
  const url = (await app.gql(by, ask, { run })).data.createImportReportTicket;
  const taken = [await takeSlot(app.database, 'export', id), await takeSlot(app.database, 'export', id)];
  const refused = await app.call({ url });
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  for (const slot of taken) await slot.release();
  expect((await app.call({ url })).body).toContain('soon');
});
