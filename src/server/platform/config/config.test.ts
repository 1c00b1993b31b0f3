import { describe, expect, test } from 'vitest';
import { ConfigFaults, type Place, readCommandConfig, readConfig } from './config.ts';

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

describe('a wrong value stops the start with one line: name, value and what to use', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT is "http". Use a whole number from 0 to 65535 (0 picks a free port).'],
    [{ PORT: '70000' }, 'PORT is "70000". Use a whole number from 0 to 65535 (0 picks a free port).'],
    [{ PORT: '1e3' }, 'PORT is "1e3". Use'],
    [{ DRAIN_SECONDS: '61' }, 'DRAIN_SECONDS is "61". Use a whole number from 0 to 60.'],
    [{ HOST: 'not a host' }, 'HOST is "not a host". Use a host name'],
    [{ TRUSTED_PROXIES: 'my-proxy' }, 'TRUSTED_PROXIES is "my-proxy". Use addresses or networks'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES is "10.0.0.0/33". Use addresses or networks'],
    [{ APP_ENV: 'prod' }, 'APP_ENV is "prod". Use one of development, staging, production.'],
    [{ DEMO: 'yes' }, 'DEMO is "yes". Use 0 or 1.'],
    [{ COMPANY_TIME_ZONE: 'Europe/Atlantis' }, 'COMPANY_TIME_ZONE is "Europe/Atlantis". Use an IANA time zone'],
    [{ COMPANY_TIME_ZONE: '+01:00' }, 'COMPANY_TIME_ZONE is "+01:00". Use an IANA time zone'],
    [{ FILES_URL: 'https://bucket' }, 'FILES_URL is "https://bucket/...". Use an address like s3://bucket'],
    [
      { FILES_URL: 's3://bucket?endpoint=store:9000' },
      'FILES_URL is "s3://bucket/...". Use an address like s3://bucket?endpoint=',
    ],
    [
      { FILES_URL: 's3://bucket?endpoint=store' },
      'FILES_URL is "s3://bucket/...". Use an address like s3://bucket?endpoint=',
    ],
    [
      { FILES_URL: 's3://bucket?endpont=https://store' },
      'FILES_URL is "s3://bucket/...". Use an address like s3://bucket?endpoint=',
    ],
    [
      { FILES_URL: 's3://bucket/folder?endpoint=https://store' },
      'FILES_URL is "s3://bucket/..." at store. Use an address like s3://bucket?endpoint=',
    ],
    [{ FILES_URL: 's3://bucket?region=' }, 'FILES_URL is "s3://bucket/...". Use an address like s3://bucket?endpoint='],
    [{ TOP5_SERVER_URL: 'ftp://host' }, 'TOP5_SERVER_URL is "ftp://host/...". Use an http or https address'],
    [{ DASHBOARD_SERVER_URL: 'https://host/?a=1' }, 'DASHBOARD_SERVER_URL is "https://host/...". Use'],
    [{ DEFAULT_APPROVER_ID: 'anna' }, `DEFAULT_APPROVER_ID is "anna". Use a person's id`],
    [{ ADMIN_EMAIL: 'anna', ADMIN_PASSWORD: 'kettle rover eleven' }, 'ADMIN_EMAIL is "anna". Use an email address.'],
    [
      { DATABASE_REPLICA_URL: DATABASE_URL },
      "DATABASE_REPLICA_URL is set, but DATABASE_URL isn't. Set DATABASE_URL too.",
    ],
    [{ LINK_SECRET_ALSO: KEY }, "LINK_SECRET_ALSO is set, but LINK_SECRET isn't."],
    [{ DATABASE_DIRECT_URL: DATABASE_URL }, "DATABASE_DIRECT_URL is set, but DATABASE_URL isn't."],
    [
      { DATABASE_URL: 'postgres://staff:secret@db1:5432,db2/staff', LINK_SECRET: KEY },
      'DATABASE_URL is "postgres://***@db1:5432/..." and "postgres://***@db2/...". Use an address like postgres:',
    ],
    [
      { DATABASE_URL: 'postgres://db1/staff?target_session_attrs=standby', LINK_SECRET: KEY },
      'DATABASE_URL is "postgres://db1/...". Use an address like postgres:',
    ],
    [{ DATABASE_URL }, "LINK_SECRET isn't set, but DATABASE_URL needs it. Use 32 random bytes or more"],
    [{ ADMIN_EMAIL: 'anna@example.test' }, "ADMIN_PASSWORD isn't set, but ADMIN_EMAIL needs it."],
    [{ METABASE_SITE_URL: 'https://metabase' }, "METABASE_SECRET_KEY isn't set, but METABASE_SITE_URL needs it."],
    [{ SMTP_URL: 'smtp://host', MAIL_FROM: 'a@example.test' }, "PUBLIC_URL isn't set, but SMTP_URL needs it."],
    [
      { SMTP_URL: 'smtp://host', MAIL_FROM: 'staff', PUBLIC_URL: 'https://a.example.test' },
      'MAIL_FROM is "staff". Use an email address, with a name if you like',
    ],
    [
      { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: KEY, PUBLIC_URL: 'https://a' },
      'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need it.',
    ],
    [
      { ...oidc, OIDC_ISSUER: 'http://id.example.test' },
      'OIDC_ISSUER is "http://id.example.test/...". Use an https address',
    ],
    [{ ...oidc, OIDC_SCOPES: 'groups' }, 'OIDC_SCOPES is "groups". Use scopes with openid first'],
    [{ ...oidc, OIDC_GROUP_ROLES: 'staff' }, 'OIDC_GROUP_ROLES is "staff". Use groups and their roles'],
    [
      { DEMO: '1', ADMIN_EMAIL: 'a@example.test', ADMIN_PASSWORD: 'kettle rover eleven' },
      'DEMO is "1", but ADMIN_EMAIL asks for your own company. Remove one of them.',
    ],
    [
      { METRICS_ADDRESS: '127.0.0.1:9464', PORT: '9464', HOST: '0.0.0.0' },
      'METRICS_ADDRESS is "127.0.0.1:9464", but the server itself listens at PORT 9464.',
    ],
    [{ DEMO: '1', APP_ENV: 'production' }, 'DEMO is "1", but APP_ENV is "production". Remove DEMO'],
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
      "OIDC_ISSUER isn't set, but OIDC_CLIENT_ID needs it.",
      "OIDC_CLIENT_SECRET isn't set, but OIDC_CLIENT_ID needs it.",
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
    [{ SMTP_URL: 'imap://staff:hunter2@host', MAIL_FROM: 'a@b.test', PUBLIC_URL: 'https://a' }, 'hunter2'],
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
    demo: { load: true, refusal: null, isPublic: false },
    demoPassword: 'top-5-demo',
    companyTimeZone: 'UTC',
    appEnv: 'development',
    appName: 'Staff dashboard',
    drainSeconds: 0,
    secondFactor: 'nobody',
    databasePoolSize: 10,
    logLevel: 'info',
    metrics: {},
    warnings: [],
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
    demo: { load: false },
    firstAdmin: { email: 'anna@example.test', password: 'correct horse battery' },
    metabase: { siteUrl: 'https://metabase.example.test', secretKey: 'metabase-key' },
    oidc: {
      issuer: 'https://id.example.test/realms/staff',
      clientId: 'dashboard',
      clientSecret: 'oidc-secret',
      name: 'your company account',
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
  [{ ADMIN_EMAIL: 'a@example.test', ADMIN_PASSWORD: 'kettle rover eleven' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ PUBLIC_URL: 'https://staff.example.test' }, false],
  [{ TRUSTED_PROXIES: 'loopback' }, false],
  [{ HOST: '0.0.0.0', DEMO: '1' }, true],
  [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ DATABASE_URL, LINK_SECRET: KEY }, false],
  [{ DATABASE_URL, LINK_SECRET: KEY, DEMO: '1' }, true],
])('the demo company with %o: %s', (env, demo) => {
  expect(readConfig(env as unknown as Record<string, string>, place).demo.load).toBe(demo);
});

test.each([
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '::', PUBLIC_URL: 'http://10.0.0.1:3000' }, true],
  [{ HOST: '10.0.0.1' }, true],
  [{}, false],
  [{ HOST: '::1' }, false],
  [{ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://staff.example.test' }, false],
])('other machines that reach the server without https, with %o: %s', (env, warns) => {
  const { warnings } = readConfig(env as unknown as Record<string, string>, place);
  const line = /^Warning: HOST is \S+, so other machines can reach this server without https\. .* set PUBLIC_URL to/;
  expect(warnings).toEqual(warns ? [expect.stringMatching(line)] : []);
});

test.each([
  ['10.0.0.0/8, loopback', []],
  ['loopback, ::/0', [expect.stringMatching(/^Warning: TRUSTED_PROXIES has ::\/0, so anyone can escape the limits/)]],
  ['0.0.0.0/0', [expect.stringContaining('TRUSTED_PROXIES has 0.0.0.0/0')]],
])('a warning about everyone as a proxy, with %s', (TRUSTED_PROXIES, warnings) => {
  expect(readConfig({ TRUSTED_PROXIES }, place).warnings).toEqual(warnings);
});

describe('DATA_DIR', () => {
  const closed: Place = {
    root: '/root/staff',
    isRoot: true,
    closedFolder: (path) => (path.startsWith('/root') ? '/root' : undefined),
  };

  test("one given to root that the database's user cannot enter is refused", () => {
    expect(faultsOf({ DATA_DIR: '/root/data' }, closed)).toEqual([
      'DATA_DIR is "/root/data", but PostgreSQL runs as the user staff-dashboard, who can\'t enter /root. Use a folder in /var/lib/staff-dashboard, for example /var/lib/staff-dashboard/data.',
    ]);
  });

  test('by default it is data in the checkout, for everyone', () => {
    for (const where of [place, closed, { ...closed, isRoot: false }])
      expect(readConfig({}, where).dataDir).toBe(`${where.root}/data`);
    expect(readConfig({ DATA_DIR: '/root/staff/data' }, closed).dataDir).toBe('/root/staff/data');
  });

  test('a relative one starts at the checkout, wherever the program is started', () => {
    expect(readConfig({ DATA_DIR: 'restored' }, place).dataDir).toBe('/srv/staff-dashboard/restored');
    expect(readCommandConfig({ DATA_DIR: './restored' }, place).dataDir).toBe('/srv/staff-dashboard/restored');
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
      logLevel: 'warn',
      warnings: [],
    });
  });
});
