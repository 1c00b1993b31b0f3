// The manual works: its blocks run in order, as an operator would paste them, and end with an admin who signs in over HTTPS.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/server/platform/config/config.ts';
import { freePort } from '../../src/server/platform/db/postmaster.ts';
import { copyCheckout } from '../checkout-copy.ts';
import { openFolder } from '../database-folder.ts';
import { textOf } from '../house/source.ts';
import { skipFor } from '../needs.ts';
import { type OutsidePostgres, outsidePrograms, startOutsidePostgres } from '../outside-postgres.ts';
import { noTls, startTlsProxy, type TlsProxy } from '../tls-proxy.ts';

type Kind = 'embedded' | 'outside';
type Block = { readonly section: string; readonly kind: Kind | 'both'; readonly text: string };

const sections = ['Going to production', 'Backup and restore', 'Upgrade', 'Two servers', 'Rotate a secret'];

function blocksOf(manual: string): Block[] {
  return manual.split(/^## /m).flatMap((part) => {
    const section = part.split('\n')[0] as string;
    return [...part.matchAll(/^```sh manual ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({
      section,
      kind: (kind || 'both') as Block['kind'],
      text,
    }));
  });
}

const blocks = blocksOf(textOf('docs/production.md'));

test('the manual has commands for each of its five tasks', () => {
  expect([...new Set(blocks.map(({ section }) => section))]).toEqual(sections);
});

test('to go to production takes ten commands at most', () => {
  const commands = blocks.filter(({ section, kind }) => section === 'Going to production' && kind === 'both');
  const withoutFile = commands.map(({ text }) => text.replace(/<<END\n[\s\S]*?\nEND\n/, '\n')).join('');
  expect(withoutFile.trim().split('\n').length).toBeLessThanOrEqual(10);
});

test('to rotate the secret works where only data/link-secret is, and a block that is run twice changes nothing more', () => {
  const folder = openFolder('manual-secret');
  try {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data/link-secret'), 'of data/link-secret');
    writeFileSync(join(folder, '.env'), 'APP_ENV=production\n');
    const [{ text } = { text: '' }] = blocks.filter(({ section }) => section === 'Rotate a secret');
    const settings = () => {
      execFileSync('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder });
      return readFileSync(join(folder, '.env'), 'utf8');
    };
    const first = settings();
    expect(first).toMatch(/^APP_ENV=production\nLINK_SECRET_ALSO=of data\/link-secret\nLINK_SECRET=[0-9a-f]{64}\n$/);
    expect(settings()).toBe(first);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('only .env is closed to others: what is built after it is for the user of the server too', () => {
  const folder = openFolder('manual-modes');
  try {
    const script = `umask 022; ${blocks[0]!.text}\ntouch built`;
    execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    const modes = ['.env', 'built'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o644]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the trial server and the second one share no address with the first, and the trial tells nobody outside', () => {
  const [line = ''] = /^PORT=3001 .*$/m.exec(textOf('docs/production.md')) ?? [];
  const first = {
    METRICS_ADDRESS: '127.0.0.1:9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'a@company.test',
    PUBLIC_URL: 'https://staff.company.test',
    FILES_URL: 's3://bucket',
  };
  const own = Object.fromEntries([...line.matchAll(/([A-Z_]+)=(\S*)/g)].map(([, name, value]) => [name, value]));
  const trial = readConfig({ ...first, ...own });
  expect([trial.metrics, trial.telemetry, trial.mail, trial.filesUrl]).toEqual([{}, undefined, undefined, undefined]);
  expect(textOf('docs/production.md')).toMatch(/^PORT=3002 METRICS_ADDRESS= sh examples\/server\.sh start second$/m);
});

test('the first block leaves a .env that is there alone', () => {
  const folder = openFolder('manual-settings');
  try {
    const first = () => {
      execFileSync('bash', ['-euo', 'pipefail', '-c', blocks[0]!.text], { cwd: folder });
      return readFileSync(join(folder, '.env'), 'utf8');
    };
    expect(first()).toBe(first());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Signs in over HTTPS, as a browser would. */
async function signIn(proxy: TlsProxy, body: object): Promise<number | undefined> {
  const payload = JSON.stringify(body);
  const asked = request(`${proxy.url}/api/auth/login`, {
    method: 'POST',
    ca: proxy.certificate,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
  });
  asked.end(payload);
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

const kinds: readonly Kind[] = ['embedded', 'outside'];
describe.each(kinds)('every block runs in its order on the %s database', (kind) => {
  const lacking = noTls ?? (kind === 'outside' && outsidePrograms === null ? 'PostgreSQL 15' : null);
  let folder: string;
  let checkout: string;
  let proxy: TlsProxy;
  let postgres: OutsidePostgres | undefined;
  let ports: readonly [number, number];

  beforeAll(async () => {
    if (lacking !== null) return;
    folder = openFolder('manual');
    checkout = copyCheckout(join(folder, 'checkout'));
    ports = [await freePort(), await freePort()];
    proxy = await startTlsProxy(folder);
    if (kind === 'outside') postgres = await startOutsidePostgres(folder);
  });
  afterAll(async () => {
    if (lacking !== null) return;
    for (const name of ['server.pid', 'second.pid']) {
      const file = join(checkout, name);
      if (existsSync(file))
        await run(`kill $(cat ${name}) || true; while kill -0 $(cat ${name}) 2>/dev/null; do sleep 0.2; done`);
    }
    await proxy.stop();
    await postgres?.stop();
    rmSync(realpathSync(join(checkout, 'data')), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  /** What stands for the operator's own names and machines. */
  const placeholders = (): readonly (readonly [RegExp, string])[] => [
    [/https:\/\/staff\.company\.com/g, proxy.url],
    [/localhost:5432/g, `localhost:${postgres?.port}`],
    [/localhost:3000/g, `localhost:${ports[0]}`],
    [/localhost:3002/g, `localhost:${ports[1]}`],
    [/PORT=3002/g, `PORT=${ports[1]}`],
    // A certificate of this machine instead of a public one: the proxy of the test has it.
    [/^PUBLIC_URL=\S+ SERVERS=("[^"]*"|\S+) caddy .*$/gm, 'echo $1 > servers.txt'],
    // There is no other version than this one.
    [/^git (pull|checkout \S+)$/gm, 'true'],
  ];

  async function run(text: string): Promise<void> {
    const script = placeholders().reduce((filled, [from, to]) => filled.replace(from, to), text);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: checkout,
      env: {
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: folder,
        PORT: String(ports[0]),
        // Long enough that a start that doesn't wait for the end of the one before fails.
        DRAIN_SECONDS: '3',
        ...postgres?.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
    const [code] = await once(child, 'close');
    const logs = ['server.log', 'second.log'].map((name) => join(checkout, name)).filter((file) => existsSync(file));
    expect(code, `${script}\n${said}\n${logs.map((file) => readFileSync(file, 'utf8')).join('\n')}`).toBe(0);
    const servers = join(checkout, 'servers.txt');
    if (existsSync(servers)) proxy.leadTo(readFileSync(servers, 'utf8').trim().split(' '));
  }

  test.for(sections)('%s', async (section, context) => {
    if (lacking !== null) skipFor(context, lacking);
    for (const block of blocks.filter((block) => block.section === section && ['both', kind].includes(block.kind)))
      await run(block.text);
    const settings = readFileSync(join(checkout, '.env'), 'utf8');
    const [, email] = /^ADMIN_EMAIL=(.*)$/m.exec(settings) ?? [];
    const [, password] = /^ADMIN_PASSWORD=(.*)$/m.exec(settings) ?? [];
    expect(await signIn(proxy, { email, password })).toBe(200);
    expect(await signIn(proxy, { email: 'admin@demo.test', password: 'top-5-demo' })).toBe(401);
  });
});
