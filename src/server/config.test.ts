import { describe, expect, test } from 'vitest';
import { ConfigFaults, readCommandConfig, readConfig } from './config.ts';
import type { Place } from './data-folder.ts';

const place: Place = { root: '/srv/staff-dashboard', isRoot: false, closedFolder: () => undefined };
const KEY = '0123456789abcdef0123456789abcdef';
const DATABASE_URL = 'postgres://staff:top-secret-word@db.example.test:5432/staff';

function faultsOf(env: Record<string, string>, where: Place = place): readonly string[] {
  try {
    readConfig(env, where);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.lines;
    throw error;
  }
  return [];
}

const oidc = {
  OIDC_ISSUER: 'https://id.example.test',
  OIDC_CLIENT_ID: 'a',
  OIDC_CLIENT_SECRET: 'b',
  PUBLIC_URL: 'https://a',
};

describe('a wrong value stops the start with one line: name, what it got, what it wants (spec of the contract)', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT is "http", it wants a whole number from 0 (any free port) to 65535.'],
    [{ PORT: '70000' }, 'PORT is "70000", it wants a whole number from 0 (any free port) to 65535.'],
    [{ PORT: '1e3' }, 'PORT is "1e3", it wants'],
    [{ DRAIN_SECONDS: '61' }, 'DRAIN_SECONDS is "61", it wants whole seconds from 0 to 60.'],
    [{ HOST: 'not a host' }, 'HOST is "not a host", it wants a host name'],
    [{ TRUSTED_PROXIES: 'my-proxy' }, 'TRUSTED_PROXIES is "my-proxy", it wants addresses or networks'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES is "10.0.0.0/33", it wants addresses or networks'],
    [{ APP_ENV: 'prod' }, 'APP_ENV is "prod", it wants one of development, staging, production.'],
    [{ DEMO: 'yes' }, 'DEMO is "yes", it wants 0 or 1.'],
    [{ COMPANY_TIME_ZONE: 'Europe/Atlantis' }, 'COMPANY_TIME_ZONE is "Europe/Atlantis", it wants an IANA time zone'],
    [{ COMPANY_TIME_ZONE: '+01:00' }, 'COMPANY_TIME_ZONE is "+01:00", it wants an IANA time zone'],
    [{ FILES_URL: 'https://bucket' }, 'FILES_URL is "https://bucket/...", it wants an address like s3://bucket'],
    [{ TOP5_SERVER_URL: 'ftp://host' }, 'TOP5_SERVER_URL is "ftp://host/...", it wants an http or https address'],
    [{ DASHBOARD_SERVER_URL: 'https://host/?a=1' }, 'DASHBOARD_SERVER_URL is "https://host/...", it wants'],
    [{ DEFAULT_APPROVER_ID: 'anna' }, `DEFAULT_APPROVER_ID is "anna", it wants a person's id`],
    [
      { ADMIN_EMAIL: 'anna', ADMIN_PASSWORD: 'kettle rover eleven' },
      'ADMIN_EMAIL is "anna", it wants an e-mail address.',
    ],
    [{ DATABASE_REPLICA_URL: DATABASE_URL }, 'DATABASE_REPLICA_URL is set without DATABASE_URL'],
    [{ LINK_SECRET_ALSO: KEY }, 'LINK_SECRET_ALSO is set without LINK_SECRET, it wants a second key'],
    [{ DATABASE_DIRECT_URL: DATABASE_URL }, 'DATABASE_DIRECT_URL is set without DATABASE_URL'],
    [
      { DATABASE_URL: 'postgres://staff:secret@db1:5432,db2/staff', LINK_SECRET: KEY },
      'DATABASE_URL is "postgres://***@db1:5432/..." and is "postgres://***@db2/...", it wants an address like postgres:',
    ],
    [
      { DATABASE_URL: 'postgres://db1/staff?target_session_attrs=standby', LINK_SECRET: KEY },
      'DATABASE_URL is "postgres://db1/...", it wants an address like postgres:',
    ],
    [{ DATABASE_URL }, 'LINK_SECRET is not set, with DATABASE_URL it wants 32 random bytes or more'],
    [{ ADMIN_EMAIL: 'anna@example.test' }, 'ADMIN_PASSWORD is not set, it is wanted with ADMIN_EMAIL.'],
    [{ METABASE_SITE_URL: 'https://metabase' }, 'METABASE_SECRET_KEY is not set, it is wanted with METABASE_SITE_URL.'],
    [{ SMTP_URL: 'smtp://host', MAIL_FROM: 'a@example.test' }, 'PUBLIC_URL is not set, SMTP_URL wants it'],
    [
      { ...oidc, OIDC_ISSUER: 'http://id.example.test' },
      'OIDC_ISSUER is "http://id.example.test/...", it wants an https address',
    ],
    [{ ...oidc, OIDC_SCOPES: 'groups' }, 'OIDC_SCOPES is "groups", it wants scopes like openid groups'],
    [{ ...oidc, OIDC_GROUP_ROLES: 'staff' }, 'OIDC_GROUP_ROLES is "staff", it wants groups and the roles'],
    [{ DEMO: '1', APP_ENV: 'production' }, 'DEMO is "1", with APP_ENV=production it wants 0'],
  ])('%o', (env, line) => {
    const faults = faultsOf(env as unknown as Record<string, string>);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(line);
  });

  test('all faults are told at once', () => {
    expect(faultsOf({ PORT: 'x', DEMO: 'x', APP_ENV: 'x' })).toHaveLength(3);
  });

  test('a group of which one is set names each that is missing', () => {
    expect(faultsOf({ OIDC_CLIENT_ID: 'a', PUBLIC_URL: 'https://a' })).toEqual([
      'OIDC_ISSUER is not set, it is wanted with OIDC_CLIENT_ID.',
      'OIDC_CLIENT_SECRET is not set, it is wanted with OIDC_CLIENT_ID.',
    ]);
  });
});

describe('no secret is shown', () => {
  test.each([
    [{ ADMIN_PASSWORD: 'hunter2', ADMIN_EMAIL: 'a@example.test' }, 'hunter2'],
    [{ DEMO_PASSWORD: 'hunter2' }, 'hunter2'],
    [{ LINK_SECRET: 'too-short-key' }, 'too-short-key'],
    [{ LINK_SECRET: KEY, LINK_SECRET_ALSO: 'too-short-key' }, 'too-short-key'],
    [{ DATABASE_URL: 'mysql://staff:hunter2@host/name', LINK_SECRET: KEY }, 'hunter2'],
    [{ DATABASE_URL: 'postgres//staff:hunter2@host', LINK_SECRET: KEY }, 'hunter2'],
    [{ DATABASE_URL: 'staff:hunter2@host/name', LINK_SECRET: KEY }, 'hunter2'],
    [{ DATABASE_URL: 'postgres://staff:hunter2@host:x,host/name', LINK_SECRET: KEY }, 'hunter2'],
    [{ DATABASE_URL: 'postgres://staff:hunter2@host,other/name', LINK_SECRET: KEY }, 'hunter2'],
    [{ PUBLIC_URL: 'https://staff:hunter2@host' }, 'hunter2'],
    [{ FILES_URL: 'http://key:hunter2@bucket?secret=hunter2' }, 'hunter2'],
    [{ SMTP_URL: 'imap://staff:hunter2@host', MAIL_FROM: 'a', PUBLIC_URL: 'https://a' }, 'hunter2'],
  ])('%o', (env, secret) => {
    const faults = faultsOf(env as unknown as Record<string, string>);
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain(secret);
  });
});

describe('an example is no secret: the start is refused with', () => {
  const secrets: Record<string, object> = {
    ADMIN_PASSWORD: { ADMIN_EMAIL: 'a@example.test' },
    LINK_SECRET: {},
    METABASE_SECRET_KEY: { METABASE_SITE_URL: 'https://metabase' },
    OIDC_CLIENT_SECRET: oidc,
  };
  const examples = [
    'changeme',
    'change-me-please-change-me-please-1',
    'your-secret',
    'example-secret-of-the-manual-12345',
    'placeholder',
  ];
  test.each(
    Object.entries(secrets).flatMap(([name, more]) => examples.map((example) => [name, example, more] as const)),
  )('%s=%s', (name, example, more) => {
    const faults = faultsOf({ ...more, [name]: example } as Record<string, string>);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${name} is set (`);
  });
  test.each(['short', 'password password', '123456789012345', 'admin admin admin'])(
    'ADMIN_PASSWORD=%s, which nobody may choose either',
    (ADMIN_PASSWORD) => {
      expect(faultsOf({ ADMIN_EMAIL: 'a@example.test', ADMIN_PASSWORD })).toHaveLength(1);
    },
  );
});

describe('LINK_SECRET', () => {
  test.each([
    'a'.repeat(64),
    'change-me-change-me-change-me-change-me',
    'this-is-an-example-secret-of-the-manual',
    KEY.slice(1),
  ])('%s is refused', (LINK_SECRET) => {
    expect(faultsOf({ LINK_SECRET })[0]).toContain('LINK_SECRET is set (');
  });

  test('is counted in bytes, not in characters', () => {
    expect(faultsOf({ LINK_SECRET: 'äöüßéèêàçñåø-äöüßéè' })).toEqual([]);
  });
});

test('without any variable it is the embedded demo on this machine', () => {
  expect(readConfig({}, place)).toEqual({
    port: 3000,
    trustedProxies: [],
    host: '127.0.0.1',
    dataDir: '/srv/staff-dashboard/data',
    demo: true,
    demoPassword: 'top-5-demo',
    companyTimeZone: 'UTC',
    appEnv: 'development',
    appName: 'Staff dashboard',
    drainSeconds: 0,
  });
});

test('an empty variable is an unset one', () => {
  expect(readConfig({ PORT: '', DEMO: ' ', DATABASE_URL: '' }, place)).toEqual(readConfig({}, place));
});

test('everything set arrives', () => {
  const config = readConfig(
    {
      PORT: '0',
      HOST: '::',
      DATA_DIR: '/data',
      DATABASE_URL,
      DATABASE_REPLICA_URL: 'postgresql://replica/staff',
      FILES_URL: 's3://bucket?endpoint=http://127.0.0.1:9000',
      LINK_SECRET: KEY,
      TOP5_SERVER_URL: 'https://top5.example.test/',
      ADMIN_EMAIL: 'anna@example.test',
      ADMIN_PASSWORD: 'correct horse battery',
      COMPANY_TIME_ZONE: 'America/Sao_Paulo',
      APP_ENV: 'production',
      METABASE_SITE_URL: 'https://metabase.example.test',
      METABASE_SECRET_KEY: 'metabase-key',
      OIDC_ISSUER: 'https://id.example.test/realms/staff',
      OIDC_CLIENT_ID: 'dashboard',
      OIDC_CLIENT_SECRET: 'oidc-secret',
      OIDC_GROUP_ROLES: 'it-admins=admin',
      SMTP_URL: 'smtps://user:word@mail.example.test:465',
      MAIL_FROM: 'Dashboard <dashboard@example.test>',
      PUBLIC_URL: 'https://dashboard.example.test/',
    },
    place,
  );
  expect(config).toMatchObject({
    port: 0,
    host: '::',
    dataDir: '/data',
    databaseUrl: DATABASE_URL,
    topFiveServerUrl: 'https://top5.example.test',
    publicUrl: 'https://dashboard.example.test',
    demo: false,
    firstAdmin: { email: 'anna@example.test', password: 'correct horse battery' },
    metabase: { siteUrl: 'https://metabase.example.test', secretKey: 'metabase-key' },
    oidc: {
      issuer: 'https://id.example.test/realms/staff',
      clientId: 'dashboard',
      clientSecret: 'oidc-secret',
      name: 'single sign-on',
      scopes: 'openid',
      groupsClaim: 'groups',
      groupRoles: [{ group: 'it-admins', role: 'admin' }],
      publicUrl: 'https://dashboard.example.test',
    },
    mail: { url: 'smtps://user:word@mail.example.test:465' },
  });
});

test.each([
  [{}, true],
  [{ APP_ENV: 'staging' }, true],
  [{ APP_ENV: 'production' }, false],
  [{ DEMO: '0' }, false],
  [{ DATABASE_URL, LINK_SECRET: KEY }, false],
  [{ DATABASE_URL, LINK_SECRET: KEY, DEMO: '1' }, true],
])('the demo company with %o: %s', (env, demo) => {
  expect(readConfig(env as unknown as Record<string, string>, place).demo).toBe(demo);
});

describe('DATA_DIR', () => {
  const closed: Place = {
    root: '/root/staff',
    isRoot: true,
    closedFolder: (path) => (path.startsWith('/root') ? '/root' : undefined),
  };

  test("one given to root that the database's user cannot reach is refused", () => {
    expect(faultsOf({ DATA_DIR: '/root/data' }, closed)).toEqual([
      'DATA_DIR is "/root/data", it wants a folder that the user nobody can reach, as whom PostgreSQL runs when root starts it: /root is closed.',
    ]);
  });

  test('for root below a closed folder it is in /var/lib, by the name and a hash of the checkout, and says so', () => {
    const { dataDir, dataDirNote } = readConfig({}, closed);
    expect(dataDir).toMatch(/^\/var\/lib\/staff-dashboard\/staff-[0-9a-f]{8}$/);
    expect(dataDirNote).toContain(dataDir);
    expect(readConfig({}, { ...closed, root: '/root/other/staff' }).dataDir).not.toBe(dataDir);
  });

  test('for anyone else, and for root in an open folder, it is beside the checkout', () => {
    expect(readConfig({}, { ...closed, isRoot: false })).toMatchObject({
      dataDir: '/root/staff/data',
      dataDirNote: undefined,
    });
    expect(readConfig({}, { ...closed, root: '/srv/staff' }).dataDir).toBe('/srv/staff/data');
  });

  test('with a database elsewhere only this program has to reach it', () => {
    expect(readConfig({ DATABASE_URL, LINK_SECRET: KEY, DATA_DIR: '/root/data' }, closed).dataDir).toBe('/root/data');
  });
});

describe('a command', () => {
  test('is told what is wrong with the variables that it needs', () => {
    expect(() => readCommandConfig({ DATABASE_URL: 'mysql://host/name', COMPANY_TIME_ZONE: 'Mars' })).toThrow(
      /DATABASE_URL is .*\n.*COMPANY_TIME_ZONE is "Mars"/,
    );
  });

  test('goes past a pooler, where there is one', () => {
    const env = { DATABASE_URL: 'postgres://pooler/staff', DATABASE_DIRECT_URL: DATABASE_URL };
    expect(readCommandConfig(env).databaseUrl).toBe(DATABASE_URL);
  });

  test('needs nothing that only a server needs', () => {
    expect(readCommandConfig({ DATABASE_URL, PORT: 'http', OIDC_ISSUER: 'x', DATA_DIR: '/srv/data' })).toEqual({
      dataDir: '/srv/data',
      databaseUrl: DATABASE_URL,
      companyTimeZone: 'UTC',
    });
  });
});
