// A migration of everyday must not be able to take data away: what does so is listed here, with the reason,
// and reviewed like code.
import { describe, expect, it } from 'vitest';
import { filesUnder, textOf } from './source.ts';

const folder = 'src/server/platform/db/migrations';

const replaced = 'sums of orders that 0016 counts again, with the status, in tables of other names';
const recounted = 'sums that the same migration counts again from the rows, with more columns';

/** By migration and statement, why nothing needed is lost. */
const allowed: Readonly<Record<string, string>> = {
  'src/server/platform/db/migrations/0019_old-sums-by-status.sql drops a table: DROP TABLE "orders_hourly";': replaced,
  'src/server/platform/db/migrations/0019_old-sums-by-status.sql drops a table: DROP TABLE "orders_titles";': replaced,
  'src/server/platform/db/migrations/0019_old-sums-by-status.sql drops a table: DROP TABLE "orders_titles_monthly";':
    replaced,
  'src/server/platform/db/migrations/0044_affiliate-rates-in-roll-ups.sql deletes rows: DELETE FROM "affiliate_activity_daily";':
    recounted,
  'src/server/platform/db/migrations/0044_affiliate-rates-in-roll-ups.sql deletes rows: DELETE FROM "affiliate_activity_totals";':
    recounted,
  'src/server/platform/db/migrations/0046_rates-of-impressions.sql deletes rows: DELETE FROM "affiliate_activity_daily";':
    recounted,
  'src/server/platform/db/migrations/0046_rates-of-impressions.sql deletes rows: DELETE FROM "affiliate_activity_totals";':
    recounted,
};

const losing: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['empties a table', /^\s*truncate\b/i],
  ['deletes rows', /^\s*(with\b[\s\S]*\))?\s*delete\s+from\b/i],
  ['drops a table', /^\s*drop\s+(table|schema|type|sequence|materialized\s+view)\b/i],
  ['drops a column', /\bdrop\s+column\b/i],
  ['drops whatever hangs on it', /^\s*(drop|alter)\b[\s\S]*\bcascade\s*$/i],
  ['changes the type of a column', /\balter\s+column\b[\s\S]*\b(set\s+data\s+)?type\b/i],
];

/** What a file may lose, in words that name the statement. */
function losses(file: string, text: string): string[] {
  // What stands in a function is done when it is called, not by the migration.
  const done = text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '').replace(/--(?!> )[^\n]*/g, '');
  const statements = done.split(/--> statement-breakpoint|;\s*$/m);
  return statements.flatMap((statement) =>
    losing
      .filter(([, pattern]) => pattern.test(statement.trim()))
      .map(([what]) => `${file} ${what}: ${statement.trim().split('\n')[0]}`),
  );
}

describe('a migration that takes data away', () => {
  it.each([
    'truncate tasks cascade;',
    'DELETE FROM tasks;',
    'with old as (select 1) delete from tasks;',
    'DROP TABLE "tasks";',
    'DROP TABLE "tasks" CASCADE;',
    'drop type task_status cascade;',
    'ALTER TABLE "tasks" DROP COLUMN "title";',
    'ALTER TABLE "tasks" ALTER COLUMN "title" SET DATA TYPE integer;',
    'create table a (b int);--> statement-breakpoint\nTRUNCATE a;',
  ])('is caught: %s', (text) => {
    expect(losses('x.sql', text)).not.toEqual([]);
  });
  it.each([
    'CREATE TRIGGER a BEFORE TRUNCATE ON b FOR EACH STATEMENT EXECUTE FUNCTION c();',
    'ALTER TABLE "a" ADD CONSTRAINT "b" FOREIGN KEY ("c") REFERENCES "d"("e") ON DELETE cascade ON UPDATE no action;',
    'ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;',
    'ALTER TABLE "a" DROP CONSTRAINT "b";',
    'DROP INDEX "a";',
  ])('is not seen in: %s', (text) => {
    expect(losses('x.sql', text)).toEqual([]);
  });
  it('is in the list, with its reason', () => {
    const files = filesUnder(folder).filter((file) => file.endsWith('.sql'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => losses(file, textOf(file)))).toEqual(Object.keys(allowed));
  });
});
