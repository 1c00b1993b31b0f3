// The teams that people had before. Migrations are generated from it.
import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/**
 * A person's team and invisibility (D23) until a change. Only a trigger on `people` writes it, so it covers
 * every way to change them. What changed before 0.2 is unknown.
 */
export const earlierTeams = pgTable(
  'earlier_teams',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    until: instant('until').notNull(),
    team: text('team'),
    topFiveInvisible: boolean('top5_invisible').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.until] }), index('earlier_teams_until').on(table.until)],
);
