import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFirstAdmin, resetPassword } from '#server/access/auth/recovery.service.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { verifyAudit } from '#server/platform/audit/verify-audit.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { FileMissing, type FileStore, FilesUnavailable } from '#server/platform/storage/files.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { prepareTask } from '../../../../test/task-fixtures.ts';
import { erasePerson, exportPerson, type Keeper } from './personal-data.service.ts';
import { readReferences } from './personal-data.store.ts';
import { references } from './references.ts';

let app: TestApp;
let keeper: Keeper;
let owning: Database;
let person: string;
let other: string;
const folder = mkdtempSync(join(tmpdir(), 'personal-data-'));
const email = 'zoe.quist@example.test';
const key = 'ab/some-random-key';

beforeAll(async () => {
  app = await startTestApp();
  // The owner of the tables, like a command: the server's role can't erase from the audit log.
  owning = openDatabase({ url: app.databaseUrl, log: app.parts.log });
  keeper = { database: owning, clock: app.clock, requestId: 'command', address: 'command' };
  other = await app.person({ role: 'admin', firstName: 'Ada' });
  person = await app.person({ email, firstName: 'Zoë', lastName: 'Quist', role: 'Staff', approvers: [other] });
  const task = await prepareTask(app.database, { ownerId: person, sprintId: await app.sprint() });
  await app.database.pool.query("update task_history set actor_name = 'Zoë Quist'");
  const draft = join(app.parts.files.incoming, 'draft');
  writeFileSync(draft, 'what she wrote');
  await app.parts.files.keep(key, draft);
  await app.database.pool.query(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     values ($1, $2, 'Zoë Quist', '../notes.txt', 'text/plain', 14, $3)`,
    [task, person, key],
  );
  await app.signIn(person);
  const actor = { ...keeper, viewer: { id: person }, address: '192.0.2.77' };
  await app.database.transaction(async (queries) => {
    const entry = { action: 'personChanged', subjectType: 'person', subjectId: person, after: { lastName: 'Quist' } };
    await recordAudit(queries, actor, entry);
  });
});
afterAll(async () => {
  await owning.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every table of the product as text. */
async function everything(): Promise<string> {
  const { rows: tables } = await app.database.pool.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await app.database.pool.query(`select t::text as text from "${name}" t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
}

test('whoever is unknown, called by another address, or still has an open account is not erased', async () => {
  const before = await everything();
  await expect(erasePerson(keeper, '999999', email)).rejects.toThrow('No person');
  await expect(erasePerson(keeper, person, 'ada@example.test')).rejects.toThrow('another email');
  await expect(erasePerson(keeper, person, email)).rejects.toThrow('isn’t disabled');
  await expect(exportPerson({ ...keeper, files: app.parts.files }, 'nobody@x.test', folder)).rejects.toThrow(
    'No person',
  );
  expect(await everything()).toBe(before);
});

test('every reference to people has its fate, and none is for a table that is not there', async () => {
  expect(Object.keys(references).sort()).toEqual((await readReferences(app.database.drizzle)).sort());
});

test('the export goes into no folder that others can write to', async () => {
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const exporting = exportPerson({ ...keeper, files: app.parts.files }, email, join(open, 'zoe'));
  await expect(exporting).rejects.toThrow(/other users can write to /);
  expect(readdirSync(open)).toEqual([]);
});

test('the export holds all that refers to the person, their files and no secret', async () => {
  const path = join(folder, 'zoe');
  const files = await exportPerson({ ...keeper, files: app.parts.files }, email, path);
  await expect(exportPerson({ ...keeper, files: app.parts.files }, email, path)).rejects.toThrow('is not empty');
  const text = readFileSync(join(path, 'data.json'), 'utf8');
  const data = JSON.parse(text);
  expect(data.person).toMatchObject({ email, first_name: 'Zoë', last_name: 'Quist' });
  expect(data['tasks.owner_id']).toHaveLength(1);
  expect(data['audit_log.actor_id']).toMatchObject([{ action: 'personChanged' }]);
  expect(text).not.toMatch(/token_hash|password_hash/);
  expect(files).toEqual({ written: 1, missing: [], unclear: null });
  expect(readdirSync(path).sort()).toEqual(['1-.._notes.txt', 'data.json']);
  expect(readFileSync(join(path, '1-.._notes.txt'), 'utf8')).toBe('what she wrote');
  expect(existsSync(join(folder, 'notes.txt'))).toBe(false);
});

test('the export goes on without a file that the store has lost, and names it', async () => {
  const lost: FileStore = { ...app.parts.files, read: async () => Promise.reject(new FileMissing('gone')) };
  const path = join(folder, 'without');
  expect(await exportPerson({ ...keeper, files: lost }, email, path)).toEqual({
    written: 0,
    missing: ['1-.._notes.txt'],
    unclear: null,
  });
  expect(readdirSync(path)).toEqual(['data.json']);
});

test('an export that the store of files ended leaves nothing, and can be made again', async () => {
  const down: FileStore = { ...app.parts.files, read: async () => Promise.reject(new FilesUnavailable('down')) };
  const path = join(folder, 'again');
  await expect(exportPerson({ ...keeper, files: down }, email, path)).rejects.toThrow(FilesUnavailable);
  expect(readdirSync(path)).toEqual([]);
  await exportPerson({ ...keeper, files: app.parts.files }, email, path);
  expect(readdirSync(path)).toHaveLength(2);
});

test('after the erasure nothing names the person, the history still tells who is who, and the audit log holds', async () => {
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [person]);
  await app.database.pool.query("update tasks set repeats = 'weekly' where owner_id = $1", [person]);
  await erasePerson(keeper, person, email.toUpperCase());
  const { rows: tasks } = await app.database.pool.query('select repeats from tasks where owner_id = $1', [person]);
  expect(tasks).toEqual([{ repeats: null }]);
  const left = await everything();
  for (const trace of ['Quist', 'Zoë', 'zoe.quist', '192.0.2.77']) expect(left, trace).not.toContain(trace);
  const { rows } = await app.database.pool.query(
    'select first_name, last_name, password_hash, disabled_at is not null as disabled from people where id = $1',
    [person],
  );
  expect(rows).toEqual([
    { first_name: 'Former', last_name: `colleague ${person}`, password_hash: null, disabled: true },
  ]);
  const { rows: history } = await app.database.pool.query('select actor_id::text, actor_name from task_history');
  expect(history).toEqual([{ actor_id: person, actor_name: `Former colleague ${person}` }]);
  await sealAudit(app.database);
  expect(await verifyAudit({ database: app.database, clock: app.clock }, [])).toMatchObject({
    fault: null,
    // What changed, and that the data was exported four times.
    erased: 5,
  });
  expect(left).toContain('personErased');
  await expect(erasePerson(keeper, person, email)).rejects.toThrow('another email');
});

test('an erased account is final: nobody enables, changes or invites it, and no list and no count has it', async () => {
  const token = await app.signIn(other);
  const erasedEmail = `former-colleague-${person}@erased.invalid`;
  const { data } = await app.gql(token, `{ managedUser(userId: "${person}") { version } }`);
  const asked = `users: [{ userId: "${person}" }], change: { disabled: false }`;
  for (const call of [
    `setUserDisabled(userId: "${person}", disabled: false) { id }`,
    `updateUser(userId: "${person}", version: "${data.managedUser.version}", email: "new@example.test") { id }`,
    `makeSignInLink(userId: "${person}") { kind }`,
  ])
    expect(await app.gql(token, `mutation { ${call} }`)).toMatchObject({
      errors: [{ message: expect.stringContaining('was erased'), extensions: { code: 'CONFLICT' } }],
    });
  const bulk = await app.gql(token, `mutation { changeUsers(${asked}) { outcome message } }`);
  expect(bulk.data.changeUsers).toMatchObject([{ outcome: 'refused', message: expect.stringContaining('was erased') }]);
  const recovery = { ...keeper, live: app.parts.live };
  for (const recover of [makeFirstAdmin, resetPassword])
    await expect(recover(recovery, erasedEmail)).rejects.toThrow('was erased');
  const { rows } = await app.database.pool.query(
    'select email, disabled_at is not null as disabled, password_hash from people where id = $1',
    [person],
  );
  expect(rows).toEqual([{ email: erasedEmail, disabled: true, password_hash: null }]);
  const lists = '{ managedUsers { people { id } } peopleCounts { disabled } }';
  expect((await app.gql(token, lists)).data).toEqual({
    ...{ managedUsers: { people: [{ id: other }] }, peopleCounts: { disabled: 0 } },
  });
});
