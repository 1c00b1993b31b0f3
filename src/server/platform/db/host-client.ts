// One address can name several hosts of a cluster:
// `postgres://user@db1,db2:5433/name?target_session_attrs=read-write`. The driver supports one, so each
// connection first asks all hosts and picks the one that accepts writes, which changes after a failover.
import pg from 'pg';
import { DatabaseUnavailable } from './database-failures.ts';

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/s;

/** libpq's names: `any` host that answers, or one that accepts writes. */
export const sessionKinds = ['any', 'read-write'];

export type Hosts = {
  /** One address per host. */
  readonly urls: readonly [string, ...string[]];
  readonly kind: string;
};

/** Null if it isn't a database address. */
export function hostsIn(url: string): Hosts | null {
  const [, before = '', hosts = '', after = ''] = parts.exec(url) ?? [];
  // The driver treats these modes as verify-full, and prints a long warning about it.
  const isLikeLibpq = after.includes('uselibpqcompat=true');
  const verified = isLikeLibpq
    ? after
    : after.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
  const [first, ...others] = hosts.split(',').map((host) => `${before}${host}${verified}`);
  // What follows the host when a password wasn't encoded.
  if (/#|^[^?]*@/.test(after)) return null;
  if (before === '' || first === undefined) return null;
  const urls = [first, ...others] as const;
  if (!urls.every((one) => URL.canParse(one))) return null;
  return { urls: [...urls], kind: new URL(first).searchParams.get('target_session_attrs') ?? 'any' };
}

/** Two of these in a row must fit into a request's wait for a connection. */
const answerMs = 2_000;

async function assertServes(url: string, kind: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'staff-dashboard asks',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (kind === 'read-write' && rows[0]?.transaction_read_only !== 'off')
      throw new DatabaseUnavailable(`${client.host}:${client.port} is read-only`);
    return url;
  } finally {
    client.end().catch(() => {});
  }
}

/**
 * The address to connect to now. All hosts are asked in parallel, so one that is down doesn't delay the
 * others.
 */
async function servingUrl({ urls, kind }: Hosts): Promise<string> {
  return Promise.any(urls.map((url) => assertServes(url, kind))).catch((cause: AggregateError) => {
    const reasons = cause.errors.map((error: Error) => error.message).join('; ');
    throw new DatabaseUnavailable(`No database host can be used: ${reasons}`, { cause });
  });
}

type Connected = (error: Error | null) => void;

/** Connects to the right one of the address's hosts. */
export class HostClient extends pg.Client {
  readonly #hosts: Hosts;

  constructor(config: pg.ClientConfig = {}) {
    const hosts = hostsIn(config.connectionString ?? '');
    if (hosts === null) throw new TypeError('The database’s address isn’t readable');
    super({ ...config, connectionString: hosts.urls[0] });
    this.#hosts = hosts;
    // Queries report a lost connection themselves. An 'error' event without a listener would end the process,
    // and a dying database can emit one right after connecting.
    this.on('error', () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads, with a callback as its pool calls it and without
  override connect(done?: any): any {
    const connected = this.#connectToOne();
    if (!done) return connected;
    connected.then(() => (done as Connected)(null), done as Connected);
  }

  async #connectToOne(): Promise<unknown> {
    const { urls, kind } = this.#hosts;
    if (urls.length > 1 || kind !== 'any') {
      const { host, port } = new pg.Client({ connectionString: await servingUrl(this.#hosts) });
      Object.assign(this, { host, port });
    }
    return super.connect();
  }
}
