// A task as the API shows it.
import { displayName } from '#core/people.ts';
import { refuse } from '#core/refusals.ts';
import type { TaskStatus } from '#core/task-status.ts';
import type { RequestContext } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import type { Person } from '../people/people.service.ts';
import * as store from './tasks.store.ts';

export type NoteView = store.NoteRow;
export type AttachmentView = store.AttachmentRow;

export type TaskView = {
  readonly id: string;
  readonly owner: Person;
  readonly createdBy: Person;
  readonly ownerApproverIds: readonly string[];
  readonly sprintId: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly change: string;
  readonly reason: string | null;
  readonly status: TaskStatus;
  readonly statusSince: string;
  readonly created: string;
  readonly version: number;
  readonly carriedOver: number;
  readonly withdrawn: boolean;
  /** Beyond the limit of tasks per sprint (D19). */
  readonly extra: boolean;
  readonly notes: readonly NoteView[];
  readonly attachments: readonly AttachmentView[];
};

/** Inside of JSON PostgreSQL writes instants its own way; out they go like all others. */
const instantOfJson = (text: string): string => new Date(text).toISOString();
const withInstant = <Row extends { timeStamp: string }>(row: Row): Row => ({
  ...row,
  timeStamp: instantOfJson(row.timeStamp),
});

export function taskView({ settings }: RequestContext, row: store.TaskRow): TaskView {
  return {
    id: row.id,
    owner: {
      id: row.ownerId,
      displayName: displayName({ firstName: row.ownerFirstName, lastName: row.ownerLastName, email: row.ownerEmail }),
      team: row.ownerTeam,
    },
    createdBy: {
      id: row.createdById,
      displayName: displayName({
        firstName: row.creatorFirstName,
        lastName: row.creatorLastName,
        email: row.creatorEmail,
      }),
      team: row.creatorTeam,
    },
    ownerApproverIds: row.approverIds,
    sprintId: row.sprintId,
    title: row.title,
    summary: row.summary,
    category: row.category,
    change: row.change,
    reason: row.reason,
    status: row.status,
    statusSince: row.statusAt,
    created: row.createdAt,
    version: row.version,
    carriedOver: row.carriedOver,
    withdrawn: row.withdrawn,
    extra: !row.withdrawn && row.place > settings().taskLimit,
    notes: (row.notes ?? []).map(withInstant),
    attachments: (row.attachments ?? []).map(withInstant),
  };
}

/** The task after a change, read in the transaction that made it. */
export async function readTask(context: RequestContext, queries: Queries, id: string): Promise<TaskView> {
  const row = await store.taskById(queries, id);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return taskView(context, row);
}
