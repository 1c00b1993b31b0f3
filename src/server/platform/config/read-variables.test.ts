import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../test/needs.ts';
import { variables } from './config-variables.ts';
import { doubtfulNames, namesInFile, readVariables } from './read-variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'variables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = '0123456789abcdef0123456789abcdef';

function fileWith(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('a file that cannot give a secret is named with its variable, and its content is never shown', () => {
  mkdirSync(join(folder, 'folder'));
  const closed = fileWith('closed', KEY);
  chmodSync(closed, 0);
  test.each([
    [join(folder, 'missing'), "That file doesn't exist."],
    [join(folder, 'folder'), "That file isn't a regular file."],
    ['/dev/zero', "That file isn't a regular file."],
    [join(fileWith('plain', KEY), 'below'), "That file doesn't exist."],
    [fileWith('empty', '\n'), 'That file is empty.'],
    [fileWith('lines', `${KEY}\n${KEY}\n`), 'That file has more than one line.'],
    [fileWith('large', KEY.repeat(3_000)), 'That file is larger than 64 KB.'],
  ])('%s', (file, fault) => {
    const { faults } = readVariables({ LINK_SECRET_FILE: file });
    expect(faults).toEqual([`LINK_SECRET_FILE is "${file}". ${fault} Use a file with the value of LINK_SECRET.`]);
  });

  test('one that this user may not read', needs('a user other than root', process.getuid?.() !== 0), () => {
    expect(readVariables({ LINK_SECRET_FILE: closed }).faults[0]).toContain("can't be read by this user");
  });

  test('a wrong value names the variable and the file', () => {
    const file = fileWith('short', 'a-short-secret\n');
    expect(readVariables({ LINK_SECRET_FILE: file }).faults).toEqual([
      `LINK_SECRET from "${file}" is set (14 bytes, not shown). Use 32 random bytes or more, for example from: openssl rand -hex 32.`,
    ]);
  });

  test('both the variable and its file', () => {
    const { faults } = readVariables({ LINK_SECRET: KEY, LINK_SECRET_FILE: fileWith('key', KEY) });
    expect(faults).toEqual(['LINK_SECRET and LINK_SECRET_FILE are both set. Remove one of them.']);
  });
});

test('every secret can come from a file, without the newline at its end', () => {
  const url = 'postgres://staff:word@db/staff';
  const examples: Record<string, string> = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: url,
    DATABASE_REPLICA_URL: url,
    FILES_URL: 's3://key:secret@bucket',
    SMTP_URL: 'smtps://user:word@mail',
    ADMIN_PASSWORD: 'correct horse battery',
  };
  const pairs = { OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20b' };
  const secrets = Object.entries(variables).flatMap(([name, kind]) => ('secret' in kind ? [name] : []));
  expect(secrets.length).toBeGreaterThan(10);
  for (const name of secrets) {
    const value = { ...examples, ...pairs }[name] ?? KEY;
    for (const ending of ['', '\n', '\r\n']) {
      const { settings, faults, isSet } = readVariables({ [`${name}_FILE`]: fileWith(name, value + ending) });
      expect([name, faults]).toEqual([name, []]);
      const expected = name in pairs ? { 'x-api-key': 'a b' } : value;
      expect(settings[name as keyof typeof settings]).toEqual(expected);
      expect(isSet(name as keyof typeof settings)).toBe(true);
    }
  }
});

describe('a misspelled variable stops the start, with the nearest real one', () => {
  test.each([
    ['DATBASE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['LINK_SECRT_FILE', 'LINK_SECRET_FILE'],
    ['ADMIN_MAIL', 'ADMIN_EMAIL'],
    ['ADMIN_PASSWROD', 'ADMIN_PASSWORD'],
    ['OIDC_ISUER', 'OIDC_ISSUER'],
    ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
    ['COMPANY_TIMEZONE', 'COMPANY_TIME_ZONE'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['SMTP_ULR', 'SMTP_URL'],
    ['APP_EVN', 'APP_ENV'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PROT', 'PORT'],
    ['database_url', 'DATABASE_URL'],
  ])('%s', (wrong, right) => {
    expect(readVariables({ [wrong]: 'x' }).faults).toEqual([`${wrong} isn't a setting. Did you mean ${right}?`]);
    expect(readVariables({ [wrong]: ' ' }).faults).toEqual([]);
  });
});

test.each([
  ['SMTP_HOST', "SMTP_HOST is ignored, because it isn't a setting. Settings that begin with SMTP_: SMTP_URL."],
  ['TRUSTED_PROXY', "TRUSTED_PROXY is ignored, because it isn't a setting. Did you mean TRUSTED_PROXIES?"],
  ['APP_ENVIRONMENT', "APP_ENVIRONMENT is ignored, because it isn't a setting. Did you mean APP_ENV?"],
  ['DATA_DIRECTORY', 'Did you mean DATA_DIR?'],
  [
    'METABASE_URL',
    "METABASE_URL is ignored, because it isn't a setting. Settings that begin with METABASE_: METABASE_SITE_URL",
  ],
  ['METABASE_TOKEN', 'Settings that begin with METABASE_: METABASE_SITE_URL, METABASE_SECRET_KEY.'],
  ['DATABASE_PORT', "DATABASE_PORT is ignored, because it isn't a setting."],
  ['PORT_FILE', 'PORT_FILE is ignored, because only secrets can come from a file. Set PORT instead.'],
])('%s looks like ours, and gets a warning', (name, line) => {
  expect(readVariables({ [name]: '1' }).faults).toEqual([]);
  expect(doubtfulNames({ [name]: '1' })).toEqual([expect.stringContaining(line)]);
});

test('a name in .env that is no setting is named, unless other programs read it there', () => {
  const file = fileWith(
    '.env',
    'WHATEVER=1\nexport OTHER = 2\n# COMMENT=3\nNODE_ENV=x\nHTTP_PROXY=x\nPGHOST=x\nPORT=4\n',
  );
  const env = { WHATEVER: '1', OTHER: '2', SHELL: '/bin/sh', NODE_ENV: 'x', HTTP_PROXY: 'x', PGHOST: 'x', PORT: '4' };
  expect(doubtfulNames(env, namesInFile(file))).toEqual([
    "OTHER in .env is ignored, because it isn't a setting.",
    "WHATEVER in .env is ignored, because it isn't a setting.",
  ]);
  for (const unreadable of [join(folder, 'none'), folder])
    expect(doubtfulNames(env, namesInFile(unreadable))).toEqual([]);
});

test('what shells, Node, npm and platforms set raises no alarm', () => {
  const foreign = [
    ...[
      'DATABASE_USER',
      'DATABASE_PASSWORD',
      'HOME',
      'HOSTNAME',
      'HOSTTYPE',
      'HOSTS',
      'TEMP',
      'POST',
      'PATH',
      'LANG',
      'USER',
      'SHELL',
      'TERM',
      'PWD',
      'OLDPWD',
    ],
    ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'npm_config_user_agent', 'npm_package_name', 'INIT_CWD'],
    ...['INVOCATION_ID', 'JOURNAL_STREAM', 'LISTEN_FDS', 'NOTIFY_SOCKET', 'CREDENTIALS_DIRECTORY', 'STATE_DIRECTORY'],
    ...['KUBERNETES_SERVICE_HOST', 'DATABASE_SERVICE_HOST', 'DATABASE_SERVICE_PORT', 'DATABASE_PORT_5432_TCP_ADDR'],
    ...['SMTP_PORT_25_TCP', 'METABASE_SERVICE_PORT_HTTP', 'STAFF_DASHBOARD_PORT_3000_TCP', 'DATABASE_ENV_PG_VERSION'],
    ...['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_BSP_MAX_QUEUE_SIZE', 'PGPASSWORD', 'PGSSLMODE', 'AWS_REGION', 'TZ', 'CI'],
    ...[
      'POSTGRES_PASSWORD',
      'MB_DB_TYPE',
      'HTTP_PROXY',
      'https_proxy',
      'NO_PROXY',
      'WEB_CONCURRENCY',
      'DYNO',
      'SSH_TTY',
    ],
  ];
  const env = Object.fromEntries(foreign.map((name) => [name, '5432']));
  const links = { DATABASE_PORT: 'tcp://10.0.0.7:5432', SMTP_PORT: 'tcp://10.0.0.8:25' };
  expect(readVariables({ ...env, ...links }).faults).toEqual([]);
  expect(doubtfulNames({ ...env, ...links })).toEqual([]);
});
