// The server is short of something: file descriptors, memory, connections to the database. It answers 503 or
// is started again, and works as soon as there is enough.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { graphql } from './calls.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { outsideDatabase, Product, type ProductStart } from './product.ts';
import { named, runRounds } from './round.ts';
import type { Tally } from './writers.ts';

const shortMs = 2_000;

/** A call may find no connection at all; one that has an answer is told to come again. */
const onlyShort = ({ later, withoutRetryAfter }: Tally): string[] => [
  ...[...later.keys()].filter((status) => status !== 503 && status !== 409).map((status) => `answers of ${status}`),
  ...(withoutRetryAfter > 0 ? [`${withoutRetryAfter} answers of 503 without Retry-After`] : []),
];

type Shortage = {
  readonly start: ProductStart;
  /** Presses for a while. */
  readonly press: (product: Product, token: string) => Promise<void>;
};

async function pressAgainAndAgain(asked: Asked, { start, press }: Shortage): Promise<Outcome> {
  const product = new Product(start);
  let startedAgain = 0;
  try {
    await product.start();
    const outcome = await runRounds({
      product,
      asked,
      judge: onlyShort,
      async strike(_random, _round, { staff }) {
        await press(product, staff.owners[0]?.token ?? '');
        // What supervises it starts it again, as systemd and Docker do.
        await sleep(100);
        if (product.server.child.exitCode === null && product.server.child.signalCode === null) return undefined;
        startedAgain += 1;
        await product.start();
        return undefined;
      },
    });
    return { ...outcome, figures: { ...outcome.figures, 'times it ended and was started again': startedAgain } };
  } finally {
    await product.end();
  }
}

const descriptors = (database: { url: string }): Shortage => ({
  start: { database, under: ['prlimit', '--nofile=128:128'] },
  async press(product) {
    const { hostname, port } = new URL(product.url);
    const sockets: Socket[] = Array.from({ length: 300 }, () => connect(Number(port), hostname).on('error', () => {}));
    await sleep(shortMs);
    for (const socket of sockets) socket.destroy();
  },
});

const bigQuery = '{ getTasks { id title summary status notes { text } attachments { fileName } } }';

const memory = (database: { url: string }): Shortage => ({
  start: { database, nodeOptions: ['--max-old-space-size=128'] },
  async press(product, token) {
    await Promise.all(Array.from({ length: 60 }, () => graphql(product.url, { token }, bigQuery, {})));
  },
});

/** As a user of the database who may hold three connections: one to listen, two to work with. */
async function fewConnections(url: string): Promise<ProductStart> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create role few login password 'few' createrole connection limit 3`);
    await client.query('create database few owner few');
  } finally {
    await client.end();
  }
  const own = new URL(url);
  [own.username, own.password, own.pathname] = ['few', 'few', '/few'];
  const owner = new URL(url);
  owner.pathname = own.pathname;
  return { database: { url: own.href }, ownerUrl: owner.href };
}

const connections = (start: ProductStart): Shortage => ({
  start,
  async press(product, token) {
    const until = performance.now() + shortMs;
    const ask = async () => {
      while (performance.now() < until)
        await graphql(product.url, { token }, '{ getTasks(limit: 50) { id title } }', {});
    };
    await Promise.all(Array.from({ length: 20 }, ask));
  },
});

export const shortOfResources: Fault = {
  id: 'F20',
  title: 'The server has 128 descriptors, 128 MB of heap, or two connections to work with',
  unit: 'times each',
  trials: true,
  counts: { short: 2, full: 20 },
  async run(asked) {
    const database = await outsideDatabase();
    const another = await outsideDatabase();
    try {
      const outcomes = [
        named('descriptors', await pressAgainAndAgain(asked, descriptors(database))),
        named('memory', await pressAgainAndAgain(asked, memory(another))),
      ];
      const third = await outsideDatabase();
      try {
        const few = await fewConnections(third.superuserUrl);
        outcomes.push(named('connections', await pressAgainAndAgain(asked, connections(few))));
      } finally {
        await third.stop();
      }
      return {
        figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
        failures: outcomes.flatMap(({ failures }) => failures),
      };
    } finally {
      await database.stop();
      await another.stop();
    }
  },
};
