// Two scanners of Debian, sqlmap and wapiti, with a signed-in admin's rights: what they find is a fault, or
// is said here why it is none.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makePerson, makeSession } from '../test/people.ts';
import { type Asked, CannotRun, type Fault, type Outcome } from './fault.ts';
import { Product } from './product.ts';

type Ran = { readonly output: string; readonly isThere: boolean };

function run(program: string, parameters: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, [...parameters], { maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, isThere: error?.code !== 'ENOENT' }),
    );
  });
}

/**
 * Requests with a star where sqlmap puts its own. The rest of a call keeps the server from looking at
 * nothing.
 */
const targets: Readonly<Record<string, { path: string; body?: object }>> = {
  'the sign-in': { path: '/api/auth/login', body: { email: 'a@example.test*', password: 'x*' } },
  'a link to set a password': { path: '/api/auth/link', body: { token: `${'x'.repeat(42)}*` } },
  'tasks by id': {
    path: '/graphql',
    body: {
      query: 'query ($a: ID, $b: ID) { getTasks(taskId: $a, userId: $b) { id } }',
      variables: { a: '1*', b: '1*' },
    },
  },
  'a note': {
    path: '/graphql',
    body: { query: 'mutation ($t: String!) { addNoteToTask(taskId: "1", text: $t) { id } }', variables: { t: 'a*' } },
  },
  'the search of the audit log': {
    path: '/graphql',
    body: {
      query: 'query ($s: String, $k: String) { auditLog(search: $s, subjectType: $k) { rows { id } } }',
      variables: { s: 'a*', k: 'task*' },
    },
  },
  'a number': {
    path: '/graphql',
    body: {
      query:
        'mutation ($c: String, $s: String) { exportTicket(dataset: "orders", metric: "gross", from: "2026-11-01", to: "2026-12-01", currency: $c, scope: $s) { url } }',
      variables: { c: 'USD*', s: 'connect*' },
    },
  },
  'a link to a file': { path: '/attachment/1*?person=1*&expires=1*&signature=x*' },
  'a ticket': { path: `/api/export?ticket=${'x'.repeat(42)}*` },
  'a calendar': { path: `/api/calendar/${'x'.repeat(42)}*.ics` },
};

async function sqlmap(product: Product, token: string, level: number, say: Asked['say']): Promise<Outcome> {
  const failures: string[] = [];
  const folder = join(product.folder, 'sqlmap');
  mkdirSync(folder, { recursive: true });
  for (const [what, { path, body }] of Object.entries(targets)) {
    const file = join(folder, 'request');
    const head = [
      `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
      `Host: ${new URL(product.url).host}`,
      `Authorization: Bearer ${token}`,
    ];
    const text = body ? JSON.stringify(body) : '';
    writeFileSync(file, [...head, ...(body ? ['Content-Type: application/json'] : []), '', text].join('\n'));
    // Else it takes its standard input for a list of targets, and waits for one.
    const options = [
      '--batch',
      '--ignore-stdin',
      '--flush-session',
      `--output-dir=${folder}`,
      `--level=${level}`,
      '--risk=1',
    ];
    const { output, isThere } = await run('sqlmap', [
      '-r',
      file,
      ...options,
      '--dbms=postgresql',
      '--ignore-code=*',
      '--technique=BEUS',
    ]);
    if (!isThere) throw new CannotRun('sqlmap');
    const [found] = /identified the following injection point[\s\S]{0,500}/.exec(output) ?? [];
    if (found) failures.push(`sqlmap at ${what}: ${found}`);
    else if (!/do not appear to be injectable|does not seem to be injectable/.test(output))
      failures.push(`sqlmap at ${what} came to no end: ${output.slice(-300)}`);
    say(`sqlmap at ${what}: ${found ? 'found something' : 'nothing'}`);
  }
  return { figures: { 'requests that sqlmap tried': Object.keys(targets).length }, failures };
}

/** Those that need nobody outside this machine. */
const modules =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss';

/** What wapiti calls a finding here and is none. */
const reasons: readonly (readonly [finding: RegExp, reason: string])[] = [
  [/Strict-Transport-Security/, 'is sent where PUBLIC_URL is https, and this server is asked by http'],
  [
    /X-XSS-Protection/,
    'is 0, as browsers that knew it could be misled by it; the content security policy is what holds',
  ],
];

type Finding = { readonly info?: string; readonly path?: string; readonly method?: string };

async function wapiti(product: Product, token: string, level: number): Promise<Outcome> {
  const report = join(product.folder, 'wapiti.json');
  const addresses = [
    '/',
    '/dashboard',
    '/graphql',
    '/api/auth/user',
    '/api/export?ticket=x',
    '/attachment/1?person=1&expires=1&signature=x',
  ];
  const starts = addresses.flatMap((path) => ['-s', `${product.url}${path}`]);
  const limits = ['--max-scan-time', String(level * 300), '--max-links-per-page', '50', '-d', '3', '-t', '10'];
  const { isThere, output } = await run('wapiti', [
    ...['-u', `${product.url}/`, ...starts, '-m', modules, '-H', `Authorization: Bearer ${token}`],
    ...['--flush-session', '--no-bugreport', '--scope', 'folder', ...limits, '-f', 'json', '-o', report],
  ]);
  if (!isThere) throw new CannotRun('wapiti');
  const read = () => JSON.parse(readFileSync(report, 'utf8')) as { vulnerabilities: Record<string, Finding[]> };
  let vulnerabilities: Record<string, Finding[]>;
  try {
    ({ vulnerabilities } = read());
  } catch {
    return { figures: {}, failures: [`wapiti came to no end: ${output.slice(-500)}`] };
  }
  const found = Object.entries(vulnerabilities).flatMap(([kind, findings]) =>
    findings.map(({ info, method, path }) => `${kind}: ${info} at ${method} ${path}`),
  );
  const without = found.filter((finding) => !reasons.some(([known]) => known.test(finding)));
  return {
    figures: {
      'kinds of attack that wapiti tried': modules.split(',').length,
      'findings with a reason': found.length - without.length,
    },
    failures: without.map((finding) => `wapiti found ${finding}`),
  };
}

export const scanners: Fault = {
  id: 'F12',
  title: 'The scanners sqlmap and wapiti, signed in as an admin',
  unit: 'as the level of sqlmap',
  trials: false,
  counts: { short: 1, full: 3 },
  async run({ count, say }) {
    const product = new Product();
    try {
      await product.start();
      const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 1 });
      const admin = await makePerson(pool, { role: 'admin' });
      const token = await makeSession(pool, admin, Temporal.Now.instant().subtract({ minutes: 1 }), 24);
      await pool.end();
      const byWapiti = await wapiti(product, token, count);
      const bySqlmap = await sqlmap(product, token, count, say);
      return {
        figures: { ...byWapiti.figures, ...bySqlmap.figures },
        failures: [...byWapiti.failures, ...bySqlmap.failures],
      };
    } finally {
      await product.end();
    }
  },
};
