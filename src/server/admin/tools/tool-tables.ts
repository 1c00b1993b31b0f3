// The table of the staff tools: cards that admins maintain.
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

export const toolCards = pgTable(
  'tool_cards',
  {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    group: text('group_name').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    link: text('link').notNull(),
    ownerId: whole('owner_id').references(() => people.id),
    /** Who sees it besides admins; null: everyone with access to the tools. */
    permission: text('permission'),
    health: text('health').notNull().default('works'),
    healthNote: text('health_note').notNull().default(''),
    healthAt: instant('health_at').notNull(),
    /** The order within the group. */
    place: integer('place').notNull(),
    version: integer('version').notNull().default(1),
    removedAt: instant('removed_at'),
  },
  (table) => [
    index('tool_cards_group').on(table.group, table.place),
    check('tool_cards_link', sql`${table.link} ~* '^https?://'`),
    check('tool_cards_health', sql`${table.health} in ('works', 'trouble', 'down')`),
  ],
);
