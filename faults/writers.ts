// Four writers over the real API: one makes tasks, one edits and moves one, one writes notes, one uploads
// files. Each writes down what it is about to do, does it, and writes down that it was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises';
import { taskLimits } from '#core/base/limits.ts';
import type { Random } from '#server/demo/random.ts';
import { type AcknowledgedWrites, sha256, type WriteKind, writeKinds } from './acknowledged-writes.ts';
import { type Answered, graphql, upload } from './calls.ts';
import { makeStaff, type Staff } from './product.ts';

const createTask =
  'mutation ($title: String!, $summary: String, $userId: ID!) { createTask(title: $title, summary: $summary, userId: $userId) { id } }';
const addNote = 'mutation ($taskId: ID!, $text: String!) { addNoteToTask(taskId: $taskId, text: $text) { id } }';
const updateTask =
  'mutation ($id: ID!, $change: String, $summary: String, $status: TaskStatus, $version: Int) { updateTask(id: $id, change: $change, summary: $summary, status: $status, version: $version) { id version status } }';
const readTask = 'query ($taskId: ID) { getTasks(taskId: $taskId) { id version status } }';

export type Place = {
  /** Asked before every call: a server that was started again may be elsewhere. */
  url(): string;
  readonly staff: Staff;
  readonly databaseUrl: string;
  readonly writes: AcknowledgedWrites;
  readonly random: Random;
  /** Milliseconds that a writer rests after each answer. */
  readonly pauseMs?: number;
  readonly fileBytes?: number;
};

export type Tally = {
  acknowledged: number;
  /** Calls without an answer of the product, by what came instead. */
  readonly unanswered: Map<string, number>;
  /** Answers that ask to come again, by status. */
  readonly later: Map<number, number>;
  /** Answers that nothing explains: each is a fault of the product. */
  readonly unexpected: string[];
  /** Answers of 503 that do not say when to come again. */
  withoutRetryAfter: number;
  /** The longest time between two acknowledgements of all writers, in milliseconds. */
  longestGapMs: number;
};

type Owner = Staff['owners'][number];
type NotDone = Exclude<Answered, { kind: 'done' }>;

/** Where a writer writes, with how often it did, over all rounds. */
export type Task = { id: string; version: number; status: string; owner: Owner; writes: number };

class NotPrepared extends Error {
  readonly answer: NotDone;
  constructor(answer: NotDone) {
    super(`No task to write on: ${JSON.stringify(answer)}`);
    this.answer = answer;
  }
}

/** A task of each owner that was approved, to write on; made before anything goes wrong. */
export async function prepareTasks({ url, staff }: Pick<Place, 'url' | 'staff'>): Promise<Map<string, Task>> {
  const tasks = new Map<string, Task>();
  for (const owner of staff.owners) {
    const { id: userId, token } = owner;
    const made = await graphql(url(), { token }, createTask, { title: 'To write on', summary: '', userId });
    if (made.kind !== 'done') throw new NotPrepared(made);
    const { id } = made.body.data.createTask as { id: string };
    const approved = await graphql(url(), { token: staff.approver.token }, updateTask, { id, status: 'TODO' });
    if (approved.kind !== 'done') throw new NotPrepared(approved);
    tasks.set(userId, { ...approved.body.data.updateTask, owner, writes: 0 });
  }
  return tasks;
}

const moves: Record<string, string> = { TODO: 'INPROGRESS', INPROGRESS: 'INREVIEW', INREVIEW: 'TODO' };
const laterMs = 50;
/** How often a writer writes at one place: less than a task, or its owner's hour, takes. */
const mostWrites: Record<WriteKind, number> = {
  create: taskLimits.tasksForOthersInHour / 2,
  update: taskLimits.edits / 2,
  note: taskLimits.notes / 2,
  upload: taskLimits.files / 2,
};

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What of a round has no answer, in words. */
export const withoutAnswer = ({ unanswered }: Tally): string[] =>
  [...unanswered].map(([why, count]) => `${count} calls had no answer: ${why}`);

export class Writers {
  readonly tally: Tally = {
    acknowledged: 0,
    unanswered: new Map(),
    later: new Map(),
    unexpected: [],
    withoutRetryAfter: 0,
    longestGapMs: 0,
  };
  readonly #place: Place;
  readonly #running: Promise<void>[];
  #stopped = false;
  #acknowledgedAt = performance.now();

  constructor(place: Place, tasks: ReadonlyMap<string, Task>) {
    this.#place = place;
    this.#running = place.staff.owners.map((owner, at) => {
      const kind = writeKinds[at % writeKinds.length] as WriteKind;
      return this.#writeOn(kind, tasks.get(owner.id) as Task);
    });
  }

  /** When something was acknowledged last, by the clock of `performance.now()`. */
  get acknowledgedAt(): number {
    return this.#acknowledgedAt;
  }

  /** No new write begins; resolves when those under way have their answer. */
  async stop(): Promise<Tally> {
    this.#stopped = true;
    await Promise.all(this.#running);
    return this.tally;
  }

  /** Waits until so many more writes were acknowledged. */
  async acknowledgedMore(count: number, longestMs = 600_000): Promise<boolean> {
    const wanted = this.tally.acknowledged + count;
    const deadline = performance.now() + longestMs;
    while (this.tally.acknowledged < wanted && performance.now() < deadline) await sleep(10);
    return this.tally.acknowledged >= wanted;
  }

  async #writeOn(kind: WriteKind, task: Task): Promise<void> {
    if (kind === 'update') await this.#readAgain(task);
    while (!this.#stopped) {
      if (task.writes >= mostWrites[kind]) await this.#goElsewhere(task);
      task.writes += 1;
      await this.#write(kind, task);
      if (this.#place.pauseMs !== undefined) await sleep(this.#place.pauseMs * this.#place.random.between(0.5, 1.5));
    }
  }

  async #write(kind: WriteKind, task: Task): Promise<void> {
    const { writes, random } = this.#place;
    const key = writes.newKey(kind);
    const { content, send } = this.#prepared(kind, key, task);
    writes.intend({ key, kind, content });
    // As the web does: the same call with the same key until there is an answer. Others give up, and never
    // learn what became of it.
    const insists = kind !== 'update' && random.chance(0.5);
    for (;;) {
      const answer = await send();
      if (answer.kind === 'done') return this.#acknowledge(key, kind, answer, task);
      // The update before it had no answer, and was made after its writer had looked.
      const overtaken = kind === 'update' && answer.kind === 'refused' && answer.code === 'CONFLICT';
      if (!overtaken) this.#count(answer, key);
      if (answer.kind === 'refused' && !overtaken) return;
      await sleep(laterMs);
      if (kind === 'update') await this.#readAgain(task);
      if (!insists || this.#stopped) return;
    }
  }

  #prepared(kind: WriteKind, key: string, task: Task) {
    const { url, random, fileBytes = 2_000 } = this.#place;
    const { id: userId, token } = task.owner;
    const call = { token, key: `${key} ${userId}` };
    const words = `${key}: ${random.fraction().toString(36).slice(2)}`;
    switch (kind) {
      case 'create':
        return { content: words, send: () => graphql(url(), call, createTask, { title: key, summary: words, userId }) };
      case 'note':
        return { content: words, send: () => graphql(url(), call, addNote, { taskId: task.id, text: words }) };
      case 'update': {
        const step = { id: task.id, change: key, summary: words, status: moves[task.status], version: task.version };
        return { content: words, send: () => graphql(url(), { token }, updateTask, step) };
      }
      case 'upload': {
        const content = Buffer.from(`${words}\n`.repeat(Math.ceil(fileBytes / words.length)));
        const file = { taskId: task.id, name: `${key}.txt`, content };
        return { content: sha256(content), send: () => upload(url(), call, file) };
      }
    }
  }

  #acknowledge(key: string, kind: WriteKind, { body }: Extract<Answered, { kind: 'done' }>, task: Task): void {
    const { createTask: made, addNoteToTask: noted, updateTask: updated } = body.data ?? {};
    const answer = kind === 'upload' ? body.attachment : (made ?? noted ?? updated);
    if (kind === 'update') Object.assign(task, { version: updated.version, status: updated.status });
    this.#place.writes.acknowledge(key, answer.id);
    this.tally.acknowledged += 1;
    const now = performance.now();
    this.tally.longestGapMs = Math.max(this.tally.longestGapMs, now - this.#acknowledgedAt);
    this.#acknowledgedAt = now;
  }

  #count(answer: NotDone, key: string): void {
    if (answer.kind === 'unanswered') countOne(this.tally.unanswered, answer.why);
    else if (answer.kind === 'refused') this.tally.unexpected.push(`${key}: ${answer.status} ${answer.code}`);
    else {
      countOne(this.tally.later, answer.status);
      if (answer.status === 503 && answer.retryAfter === null) this.tally.withoutRetryAfter += 1;
    }
  }

  /** The other writers go on where they are: a limit of the product is not what a fault looks for. */
  async #goElsewhere(task: Task): Promise<void> {
    const {
      url,
      databaseUrl,
      staff: { approver },
    } = this.#place;
    while (!this.#stopped) {
      try {
        const staff = await makeStaff(databaseUrl, 1, approver);
        for (const prepared of (await prepareTasks({ url, staff })).values()) Object.assign(task, prepared);
        return;
      } catch (error) {
        // The database may be what was struck; people are made there without the product.
        if (error instanceof NotPrepared) this.#count(error.answer, 'a task to write on');
        await sleep(laterMs);
      }
    }
  }

  /** An update without an answer may have been made: its writer looks before the next one. */
  async #readAgain(task: Task): Promise<void> {
    while (!this.#stopped) {
      const answer = await graphql(this.#place.url(), task.owner, readTask, { taskId: task.id });
      if (answer.kind === 'done') return void Object.assign(task, answer.body.data.getTasks[0]);
      this.#count(answer, 'reading a task');
      await sleep(laterMs);
    }
  }
}
