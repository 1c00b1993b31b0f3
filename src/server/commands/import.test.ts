import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtMain } from '../../../test/built-server.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-'));
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

type Ended = { code: number | null; out: string; error: string };

const run = (...parameters: string[]): Promise<Ended> => runWith({}, ...parameters);

function runWith(env: Record<string, string>, ...parameters: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [builtMain, 'import', ...parameters], {
    // Settings that only a server needs can be missing or wrong: LINK_SECRET, the port.
    env: { PATH: process.env.PATH, DATABASE_URL: fresh.url, PORT: 'none', ...env },
  });
  const ended = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    ended.out += text;
  });
  child.stderr.on('data', (text) => {
    ended.error += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...ended })));
}

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const fields = {
  id: 'key',
  title: 'title',
  status: { constant: 'TODO' },
  owner: 'who',
  created: 'made',
  sprint: 'made',
};
const mapping = fileOf('mapping.json', JSON.stringify({ dataset: 'tasks', source: 'small', fields }));
const row = (key: string, title: string) => JSON.stringify({ key, title, who: 'sam', made: '2020-01-06T12:00:00Z' });

test('what cannot run ends with 1 and one line that says why', async () => {
  const rows = fileOf('rows.ndjson', row('1', 'x'));
  const wrong = fileOf(
    'wrong.json',
    JSON.stringify({ dataset: 'tasks', source: 'small', fields: { ...fields, titel: 'x' } }),
  );
  const ends = await Promise.all([
    run('tasks', join(folder, 'none.ndjson'), '--mapping', mapping),
    run('tasks', rows, '--mapping', wrong),
    run('tasks', rows),
    run('sheep', rows, '--mapping', mapping),
    run('tasks', rows, '--mapping', mapping, '--report', join(folder, 'no', 'report.csv')),
    run('tasks', rows, '--mapping', mapping, '--report', fileOf('orders-2024.csv', 'key,title\n1,x\n')),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1, 1]);
  const firstLines = ends.map(({ error }) => error.split('\n')[0]);
  expect(firstLines[0]).toContain('File not found');
  expect(firstLines[1]).toContain('fields has "titel", which isn’t a known field');
  expect(firstLines[2]).toBe('--mapping is missing');
  expect(firstLines[3]).toBe(
    'Unknown dataset "sheep". Datasets: tasks, orders, donations, affiliate_activity, conversations, payouts, payments',
  );
  expect(firstLines[4]).toContain('Can’t write the report');
  expect(firstLines[5]).toMatch(/orders-2024\.csv already exists and isn’t a report of refused rows\./);
  expect(readFileSync(join(folder, 'orders-2024.csv'), 'utf8')).toBe('key,title\n1,x\n');
  for (const { error } of ends) expect(error).not.toMatch(/\n\s+at /);
});

test('an import in another zone says what to do instead of asking to run it again', async () => {
  const fields = { external_id: 'id', order_ref: 'id', attempted_at: 'when', amount: 'amount', status: 'status' };
  const mapping = {
    dataset: 'payments',
    source: 'till',
    currency: 'EUR',
    fields: { ...fields, product: { constant: 'connect' } },
  };
  const rows = fileOf('payments.csv', 'id,when,amount,status\n1,2026-01-05T12:00:00Z,1,paid\n');
  const given = ['payments', rows, '--mapping', fileOf('payments.json', JSON.stringify(mapping))];
  expect(await run(...given)).toMatchObject({ code: 0 });
  const { code, error } = await runWith({ COMPANY_TIME_ZONE: 'Asia/Tokyo' }, ...given, '--again');
  expect(code).toBe(1);
  expect(error.trim().split('\n').at(-1)).toBe(
    'The days of payments were counted in UTC, but COMPANY_TIME_ZONE is Asia/Tokyo here. Set it to UTC. If the company’s time zone has changed, run npm run admin -- rebuild-numbers',
  );
});

test('a file that would count twice fails with 1 unless --again says otherwise', async () => {
  const rules = { external_id: 'id', order_ref: 'id', attempted_at: 'day', amount: 'amount' };
  const given = { dataset: 'payments', currency: 'EUR', fields: { ...rules, status: { constant: 'paid' } } };
  const lines = Array.from({ length: 20 }, (_, at) => `twice-${at},2026-03-01,5`);
  const mappingFor = (source: string) => ['--mapping', fileOf('twice.json', JSON.stringify({ ...given, source }))];
  const file = fileOf('twice.csv', ['id,day,amount', ...lines].join('\n'));
  expect(await run('payments', file, ...mappingFor('one'))).toMatchObject({ code: 0 });
  const other = ['payments', fileOf('other.csv', ['id,day,amount', ...lines.slice(1)].join('\n'))];
  const { code, error } = await run(...other, ...mappingFor('two'));
  expect(code).toBe(1);
  expect(error).toContain(
    'Nothing was imported: ID in the source already exists in the source “one” for all 19 rows checked.',
  );
  expect(error.trim().split('\n').at(-1)).toMatch(/will count twice\. Use --again to import it anyway$/);
  const { rows } = await fresh.database.pool.query(`select reason from import_runs where file_name = 'other.csv'`);
  expect(rows).toEqual([{ reason: expect.stringMatching(/^Nothing was imported/) }]);
  const again = await run(...other, ...mappingFor('two'), '--again');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('19 new')]);
  await fresh.database.pool.query(`truncate payments, payments_daily`);
});

test('rows that fit are kept, the others reported, and it ends with 2; with 0 when all fit', async () => {
  const report = join(folder, 'report.csv');
  const rows = fileOf('mixed.ndjson', `${row('1', 'one')}\n${row('2', '')}\nnonsense\n${row('3', '=1+1')}\n`);
  const mixed = await run('tasks', rows, '--mapping', mapping, '--report', report);
  expect(mixed.code).toBe(2);
  expect(mixed.out).toContain('tasks: 2 new, 0 changed, 0 unchanged, 2 refused');
  expect(mixed.error).toContain(
    `2 rows were refused. They are in ${report}. Reasons:\n  1 × title is blank, first on line 2\n`,
  );
  expect(readFileSync(report, 'utf8').split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^\{"refused_because":"Line 2: title is blank","key":"2".*\}$/),
    expect.stringMatching(/^\{"refused_because":"Line 3: isn’t JSON.*","text":"nonsense"\}$/),
  ]);
  const good = fileOf('good.ndjson', `${row('1', 'one')}\n${row('3', '=1+1')}\n`);
  const again = await run('tasks', good, '--mapping', mapping, '--dry-run');
  expect(again.code).toBe(0);
  expect(again.out).toContain('tasks: 0 new, 0 changed, 2 unchanged, 0 refused');
  expect(again.out).toContain('This was a dry run. Nothing was saved');
});

test('the parts of imported rows that were left out are counted by reason', async () => {
  const history = { each: ['log', 'items'], fields: { author: 'who', at: '^.when', from: 'from', to: 'to' } };
  const nested = fileOf('nested.json', JSON.stringify({ dataset: 'tasks', source: 'nested', fields, history }));
  const log = [
    {
      who: 'sam',
      when: '2020-01-06T13:00:00Z',
      items: [
        { from: 'TODO', to: 'DONE' },
        { from: 'red', to: 'x' },
      ],
    },
  ];
  const rows = fileOf('nested.ndjson', JSON.stringify({ ...JSON.parse(row('1', 'one')), log }));
  const { code, out } = await run('tasks', rows, '--mapping', nested, '--dry-run');
  expect(code).toBe(0);
  expect(out).toContain('Left out:\n  1 × history: from has "red", which isn’t a status, first on line 1\n');
  const issues = fileOf('issues.json', JSON.stringify({ total: 1, issues: [{ ...JSON.parse(row('1', 'one')), log }] }));
  expect(await run('tasks', issues, '--mapping', nested, '--dry-run')).toMatchObject({ code });
});

test('killed in the middle and run again, it ends with the totals of one run', async () => {
  const count = 60_000;
  const lines = Array.from(
    { length: count },
    (_, at) => `${at},2026-01-${String((at % 28) + 1).padStart(2, '0')},${at}.5`,
  );
  const file = fileOf('payments.csv', ['id,day,amount', ...lines].join('\n'));
  const rules = {
    external_id: 'id',
    order_ref: 'id',
    attempted_at: 'day',
    amount: 'amount',
    status: { constant: 'paid' },
  };
  const given = { dataset: 'payments', source: 'till', currency: 'EUR', fields: rules };
  const parameters = ['payments', file, '--mapping', fileOf('payments.json', JSON.stringify(given))];
  const stored = async () => {
    const { rows } = await fresh.database.pool.query(
      `select count(*)::int as rows, coalesce(sum(amount), 0)::text as amount,
        (select coalesce(sum(row_count), 0)::int from payments_daily) as counted from payments`,
    );
    return rows[0];
  };
  const child = spawn(process.execPath, [builtMain, 'import', ...parameters], {
    env: { PATH: process.env.PATH, DATABASE_URL: fresh.url },
  });
  await expect.poll(async () => (await stored()).rows, { interval: 20 }).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await new Promise((ended) => child.on('close', ended));
  const { rows, counted } = await stored();
  expect(rows).toBeLessThan(count);
  expect(counted).toBe(rows);
  expect((await run(...parameters)).code).toBe(0);
  const amount = (BigInt(count) * BigInt(count - 1) * 5_000n + BigInt(count) * 5_000n).toString();
  expect(await stored()).toEqual({ rows: count, amount, counted: count });
});
