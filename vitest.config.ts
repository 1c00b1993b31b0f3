import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const setupFiles = ['./test/setup.ts'];
const withDatabase = { setupFiles, globalSetup: ['./test/database-cluster.ts'] };

// The tests of the database's life (initdb, kill, take over) and of whole requests run on a machine with two cores.
const slow = { testTimeout: 20_000, hookTimeout: 60_000 };

// Vite would take graphql's ES modules while Mercurius requires the CommonJS ones: two copies of every class. Node takes one.
const graphqlOnce = { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] };

export default defineConfig({
  test: {
    // Two cores: more workers only make every test slower and the time limits wrong.
    maxWorkers: 2,
    projects: [
      // Pure functions leave nothing behind for the next file, so the files share their workers.
      { test: { name: 'core', include: ['src/core/**/*.test.ts'], setupFiles, isolate: false } },
      { test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'], setupFiles } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], setupFiles, ...slow } },
      {
        resolve: graphqlOnce,
        test: { name: 'server', include: ['src/server/**/*.test.ts'], ...withDatabase, ...slow },
      },
      { resolve: graphqlOnce, test: { name: 'house', include: ['test/house/**/*.test.ts'], ...withDatabase, ...slow } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles,
          globalSetup: ['./test/e2e/demo-database.ts'],
          // Journeys share one browser and one server; side by side they would fight for both.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
