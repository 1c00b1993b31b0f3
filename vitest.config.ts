import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

const setupFiles = ['./test/setup.ts'];
const withDatabase = { setupFiles, globalSetup: ['./test/database-cluster.ts'] };

// Only to end what hangs: how long a test takes says more about the machine than about the program.
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

// Vite would take graphql's ES modules while Mercurius requires the CommonJS ones: two copies of every class. Node takes one.
const graphqlOnce = { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] };

export default defineConfig({
  test: {
    // Two cores: more workers only make every test slower and the time limits wrong.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // What core and web test leaves nothing behind for the next file, so the files share their workers.
      { test: { name: 'core', include: ['src/core/**/*.test.ts'], setupFiles, isolate: false, ...patient } },
      {
        test: {
          name: 'web',
          include: ['src/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles,
          isolate: false,
          ...patient,
        },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'faults', include: ['faults/**/*.test.ts'], setupFiles, ...patient },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], setupFiles, ...patient } },
      {
        resolve: graphqlOnce,
        test: { name: 'server', include: ['src/server/**/*.test.ts'], ...withDatabase, ...patient },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'house', include: ['test/house/**/*.test.ts'], ...withDatabase, ...patient },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'matrix', include: ['test/matrix/**/*.test.ts'], ...withDatabase, ...patient },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'hazards', include: ['test/hazards/**/*.test.ts'], ...withDatabase, ...patient },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles,
          globalSetup: ['./test/e2e/demo-database.ts'],
          // A browser on a busy machine drops a key or a frame now and then; what is broken fails twice.
          retry: 1,
          ...patient,
        },
      },
    ],
  },
});
