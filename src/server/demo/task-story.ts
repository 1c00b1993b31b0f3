// One task of the demo company from its creation on. The core's rules decide every step, so the demo never
// has a state that the product would refuse.
import type { Viewer } from '#core/access/access.ts';
import { isRefusal, type Refusal } from '#core/base/refusals.ts';
import { type Span, type SprintPhase, sprintPhase } from '#core/tasks/sprint.ts';
import {
  attachRefusal,
  type NothingToDo,
  noteRefusal,
  planCarryOver,
  planUpdate,
  planWithdraw,
  type Task,
  type TaskPlan,
  type TaskUpdate,
} from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { RowOf } from '#server/platform/db/insert-rows.ts';
import type { taskAttachments, taskHistory, taskNotes, tasks } from '#server/tasks/task-tables.ts';
import type { TaskText } from './task-titles.ts';

/** A person who acts, with the name that histories record. */
export type Actor = Viewer & { readonly name: string };

export type TaskRow = RowOf<typeof tasks> & { id: string; sprintId: string; status: TaskStatus; version: number };
export type HistoryRow = RowOf<typeof taskHistory> & { taskId: string; sprintId: string; at: string; to: TaskStatus };
export type NoteRow = RowOf<typeof taskNotes> & { at: string };
export type AttachmentRow = RowOf<typeof taskAttachments> & { at: string };

/** The sprints by id, and the rules that depend on them. */
export type Calendar = {
  readonly spanOf: (sprintId: string) => Span;
  readonly currentAt: (milliseconds: number) => string;
  readonly settlingHours: number;
};

const iso = (milliseconds: number) =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toString({ fractionalSecondDigits: 3 });

function mustBeAllowed(refusal: Refusal | null): void {
  if (refusal) throw new Error(`The demo company broke a rule: ${refusal.message}`);
}

export class TaskStory {
  readonly row: TaskRow;
  readonly history: HistoryRow[] = [];
  readonly notes: NoteRow[] = [];
  readonly attachments: AttachmentRow[] = [];
  readonly owner: Actor;
  readonly #calendar: Calendar;
  #statusSince: number;

  constructor(
    id: string,
    owner: Actor,
    creator: Actor,
    text: TaskText,
    sprintId: string,
    at: number,
    calendar: Calendar,
  ) {
    this.owner = owner;
    this.#calendar = calendar;
    this.#statusSince = at;
    this.row = {
      id,
      ownerId: owner.id,
      sprintId,
      ...text,
      change: '',
      reason: null,
      status: 'INAPPROVAL',
      version: 1,
      createdBy: creator.id,
      createdAt: iso(at),
      statusAt: iso(at),
      carriedOver: 0,
      withdrawnAt: null,
    };
    this.#remember(creator, at, {
      kind: 'created',
      from: 'INAPPROVAL',
      to: 'INAPPROVAL',
      change: null,
      before: {},
      after: text,
    });
  }

  get status(): TaskStatus {
    return this.row.status;
  }

  phaseAt(at: number): SprintPhase {
    const span = this.#calendar.spanOf(this.row.sprintId);
    return sprintPhase(span, Temporal.Instant.fromEpochMilliseconds(at), this.#calendar.settlingHours);
  }

  update(actor: Actor, at: number, update: TaskUpdate): boolean {
    return this.#apply(actor, at, planUpdate(actor, this.#asTask(at), this.owner, update));
  }

  withdraw(at: number): boolean {
    return this.#apply(this.owner, at, planWithdraw(this.owner, this.#asTask(at), this.owner));
  }

  carryOver(at: number): boolean {
    return this.#apply(this.owner, at, planCarryOver(this.owner, this.#asTask(at), this.owner));
  }

  note(author: Actor, at: number, text: string, editedAt?: number): void {
    mustBeAllowed(noteRefusal(author, this.#asTask(at), this.owner));
    this.notes.push({
      taskId: this.row.id,
      authorId: author.id,
      authorName: author.name,
      text,
      at: iso(at),
      editedAt: editedAt === undefined ? null : iso(editedAt),
    });
    this.#step(author, at, 'noteAdded');
    if (editedAt !== undefined) this.#step(author, editedAt, 'noteEdited');
  }

  attach(at: number, [fileName, mime, kilobytes]: readonly [string, string, number]): void {
    mustBeAllowed(attachRefusal(this.owner, this.#asTask(at), this.owner));
    this.attachments.push({
      taskId: this.row.id,
      authorId: this.owner.id,
      authorName: this.owner.name,
      fileName,
      mime,
      size: kilobytes * 1024,
      at: iso(at),
    });
    this.#step(this.owner, at, 'fileAdded');
  }

  #asTask(at: number): Task {
    const { title = '', summary = '', category = '', change = '', reason = null, status, version } = this.row;
    return {
      ownerId: this.owner.id,
      title,
      summary,
      category,
      change,
      reason,
      status,
      version,
      withdrawn: this.row.withdrawnAt !== null,
      leftUndone: false,
      repeats: null,
      phase: this.phaseAt(at),
    };
  }

  /**
   * Returns false when the sprint's state no longer allows the step. Any other refusal is a bug in the story.
   */
  #apply(actor: Actor, at: number, answer: TaskPlan | NothingToDo | Refusal): boolean {
    if (isRefusal(answer)) {
      if (answer.code !== 'SPRINT_DOES_NOT_ALLOW') mustBeAllowed(answer);
      return false;
    }
    if (answer.kind === 'unchanged') return true;
    const { withdrawn, carriedOver, ...content } = answer.changes;
    this.row.version += 1;
    this.#remember(actor, at, answer.event);
    Object.assign(this.row, content);
    if (withdrawn) this.row.withdrawnAt = iso(at);
    if (content.status !== undefined) this.#standsSince(at);
    if (carriedOver) {
      this.row.sprintId = this.#calendar.currentAt(at);
      this.row.carriedOver = (this.row.carriedOver ?? 0) + 1;
    }
    return true;
  }

  #standsSince(at: number): void {
    this.#statusSince = at;
    this.row.statusAt = iso(at);
  }

  /** Steps that change neither status nor content but create a version: positions may have moved (D24). */
  #step(actor: Actor, at: number, kind: 'noteAdded' | 'noteEdited' | 'fileAdded'): void {
    this.row.version += 1;
    this.#remember(actor, at, { kind, from: this.status, to: this.status, change: null, before: {}, after: {} });
  }

  #remember(actor: Actor, at: number, event: TaskPlan['event']): void {
    this.history.push({
      taskId: this.row.id,
      sprintId: this.row.sprintId,
      at: iso(at),
      actorId: actor.id,
      actorName: actor.name,
      event: event.kind,
      from: event.from,
      to: event.to,
      change: event.change,
      before: event.before,
      after: event.after,
      version: this.row.version,
      waited: event.from === event.to ? 0 : Math.round((at - this.#statusSince) / 1000),
      correction: this.phaseAt(at) === 'settled',
    });
  }
}
