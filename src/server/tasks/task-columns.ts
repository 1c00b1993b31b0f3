// What is read of a task, part by part, for every statement that reads tasks: `t` is the task's row.
import { type SQL, sql } from 'drizzle-orm';
import type { TaskStatus } from '#core/task-status.ts';

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
  carriedOver: number;
  withdrawn: boolean;
  /** Its place among the owner's tasks of the sprint, from 1. */
  place: number;
  approverIds: string[];
  notes: NoteRow[] | null;
  attachments: AttachmentRow[] | null;
} & Named<'owner'> &
  Named<'creator'>;

/** Who approves the owner of the task `t`. */
export const approverIdsOfOwner = `array(select a.approver_id::text from effective_approvers a where a.person_id = t.owner_id order by a.approver_id)`;

/** What of a task a list reads only when somebody asks for it; the row has the columns of the parts that were named. */
const partColumns = {
  owner: `o.first_name as "ownerFirstName", o.last_name as "ownerLastName", o.email as "ownerEmail", o.team as "ownerTeam"`,
  creator: `c.first_name as "creatorFirstName", c.last_name as "creatorLastName", c.email as "creatorEmail", c.team as "creatorTeam"`,
  approvers: `${approverIdsOfOwner} as "approverIds"`,
  place: `(select count(*)::int from tasks e
    where e.owner_id = t.owner_id and e.sprint_id = t.sprint_id and e.id <= t.id and e.withdrawn_at is null) as place`,
  notes: `(select json_agg(n) from (
    select id::text, author_id::text as "userId", author_name as "userName", text, at as "timeStamp", edited_at is not null as edited
    from task_notes where task_id = t.id and removed_at is null order by task_notes.id) n) as notes`,
  attachments: `(select json_agg(f) from (
    select id::text, author_id::text as "userId", author_name as "userName", file_name as "fileName", mime, size, at as "timeStamp",
      storage_key as "storageKey"
    from task_attachments where task_id = t.id and removed_at is null order by task_attachments.id) f) as attachments`,
} as const;

export type TaskPart = keyof typeof partColumns;
export const allTaskParts = Object.keys(partColumns) as TaskPart[];

const joins: Readonly<Partial<Record<TaskPart, string>>> = {
  owner: 'join people o on o.id = t.owner_id',
  creator: 'join people c on c.id = t.created_by',
};

const ownColumns = `
  t.id, t.owner_id as "ownerId", t.sprint_id as "sprintId", t.title, t.summary, t.category, t.change, t.reason, t.status, t.version,
  t.created_at as "createdAt", t.created_by as "createdById", t.status_at as "statusAt", t.carried_over as "carriedOver",
  t.withdrawn_at is not null as withdrawn`;

export const columnsOf = (parts: readonly TaskPart[]): string =>
  [ownColumns, ...parts.map((part) => partColumns[part])].join(', ');
export const tablesOf = (parts: readonly TaskPart[]): string =>
  ['tasks t', ...parts.flatMap((part) => joins[part] ?? [])].join(' ');

/** The same list of parts comes again and again: those of one field of one document. */
const selects = new WeakMap<readonly TaskPart[], SQL>();

export function selectOf(parts: readonly TaskPart[]): SQL {
  const select = selects.get(parts) ?? sql.raw(`${columnsOf(parts)} from ${tablesOf(parts)}`);
  selects.set(parts, select);
  return select;
}
