// The tests of the core as a mutation run asks for them, again and again: those beside the rules that are
// changed.
import { defineConfig } from 'vitest/config';
import { rules } from './rules.ts';

export default defineConfig({
  test: {
    include: rules.map((name) => `src/core/${name}.test.ts`),
    setupFiles: ['./test/setup.ts'],
    isolate: false,
    testTimeout: 300_000,
  },
});
