// One batch of tasks in its transaction: what exists, what is new, what changed, and the rows to write.
import { type Span, settledAt, sprintName } from '#core/tasks/sprint.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows, type RowOf } from '#server/platform/db/insert-rows.ts';
import { storedInstant } from '#server/platform/imports/instants.ts';
import { taskAttachments, taskHistory, taskNotes, type tasks } from '../task-tables.ts';
import { addressOf, personName } from './imported-people.ts';
import type { ImportedAttachment, ImportedMove, ImportedNote, ImportedTask, ReadingTime } from './imported-task.ts';
import { planTaskChange, type Said, saidFields, type TaskChangePlan } from './task-changes-plan.ts';
import * as store from './tasks-import.store.ts';

// An imported task as database rows, once its people and its week have ids.

type Ids = {
  readonly source: string;
  readonly person: (name: string) => string;
  readonly sprint: (task: ImportedTask) => string;
};

/** The ids for one task's rows. */
type Place = { readonly taskId: string; readonly sprintId: string; readonly version: number };

function taskRow(task: ImportedTask, { source, person, sprint }: Ids): RowOf<typeof tasks> {
  return {
    ...saidBy(task),
    ownerId: person(task.owner),
    sprintId: sprint(task),
    createdBy: person(task.creator),
    createdAt: task.createdAt,
    statusAt: task.statusAt,
    source,
    externalId: task.externalId,
  };
}

function saidBy(task: ImportedTask): Said {
  return Object.fromEntries(saidFields.map((field) => [field, task[field]])) as Said;
}

const author = (name: string | null, { source, person }: Ids) => ({
  authorId: name === null ? null : person(name),
  authorName: name ?? source,
});

function noteRows(notes: readonly ImportedNote[], { taskId }: Place, ids: Ids): RowOf<typeof taskNotes>[] {
  return notes.map(({ author: name, text, at, editedAt }) => ({ taskId, ...author(name, ids), text, at, editedAt }));
}

function attachmentRows(
  files: readonly ImportedAttachment[],
  { taskId }: Place,
  ids: Ids,
): RowOf<typeof taskAttachments>[] {
  return files.map(({ author: name, fileName, mime, size, at }) => ({
    taskId,
    ...author(name, ids),
    fileName,
    mime,
    size,
    at,
  }));
}

type HistoryRow = RowOf<typeof taskHistory>;

/** The source's own moves, without checking rules: it may have allowed what we forbid. */
function moveRows(
  moves: readonly ImportedMove[],
  task: ImportedTask,
  { taskId, sprintId, version }: Place,
  ids: Ids,
): HistoryRow[] {
  const inOrder = moves.toSorted((a, b) => a.at.localeCompare(b.at));
  return inOrder.map(({ author: name, at, from, to, change }, index) => {
    const { authorId: actorId, authorName: actorName } = author(name, ids);
    const waited = secondsBetween(inOrder[index - 1]?.at ?? task.createdAt, at);
    return {
      taskId,
      sprintId,
      at,
      actorId,
      actorName,
      event: 'imported',
      from,
      to,
      change,
      before: {},
      after: {},
      version,
      waited,
    };
  });
}

/**
 * The import's own history entry. It stores the source's values, so the next import sees what the source has
 * changed.
 */
function markRow(
  task: ImportedTask,
  { taskId, sprintId, version }: Place,
  source: string,
  at: string,
  changed?: TaskChangePlan,
): HistoryRow {
  const before = Object.fromEntries(
    Object.keys(changed?.content ?? {}).map((field) => [field, changed!.stored.now[field as keyof Said]]),
  );
  const from = changed?.stored.now.status ?? task.status;
  const to = changed?.content.status ?? from;
  return {
    taskId,
    sprintId,
    at,
    actorId: null,
    actorName: source,
    event: 'imported',
    from,
    to,
    change: null,
    before,
    after: saidBy(task),
    version,
    waited: 0,
  };
}

function secondsBetween(start: string, end: string): number {
  const seconds = Temporal.Instant.from(end).epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds;
  return Math.max(0, Math.round(seconds / 1000));
}

export type BatchJob = ReadingTime & {
  readonly source: string;
  readonly approverId: string | null;
  readonly settlingHours: number;
  readonly isDryRun: boolean;
  /** People and weeks that earlier batches created, or would have. */
  readonly made: ReadonlySet<string>;
};

export type BatchCounts = {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly people: number;
  readonly sprints: number;
  readonly notes: number;
  readonly attachments: number;
  readonly moves: number;
};

export type BatchDone = { readonly counts: BatchCounts; readonly made: readonly string[] };

/** What to write for a task: everything if it is new, else the differences. */
type Work = {
  readonly task: ImportedTask;
  readonly plan?: TaskChangePlan;
  readonly notes: ImportedTask['notes'];
  readonly attachments: ImportedTask['attachments'];
  readonly history: ImportedTask['history'];
};

export async function importBatch(queries: Queries, job: BatchJob, tasks: readonly ImportedTask[]): Promise<BatchDone> {
  if (!job.isDryRun) await store.lockSource(queries, job.source);
  const works = await worksOf(queries, job, tasks);
  const people = await ensurePeople(queries, job, [...new Set(works.flatMap(namesIn))]);
  const sprints = await ensureSprints(
    queries,
    job,
    works.map(({ task }) => task.week),
  );
  const ids: Ids = {
    source: job.source,
    person: (name) => people.ids.get(name)!,
    sprint: ({ week }) => sprints.ids.get(storedInstant(week.start))!,
  };
  if (!job.isDryRun) await writeWorks(queries, job, works, ids);
  const sum = (part: 'notes' | 'attachments' | 'history') =>
    works.reduce((total, work) => total + work[part].length, 0);
  const changed = works.filter(({ plan }) => plan !== undefined).length;
  const counts = {
    created: works.length - changed,
    changed,
    unchanged: tasks.length - works.length,
    people: people.made.length,
    sprints: sprints.made.length,
    notes: sum('notes'),
    attachments: sum('attachments'),
    moves: sum('history'),
  };
  return { counts, made: [...people.made, ...sprints.made] };
}

/** Unchanged tasks need no work. */
async function worksOf(queries: Queries, { source }: BatchJob, tasks: readonly ImportedTask[]): Promise<Work[]> {
  const stored = await store.storedTasks(
    queries,
    source,
    tasks.map(({ externalId }) => externalId),
  );
  const storedById = new Map(stored.map((task) => [task.externalId, task]));
  return tasks.flatMap((task): Work[] => {
    const before = storedById.get(task.externalId);
    if (!before) return [{ task, notes: task.notes, attachments: task.attachments, history: task.history }];
    const plan = planTaskChange(task, before, (author) => author ?? source);
    if (plan === 'unchanged') return [];
    return [{ task, plan, notes: plan.newNotes, attachments: plan.newAttachments, history: plan.newHistory }];
  });
}

function namesIn({ task, notes, attachments, history }: Work): string[] {
  const authors = [...notes, ...attachments, ...history].map(({ author }) => author);
  return [task.owner, task.creator, ...authors.filter((author) => author !== null)];
}

type Ensured = { readonly ids: ReadonlyMap<string, string>; readonly made: readonly string[] };

async function ensurePeople(
  queries: Queries,
  { source, approverId, isDryRun, made }: BatchJob,
  names: readonly string[],
): Promise<Ensured> {
  const known = await store.peopleByName(queries, source, names);
  const missing = names.filter((name) => !known.has(name));
  // A dry run sees the same missing person in many batches, but counts them once.
  const counted = missing.map((name) => `person ${name}`).filter((key) => !made.has(key));
  if (isDryRun || missing.length === 0) return { ids: known, made: counted };
  const people = missing.map((name) => ({
    externalId: name,
    source,
    email: addressOf(name, source),
    ...personName(name),
  }));
  await store.insertPeople(queries, people, approverId);
  return { ids: await store.peopleByName(queries, source, names), made: counted };
}

async function ensureSprints(
  queries: Queries,
  { now, zone, settlingHours, isDryRun, made }: BatchJob,
  weeks: readonly Span[],
): Promise<Ensured> {
  const byStart = new Map(weeks.map((week) => [storedInstant(week.start), week]));
  const starts = [...byStart.keys()];
  const known = await store.sprintsOfWeeks(queries, starts);
  const missing = [...byStart].filter(([startAt]) => !known.has(startAt));
  const counted = missing.map(([startAt]) => `week ${startAt}`).filter((key) => !made.has(key));
  if (isDryRun || missing.length === 0) return { ids: known, made: counted };
  const rows = missing.map(([startAt, week]) => {
    const settled = settledAt(week, settlingHours);
    const resultAt = Temporal.Instant.compare(settled, now) <= 0 ? storedInstant(settled) : null;
    return { name: sprintName(week, zone), startAt, endAt: storedInstant(week.end), resultAt };
  });
  await store.insertSprints(queries, rows);
  return { ids: await store.sprintsOfWeeks(queries, starts), made: counted };
}

async function writeWorks(queries: Queries, job: BatchJob, works: readonly Work[], ids: Ids): Promise<void> {
  const fresh = works.filter(({ plan }) => plan === undefined).map(({ task }) => taskRow(task, ids));
  const taskIds = await store.insertTasks(queries, job.source, fresh);
  for (const { task, plan } of works) {
    if (plan)
      await store.updateTask(
        queries,
        plan,
        plan.isOtherOwner ? ids.person(task.owner) : undefined,
        plan.isOtherWeek ? ids.sprint(task) : undefined,
      );
  }
  const placed = works.map((work) => ({ ...work, place: placeOf(work, taskIds, ids) }));
  const at = storedInstant(job.now);
  const history = placed.flatMap(({ task, plan, history: moves, place }) => [
    ...moveRows(moves, task, place, ids),
    markRow(task, place, job.source, at, plan),
  ]);
  await insertRows(queries, taskHistory, history);
  await insertRows(
    queries,
    taskNotes,
    placed.flatMap(({ notes, place }) => noteRows(notes, place, ids)),
  );
  await insertRows(
    queries,
    taskAttachments,
    placed.flatMap(({ attachments, place }) => attachmentRows(attachments, place, ids)),
  );
  await store.recordResults(
    queries,
    job.source,
    placed.flatMap((work) => countedIn(work, ids)),
  );
}

function placeOf({ task, plan }: Work, taskIds: ReadonlyMap<string, string>, ids: Ids): Place {
  if (!plan) return { taskId: taskIds.get(task.externalId)!, sprintId: ids.sprint(task), version: 1 };
  const sprintId = plan.isOtherWeek ? ids.sprint(task) : plan.stored.sprintId;
  return { taskId: plan.stored.id, sprintId, version: plan.stored.version + 1 };
}

/** Whose results of which week the task counts in, including the ones it left. */
function countedIn({ task, plan, place }: Work & { place: Place }, ids: Ids): { sprintId: string; personId: string }[] {
  const now = { sprintId: place.sprintId, personId: ids.person(task.owner) };
  return plan ? [now, { sprintId: plan.stored.sprintId, personId: plan.stored.ownerId }] : [now];
}
