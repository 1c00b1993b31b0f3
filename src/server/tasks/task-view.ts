// A task as the API shows it.

import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { Person } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantOf } from '#server/platform/db/database-types.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type AttachmentRow, allTaskParts, type NoteRow, type TaskPart, type TaskRow } from './task-columns.ts';
import * as store from './tasks.store.ts';

export type NoteView = NoteRow;
export type AttachmentView = AttachmentRow;

/** Inside of JSON no column says that it is one. */
const withInstant = <Row extends { timeStamp: string }>(row: Row): Row => ({
  ...row,
  timeStamp: instantOf(row.timeStamp),
});

/** What is read only when somebody asks for it is made only then, too: see `TaskPart`. */
export class TaskView {
  readonly id: string;
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
  readonly ownerId: string;
  readonly #row: TaskRow;
  readonly #taskLimit: number;

  constructor(row: TaskRow, taskLimit: number) {
    this.id = row.id;
    this.sprintId = row.sprintId;
    this.title = row.title;
    this.summary = row.summary;
    this.category = row.category;
    this.change = row.change;
    this.reason = row.reason;
    this.status = row.status;
    this.statusSince = row.statusAt;
    this.created = row.createdAt;
    this.version = row.version;
    this.carriedOver = row.carriedOver;
    this.withdrawn = row.withdrawn;
    this.ownerId = row.ownerId;
    this.#row = row;
    this.#taskLimit = taskLimit;
  }

  get owner(): Person {
    const { ownerId, ownerFirstName, ownerLastName, ownerEmail, ownerTeam } = this.#row;
    const names = { firstName: ownerFirstName, lastName: ownerLastName, email: ownerEmail };
    return { id: ownerId, displayName: displayName(names), team: ownerTeam };
  }

  get createdBy(): Person {
    const { createdById, creatorFirstName, creatorLastName, creatorEmail, creatorTeam } = this.#row;
    const names = { firstName: creatorFirstName, lastName: creatorLastName, email: creatorEmail };
    return { id: createdById, displayName: displayName(names), team: creatorTeam };
  }

  get ownerApproverIds(): readonly string[] {
    return this.#row.approverIds;
  }

  /** Beyond the limit of tasks per sprint (D19). */
  get extra(): boolean {
    return !this.withdrawn && this.#row.place > this.#taskLimit;
  }

  get notes(): readonly NoteView[] {
    return (this.#row.notes ?? []).map(withInstant);
  }

  get attachments(): readonly AttachmentView[] {
    return (this.#row.attachments ?? []).map(withInstant);
  }
}

export function taskView({ settings }: RequestContext, row: TaskRow): TaskView {
  return new TaskView(row, settings().taskLimit);
}

/** The task after a change, read in the transaction that made it. */
export async function readTask(
  context: RequestContext,
  queries: Queries,
  id: string,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<TaskView> {
  const [row] = await context.budget.readAtOnce((allowance) => store.taskById(queries, id, allowance, parts));
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return taskView(context, row);
}
