// The demo company as data, without a clock or database. The same arguments give the same company.
import type { Scope } from '#core/access/brands.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { defaultSettings, type Settings } from '#core/admin/settings.ts';
import type { Span } from '#core/tasks/sprint.ts';
import { type DemoPerson, demoPeople } from './demo-people.ts';
import { demoSpans, pastSprints, type ResultRow, resultRows, type SprintRow, sprintRows } from './demo-sprints.ts';
import { awaitingAdmin, besides, everyStatus, openAtClose, play, type Script } from './demo-week.ts';
import { type Random, seededRandom } from './random.ts';
import { type Habits, live } from './task-life.ts';
import { type Calendar, TaskStory } from './task-story.ts';
import { type TaskText, taskTexts } from './task-titles.ts';
import { type WorkingTime, workingTime } from './working-time.ts';

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
