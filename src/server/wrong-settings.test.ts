// Every wrong setting is one line with the variable, its value (secrets masked), the error and the fix.
// Errors in values come from reading the configuration, the others from a real start, without stand-ins.
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureLines } from '#server/commands/failure-lines.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { createLog } from '#server/platform/log/log.ts';
import { asOwner, type FreshDatabase, freshDatabase } from '../../test/database.ts';
import { bucketUrl, startBucket, type TestBucket } from '../../test/s3-server.ts';
import { spawnServer } from '../../test/server-process.ts';
import { startServer } from './start-server.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const NUMBER = 'Use a whole number from';
const BASE = 'Use an http or https address without query and password.';
const DB =
  'Use an address like postgres://user:password@host:5432/name, or with several hosts postgres://user:password@host1:5432,host2:5432/name?target_session_attrs=read-write. In a user or password write # as %23, / as %2F and @ as %40.';
const ENCODED = ' In a user or password write # as %23, / as %2F and @ as %40.';
const ROOT = 'Use an http or https address without path, query and password.';
const sso = {
  OIDC_ISSUER: 'https://id.example.test',
  OIDC_CLIENT_ID: 'a',
  OIDC_CLIENT_SECRET: 'b',
  PUBLIC_URL: 'https://a.example.test',
};
const mail = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@example.test', PUBLIC_URL: 'https://a.example.test' };
const metabase = { METABASE_SITE_URL: 'https://metabase', METABASE_SECRET_KEY: 'b-real-one' };

const values: [Record<string, string>, string][] = [
  [{ PORT: 'http' }, `PORT is "http". ${NUMBER} 0 to 65535 (0 picks a free port).`],
  [{ PORT: '70000' }, `PORT is "70000". ${NUMBER} 0 to 65535 (0 picks a free port).`],
  [{ PORT: '-1' }, `PORT is "-1". ${NUMBER} 0 to 65535 (0 picks a free port).`],
  [{ PORT: '3000.5' }, `PORT is "3000.5". ${NUMBER} 0 to 65535 (0 picks a free port).`],
  [{ HOST: 'http://x' }, 'HOST is "http://x". Use a host name or an address, for example 127.0.0.1 or ::.'],
  [{ HOST: 'a b' }, 'HOST is "a b". Use a host name or an address, for example 127.0.0.1 or ::.'],
  [{ DRAIN_SECONDS: '61' }, `DRAIN_SECONDS is "61". ${NUMBER} 0 to 60.`],
  [{ DRAIN_SECONDS: '3s' }, `DRAIN_SECONDS is "3s". ${NUMBER} 0 to 60.`],
  [
    { TRUSTED_PROXIES: 'proxy' },
    'TRUSTED_PROXIES is "proxy". Use addresses or networks separated by commas, for example 10.0.0.0/8, loopback.',
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    'TRUSTED_PROXIES is "10.0.0.0/33". Use addresses or networks separated by commas, for example 10.0.0.0/8, loopback.',
  ],
  [
    { TRUSTED_PROXIES: '*' },
    'TRUSTED_PROXIES is "*". Use addresses or networks separated by commas, for example 10.0.0.0/8, loopback.',
  ],
  [{ DASHBOARD_SERVER_URL: 'https://host/?a=1' }, `DASHBOARD_SERVER_URL is "https://host/...". ${BASE}`],
  [{ TOP5_SERVER_URL: 'ftp://host' }, `TOP5_SERVER_URL is "ftp://host/...". ${BASE}`],
  [{ PUBLIC_URL: 'https://u:hunter2@host' }, `PUBLIC_URL is "https://***@host/...". ${ROOT}`],
  [{ PUBLIC_URL: 'dashboard.example.test' }, `PUBLIC_URL is "dashboard.example.test". ${ROOT}`],
  [{ PUBLIC_URL: 'u:hunter2@dashboard' }, `PUBLIC_URL is set (19 bytes, not shown). ${ROOT}`],
  [{ PUBLIC_URL: 'https://staff.example.test/dash' }, `PUBLIC_URL is "https://staff.example.test/...". ${ROOT}`],
  [{ DATA_DIR: '~/data' }, 'DATA_DIR is "~/data". Use the whole path of a folder, without ~.'],
  [
    { APP_ENV: 'production', PUBLIC_URL: 'http://staff.example.test' },
    'PUBLIC_URL is "http://staff.example.test", but APP_ENV is "production". Use https, because nobody stays signed in over http.',
  ],
  [{ APP_ENV: 'prod' }, 'APP_ENV is "prod". Use one of development, staging, production.'],
  [{ APP_NAME: 'x'.repeat(201) }, `APP_NAME is "${'x'.repeat(80)}...". Use a text of up to 200 characters.`],
  [{ COMPANY_TIME_ZONE: 'Mars' }, 'COMPANY_TIME_ZONE is "Mars". Use an IANA time zone, for example Europe/Berlin.'],
  [{ COMPANY_TIME_ZONE: '+01:00' }, 'COMPANY_TIME_ZONE is "+01:00". Use an IANA time zone, for example Europe/Berlin.'],
  [{ DEMO: 'yes' }, 'DEMO is "yes". Use 0 or 1.'],
  [{ DEMO_PASSWORD: 'hunter2' }, 'DEMO_PASSWORD is set (7 bytes, not shown). Use a password of 8 to 1000 characters.'],
  [{ DEFAULT_APPROVER_ID: 'anna' }, `DEFAULT_APPROVER_ID is "anna". Use a person's id, which is a whole number.`],
  [{ ADMIN_EMAIL: 'anna', ADMIN_PASSWORD: 'correct horse battery' }, 'ADMIN_EMAIL is "anna". Use an email address.'],
  [
    { ADMIN_EMAIL: 'a@example.test', ADMIN_PASSWORD: 'hunter2' },
    'ADMIN_PASSWORD is set (7 bytes, not shown). Use a password of 15 or more characters that is hard to guess.',
  ],
  [{ ADMIN_EMAIL: 'a@example.test' }, "ADMIN_PASSWORD isn't set, but ADMIN_EMAIL needs it."],
  [{ DATABASE_URL: 'mysql://u:hunter2@db/x', LINK_SECRET: KEY }, `DATABASE_URL is "mysql://***@db/...". ${DB}`],
  [{ DATABASE_URL: 'u:hunter2@db/x', LINK_SECRET: KEY }, `DATABASE_URL is set (14 bytes, not shown). ${DB}`],
  [
    { DATABASE_URL: 'postgres://u:hunter2@db1,db2/x', LINK_SECRET: KEY },
    `DATABASE_URL is "postgres://***@db1/..." and "postgres://***@db2/...". ${DB}`,
  ],
  [
    { DATABASE_URL: 'postgres://u:12#hunter2@db/x', LINK_SECRET: KEY },
    `DATABASE_URL is set (28 bytes, not shown). ${DB}`,
  ],
  [
    { DATABASE_URL: 'postgres://u:12/hunter2@db/x', LINK_SECRET: KEY },
    `DATABASE_URL is set (28 bytes, not shown). ${DB}`,
  ],
  [
    { DATABASE_URL: 'postgres://db/staff' },
    "LINK_SECRET isn't set, but DATABASE_URL needs it. Use 32 random bytes or more, for example from: openssl rand -hex 32. All servers need the same one.",
  ],
  [
    { DATABASE_REPLICA_URL: 'postgres://db/x' },
    "DATABASE_REPLICA_URL is set, but DATABASE_URL isn't. Set DATABASE_URL too.",
  ],
  [
    { DATABASE_DIRECT_URL: 'postgres://db/x' },
    "DATABASE_DIRECT_URL is set, but DATABASE_URL isn't. Set DATABASE_URL too.",
  ],
  [
    { DATABASE_URL: 'postgres://u:hunter2@db/x?sslmode=verify_full', LINK_SECRET: KEY },
    'DATABASE_URL has sslmode=verify_full. Use one of disable, prefer, require, verify-ca, verify-full, no-verify.',
  ],
  [{ DATABASE_POOL_SIZE: '1' }, `DATABASE_POOL_SIZE is "1". ${NUMBER} 2 to 500.`],
  [{ DATABASE_POOL_SIZE: '5000' }, `DATABASE_POOL_SIZE is "5000". ${NUMBER} 2 to 500.`],
  [
    { FILES_URL: 'https://k:hunter2@bucket' },
    `FILES_URL is "https://***@bucket/...". Use an address like s3://bucket?endpoint=https://host&region=REGION, with no path and no other parameter.${ENCODED}`,
  ],
  [
    { FILES_URL: 'bucket' },
    `FILES_URL is set (6 bytes, not shown). Use an address like s3://bucket?endpoint=https://host&region=REGION, with no path and no other parameter.${ENCODED}`,
  ],
  [
    { LINK_SECRET: 'hunter2' },
    'LINK_SECRET is set (7 bytes, not shown). Use 32 random bytes or more, for example from: openssl rand -hex 32.',
  ],
  [{ LINK_SECRET_ALSO: KEY }, "LINK_SECRET_ALSO is set, but LINK_SECRET isn't. Set LINK_SECRET too."],
  [
    { LINK_SECRET_FILE: '/nowhere/key' },
    'LINK_SECRET_FILE is "/nowhere/key". That file doesn\'t exist. Use a file with the value of LINK_SECRET.',
  ],
  [
    { LINK_SECRET_FILE: '/proc' },
    'LINK_SECRET_FILE is "/proc". That file isn\'t a regular file. Use a file with the value of LINK_SECRET.',
  ],
  [
    { ...mail, SMTP_URL: 'imap://u:hunter2@mail' },
    `SMTP_URL is "imap://***@mail/...". Use an address like smtps://user:password@host:465.${ENCODED}`,
  ],
  [{ SMTP_URL: 'smtp://mail', PUBLIC_URL: 'https://a' }, "MAIL_FROM isn't set, but SMTP_URL needs it."],
  [
    { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@example.test' },
    "PUBLIC_URL isn't set, but SMTP_URL needs it. Set it to the address where people open the product.",
  ],
  [
    { ...sso, OIDC_ISSUER: 'http://id.example.test' },
    'OIDC_ISSUER is "http://id.example.test/...". Use an https address without query and password.',
  ],
  [
    { ...sso, OIDC_CLIENT_SECRET: 'changeme' },
    'OIDC_CLIENT_SECRET is set (8 bytes, not shown). Use the real secret, not an example.',
  ],
  [
    { ...sso, OIDC_SCOPES: 'groups' },
    'OIDC_SCOPES is "groups". Use scopes with openid first, for example openid groups.',
  ],
  [
    { ...sso, OIDC_GROUP_ROLES: 'staff' },
    'OIDC_GROUP_ROLES is "staff". Use groups and their roles, for example it-admins=admin,sales=Sales.',
  ],
  [{ ...metabase, METABASE_SITE_URL: 'metabase' }, `METABASE_SITE_URL is "metabase". ${BASE}`],
  [
    { ...metabase, METABASE_SECRET_KEY: 'your-secret' },
    'METABASE_SECRET_KEY is set (11 bytes, not shown). Use the real secret, not an example.',
  ],
  [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL is "verbose". Use one of trace, debug, info, warn, error, fatal, silent.'],
  [{ METRICS_ADDRESS: '9464' }, 'METRICS_ADDRESS is "9464". Use an address and a port, for example 127.0.0.1:9464.'],
  [
    { METRICS_TOKEN: 'hunter2' },
    'METRICS_TOKEN is set (7 bytes, not shown). Use 32 random bytes or more, for example from: openssl rand -hex 32.',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, `OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318". ${BASE}`],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' },
    'OTEL_EXPORTER_OTLP_HEADERS is set (7 bytes, not shown). Use names and values like name=value,name=value.',
  ],
  [
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    'OTEL_TRACES_SAMPLER is "sometimes". Use one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio.',
  ],
  [{ OTEL_TRACES_SAMPLER_ARG: '10%' }, 'OTEL_TRACES_SAMPLER_ARG is "10%". Use a number from 0 to 1, for example 0.1.'],
  [{ DATBASE_URL: 'postgres://db/x' }, "DATBASE_URL isn't a setting. Did you mean DATABASE_URL?"],
  [{ SMTP_ULR: 'smtp://mail' }, "SMTP_ULR isn't a setting. Did you mean SMTP_URL?"],
];

const scratch = mkdtempSync(join(tmpdir(), 'wrong-'));
// Root's PostgreSQL runs as another user, who needs access.
chmodSync(scratch, 0o755);
let database: FreshDatabase;
let bucket: TestBucket;
/** Takes a port; closes all connections. */
let taken: Server;
let takenPort: number;

const latin = `staff_test_latin_${process.pid}`;

beforeAll(async () => {
  database = await freshDatabase();
  const { username } = new URL(database.url);
  await asOwner(
    database.superuserUrl,
    `create database ${latin} encoding 'LATIN1' locale 'C' template template0 owner "${decodeURIComponent(username)}"`,
  );
  bucket = await startBucket(join(scratch, 's3'));
  taken = createServer((socket) => socket.destroy());
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = (taken.address() as AddressInfo).port;
});
afterAll(async () => {
  taken.close();
  await bucket.stop();
  await asOwner(database.superuserUrl, `drop database ${latin} with (force)`);
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The output of a start that must fail. */
async function linesOf(env: Record<string, string>): Promise<readonly string[]> {
  const whole = { DATA_DIR: join(scratch, 'data'), PORT: '0', ...env };
  try {
    const server = await startServer(readConfig(whole), createLog({ level: 'silent' }));
    await server.stop();
    return ['it started'];
  } catch (error) {
    const lines = failureLines(error, whole);
    if (lines === null) throw error;
    return lines;
  }
}

test('the table has at least sixty wrong settings', () => {
  expect(values.length + Object.keys(starts).length).toBeGreaterThanOrEqual(60);
});

describe('a wrong value', () => {
  test.each(values)('%o', async (env, line) => {
    expect(await linesOf(env)).toEqual([line]);
    expect(line).not.toContain('hunter2');
  });
});

const onDatabase = (change: (url: URL) => void): Record<string, string> => {
  const url = new URL(database.url);
  change(url);
  return { DATABASE_URL: url.href, LINK_SECRET: KEY };
};
const shownDatabase = () => {
  const { host, password } = new URL(database.url);
  return `DATABASE_URL is "postgres://${password || new URL(database.url).username ? '***@' : ''}${host}/..."`;
};
const unheard = 'DATABASE_URL is "postgres://***@127.0.0.1:1/..."';

type Start = () => readonly [env: Record<string, string>, line: string];
const starts: Record<string, Start> = {
  'PORT that is taken': () => [
    { PORT: String(takenPort), ...onDatabase(() => {}) },
    `PORT is "${takenPort}", but another program listens there already. Stop it, or use another port.`,
  ],
  'HOST that is unknown': () => [
    { HOST: 'no-such-host.invalid', PORT: '1234', ...onDatabase(() => {}) },
    'HOST is "no-such-host.invalid", but that name is unknown. Use an address of this machine, for example 127.0.0.1.',
  ],
  'HOST of another machine': () => [
    { HOST: '192.0.2.1', PORT: '1234', ...onDatabase(() => {}) },
    'HOST is "192.0.2.1", but this machine has no such address. Use 0.0.0.0 for all of its addresses, or 127.0.0.1.',
  ],
  'DATABASE_URL of a database that does not exist': () => [
    onDatabase((url) => {
      url.pathname = '/no_such_database';
    }),
    `${shownDatabase()}, but that database doesn't exist. Create it, or fix the name.`,
  ],
  'DATABASE_URL where nothing listens': () => [
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x', LINK_SECRET: KEY },
    `${unheard}, but nothing listens there. Start it, or fix the address.`,
  ],
  'DATABASE_URL of an unknown host': () => [
    { DATABASE_URL: 'postgres://u:hunter2@db.invalid/x', LINK_SECRET: KEY },
    'DATABASE_URL is "postgres://***@db.invalid/...", but its host name is unknown. Fix the name, or check DNS.',
  ],
  'DATABASE_URL of what is no PostgreSQL': () => [
    { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${takenPort}/x`, LINK_SECRET: KEY },
    `DATABASE_URL is "postgres://***@127.0.0.1:${takenPort}/...", but the server there closed the connection. Make sure that it is PostgreSQL.`,
  ],
  'DATABASE_URL with a missing certificate': () => [
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x?sslrootcert=/nowhere/ca.pem', LINK_SECRET: KEY },
    `${unheard}, but a file that it refers to (sslrootcert, sslcert or sslkey) is missing. Fix its path.`,
  ],
  'DATABASE_URL of a database in another encoding': () => [
    onDatabase((url) => {
      url.pathname = `/${latin}`;
    }),
    `The encoding of the database ${latin} is LATIN1, which can't store every name. Create a database with UTF8: create database NAME encoding 'UTF8' template template0`,
  ],
  'FILES_URL where nothing listens': () => [
    { FILES_URL: 's3://k:hunter2@bucket?endpoint=http://127.0.0.1:1', ...onDatabase(() => {}) },
    'FILES_URL is "s3://***@bucket/..." at 127.0.0.1:1, but nothing listens there. Start it, or fix the address.',
  ],
  'FILES_URL of a bucket that does not exist': () => [
    { FILES_URL: bucketUrl(bucket.port).replace(/@[^/?]+/, '@no-such-bucket'), ...onDatabase(() => {}) },
    `FILES_URL is "s3://***@no-such-bucket/..." at 127.0.0.1:${bucket.port}, but that bucket doesn't exist. Create it, or fix its name.`,
  ],
  'DATA_DIR that is a file': () => {
    const file = join(scratch, 'a-file');
    writeFileSync(file, '');
    return [{ DATA_DIR: file }, `DATA_DIR is "${file}", but ${file} isn’t a folder. Use the path of a folder.`];
  },
  'DATA_DIR below a file': () => [
    { DATA_DIR: join(scratch, 'a-file', 'data') },
    `DATA_DIR is "${join(scratch, 'a-file', 'data')}", but ${join(scratch, 'a-file')} isn’t a folder. Use the path of a folder.`,
  ],
  'DATA_DIR in /proc': () => [
    { DATA_DIR: '/proc/self/data' },
    'DATA_DIR is "/proc/self/data", but that file system is virtual and keeps no data. Use a folder on a disk.',
  ],
  'DATA_DIR in /sys': () => [
    { DATA_DIR: '/sys/data' },
    'DATA_DIR is "/sys/data", but that file system is virtual and keeps no data. Use a folder on a disk.',
  ],
  'DATA_DIR in /dev': () => [
    { DATA_DIR: '/dev/data' },
    'DATA_DIR is "/dev/data", but that file system is virtual and keeps no data. Use a folder on a disk.',
  ],
  'DATA_DIR that is too long': () => {
    const long = join(scratch, 'x'.repeat(300));
    return [{ DATA_DIR: long }, `DATA_DIR is "${long}", but the path is too long. Use a shorter one.`];
  },
  'DATA_DIR of links in a circle': () => {
    mkdirSync(join(scratch, 'links'), { recursive: true });
    const link = join(scratch, 'links', 'circle');
    symlinkSync(link, link);
    return [{ DATA_DIR: link }, `DATA_DIR is "${link}", but its links lead in a circle. Use another folder.`];
  },
  'METRICS_ADDRESS that is taken': () => [
    { METRICS_ADDRESS: `127.0.0.1:${takenPort}`, ...onDatabase(() => {}) },
    `METRICS_ADDRESS is "127.0.0.1:${takenPort}", but another program listens there already. Stop it, or use another port.`,
  ],
};

describe('a start with a', () => {
  test.each(Object.entries(starts))('%s', async (_name, start) => {
    const [env, line] = start();
    expect(await linesOf(env)).toEqual([line]);
  });
});

test('the process says the same, on one line and without a word of the driver', async () => {
  const url = new URL(database.url);
  url.pathname = '/no_such_database';
  url.searchParams.set('sslmode', 'prefer');
  const server = spawnServer({ env: { DATA_DIR: scratch, DATABASE_URL: url.href, LINK_SECRET: KEY } });
  expect(await server.exit).toBe(1);
  expect(server.output()).not.toMatch(/SECURITY WARNING|at .*\.(ts|js):\d/);
  expect(
    server
      .output()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([expect.stringMatching(/^DATABASE_URL is "postgres:\/\/.*", but /)]);
});
