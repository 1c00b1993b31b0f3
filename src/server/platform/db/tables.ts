// The one home of tables and columns. Migrations are generated from it; instants are UTC.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { type TaskChanges, taskEventKinds } from '#core/tasks/task.ts';
import { taskStatusKeys } from '#core/tasks/task-status.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 });
const id = () => bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'bigint' });

export const taskStatus = pgEnum('task_status', taskStatusKeys as [string, ...string[]]);
export const taskEvent = pgEnum('task_event', taskEventKinds as [string, ...string[]]);

/** A role made in the role editor. `admin` is not a row: it holds everything (D11). */
export const roles = pgTable(
  'roles',
  {
    name: text('name').primaryKey(),
    /** Stays when the role is renamed. */
    id: bigint('id', { mode: 'bigint' }).notNull().unique('roles_id').generatedAlwaysAsIdentity(),
    permissions: text('permissions').array().notNull(),
    /** Counts every change of the role. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('roles_name').on(sql`lower(${table.name})`),
    check('roles_named', sql`btrim(${table.name}) <> '' and lower(${table.name}) <> 'admin'`),
  ],
);

export const people = pgTable(
  'people',
  {
    id: id(),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** `admin`, the name of a role, or null. A role in use cannot be deleted, a renamed one follows. */
    role: text('role'),
    /** The row of that role: nobody can have one that is not there. */
    madeRole: text('made_role')
      .generatedAlwaysAs(sql`nullif(role, 'admin')`)
      .references(() => roles.name),
    /** Permissions given to the person directly, besides the role's. */
    grants: text('grants').array().notNull().default(sql`'{}'`),
    team: text('team'),
    topFiveInvisible: boolean('top5_invisible').notNull().default(false),
    /** Null: no password sign-in. */
    passwordHash: text('password_hash'),
    /** Null: set before the product kept this, or never. */
    passwordChangedAt: instant('password_changed_at'),
    disabledAt: instant('disabled_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Where an imported person comes from; unique together. */
    source: text('source'),
    externalId: text('external_id'),
  },
  (table) => [
    uniqueIndex('people_email').on(sql`lower(${table.email})`),
    index('people_role').on(table.role),
    uniqueIndex('people_source').on(table.source, table.externalId),
  ],
);

/** Who approves whom (spec 3: approvers). */
export const approvers = pgTable(
  'approvers',
  {
    personId: reference('person_id')
      .notNull()
      .references(() => people.id),
    approverId: reference('approver_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.approverId] }),
    index('approvers_approver').on(table.approverId),
    check('approvers_not_self', sql`${table.personId} <> ${table.approverId}`),
  ],
);

/** A signed-in browser. Only the hash of its token is kept (D14). */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    personId: reference('person_id')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    address: text('address'),
    agent: text('agent'),
    /** When the person last proved who they are in this session. Null: when it began. */
    verifiedAt: instant('verified_at'),
    /** Written once a minute at most. Null: not since it began. */
    lastUsedAt: instant('last_used_at'),
    /** How the person signed in. Null: kept by a server of an earlier version. */
    method: text('method'),
    /** What the session may do: everything, or only finish signing in. */
    level: text('level').notNull().default('full'),
  },
  (table) => [
    index('sessions_person').on(table.personId),
    index('sessions_expiry').on(table.expiresAt),
    check('sessions_level', sql`${table.level} in ('full', 'needsSecondFactor', 'needsEnrollment')`),
  ],
);

/** A browser that signed in before, and the address it last did so from; both as hashes. */
export const knownDevices = pgTable(
  'known_devices',
  {
    tokenHash: bytes('token_hash').notNull(),
    personId: reference('person_id')
      .notNull()
      .references(() => people.id),
    addressKey: bytes('address_key').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tokenHash, table.personId] }),
    index('known_devices_person').on(table.personId),
  ],
);

/** Wrong guesses of passwords and codes, counted before any hashing and shared by all servers. `key` is a hash. */
export const signInFailures = pgTable(
  'sign_in_failures',
  { id: id(), key: bytes('key').notNull(), at: instant('at').notNull().defaultNow() },
  (table) => [index('sign_in_failures_key').on(table.key, table.at)],
);

/** Work of which only so much may run at once, on all servers together. A row whose server died ends by itself. */
export const workSlots = pgTable(
  'work_slots',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('work_slots_kind').on(table.kind)],
);

/** A week. Rows are made by the server; which one is current is told by the clock (D27, D39). */
export const sprints = pgTable(
  'sprints',
  {
    id: id(),
    name: text('name').notNull(),
    startAt: instant('start_at').notNull().unique('sprints_start'),
    endAt: instant('end_at').notNull(),
    commitmentAt: instant('commitment_at'),
    resultAt: instant('result_at'),
  },
  (table) => [index('sprints_end').on(table.endAt), check('sprints_order', sql`${table.startAt} < ${table.endAt}`)],
);

/** What a person committed to at the start of a sprint and had at the end of its settling; each written once (D39). */
export const sprintResults = pgTable(
  'sprint_results',
  {
    sprintId: reference('sprint_id')
      .notNull()
      .references(() => sprints.id),
    personId: reference('person_id')
      .notNull()
      .references(() => people.id),
    /** Tasks approved when the sprint started. Null: the commitment was not recorded (an imported sprint). */
    committed: integer('committed'),
    /** Tasks by status at settling's end, and what left by carry-over. Null until then. */
    counts: jsonb('counts').$type<Record<string, number>>(),
    carriedOut: integer('carried_out'),
  },
  (table) => [
    primaryKey({ columns: [table.sprintId, table.personId] }),
    index('sprint_results_person').on(table.personId),
  ],
);

export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    ownerId: reference('owner_id')
      .notNull()
      .references(() => people.id),
    sprintId: reference('sprint_id')
      .notNull()
      .references(() => sprints.id),
    title: text('title').notNull(),
    summary: text('summary').notNull().default(''),
    category: text('category').notNull(),
    change: text('change').notNull().default(''),
    /** What the last denial or sending back asked for, until the next approval (D16). */
    reason: text('reason'),
    status: taskStatus('status').notNull().default('INAPPROVAL'),
    version: integer('version').notNull().default(1),
    createdBy: reference('created_by')
      .notNull()
      .references(() => people.id),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When it came into its status: its age in the inbox, and how long it waited. */
    statusAt: instant('status_at').notNull().defaultNow(),
    carriedOver: smallint('carried_over').notNull().default(0),
    withdrawnAt: instant('withdrawn_at'),
    source: text('source'),
    externalId: text('external_id'),
  },
  (table) => [
    index('tasks_owner').on(table.ownerId, table.sprintId),
    index('tasks_sprint').on(table.sprintId, table.ownerId, table.status).where(sql`${table.withdrawnAt} is null`),
    index('tasks_awaiting')
      .on(table.ownerId, table.statusAt)
      .where(sql`${table.status} in ('INAPPROVAL', 'INREVIEW') and ${table.withdrawnAt} is null`),
    uniqueIndex('tasks_source').on(table.source, table.externalId),
  ],
);

export const taskNotes = pgTable(
  'task_notes',
  {
    id: id(),
    taskId: reference('task_id')
      .notNull()
      .references(() => tasks.id),
    authorId: reference('author_id').references(() => people.id),
    /** The author's name as it was. */
    authorName: text('author_name').notNull(),
    text: text('text').notNull(),
    at: instant('at').notNull().defaultNow(),
    editedAt: instant('edited_at'),
    removedAt: instant('removed_at'),
  },
  (table) => [index('task_notes_task').on(table.taskId)],
);

export const taskAttachments = pgTable(
  'task_attachments',
  {
    id: id(),
    taskId: reference('task_id')
      .notNull()
      .references(() => tasks.id),
    authorId: reference('author_id').references(() => people.id),
    authorName: text('author_name').notNull(),
    fileName: text('file_name').notNull(),
    mime: text('mime').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: bytes('sha256'),
    /** A random key in the store. Null: only the name is known (an imported task). */
    storageKey: text('storage_key').unique('task_attachments_key'),
    at: instant('at').notNull().defaultNow(),
    removedAt: instant('removed_at'),
  },
  (table) => [index('task_attachments_task').on(table.taskId)],
);

/** Every decision, edit and move, in the transaction that made it. Rows are never changed. */
export const taskHistory = pgTable(
  'task_history',
  {
    id: id(),
    taskId: reference('task_id')
      .notNull()
      .references(() => tasks.id),
    /** The sprint it happened in; a carry-over stands in both (`sprintId` is the one left). */
    sprintId: reference('sprint_id')
      .notNull()
      .references(() => sprints.id),
    at: instant('at').notNull().defaultNow(),
    actorId: reference('actor_id').references(() => people.id),
    actorName: text('actor_name').notNull(),
    event: taskEvent('event').notNull(),
    from: taskStatus('from_status').notNull(),
    to: taskStatus('to_status').notNull(),
    change: text('change'),
    before: jsonb('before').$type<TaskChanges>().notNull().default({}),
    after: jsonb('after').$type<TaskChanges>().notNull().default({}),
    /** The task's version after it. */
    version: integer('version').notNull(),
    /** Seconds that the task had stood in the status it left. */
    waited: bigint('waited', { mode: 'number' }).notNull().default(0),
    /** The sprint was settled already: shown as a correction, outside the recorded result (D39). */
    correction: boolean('correction').notNull().default(false),
  },
  (table) => [
    index('task_history_task').on(table.taskId, table.id),
    index('task_history_actor').on(table.actorId, table.at),
    index('task_history_sprint').on(table.sprintId, table.event),
    // Few rows, asked for by every look at a settled sprint.
    index('task_history_corrections').on(table.sprintId).where(sql`${table.correction}`),
  ],
);

/**
 * The tasks as they count in a sprint: those that stand in it, and those that left it by carry-over with the status they
 * left in, which count there as not completed (D39). What was withdrawn counts nowhere (D15).
 */
export const sprintStandings = pgView('sprint_standings', {
  sprintId: reference('sprint_id').notNull(),
  taskId: reference('task_id').notNull(),
  ownerId: reference('owner_id').notNull(),
  category: text('category').notNull(),
  status: taskStatus('status').notNull(),
  carriedOut: boolean('carried_out').notNull(),
}).as(sql`
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.withdrawn_at is null`);

/** Who did what, in the transaction that did it; before and after hold no secrets. Rows are never changed. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: instant('at').notNull().defaultNow(),
    actorId: reference('actor_id').references(() => people.id),
    action: text('action').notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    requestId: text('request_id'),
    address: text('address'),
    /** Each goes when what it salts is erased: without it nobody can find out by trying what the hash was made of. */
    valuesSalt: uuid('values_salt').defaultRandom(),
    addressSalt: uuid('address_salt').defaultRandom(),
    /** The row of the erasure that took before and after, or the address, away. */
    erasedIn: reference('erased_in'),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_subject').on(table.subjectType, table.subjectId),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.id),
  ],
);

/** What a call with an `Idempotency-Key` has made, so that the same call again makes nothing. Kept for a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    personId: reference('person_id')
      .notNull()
      .references(() => people.id),
    key: text('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    /** The id of what the call made or changed. */
    made: text('made').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] }), index('idempotency_keys_at').on(table.at)],
);

/** What an administrator changed from the defaults of `core/admin/settings.ts`. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  /** Null: back at the default, whatever that will be. The JSON null is a value. */
  value: jsonb('value'),
  /** Counts the changes; a setting without a row has 0. */
  version: integer('version').notNull().default(1),
  changedAt: instant('changed_at').notNull().defaultNow(),
  /** Null: by a command. */
  changedBy: reference('changed_by').references(() => people.id),
});
