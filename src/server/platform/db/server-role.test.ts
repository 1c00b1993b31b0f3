import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { asOwner } from '../../../../test/database.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { serverRole } from './server-role.ts';

const log = { info() {}, warn() {}, error() {} };
const cluster = inject('clusterUrl');
const name = `staff_roles_${process.pid}`;
const [owner, runner, second] = [`${name}_owner`, `${name}_runner`, `${name}_second`];

/** The database as an owner who can only log in, as with a limited hosting provider. */
const urlAs = (user: string): string => {
  const url = new URL(cluster);
  Object.assign(url, { pathname: `/${name}`, username: user, password: 'secret' });
  return url.href;
};

beforeAll(async () => {
  await asOwner(cluster, `create role ${owner} login password 'secret'`);
  await asOwner(cluster, `create role ${runner} login password 'secret'`);
  await asOwner(cluster, `create database ${name} template template0 encoding 'UTF8' owner ${owner}`);
});
afterAll(async () => {
  await asOwner(cluster, `drop database ${name} with (force)`);
  await asOwner(cluster, `drop role if exists ${second}, ${owner}, ${runner}`);
});

test('a user who may neither make nor take the role works as the owner, is told so, and triggers keep the log', async () => {
  const warned: string[] = [];
  const { role } = await migrate({
    url: urlAs(owner),
    log: { ...log, warn: (_fields: object, text?: string) => void warned.push(text ?? '') },
  });
  expect([role, warned]).toEqual([null, [expect.stringContaining('only triggers keep the audit log')]]);
  await asOwner(urlAs(owner), "insert into audit_log (action, subject_type, subject_id) values ('a', 'b', 'c')");
  for (const sql of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log'])
    await expect(asOwner(urlAs(owner), sql)).rejects.toThrow('append-only');
});

test('once the user was given the role, the server works as it, with rights for what is there', async () => {
  await asOwner(cluster, `grant ${serverRole} to ${owner}`);
  const { role } = await migrate({ url: urlAs(owner), log });
  expect(role).toBe(serverRole);
  const database = openDatabase({ url: urlAs(owner), role, poolSize: 1, log });
  await database.pool.query("insert into roles (name, permissions) values ('x', '{}')");
  await expect(database.pool.query("update audit_log set action = 'x'")).rejects.toMatchObject({ code: '42501' });
  // A reset returns to the role the connection started with.
  await database.pool.query('reset role');
  await expect(database.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' });
  await database.close();
});

test('a user with nothing but the role runs the server on a database that somebody else migrated', async () => {
  await asOwner(cluster, `grant ${serverRole} to ${runner}`);
  const { role } = await migrate({ url: urlAs(runner), log });
  expect(role).toBe(serverRole);
  const client = new pg.Client({ connectionString: urlAs(runner), options: `-c role=${role}` });
  await client.connect();
  expect((await client.query('select count(*)::int as count from audit_log')).rows).toEqual([{ count: 1 }]);
  await expect(client.query('drop table audit_log')).rejects.toMatchObject({ code: '42501' });
  await expect(client.query('alter table audit_log disable trigger user')).rejects.toMatchObject({ code: '42501' });
  await client.end();
});

test('a second user stands in for the first while its password is changed, and the tables stay the first one’s', async () => {
  await asOwner(cluster, `create role ${second} login password 'secret' in role ${owner}`);
  await asOwner(cluster, `alter role ${second} set role ${owner}`);
  await asOwner(cluster, `alter role ${owner} nologin`);
  await expect(migrate({ url: urlAs(owner), log })).rejects.toMatchObject({ code: '28000' });
  const { role } = await migrate({ url: urlAs(second), log });
  expect(role).toBe(serverRole);
  const database = openDatabase({ url: urlAs(second), role, poolSize: 1, log });
  expect((await database.pool.query('select current_user as name')).rows).toEqual([{ name: serverRole }]);
  await expect(database.pool.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' });
  await database.close();
  await asOwner(urlAs(second), 'create table made ()');
  expect(await asOwner(urlAs(second), "select tableowner as name from pg_tables where tablename = 'made'")).toEqual([
    { name: owner },
  ]);
});

test('a superuser works, and the start asks for a role that owns only its database', async () => {
  const warned: string[] = [];
  const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href;
  await migrate({ url, log: { ...log, warn: (_fields: object, text?: string) => void warned.push(text ?? '') } });
  expect(warned).toEqual([expect.stringContaining('connects to its database as a superuser')]);
});
