// The server is killed while it writes, and started again. Once on the embedded database, whose processes the
// kill leaves behind, and once on an outside one.
import type { Asked, Fault, Outcome } from './fault.ts';
import { outsideDatabase, Product } from './product.ts';
import { named, runRounds } from './round.ts';

async function killAgainAndAgain(asked: Asked, product: Product): Promise<Outcome> {
  try {
    await product.start();
    return await runRounds({
      product,
      asked,
      async strike() {
        await product.server.kill();
        return product.start();
      },
    });
  } finally {
    await product.end();
  }
}

export const serverKilled: Fault = {
  id: 'F1',
  title: 'The server is killed (SIGKILL) while it writes',
  unit: 'kills on each of two databases',
  trials: true,
  counts: { short: 5, full: 200 },
  async run(asked) {
    const embedded = named('embedded', await killAgainAndAgain(asked, new Product()));
    const database = await outsideDatabase();
    try {
      const outside = named('outside', await killAgainAndAgain(asked, new Product({ database })));
      return {
        figures: { ...embedded.figures, ...outside.figures },
        failures: [...embedded.failures, ...outside.failures],
      };
    } finally {
      await database.stop();
    }
  },
};
