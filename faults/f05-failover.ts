// The machine of the primary is lost under load, and the standby takes over: once through HAProxy, and once with both machines in
// `DATABASE_URL`. In turn everything on it is killed, and it falls silent besides.

import { untilReady } from './f02-database-killed.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { PatroniCluster } from './patroni-cluster.ts';
import { Product } from './product.ts';
import { named, runRounds } from './round.ts';

async function failOverAgainAndAgain(
  asked: Asked,
  cluster: PatroniCluster,
  database: string,
  env = {},
): Promise<Outcome> {
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
        await untilReady(product.url);
        const outage = performance.now() - started;
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
