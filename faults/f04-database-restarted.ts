// An external PostgreSQL is restarted under load, in turn as `pg_ctl restart -m immediate` and `-m fast` do
// it: by their signals.
import { databaseProcesses, signal } from './database-processes.ts';
import { onlyBusy, untilReady } from './f02-database-killed.ts';
import type { Fault } from './fault.ts';
import { outsideDatabase, Product } from './product.ts';
import { runRounds } from './round.ts';

export const databaseRestarted: Fault = {
  id: 'F4',
  title: 'PostgreSQL is restarted (immediate, fast) under load',
  unit: 'restarts',
  trials: true,
  counts: { short: 4, full: 50 },
  async run(asked) {
    const database = await outsideDatabase();
    const product = new Product({ database });
    try {
      await product.start();
      return await runRounds({
        product,
        asked,
        judge: onlyBusy,
        async strike(_random, round) {
          const { postmaster } = databaseProcesses(database.data);
          const isBack = new Promise<void>((resolve) => {
            const forget = database.onState((state) => {
              if (state !== 'ready') return;
              forget();
              resolve();
            });
          });
          const started = performance.now();
          signal(postmaster, round % 2 === 0 ? 'SIGINT' : 'SIGQUIT');
          await isBack;
          await untilReady(product);
          return performance.now() - started;
        },
      });
    } finally {
      await product.end();
      await database.stop();
    }
  },
};
