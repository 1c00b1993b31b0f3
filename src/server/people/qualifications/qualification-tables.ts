// The tables of role qualifications: requirements of roles, and evidence that people meet them.
import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { requirementKindKeys } from '#core/people/qualifications.ts';
import { id, instant, whole } from '#server/platform/db/columns.ts';
import { people, roles } from '#server/platform/db/tables.ts';

const kinds = sql.raw(requirementKindKeys.map((kind) => `'${kind}'`).join(', '));

/** What a role requires. Requirements follow a renamed role and are deleted with it. */
export const roleRequirements = pgTable(
  'role_requirements',
  {
    id: id(),
    /** Null: the role `admin`, which is no row. */
    roleId: whole('role_id').references(() => roles.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    title: text('title').notNull(),
    validMonths: smallint('valid_months'),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (table) => [
    index('role_requirements_role').on(table.roleId).where(sql`${table.withdrawnAt} is null`),
    check('role_requirements_kind', sql`${table.kind} in (${kinds})`),
    check('role_requirements_months', sql`${table.validMonths} > 0`),
  ],
);

/** Evidence that a person meets a requirement; withdrawn instead of deleted. */
export const roleEvidence = pgTable(
  'role_evidence',
  {
    id: id(),
    requirementId: whole('requirement_id')
      .notNull()
      .references(() => roleRequirements.id, { onDelete: 'cascade' }),
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    note: text('note').notNull().default(''),
    day: date('day').notNull(),
    goodUntil: date('good_until'),
    version: integer('version').notNull().default(1),
    recordedBy: whole('recorded_by')
      .notNull()
      .references(() => people.id),
    recordedAt: instant('recorded_at').notNull().defaultNow(),
    withdrawnAt: instant('withdrawn_at'),
  },
  (table) => [
    index('role_evidence_requirement').on(table.requirementId, table.personId).where(sql`${table.withdrawnAt} is null`),
    index('role_evidence_person').on(table.personId),
    check('role_evidence_order', sql`${table.goodUntil} >= ${table.day}`),
  ],
);
