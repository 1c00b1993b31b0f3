import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { isFull } from './test/sampling.ts';

const setupFiles = ['./test/setup.ts'];
const withDatabase = { setupFiles, globalSetup: ['./test/database-cluster.ts'] };

// Files share their worker: loading the server anew for every file costs more than its tests. So a test puts back what it
// changes outside its own database: variables, timers, listeners.
const sharedWorker = { isolate: false };

// Only to end what hangs: how long a test takes says more about the machine than about the program.
const longest = isFull ? 2 * 3_600_000 : 300_000;
const patient = { testTimeout: longest, hookTimeout: longest, expect: { poll: { timeout: 60_000 } } };

// Vite would take graphql's ES modules while Mercurius requires the CommonJS ones: two copies of every class. Node takes one.
const graphqlOnce = { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] };

export default defineConfig({
  test: {
    // Two cores, and one worker more, because many tests wait for programs, locks and clocks.
    maxWorkers: 3,
    // As in scripts/run.mjs.
    execArgv: ['--no-sparkplug'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'core', include: ['src/core/**/*.test.ts'], setupFiles, ...sharedWorker, ...patient } },
      {
        test: {
          name: 'web',
          include: ['src/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A download is a click on a link: following it would leave the page of every later file of the worker.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          setupFiles,
          ...sharedWorker,
          ...patient,
        },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'faults', include: ['faults/**/*.test.ts'], setupFiles, ...patient },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts', 'bench/**/*.test.ts'], setupFiles, ...patient } },
      {
        resolve: graphqlOnce,
        test: { name: 'server', include: ['src/server/**/*.test.ts'], ...withDatabase, ...sharedWorker, ...patient },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'house', include: ['test/house/**/*.test.ts'], ...withDatabase, ...sharedWorker, ...patient },
      },
      { test: { name: 'operations', include: ['test/operations/**/*.test.ts'], setupFiles, ...patient } },
      {
        resolve: graphqlOnce,
        test: { name: 'matrix', include: ['test/matrix/**/*.test.ts'], ...withDatabase, ...sharedWorker, ...patient },
      },
      {
        resolve: graphqlOnce,
        test: { name: 'hazards', include: ['test/hazards/**/*.test.ts'], ...withDatabase, ...sharedWorker, ...patient },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles,
          globalSetup: ['./test/e2e/demo-database.ts', './test/e2e/one-browser.ts'],
          ...patient,
        },
      },
    ],
  },
});
