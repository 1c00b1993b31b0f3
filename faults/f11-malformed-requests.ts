// Malformed requests by the thousand: first of a person without permissions, after which nothing may have
// changed, then of an admin, who may do everything. None is a failure of the server, none ends it, and none
// puts a secret into the log.
import { existsSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { seededRandom } from '#server/demo/random.ts';
import { makePerson, makeSession } from '../test/people.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { malformedBytes } from './malformed-bytes.ts';
import { type MalformedCall, malformedCall } from './malformed-calls.ts';
import { Product } from './product.ts';
import { openRawSocket, statusOf } from './raw-socket.ts';
import { wholeState } from './whole-state.ts';

const atOnce = 8;
/** One of so many is written by hand. */
const rawOneOf = 8;
const longestMs = 20_000;
const slowMs = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
/** Who is refused at the sign-in leaves lines there, and nowhere else. */
const changedByRefusals = ['sign_in_failures', 'audit_log', 'audit_chain', 'audit_unsealed'];
/** The server notes there by itself what it reminded of, when its time comes. */
const changedByTime = ['notice_runs'];

type Caller = { readonly url: string; readonly token: () => string };
type Sent = { readonly status: number | null; readonly what: string };

/** Before the web is built every page is a 503 that says so. */
const isBuilt = existsSync(new URL('../dist/index.html', import.meta.url));
const saysHowToBuild = ({ status, what }: Sent): boolean => !isBuilt && status === 503 && /^\s*(GET|HEAD) /.test(what);

function sendCall({ url, token }: Caller, { method, path, type, body }: MalformedCall): Promise<number | null> {
  const { hostname, port } = new URL(url);
  const headers: Record<string, string | number> = { authorization: `Bearer ${token()}` };
  if (type !== undefined) headers['content-type'] = type;
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve) => {
    const answered = (response: IncomingMessage) => {
      response.resume().on('close', () => resolve(response.statusCode ?? null));
    };
    const sent = request({ hostname, port, method, path, headers, agent, timeout: longestMs }, answered);
    sent.on('error', () => resolve(null)).on('timeout', () => sent.destroy());
    sent.end(body);
  });
}

async function sendBytes(url: string, bytes: string): Promise<number | null> {
  const { socket, answer, closed } = await openRawSocket(url);
  socket.end(Buffer.from(bytes, 'latin1'));
  await Promise.race([closed, sleep(slowMs, undefined, { ref: false })]);
  socket.destroy();
  return statusOf(answer());
}

/** The request of this number: with the same seed it is the same again. */
async function sendNumber(caller: Caller, seed: number, index: number): Promise<Sent> {
  const random = seededRandom(seed + index * 7_919);
  if (index % rawOneOf === 0) {
    const bytes = malformedBytes(random);
    return { status: await sendBytes(caller.url, bytes), what: bytes };
  }
  const call = malformedCall(random);
  const text = `${call.method} ${call.path} ${call.type ?? ''} ${call.body ?? ''}`;
  try {
    return { status: await sendCall(caller, call), what: text };
  } catch {
    // An address that Node's own client refuses to send.
    const head = `${call.method} ${call.path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${caller.token()}\r\n\r\n`;
    return { status: await sendBytes(caller.url, head), what: head };
  }
}

class Tally {
  readonly statuses = new Map<string, number>();
  readonly failures: string[] = [];
  slow = 0;

  add(sent: Sent, index: number, milliseconds: number): void {
    const { status, what } = sent;
    const kind = status === null ? 'no answer' : `answers ${Math.floor(status / 100)}xx`;
    this.statuses.set(kind, (this.statuses.get(kind) ?? 0) + 1);
    if (milliseconds > slowMs) this.slow += 1;
    if (status !== null && status >= 500 && !saysHowToBuild(sent))
      this.failures.push(`request ${index} was answered ${status}: ${what.slice(0, 1_500)}`);
  }
}

type Part = { readonly from: number; readonly to: number; readonly seed: number; readonly say: Asked['say'] };

async function sendAll(
  caller: Caller,
  { from, to, seed, say }: Part,
  tally: Tally,
  renew: (status: number | null) => Promise<void>,
): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to && tally.failures.length < 20) {
      const index = next++;
      const started = performance.now();
      const sent = await sendNumber(caller, seed, index);
      tally.add(sent, index, performance.now() - started);
      if (index % 5_000 === 4_999) say(`${index + 1} requests, ${tally.failures.length} faults`);
      await renew(sent.status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** What every table holds, by a hash. */
async function contents(product: Product): Promise<Map<string, string>> {
  const tables = await product.query<{ name: string }>(
    `select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found = new Map<string, string>();
  for (const { name } of tables.filter((table) => ![...changedByRefusals, ...changedByTime].includes(table.name))) {
    const rows = await product.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} t`,
    );
    found.set(name, rows[0]?.hash ?? '');
  }
  return found;
}

async function malform(asked: Asked, product: Product, log: LogWatch): Promise<Outcome> {
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 1 });
  pool.on('error', () => {});
  const now = () => Temporal.Now.instant().subtract({ minutes: 1 });
  const signIn = async (id: string) => log.watch(await makeSession(pool, id, now(), 24));
  const tally = new Tally();
  const half = Math.floor(asked.count / 2);
  try {
    const nobody = await signIn(await makePerson(pool, { role: null }));
    const admin = await makePerson(pool, { role: 'admin' });
    log.watch(new URL(product.databaseUrl).password);
    let adminToken = await signIn(admin);
    const before = await contents(product);
    await sendAll({ url: product.url, token: () => nobody }, { ...asked, from: 0, to: half }, tally, async () => {});
    const after = await contents(product);
    for (const [table, hash] of before)
      if (after.get(table) !== hash) tally.failures.push(`${table} was changed by somebody who may do nothing`);
    // An admin who calls everything ends the own session now and then.
    const renew = async (status: number | null) => {
      if (status === 401) adminToken = await signIn(admin);
    };
    const callers = { url: product.url, token: () => adminToken };
    await sendAll(callers, { ...asked, from: half, to: asked.count }, tally, renew);
  } finally {
    await pool.end();
    agent.destroy();
  }
  const state = await wholeState(product.databaseUrl, product.dataDir);
  const isAlive = product.server.child.exitCode === null && (await fetch(`${product.url}/readyz`)).ok;
  return {
    figures: {
      ...Object.fromEntries([...tally.statuses].sort()),
      'answers later than a second': tally.slow,
      'lines of the log above a warning': log.faults.length,
    },
    failures: [
      ...tally.failures,
      ...(isAlive ? [] : [`the server is not there any more: ${product.server.output().slice(-500)}`]),
      ...log.faults.slice(0, 5).map((line) => `the log says: ${line.slice(0, 600)}`),
      ...log.leaks().map((secret) => `the log holds a secret: ${secret.slice(0, 4)}…`),
      ...state.faults,
    ],
  };
}

/** Reads what the server writes: faults, and secrets that must not be there. */
class LogWatch {
  readonly faults: string[] = [];
  readonly #secrets = new Set<string>();
  #text = '';
  readonly #leaked = new Set<string>();

  watch(secret: string): string {
    if (secret.length > 8) this.#secrets.add(secret);
    return secret;
  }

  read = (piece: string): void => {
    this.#text += piece;
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      if (/^\{"level":[56]0/.test(line)) this.faults.push(line);
      for (const secret of this.#secrets) if (line.includes(secret)) this.#leaked.add(secret);
    }
  };

  leaks(): string[] {
    return [...this.#leaked];
  }
}

export const malformedRequests: Fault = {
  id: 'F11',
  title: 'Malformed requests, of somebody who may do nothing and of an admin',
  unit: 'requests',
  trials: true,
  counts: { short: 2_000, full: 100_000 },
  async run(asked) {
    const log = new LogWatch();
    const product = new Product({ onOutput: log.read });
    try {
      await product.start();
      return await malform(asked, product, log);
    } finally {
      await product.end();
    }
  },
};
