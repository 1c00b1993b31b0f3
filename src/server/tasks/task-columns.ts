// The columns of a task, part by part, for every statement that reads tasks: `t` is the task's row.

import { type SQL, sql } from 'drizzle-orm';
import { settings } from '#core/admin/settings.ts';
import type { Repeat } from '#core/tasks/repeat.ts';
import { contentFields } from '#core/tasks/task.ts';
import { isPlanned, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { literals } from '#server/platform/db/literals.ts';
import { waitsSince } from './awaiting-tasks.ts';

export type NoteRow = {
  id: string;
  userId: string | null;
  userName: string;
  text: string;
  timeStamp: string;
  edited: boolean;
};
export type AttachmentRow = {
  id: string;
  userId: string | null;
  userName: string;
  fileName: string;
  mime: string;
  size: number;
  timeStamp: string;
  /** Null: only the name is known (an imported task). */
  storageKey: string | null;
};
type Named<Prefix extends string> = { [Key in `${Prefix}${'FirstName' | 'LastName' | 'Email'}`]: string } & {
  [Key in `${Prefix}Team`]: string | null;
};

export type TaskRow = {
  id: string;
  ownerId: string;
  sprintId: string;
  title: string;
  summary: string;
  category: string;
  change: string;
  reason: string | null;
  status: TaskStatus;
  version: number;
  createdAt: string;
  createdById: string;
  statusAt: string;
  waitsSince: string;
  carriedOver: number;
  withdrawn: boolean;
  leftUndone: boolean;
  repeats: Repeat | null;
  /** Its position among the owner's tasks of the sprint, from 1. */
  place: number;
  approverIds: string[];
  notes: NoteRow[] | null;
  attachments: AttachmentRow[] | null;
} & Named<'owner'> &
  Named<'creator'>;

/** The approvers of task `t`'s owner. */
export const approverIdsOfOwner = `array(select a.approver_id::text from effective_approvers a where a.person_id = t.owner_id order by a.approver_id)`;

/** Lists that only count the notes don't read them. */
const notesWith = (text: string): string => `case when t.fits then (select json_agg(n) from (
    select id::text, author_id::text as "userId", author_name as "userName", ${text}, at as "timeStamp", edited_at is not null as edited
    from task_notes where task_id = t.id and removed_at is null order by task_notes.id) n) end as notes`;

/** Later places are all alike: each task beyond the limit is extra. */
const mostTaskLimit = settings.taskLimit.most;

/** The parts of a task that lists read on demand; the row has the requested parts' columns. */
const partColumns = {
  owner: `o.first_name as "ownerFirstName", o.last_name as "ownerLastName", o.email as "ownerEmail", o.team as "ownerTeam"`,
  creator: `c.first_name as "creatorFirstName", c.last_name as "creatorLastName", c.email as "creatorEmail", c.team as "creatorTeam"`,
  approvers: `${approverIdsOfOwner} as "approverIds"`,
  place: `(select coalesce(array_position(p.ids, t.id), ${mostTaskLimit + 1}) from places p
    where p.owner_id = t.owner_id and p.sprint_id = t.sprint_id) as place`,
  summary: 't.summary',
  notes: notesWith(`'' as text`),
  noteTexts: notesWith('text'),
  attachments: `case when t.fits then (select json_agg(f) from (
    select id::text, author_id::text as "userId", author_name as "userName", file_name as "fileName", mime, size, at as "timeStamp",
      storage_key as "storageKey"
    from task_attachments where task_id = t.id and removed_at is null order by task_attachments.id) f) end as attachments`,
} as const;

export type TaskPart = keyof typeof partColumns;
export const allTaskParts = Object.keys(partColumns) as TaskPart[];

const joins: Readonly<Partial<Record<TaskPart, string>>> = {
  owner: 'join people o on o.id = t.owner_id',
  creator: 'join people c on c.id = t.created_by',
};

/** The summary is another part. */
const shownContent = contentFields.filter((field) => field !== 'summary');

const ownColumns = `
  t.id, t.owner_id as "ownerId", t.sprint_id as "sprintId", ${shownContent.map((field) => `t.${field}`).join(', ')}, t.reason, t.status, t.version,
  t.created_at as "createdAt", t.created_by as "createdById", t.status_at as "statusAt", ${waitsSince} as "waitsSince", t.carried_over as "carriedOver",
  t.withdrawn_at is not null as withdrawn, t.left_undone_at is not null as "leftUndone", t.repeats`;

/** Size in bytes of a row without its texts: ids, names and instants. */
const rowBytes = 800;
const noteBytes = 250;
const fileBytes = 700;

/** The size of these parts. PostgreSQL knows a text's length without reading it. */
const bytesOf = (parts: readonly TaskPart[]): string =>
  [
    `${rowBytes} + coalesce(octet_length(t.reason), 0)`,
    ...shownContent.map((field) => `octet_length(t.${field})`),
    ...(parts.includes('summary') ? ['octet_length(t.summary)'] : []),
    ...(parts.includes('notes')
      ? [
          `(select coalesce(sum(${parts.includes('noteTexts') ? 'octet_length(text) + ' : ''}${noteBytes}), 0) from task_notes where task_id = t.id and removed_at is null)`,
        ]
      : []),
    ...(parts.includes('attachments')
      ? [`(select count(*) * ${fileBytes} from task_attachments where task_id = t.id and removed_at is null)`]
      : []),
  ].join(' + ');

/** Notes with texts use the notes' column. */
const columnParts = (parts: readonly TaskPart[]): readonly TaskPart[] =>
  parts.includes('noteTexts') ? parts.filter((part) => part !== 'notes') : parts;

const planned = literals(taskStatusKeys.filter((status) => isPlanned({ status })));

/** The planned tasks in the order of joining the sprint, read once per owner and sprint of the page. */
const places = sql`, places as materialized (
  select w.owner_id, w.sprint_id, (array(select i.id from tasks i
    where i.owner_id = w.owner_id and i.sprint_id = w.sprint_id and i.withdrawn_at is null and i.status in (${planned})
    order by coalesce((select max(h.at) from task_history h
      where h.task_id = i.id and h.event in ('carriedOver', 'movedToSprint') and h.sprint_id <> i.sprint_id), i.created_at), i.id))[1:${sql.raw(String(mostTaskLimit))}] as ids
  from (select distinct owner_id, sprint_id from page) w)`;

type Fragments = { readonly columns: SQL; readonly bytes: SQL; readonly joins: SQL; readonly places: SQL };
/** Caches the SQL by the list of parts, which is the same for one field of a document. */
const known = new WeakMap<readonly TaskPart[], Fragments>();

function fragmentsOf(parts: readonly TaskPart[]): Fragments {
  const made = known.get(parts) ?? {
    columns: sql.raw([ownColumns, ...columnParts(parts).map((part) => partColumns[part])].join(', ')),
    bytes: sql.raw(bytesOf(parts)),
    joins: sql.raw(parts.flatMap((part) => joins[part] ?? []).join(' ')),
    places: parts.includes('place') ? places : sql``,
  };
  known.set(parts, made);
  return made;
}

export type TaskSelection = {
  readonly parts: readonly TaskPart[];
  /** Bytes that can be read. */
  readonly allowance: number;
  /** Conditions and order of `t`. */
  readonly where: SQL;
  readonly order: SQL;
  readonly page?: SQL;
  /** A joined table: its name, its size, and its join condition. */
  readonly beside?: {
    readonly from: SQL;
    readonly id: SQL;
    readonly bytes: SQL;
    readonly columns: SQL;
    readonly join: SQL;
  };
};

/**
 * Reads tasks up to the allowance. The texts of the task that exceeds it, and all later tasks, stay in the
 * database; the last row's `readBytes` shows that. The page is cut first, so earlier pages don't use the
 * allowance.
 */
export function selectTasks({ parts, allowance, where, order, page, beside }: TaskSelection): SQL {
  const { columns, bytes, joins: joined, places: placed } = fragmentsOf(parts);
  return sql`
    with page as (
      select t.*, ${beside ? sql`${beside.id} as beside_id, ${beside.bytes} as beside_bytes, ` : sql``}
        row_number() over (order by ${order}) as position
      from tasks t ${beside?.from ?? sql``} where ${where} order by ${order} ${page ?? sql``}
    )${placed}
    select ${columns}, t.read_bytes as "readBytes"${beside ? sql`, ${beside.columns}` : sql``}
    from (
      select s.*, s.read_bytes <= ${allowance}::float8 as fits from (
        select t.*, sum(t.row_bytes) over (order by t.position rows unbounded preceding) as read_bytes
        from (select t.*, (${bytes}${beside ? sql` + t.beside_bytes` : sql``})::float8 as row_bytes from page t) t
      ) s where s.read_bytes - s.row_bytes <= ${allowance}::float8
    ) t ${joined} ${beside?.join ?? sql``}
    order by t.position`;
}
