// People's approvers, and the view that adds the default approver. Migrations are generated from them.
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, pgView, primaryKey } from 'drizzle-orm/pg-core';
import { whole } from '#server/platform/db/columns.ts';
import { people } from '#server/platform/db/tables.ts';

/** Approvers of people (spec 3: approvers). */
export const approvers = pgTable(
  'approvers',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    approverId: whole('approver_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.approverId] }),
    index('approvers_approver').on(table.approverId),
    check('approvers_not_self', sql`${table.personId} <> ${table.approverId}`),
  ],
);

/**
 * The effective approvers: a person's own, or the default approver for people without one
 * (`effectiveApprovers` in core/people/approvers.ts, D26). All reads use this view; the table `approvers` is
 * for changes. The setting wins over the environment's value, which the server keeps in its own row
 * (approvers.service.ts).
 */
export const effectiveApproversView = pgView('effective_approvers', {
  personId: whole('person_id').notNull(),
  approverId: whole('approver_id').notNull(),
  byDefault: boolean('by_default').notNull(),
}).as(sql`
  select person_id, approver_id, false as by_default from approvers
  union all
  select p.id, d.id, true
    from people p, people d
    where d.id = (
      select case when s.value #>> '{}' ~ '^[1-9][0-9]{0,17}$' then (s.value #>> '{}')::bigint end
      from settings s
      where s.key in ('defaultApprover', 'defaultApproverOfEnvironment') and s.value is not null
      order by s.key limit 1)
    and d.id <> p.id and not exists (select 1 from approvers a where a.person_id = p.id)`);
