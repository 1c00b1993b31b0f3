// Plants a person's name and address in every text of every table, and finds none after the erasure (security
// review, row 12).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mentionsKey } from '#core/notifications/notices.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { verifyAudit } from '#server/platform/audit/verify-audit.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { companyTerms } from './copies.store.ts';
import { erasePerson, exportPerson, type Keeper } from './personal-data.service.ts';

const email = 'zoe.o.quist+x@example.test';
const [firstName, lastName] = ['Zoë "Z" O\'Hara', 'Quist-Łęcka'];
const name = `${firstName} ${lastName}`;
const planted = `asked ${name},\n${name}\n${email}\nor ${email.toUpperCase()}.`;
const folder = mkdtempSync(join(tmpdir(), 'copies-'));
let app: TestApp;
let owning: Database;
let keeper: Keeper;
let person: string;
const places: string[] = [];

beforeAll(async () => {
  app = await startTestApp();
  owning = openDatabase({ url: app.databaseUrl, log: app.parts.log });
  keeper = { database: owning, clock: app.clock, requestId: 'command', address: 'command' };
  const demo = { now: app.clock.now(), zone: 'UTC', password: 'top-5-demo', log: app.parts.log };
  await seedDemo(owning, demo);
  person = await app.person({ email, firstName, lastName, role: null });
  await app.person({ email: 'other@example.test', firstName: 'Zoë', lastName: 'Quist' });
  await plantEverywhere();
});
afterAll(async () => {
  await owning.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Into one row of each text column; one whose constraint rejects it, or that holds a word of the company's
 * own, has no free text.
 */
async function plantEverywhere(): Promise<void> {
  const columns = await app.asOwner<{ table: string; column: string; type: string }>(`
    select c.relname as table, a.attname as column, a.atttypid::regtype::text as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid::regtype::text in ('text', 'character varying', 'text[]', 'jsonb') and c.relname not in ('people', 'audit_log')`);
  const values: Record<string, string> = {
    'text[]': 'array[$1::text]',
    jsonb: "jsonb_build_object('by', $1::text, 'list', jsonb_build_array($1::text))",
  };
  for (const { table, column, type } of columns) {
    if (companyTerms.some(([name, own]) => name === table && own === column)) continue;
    const change = `update "${table}" set "${column}" = ${values[type] ?? '$1::text'}
      where ctid = (select ctid from "${table}" limit 1) returning 1`;
    const rows = await app.asOwner(change, [planted]).catch(() => []);
    if (rows.length > 0) places.push(`${table}.${column}`);
  }
}

async function dump(): Promise<Map<string, string>> {
  const tables = await app.asOwner<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts = new Map<string, string>();
  for (const { name: table } of tables) {
    const rows = await app.asOwner<{ text: string }>(`select t::text as text from "${table}" t`);
    texts.set(table, rows.map(({ text }) => text).join('\n'));
  }
  return texts;
}

/** Also in JSON and row notation, with quotes doubled or escaped. */
const traces = [email, 'Quist-Łęcka', "O'Hara", 'zoe.o.quist'];

test('the export has every copy, and after the erasure a dump of the whole database has none', async () => {
  await owning.transaction(async (queries) => {
    const actor = { ...keeper, viewer: null };
    const entry = {
      action: 'settingChanged',
      subjectType: 'setting',
      subjectId: 'greeting',
      after: { value: planted },
    };
    await recordAudit(queries, actor, entry);
  });
  expect(places.length).toBeGreaterThan(40);
  expect(places).toEqual(
    expect.arrayContaining(['notices.facts', 'task_notes.text', 'tasks.title', 'task_history.after']),
  );

  // Colleagues who are at work on what names the person go on, and so does the export.
  await app.database.transaction(async (queries) => {
    await queries.execute(sql`select from people where id = ${person}::bigint for update`);
    await exportPerson({ ...keeper, files: app.parts.files }, email, folder);
  });
  const { copies } = JSON.parse(readFileSync(join(folder, 'data.json'), 'utf8')) as { copies: { place: string }[] };
  expect([...new Set(copies.map(({ place }) => place))].sort()).toEqual([...places].sort());

  await app.asOwner('update people set disabled_at = now() where id = $1', [person]);
  await erasePerson(keeper, person, email);
  for (const [table, text] of await dump())
    for (const trace of traces)
      expect(text.toLowerCase().includes(trace.toLowerCase()), `${table}: ${trace}`).toBe(false);
  const { rows: others } = await app.database.pool.query(
    "select first_name from people where email = 'other@example.test'",
  );
  expect(others).toEqual([{ first_name: 'Zoë' }]);
  await sealAudit(app.database);
  expect(await verifyAudit({ database: app.database, clock: app.clock }, [])).toMatchObject({ fault: null });
});

test('longer addresses of others are left alone, and one in quotes or at the end of a sentence is found', async () => {
  const id = await app.person({ email: 'smith@co.test', firstName: 'Jo', lastName: 'Smith' });
  const [task] = await app.asOwner<{ id: string }>('select id::text from tasks limit 1');
  const others = "j.smith@co.test o'smith@co.test a-smith@co.test smith@co.test.au smith@co.test-x.org";
  const own = "'smith@co.test' -Smith@CO.test <smith@co.test>, smith@co.test.";
  await app.asOwner('update tasks set title = $2 where id = $1', [task!.id, `${others} ${own}`]);
  await app.asOwner('update people set disabled_at = now() where id = $1', [id]);
  await erasePerson(keeper, id, 'smith@co.test');
  const [{ title } = {}] = await app.asOwner<{ title: string }>('select title from tasks where id = $1', [task!.id]);
  expect(title).toBe(`${others} ${own.replaceAll(/smith@co\.test/gi, `former-colleague-${id}@erased.invalid`)}`);
});

test('what others were told of the person names nobody and quotes nothing, also where somebody else has the same name', async () => {
  const twin = { firstName: 'Ann', lastName: 'Lee' };
  const [left, stays] = [await app.person({ ...twin, email: 'gone@example.test' }), await app.person(twin)];
  const task = await app.asOwner<{ id: string }>('select id::text from tasks limit 1');
  const notes = await app.asOwner<{ id: string }>(
    `insert into task_notes (task_id, author_id, author_name, text, at)
     select $1, author, 'Ann Lee', 'a word of ' || author, now() from unnest($2::bigint[]) with ordinality a (author, place)
     order by place returning id::text`,
    [task[0]!.id, [left, stays]],
  );
  const mentionKeys = [mentionsKey(task[0]!.id, left), mentionsKey(task[0]!.id, stays), `note:${notes[0]!.id}`];
  for (const [index, key] of mentionKeys.entries())
    await app.asOwner(
      `insert into notices (person_id, kind, key, facts, at, in_app) values ($1, 'mentioned', $2, $3, now(), true)`,
      [
        stays,
        key,
        JSON.stringify({ kind: 'mentioned', taskId: '1', title: 'T', by: 'Ann Lee', text: `excerpt ${index}` }),
      ],
    );
  const request = { kind: 'roleAsked', personId: stays, person: 'Ann Lee', byId: left, by: 'Ann Lee' };
  await app.asOwner(
    `insert into notices (person_id, kind, key, facts, at, in_app) values ($1, 'roleAsked', 'role:1', $2, now(), true)`,
    [stays, JSON.stringify(request)],
  );
  const others = [
    { kind: 'recap', sprint: '2026 W47', personId: left, person: 'Ann Lee', count: 1, text: 'what I learned' },
    { kind: 'roleAnswered', personId: left, person: 'Ann Lee', role: 'Sales', given: null, byId: stays, by: 'Ann Lee' },
    { kind: 'meeting', event: 'canceled', byId: left, by: 'Ann Lee', title: 'Review' },
    { kind: 'absence', byId: stays, by: 'Ann Lee', delegateId: left, delegate: 'Ann Lee', ended: false },
  ];
  for (const facts of others)
    await app.asOwner(
      'insert into notices (person_id, kind, key, facts, at, in_app) values ($1, $2::text, $2, $3, now(), true)',
      [stays, facts.kind, JSON.stringify(facts)],
    );
  await app.asOwner('update people set disabled_at = now() where id = $1', [left]);
  await erasePerson(keeper, left, 'gone@example.test');
  const told = await app.asOwner<{ facts: object }>(
    "select facts from notices where kind in ('recap', 'roleAnswered', 'meeting', 'absence') order by id",
  );
  expect(told.map((row) => row.facts)).toMatchObject([
    { person: `Former colleague ${left}`, text: '' },
    { by: 'Ann Lee', person: `Former colleague ${left}` },
    { by: `Former colleague ${left}`, title: 'Review' },
    { by: 'Ann Lee', delegate: `Former colleague ${left}` },
  ]);
  const [asked] = await app.asOwner<{ facts: object }>("select facts from notices where kind = 'roleAsked'");
  expect(asked?.facts).toMatchObject({ person: 'Ann Lee', by: `Former colleague ${left}` });
  const facts = await app.asOwner<{ facts: object }>(
    "select facts from notices where facts ->> 'title' = 'T' order by id",
  );
  expect(facts.map((row) => row.facts)).toMatchObject([
    { by: `Former colleague ${left}`, text: '…' },
    { by: 'Ann Lee', text: 'excerpt 1' },
    { by: `Former colleague ${left}`, text: '…' },
  ]);
});

test.each([
  ['All', 'Brands', 'update tasks set category = $1 where id = (select min(id) from tasks)'],
  ['Team', 'lead', "insert into roles (name, permissions) values ($1 || ' Europe', '{}')"],
  ['Blue', 'Shirt', 'update orders_by_title set title = $1 where ctid = (select min(ctid) from orders_by_title)'],
])('an account called %s %s, like a word of the company, leaves that word in place', async (first, last, use) => {
  const word = `${first} ${last}`;
  await app.asOwner(use, [word]);
  const mail = `${first}@example.test`.toLowerCase();
  const id = await app.person({ email: mail, firstName: first, lastName: last });
  await app.asOwner('update people set disabled_at = now() where id = $1', [id]);
  const count = async () => [...(await dump()).values()].reduce((sum, text) => sum + text.split(word).length - 1, 0);
  const before = await count();
  expect(await erasePerson(keeper, id, mail)).toContain(`“${word}” is also`);
  expect(await count()).toBe(before);
  const [left] = await app.asOwner<{ name: string }>(
    "select first_name || ' ' || last_name as name from people where id = $1",
    [id],
  );
  expect(left?.name).toBe(`Former colleague ${id}`);
});
