// C18: servers that start at once on an empty database, and a second one on the folder of another.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Product } from '../../faults/product.ts';
import { type FreshDatabase, freshDatabase } from '../database.ts';
import { openFolder } from '../database-folder.ts';
import { rounds } from '../sampling.ts';
import { spawnServer } from '../server-process.ts';
import { expectNone } from './rounds.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase({ bare: true });
});
afterAll(() => fresh.drop());

test('of servers that start at once on an empty database one makes its tables and all of them serve', async (context) => {
  const count = rounds(3, 5);
  const folder = openFolder('first-start');
  const start = { database: { url: fresh.url }, dataDir: join(folder, 'data') };
  const products = Array.from({ length: count }, () => new Product(start));
  try {
    await Promise.all(products.map((product) => product.start()));
    const ready = await Promise.all(products.map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
    const migrated = products.filter(({ server }) => server.output().includes('the database was migrated'));
    const { rows } = await fresh.database.pool.query<{ weeks: number }>('select count(*)::int as weeks from sprints');
    const wrong = [
      ...ready.filter((status) => status !== 200),
      ...(migrated.length === 1 ? [] : [`${migrated.length} migrated`]),
      // The week before, this one and the next, once.
      ...(rows[0]?.weeks === 3 ? [] : [`${rows[0]?.weeks} weeks`]),
    ];
    expectNone(context, 'C18', count, wrong);
  } finally {
    for (const product of products) await product.end();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a second server on the embedded database of another ends at once and says who has it', async (context) => {
  const product = new Product();
  try {
    await product.start();
    const second = spawnServer({ env: { DATA_DIR: product.dataDir } });
    expect(await second.exit).toBe(1);
    const { pid } = product.server.child;
    expect(second.output().trim()).toMatch(
      new RegExp(
        `^DATA_DIR ${product.dataDir} is in use by another server \\(process ${pid}, since .*\\)\\. Stop it first, or set another DATA_DIR\\.$`,
        'm',
      ),
    );
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expectNone(context, 'C18', 1, []);
  } finally {
    await product.end();
  }
});
