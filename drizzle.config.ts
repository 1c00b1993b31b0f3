import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/server/db/tables.ts',
    './src/server/db/number-tables.ts',
    './src/server/db/import-tables.ts',
    './src/server/db/qualification-tables.ts',
  ],
  out: './src/server/db/migrations',
});
