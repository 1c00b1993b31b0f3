// Simulates a task's week: written, waiting, approved or denied, worked on, waiting again. Chance decides
// when, the rules decide what is possible, and nothing happens after now.
import type { Random } from './random.ts';
import type { Actor, TaskStory } from './task-story.ts';
import {
  answersToDenial,
  approverNotes,
  denialReasons,
  fileNames,
  ownerNotes,
  praise,
  sendBackReasons,
} from './task-words.ts';
import type { WorkingTime } from './working-time.ts';

/** How a person works, and who decides. */
export type Habits = {
  /** The share of tasks that the person finishes within the week. */
  readonly diligence: number;
  readonly deciders: readonly Actor[];
  /** The deciders' average working hours until a decision. */
  readonly decisionHours: number;
};

export type Life = {
  readonly story: TaskStory;
  readonly habits: Habits;
  readonly random: Random;
  readonly time: WorkingTime;
  /** In working hours: where the task's sprint starts and ends, and where it is now. */
  readonly sprintStart: number;
  readonly sprintEnd: number;
  readonly now: number;
  hour: number;
};

const at = (life: Life) => life.time.at(life.hour);

/** Lets working hours pass. Returns false if that would be after now. */
function passes(life: Life, hours: number): boolean {
  life.hour += Math.max(hours, 0.05);
  return life.hour <= life.now;
}

export function live(life: Life): void {
  if (isApproved(life) && isWorkedOn(life)) isSignedOff(life);
}

function isApproved(life: Life): boolean {
  const { story, habits, random } = life;
  for (;;) {
    if (!passes(life, random.wait(habits.decisionHours))) return false;
    const decider = random.pick(habits.deciders);
    if (random.chance(0.06)) story.note(decider, at(life), random.pick(approverNotes));
    if (!passes(life, 0.1)) return false;
    if (!random.chance(0.09)) return story.update(decider, at(life), { status: 'TODO' });
    story.update(decider, at(life), { status: 'DENIED', change: random.pick(denialReasons) });
    if (!isMended(life)) return false;
  }
}

function isMended(life: Life): boolean {
  const { story, random } = life;
  if (random.chance(0.06) || !passes(life, 0.3 + random.wait(4))) return false;
  if (random.chance(0.18)) {
    story.withdraw(at(life));
    return false;
  }
  const summary = `${story.row.summary}\n\nThis week: the first part, shown to two people before Friday.`;
  return story.update(story.owner, at(life), { summary, change: random.pick(answersToDenial) });
}

function isWorkedOn(life: Life): boolean {
  const { story, habits, random } = life;
  life.hour = Math.max(life.hour, life.sprintStart);
  const stalls = !random.chance(habits.diligence);
  if (stalls && random.chance(0.4)) life.hour = Math.max(life.hour, life.sprintEnd);
  if (!passes(life, random.between(0.3, 15)) || !isInRunningSprint(life)) return false;
  story.update(story.owner, at(life), { status: 'INPROGRESS' });
  if (!leavesTraces(life)) return false;
  if (stalls) life.hour = Math.max(life.hour, life.sprintEnd);
  return passes(life, random.between(1.5, 16)) && isCompleted(life);
}

/** Adds notes, files and corrections along the way. */
function leavesTraces(life: Life): boolean {
  const { story, random } = life;
  if (random.chance(0.3)) {
    if (!passes(life, random.between(0.3, 3))) return false;
    const edited = random.chance(0.2) && life.hour + 0.2 <= life.now ? life.time.at(life.hour + 0.2) : undefined;
    story.note(story.owner, at(life), random.pick(ownerNotes), edited);
    if (edited !== undefined) life.hour += 0.2;
  }
  if (random.chance(0.14)) {
    if (!passes(life, random.between(0.1, 2))) return false;
    const [name, mime, size] = random.pick(fileNames);
    story.attach(at(life), [name, mime, Math.ceil(size * random.between(0.4, 1.8))]);
  }
  if (random.chance(0.05)) {
    if (!passes(life, 0.4)) return false;
    story.update(story.owner, at(life), {
      summary: `${story.row.summary} The second half moves to next week if the answer comes late.`,
    });
  }
  return true;
}

/** A task from a past sprint is carried over to the current one, or left (D39). */
function isInRunningSprint(life: Life): boolean {
  const phase = life.story.phaseAt(at(life));
  if (phase === 'active' || phase === 'future') return true;
  return life.random.chance(0.55) && life.story.carryOver(at(life)) && passes(life, 0.2);
}

function isCompleted(life: Life): boolean {
  return isInRunningSprint(life) && life.story.update(life.story.owner, at(life), { status: 'INREVIEW' });
}

function isSignedOff(life: Life): boolean {
  const { story, habits, random } = life;
  for (;;) {
    if (!passes(life, 0.2 + random.wait(habits.decisionHours))) return false;
    const decider = random.pick(habits.deciders);
    if (!random.chance(0.07)) {
      const done = story.update(decider, at(life), { status: 'DONE' });
      if (random.chance(0.04) && passes(life, 0.1)) story.note(decider, at(life), random.pick(praise));
      return done;
    }
    story.update(decider, at(life), { status: 'INPROGRESS', change: random.pick(sendBackReasons) });
    if (!passes(life, random.between(0.5, 7)) || !isCompleted(life)) return false;
  }
}
