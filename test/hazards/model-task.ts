// A task as the specification tells it (4; D15 to D17, D24, D25), written without the product's rules: what a
// call does to it, or why nothing. Beside it the same call over the API.
import fc from 'fast-check';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { TestApp } from '../app.ts';
import type { Team } from '../task-fixtures.ts';

export type ModelTask = {
  readonly title: string;
  readonly summary: string;
  readonly status: TaskStatus;
  readonly version: number;
  readonly notes: readonly string[];
};

export const newTask: ModelTask = { title: 'Title', summary: '', status: 'INAPPROVAL', version: 1, notes: [] };

/** Whether the caller names the version that they saw, an older one, or none. */
type Known = 'seen' | 'older' | 'none';
export type Call = { readonly known: Known } & (
  | { readonly kind: 'edit'; readonly field: 'title' | 'summary'; readonly text: string }
  | { readonly kind: 'move'; readonly to: TaskStatus }
  | { readonly kind: 'decide'; readonly approves: boolean }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'removeNote'; readonly index: number }
);

const known = fc.constantFrom<Known>('seen', 'seen', 'none', 'older');
const text = fc.constantFrom('Title', 'One', 'Two', 'Three');
const movable = ['TODO', 'INPROGRESS', 'INREVIEW'] as const satisfies readonly TaskStatus[];

export const callKinds: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), field: fc.constantFrom('title', 'summary'), text, known }),
  fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom<TaskStatus>(...movable, 'DONE'), known }),
  fc.record({ kind: fc.constant('decide' as const), approves: fc.boolean(), known }),
  fc.record({ kind: fc.constant('note' as const), text, known: fc.constant<Known>('none') }),
  fc.record({ kind: fc.constant('removeNote' as const), index: fc.nat(2), known }),
);

type Result = { readonly code: string | null; readonly task: ModelTask };

const decisions: Readonly<Partial<Record<TaskStatus, readonly [approved: TaskStatus, denied: TaskStatus]>>> = {
  INAPPROVAL: ['TODO', 'DENIED'],
  INREVIEW: ['DONE', 'INPROGRESS'],
};

/**
 * Where an approver's choice is meant to lead; what awaits nothing is sent to a status that no decision leads
 * to from there.
 */
const decidedStatus = (status: TaskStatus, approves: boolean): TaskStatus =>
  decisions[status]?.[approves ? 0 : 1] ?? (approves ? 'TODO' : 'DENIED');

export function versionOf(call: Call, seen: number): number | undefined {
  if (call.known === 'none') return undefined;
  // The first version has none before it.
  return call.known === 'older' && seen > 1 ? seen - 1 : seen;
}

/** What the call does to the task, by a caller who has `seen` it, maybe before someone else changed it. */
export function changed(task: ModelTask, call: Call, seen: ModelTask): Result {
  const version = versionOf(call, seen.version);
  if (version !== undefined && version !== task.version) return { code: 'CONFLICT', task };
  const refused = (code: string): Result => ({ code, task });
  const made = (change: Partial<ModelTask>): Result => ({
    code: null,
    task: { ...task, ...change, version: task.version + 1 },
  });
  switch (call.kind) {
    case 'note':
      return made({ notes: [...task.notes, call.text] });
    case 'removeNote':
      return call.index < task.notes.length
        ? made({ notes: task.notes.toSpliced(call.index, 1) })
        : refused('BAD_INPUT');
    case 'edit':
      if (task.status === 'DONE') return refused('TRANSITION_NOT_ALLOWED');
      if (task.status === 'DENIED') return made({ [call.field]: call.text, status: 'INAPPROVAL' });
      return task[call.field] === call.text ? { code: null, task } : made({ [call.field]: call.text });
    case 'move': {
      const [from, to] = [task.status, call.to].map((status) => (movable as readonly TaskStatus[]).includes(status));
      if (!from || !to) return refused('TRANSITION_NOT_ALLOWED');
      return task.status === call.to ? { code: null, task } : made({ status: call.to });
    }
    case 'decide': {
      const to = decidedStatus(seen.status, call.approves);
      return decisions[task.status]?.includes(to) ? made({ status: to }) : refused('TRANSITION_NOT_ALLOWED');
    }
  }
}

const update =
  'mutation ($id: ID!, $title: String, $summary: String, $status: TaskStatus, $version: Int) { updateTask(id: $id, title: $title, summary: $summary, status: $status, version: $version) { id } }';
const addNote = 'mutation ($id: ID!, $text: String!) { addNoteToTask(taskId: $id, text: $text) { id } }';
const removeNote =
  'mutation ($id: ID!, $index: Int!, $version: Int) { removeNoteFromTask(taskId: $id, noteIndex: $index, version: $version) { id } }';

/** Sends what the call is when the caller has `seen` the task; gives the code of the refusal. */
export async function send(
  server: TestApp,
  { owner, approver }: Team,
  id: string,
  seen: ModelTask,
  call: Call,
): Promise<string | null> {
  const version = versionOf(call, seen.version);
  const ask = async (token: string, query: string, variables: object) =>
    (await server.gql(token, query, { id, ...variables, ...(version === undefined ? {} : { version }) })).code;
  switch (call.kind) {
    case 'note':
      return ask(owner.token, addNote, { text: call.text });
    case 'removeNote':
      return ask(owner.token, removeNote, { index: call.index });
    case 'edit':
      return ask(owner.token, update, { [call.field]: call.text });
    case 'move':
      return ask(owner.token, update, { status: call.to });
    case 'decide':
      return ask(approver.token, update, { status: decidedStatus(seen.status, call.approves) });
  }
}
