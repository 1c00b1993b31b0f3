// Two PostgreSQL of Debian that Patroni keeps as a primary and a synchronous standby, each on a separate
// machine: a network namespace with everything that runs in it. etcd says who leads, HAProxy leads to that
// one; both stay with the caller.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostClient } from '#server/platform/db/host-client.ts';
import { freePort } from '#server/platform/db/postmaster.ts';
import { openFolder } from '../test/database-folder.ts';
import { signal } from './database-processes.ts';
import { CannotRun } from './fault.ts';
import { binaries, password, patroniSettings } from './patroni-settings.ts';

const ipProgram = '/usr/sbin/ip';
const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', ipProgram, `${binaries}/postgres`];
const longestWaitMs = 900_000;

const sh = (program: string, ...parameters: string[]): void => {
  execFileSync(program, parameters, { stdio: 'pipe' });
};
const ip = (words: string): void => sh(ipProgram, ...words.split(' '));

function assertCanRun(): void {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length > 0) throw new CannotRun(missing.join(', '));
  try {
    sh(ipProgram, 'netns', 'add', 'staff-probe');
    sh(ipProgram, 'netns', 'delete', 'staff-probe');
  } catch {
    throw new CannotRun('root, to make network namespaces');
  }
}

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly lag?: number };

type Node = { readonly name: string; readonly address: string };

export class PatroniCluster {
  readonly #folder = openFolder('staff-fault-cluster');
  readonly #bridge = `sd${process.pid % 100_000}`;
  readonly #network = '10.231.71';
  readonly nodes: readonly Node[] = [1, 2].map((at) => ({
    name: `${this.#bridge}n${at}`,
    address: `${this.#network}.${10 + at}`,
  }));
  readonly #keepers = new Map<string, ChildProcess>();
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<PatroniCluster> {
    assertCanRun();
    const cluster = new PatroniCluster(await freePort());
    try {
      cluster.#openNetwork();
      cluster.#startKeeping();
      await sleep(1_000);
      for (const node of cluster.nodes) await cluster.startNode(node);
      await cluster.whole();
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  /** By HAProxy, which leads to the primary. */
  urlByProxy(database: string): string {
    return `postgres://postgres:${password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Both machines, for a client that finds the primary itself. */
  urlOfBoth(database: string): string {
    const hosts = this.nodes.map(({ address }) => `${address}:5432`).join(',');
    return `postgres://postgres:${password}@${hosts}/${database}?target_session_attrs=read-write`;
  }

  async makeDatabase(name: string): Promise<void> {
    const client = new HostClient({ connectionString: this.urlOfBoth('postgres') });
    client.on('error', () => {});
    await client.connect();
    await client.query(`create database ${name} template template0 encoding 'UTF8'`).finally(() => client.end());
  }

  #openNetwork(): void {
    ip(`link add ${this.#bridge} type bridge`);
    ip(`addr add ${this.#network}.1/24 dev ${this.#bridge}`);
    ip(`link set ${this.#bridge} up`);
    for (const { name, address } of this.nodes) {
      ip(`netns add ${name}`);
      ip(`link add ${name} type veth peer name eth0 netns ${name}`);
      ip(`link set ${name} master ${this.#bridge} up`);
      ip(`-n ${name} addr add ${address}/24 dev eth0`);
      ip(`-n ${name} link set eth0 up`);
      ip(`-n ${name} link set lo up`);
    }
  }

  /** Runs until `stop`; what it says goes into a file of the folder. */
  #run(name: string, program: string, ...parameters: string[]): void {
    const output = openSync(join(this.#folder, `${name}.log`), 'a');
    this.#keepers.set(name, spawn(program, parameters, { stdio: ['ignore', output, output], detached: true }));
  }

  #startKeeping(): void {
    const here = `http://${this.#network}.1`;
    const etcd = `--name one --data-dir ${join(this.#folder, 'etcd')} --listen-client-urls ${here}:2379 --advertise-client-urls ${here}:2379 --listen-peer-urls ${here}:2380 --initial-advertise-peer-urls ${here}:2380 --initial-cluster one=${here}:2380`;
    this.#run('etcd', '/usr/bin/etcd', ...etcd.split(' '));
    const servers = this.nodes.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`);
    const settings = join(this.#folder, 'haproxy.cfg');
    writeFileSync(
      settings,
      `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 5s
listen primary
  bind 127.0.0.1:${this.#port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 2s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
    );
    this.#run('haproxy', '/usr/sbin/haproxy', '-f', settings);
  }

  #settingsOf(node: Node): string {
    const folder = join(this.#folder, node.name);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'patroni.json');
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify(patroniSettings({ ...node, folder, network: this.#network }), null, 1));
    sh('chown', '-R', 'postgres:postgres', folder);
    return file;
  }

  async startNode(node: Node): Promise<void> {
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
    this.#run(
      node.name,
      ipProgram,
      'netns',
      'exec',
      node.name,
      ...asPostgres,
      '/usr/bin/patroni',
      this.#settingsOf(node),
    );
  }

  /** What Patroni says of the cluster; empty where nobody answers. */
  async members(): Promise<readonly Member[]> {
    for (const { address } of this.nodes) {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
        .then((response) => (response.ok ? (response.json() as Promise<{ members: Member[] }>) : null))
        .catch(() => null);
      if (answer) return answer.members;
    }
    return [];
  }

  /** What Patroni and PostgreSQL said, the last of it. */
  #saidLast(): string {
    return this.nodes
      .map(({ name }) => readFileSync(join(this.#folder, `${name}.log`), 'utf8').slice(-2_000))
      .join('\n');
  }

  async #until(what: string, test: (members: readonly Member[]) => boolean): Promise<readonly Member[]> {
    const deadline = performance.now() + longestWaitMs;
    for (;;) {
      const members = await this.members();
      if (test(members)) return members;
      if (performance.now() > deadline)
        throw new Error(`${what} did not come: ${JSON.stringify(members)}\n${this.#saidLast()}`);
      await sleep(500);
    }
  }

  /** A primary, and a standby that has everything. Gives the machine of the primary. */
  async whole(): Promise<Node> {
    const members = await this.#until(
      'a primary with a synchronous standby',
      (all) =>
        all.some(({ role, state }) => role === 'leader' && state === 'running') &&
        all.some(({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state)),
    );
    const leader = members.find(({ role }) => role === 'leader');
    return this.nodes.find(({ name }) => name === leader?.name) as Node;
  }

  /** The other machine leads. */
  async tookOver({ name: lost }: Node): Promise<void> {
    await this.#until('another primary', (all) =>
      all.some(({ name, role, state }) => role === 'leader' && state === 'running' && name !== lost),
    );
  }

  /**
   * The whole machine is gone at once: everything on it is killed, and with `silently` nobody is told that
   * its connections ended.
   */
  killNode({ name }: Node, { silently }: { silently: boolean }): void {
    if (silently) ip(`link set ${name} down`);
    const pids = execFileSync(ipProgram, ['netns', 'pids', name], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .filter(Boolean);
    // Some end by themselves: PostgreSQL's processes go when their first one is gone.
    for (const pid of pids) signal(Number(pid), 'SIGKILL');
  }

  /** It comes back as it was, and follows the other one. */
  async bringBack(node: Node): Promise<void> {
    ip(`link set ${node.name} up`);
    await this.startNode(node);
  }

  stop(): void {
    for (const node of this.nodes) {
      try {
        this.killNode(node, { silently: false });
        ip(`netns delete ${node.name}`);
      } catch {
        // It was never made.
      }
    }
    for (const child of this.#keepers.values()) child.kill('SIGKILL');
    try {
      ip(`link delete ${this.#bridge}`);
    } catch {
      // It was never made.
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
