// The machine of the primary is lost under load, and the standby takes over: once through HAProxy, and once
// with both machines in `DATABASE_URL`. In turn everything on it is killed, and it falls silent besides.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { untilReady } from './f02-database-killed.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import { Product } from './product.ts';
import { named, runRounds } from './round.ts';

const longestWaitMs = 60_000;

/**
 * Leaves no row, and is answered like any commit: when the synchronous standby has it, or there is none that
 * it waits for.
 */
const write = `select pg_logical_emit_message(true, 'staff-fault', '')`;

async function assertTakesWrites(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(write);
  } finally {
    client.end().catch(() => {});
  }
}

/**
 * HAProxy looks for the primary every two seconds only, so it finds another one later than Patroni and the
 * server do.
 */
async function untilTakesWrites(url: string): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  for (;;) {
    try {
      return await assertTakesWrites(url);
    } catch (cause) {
      if (performance.now() > deadline) throw new Error('HAProxy led to no primary that takes writes', { cause });
      await sleep(200);
    }
  }
}

async function failOverAgainAndAgain(
  asked: Asked,
  cluster: PatroniCluster,
  database: string,
  env = {},
): Promise<Outcome> {
  await cluster.whole();
  await untilTakesWrites(cluster.urlByProxy('postgres'));
  await cluster.makeDatabase(database);
  const product = new Product({ database: { url: cluster.urlByProxy(database) }, env });
  try {
    await product.start();
    return await runRounds({
      product,
      asked,
      async strike(_random, round) {
        const primary = await cluster.whole();
        const started = performance.now();
        cluster.killNode(primary, { silently: round % 2 === 0 });
        await cluster.tookOver(primary);
        await untilReady(product);
        const outage = performance.now() - started;
        // Whichever way the server goes, what was acknowledged is looked for through HAProxy.
        await untilTakesWrites(cluster.urlByProxy(database));
        if (product.server.child.exitCode !== null) throw new Error('The server ended');
        await cluster.bringBack(primary);
        return outage;
      },
    });
  } finally {
    await product.end();
  }
}

export const failover: Fault = {
  id: 'F5',
  title: 'The machine of the primary is lost, and its synchronous standby takes over',
  unit: 'failovers through HAProxy, and a quarter as many with both machines in DATABASE_URL',
  trials: true,
  counts: { short: 2, full: 20 },
  async run(asked) {
    const cluster = await PatroniCluster.start();
    try {
      const byProxy = named('HAProxy', await failOverAgainAndAgain(asked, cluster, 'by_proxy'));
      const few = { ...asked, count: Math.ceil(asked.count / 4) };
      const byHosts = named(
        'several hosts',
        await failOverAgainAndAgain(few, cluster, 'by_hosts', { DATABASE_URL: cluster.urlOfBoth('by_hosts') }),
      );
      return {
        figures: { ...byProxy.figures, ...byHosts.figures },
        failures: [...byProxy.failures, ...byHosts.failures],
      };
    } finally {
      cluster.stop();
    }
  },
};
