// The demo accounts' tasks in the current week, written by hand: every state is visible on any weekday. Hours
// count backwards from now in working time.
import type { TaskUpdate } from '#core/tasks/task.ts';
import type { Actor, TaskStory } from './task-story.ts';
import { answersToDenial, approverNotes, denialReasons, fileNames, ownerNotes, sendBackReasons } from './task-words.ts';
import type { WorkingTime } from './working-time.ts';

type Act =
  | 'approve'
  | 'deny'
  | 'resubmit'
  | 'start'
  | 'complete'
  | 'sendBack'
  | 'signOff'
  | 'note'
  | 'approverNote'
  | 'file'
  | 'edit';

export type Script = { readonly created: number; readonly steps: readonly (readonly [hoursAgo: number, act: Act])[] };

/** All six statuses, one twice: the last is the week's sixth task and shows as extra (D19). */
export const everyStatus: readonly Script[] = [
  {
    created: 36,
    steps: [
      [33, 'approve'],
      [29, 'start'],
      [20, 'note'],
      [16, 'complete'],
      [6, 'signOff'],
    ],
  },
  {
    created: 35.5,
    steps: [
      [33.2, 'approve'],
      [27, 'start'],
      [22, 'file'],
      [19, 'complete'],
    ],
  },
  {
    created: 34,
    steps: [
      [30, 'approve'],
      [26, 'start'],
      [21, 'complete'],
      [12, 'sendBack'],
      [10, 'note'],
    ],
  },
  {
    created: 33.5,
    steps: [
      [28, 'deny'],
      [25, 'resubmit'],
      [22, 'approve'],
      [18, 'edit'],
    ],
  },
  {
    created: 24,
    steps: [
      [8, 'deny'],
      [7.8, 'approverNote'],
    ],
  },
  { created: 17, steps: [[15, 'note']] },
];

export const besides: readonly Script[] = [
  {
    created: 30,
    steps: [
      [26, 'deny'],
      [3, 'resubmit'],
    ],
  },
  {
    created: 36.5,
    steps: [
      [31, 'approve'],
      [28, 'start'],
      [14, 'complete'],
      [9, 'sendBack'],
      [2.5, 'complete'],
    ],
  },
];

/** The demo approver's tasks that wait for an admin. */
export const awaitingAdmin: readonly Script[] = [
  { created: 21, steps: [[20, 'note']] },
  {
    created: 37,
    steps: [
      [35, 'approve'],
      [30, 'start'],
      [13, 'file'],
      [11, 'complete'],
    ],
  },
];

/** Unfinished in the last sprint; hours count from the sprint's end. */
export const openAtClose: readonly Script[] = [
  {
    created: 43,
    steps: [
      [39, 'approve'],
      [30, 'start'],
      [12, 'note'],
    ],
  },
  { created: 42, steps: [[37, 'approve']] },
];

const update = (act: Act, story: TaskStory, turn: number): TaskUpdate => {
  const of = (texts: readonly string[]) => texts[turn % texts.length]!;
  switch (act) {
    case 'approve':
      return { status: 'TODO' };
    case 'deny':
      return { status: 'DENIED', change: of(denialReasons) };
    case 'resubmit':
      return {
        summary: `${story.row.summary}\n\nDone when both sides have the same list.`,
        change: of(answersToDenial),
      };
    case 'sendBack':
      return { status: 'INPROGRESS', change: of(sendBackReasons) };
    case 'start':
      return { status: 'INPROGRESS' };
    case 'complete':
      return { status: 'INREVIEW' };
    case 'signOff':
      return { status: 'DONE' };
    default:
      return { summary: `${story.row.summary} First the two largest, then the rest.` };
  }
};

const byApprover: readonly Act[] = ['approve', 'deny', 'sendBack', 'signOff', 'approverNote'];

/** Plays a script; its hours count back from `end`, and `turn` varies the texts. */
export function play(
  script: Script,
  story: TaskStory,
  decider: Actor,
  time: WorkingTime,
  end: number,
  turn: number,
): void {
  for (const [hoursAgo, act] of script.steps) {
    const at = time.at(end - hoursAgo);
    const actor = byApprover.includes(act) ? decider : story.owner;
    if (act === 'note') story.note(actor, at, ownerNotes[turn % ownerNotes.length]!);
    else if (act === 'approverNote') story.note(actor, at, approverNotes[turn % approverNotes.length]!);
    else if (act === 'file') story.attach(at, fileNames[turn % fileNames.length]!);
    else story.update(actor, at, update(act, story, turn));
  }
}
