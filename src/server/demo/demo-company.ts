// The demo company as data, without a clock or database. The same arguments give the same company.
import type { Scope } from '#core/access/brands.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { defaultSettings, type Settings } from '#core/admin/settings.ts';
import type { Span } from '#core/tasks/sprint.ts';
import type { TaskUpdate } from '#core/tasks/task.ts';
import { type DemoPerson, demoPeople } from './demo-people.ts';
import { demoSpans, pastSprints, type ResultRow, resultRows, type SprintRow, sprintRows } from './demo-sprints.ts';
import { type Random, seededRandom } from './random.ts';
import { type Habits, live } from './task-life.ts';
import { type Actor, type Calendar, TaskStory } from './task-story.ts';
import { type TaskText, taskTexts } from './task-titles.ts';
import { answersToDenial, approverNotes, denialReasons, fileNames, ownerNotes, sendBackReasons } from './task-words.ts';
import { type WorkingTime, workingTime } from './working-time.ts';

// The demo accounts' tasks in the current week, written by hand: every state is visible on any weekday. Hours
// count backwards from now in working time.

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

type Script = { readonly created: number; readonly steps: readonly (readonly [hoursAgo: number, act: Act])[] };

/** All six statuses, one twice: the last is the week's sixth task and shows as extra (D19). */
const everyStatus: readonly Script[] = [
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

const besides: readonly Script[] = [
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
const awaitingAdmin: readonly Script[] = [
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
const openAtClose: readonly Script[] = [
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
function play(script: Script, story: TaskStory, decider: Actor, time: WorkingTime, end: number, turn: number): void {
  for (const [hoursAgo, act] of script.steps) {
    const at = time.at(end - hoursAgo);
    const actor = byApprover.includes(act) ? decider : story.owner;
    if (act === 'note') story.note(actor, at, ownerNotes[turn % ownerNotes.length]!);
    else if (act === 'approverNote') story.note(actor, at, approverNotes[turn % approverNotes.length]!);
    else if (act === 'file') story.attach(at, fileNames[turn % fileNames.length]!);
    else story.update(actor, at, update(act, story, turn));
  }
}

export type DemoCompany = {
  readonly people: readonly DemoPerson[];
  readonly sprints: readonly SprintRow[];
  readonly stories: readonly TaskStory[];
  readonly results: readonly ResultRow[];
  /** When the company started using the product. */
  readonly foundedAt: string;
};

export type DemoOptions = {
  readonly now: Temporal.Instant;
  readonly zone: string;
  readonly settings?: Settings;
  readonly seed?: number;
};

const hoursAWeek = 45;
/**
 * Working time starts a week before the first sprint, and a sprint starts 1.5 hours after the working Monday
 * (10:00).
 */
const startHour = (sprint: number) => hoursAWeek * (sprint + 1) + 1.5;

type World = {
  readonly random: Random;
  readonly time: WorkingTime;
  readonly now: number;
  readonly spans: readonly Span[];
  readonly calendar: Calendar;
  readonly people: readonly DemoPerson[];
  readonly textFor: (team: Scope, sprint: number) => TaskText;
  readonly stories: TaskStory[];
};

export function demoCompany({ now, zone, settings = defaultSettings, seed = 5 }: DemoOptions): DemoCompany {
  const spans = demoSpans(now, zone);
  const world = foundedWorld(now, zone, spans, settings, seed);
  for (const person of world.people)
    if (person.approverIds.length > 0 && person.permissions.includes(topFivePermission)) playPerson(world, person);
  const sprints = sprintRows(spans, now, zone, settings.settlingHours);
  // In the order of creation, as the database would number them.
  const stories = world.stories.sort((a, b) => a.row.createdAt!.localeCompare(b.row.createdAt!));
  return {
    people: world.people,
    sprints,
    stories: stories.map(numbered),
    results: resultRows(sprints, stories),
    foundedAt: Temporal.Instant.fromEpochMilliseconds(world.time.at(0)).toString({ fractionalSecondDigits: 3 }),
  };
}

function foundedWorld(
  now: Temporal.Instant,
  zone: string,
  spans: readonly Span[],
  settings: Settings,
  seed: number,
): World {
  const firstMonday = spans[0]!.start.toZonedDateTimeISO(zone).toPlainDate();
  const time = workingTime(firstMonday.subtract({ days: 7 }), spans.length + 1, zone);
  const random = seededRandom(seed);
  const texts = taskTexts(random);
  const months = spans.map((span) =>
    span.start.toZonedDateTimeISO(zone).toPlainDate().toLocaleString('en', { month: 'long' }),
  );
  const ends = spans.map((span) => span.end.epochMilliseconds);
  return {
    random,
    time,
    now: time.hourOf(now.epochMilliseconds),
    spans,
    people: demoPeople(),
    stories: [],
    textFor: (team, sprint) => texts(team, months[sprint]!),
    calendar: {
      spanOf: (id) => spans[Number(id) - 1]!,
      currentAt: (at) => String(ends.findIndex((end) => at < end) + 1),
      settlingHours: settings.settlingHours,
    },
  };
}

function numbered(story: TaskStory, index: number): TaskStory {
  const id = String(index + 1);
  story.row.id = id;
  for (const row of [...story.history, ...story.notes, ...story.attachments]) row.taskId = id;
  return story;
}

function playPerson(world: World, person: DemoPerson): void {
  const { random, people } = world;
  const deciders = people.filter((candidate) => person.approverIds.includes(candidate.id));
  const habits = { diligence: random.between(0.68, 0.97), deciders, decisionHours: random.between(1.5, 8) };
  const first = person.cameSprintsAgo === null ? 0 : pastSprints - person.cameSprintsAgo;
  const last = person.leftSprintsAgo === null ? pastSprints + 1 : pastSprints - person.leftSprintsAgo;
  const isScripted = person.email === 'staff@demo.test' || person.email === 'top5@demo.test';
  for (let sprint = first; sprint <= last; sprint++) {
    if (isScripted && sprint === pastSprints) continue;
    const count = taskCount(random);
    for (let task = 0; task < count; task++) playLife(world, person, habits, sprint, task);
  }
  if (isScripted) playScripts(world, person, deciders[0]!);
  if (person.email === 'approver@demo.test')
    playAll(world, person, deciders[0]!, awaitingAdmin, pastSprints, world.now);
}

/** Usually five; sometimes six, sometimes fewer, and occasionally a vacation. */
function taskCount(random: Random): number {
  if (random.chance(0.04)) return random.whole(0, 1);
  return random.chance(0.75) ? 5 : random.pick([3, 4, 4, 6]);
}

function playLife(world: World, owner: DemoPerson, habits: Habits, sprint: number, task: number): void {
  const { random, time, now, calendar, stories } = world;
  const sprintStart = startHour(sprint);
  const isPlanned = task < 4 && random.chance(0.75);
  const hour = isPlanned ? sprintStart - random.between(0.5, 14) : sprintStart + random.between(0, task < 5 ? 6 : 24);
  if (hour > now) return;
  const text = world.textFor(owner.team!, sprint);
  const creator = random.chance(0.04) ? habits.deciders[0]! : owner;
  const story = new TaskStory('0', owner, creator, text, String(sprint + 1), time.at(hour), calendar);
  stories.push(story);
  live({ story, habits, random, time, sprintStart, sprintEnd: startHour(sprint + 1), now, hour });
}

function playScripts(world: World, person: DemoPerson, decider: DemoPerson): void {
  const scripts = person.email === 'staff@demo.test' ? [...everyStatus, besides[0]!] : [...everyStatus, besides[1]!];
  playAll(world, person, decider, scripts, pastSprints, world.now);
  playAll(world, person, decider, openAtClose, pastSprints - 1, startHour(pastSprints));
}

function playAll(
  world: World,
  owner: DemoPerson,
  decider: DemoPerson,
  scripts: readonly Script[],
  sprint: number,
  end: number,
): void {
  const { time, calendar, stories } = world;
  for (const [index, script] of scripts.entries()) {
    // Two accounts with the same script don't act in the same minute.
    const shifted = end - Number(owner.id) * 0.11;
    const story = new TaskStory(
      '0',
      owner,
      owner,
      world.textFor(owner.team!, sprint),
      String(sprint + 1),
      time.at(shifted - script.created),
      calendar,
    );
    stories.push(story);
    play(script, story, decider, time, shifted, index + Number(owner.id));
  }
}
