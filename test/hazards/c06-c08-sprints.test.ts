// C6 and C8: the roll-over of the week on three servers, in every zone and over every change of its clocks
// from 2024 to 2037; and a company that changes its zone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sprintAt } from '#core/tasks/sprint.ts';
import { ensureSprints } from '#server/tasks/sprints/sprints.service.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { type FreshDatabase, freshDatabase } from '../database.ts';
import { rounds } from '../sampling.ts';
import { someone, staff } from '../task-fixtures.ts';
import { expectNone, seed } from './rounds.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const { from: instant, compare } = Temporal.Instant;
const [first, last] = ['2024-01-03T12:00:00Z', '2038-01-01T00:00:00Z'].map((text) => instant(text)) as [
  Temporal.Instant,
  Temporal.Instant,
];

/** The instants at which the zone's clocks change, in order. */
function clockChanges(zone: string): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  for (
    let at = first.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    at;
    at = at.getTimeZoneTransition('next')
  ) {
    if (compare(at.toInstant(), last) >= 0) break;
    found.push(at.toInstant());
  }
  return found;
}

const onThree = (now: Temporal.Instant, zones: readonly [string, string, string]) =>
  Promise.all(zones.map((zone) => ensureSprints(fresh.database, now, { zone, holidays: [] })));

type Row = { readonly name: string; readonly start: Temporal.Instant; readonly end: Temporal.Instant };
async function weeks(): Promise<Row[]> {
  const { rows } = await fresh.database.pool.query<{ name: string; start: string; end: string }>(
    'select name, start_at as start, end_at as "end" from sprints order by start_at',
  );
  return rows.map(({ name, start, end }) => ({ name, start: instant(start), end: instant(end) }));
}

const restart = () => fresh.database.pool.query('delete from sprints');

function gapsAndOverlaps(rows: readonly Row[]): string[] {
  return rows.flatMap(({ start }, index) => {
    const before = rows[index - 1];
    return before === undefined || compare(before.end, start) === 0 ? [] : [`${before.end} is not ${start}`];
  });
}

function faultsOf(rows: readonly Row[], zone: string): string[] {
  const faults = gapsAndOverlaps(rows);
  for (const { name, start, end } of rows) {
    const local = start.toZonedDateTimeISO(zone);
    const hours = start.until(end).total('hours');
    if (local.dayOfWeek !== 1 || local.toPlainTime().toString() !== '10:00:00') faults.push(`${name} starts ${local}`);
    if (hours < 165 || hours > 171) faults.push(`${name} has ${hours} hours`);
  }
  if (new Set(rows.map(({ name }) => name)).size !== rows.length) faults.push('two weeks have one name');
  return faults.map((fault) => `${zone}: ${fault}`);
}

/** With few rounds the ones that are known to be odd, and one of chance. */
function zonesToTry(): string[] {
  const all = Intl.supportedValuesOf('timeZone');
  const odd = ['Australia/Lord_Howe', 'Africa/Casablanca', all[seed % all.length] as string];
  return rounds(0, 1) === 1 ? all : odd;
}

test('three servers make one sprint for every week, in every zone, over every change of its clocks', async (context) => {
  const wrong: string[] = [];
  let boundaries = 0;
  for (const zone of zonesToTry()) {
    await restart();
    await onThree(first, [zone, zone, zone]);
    for (const change of [...clockChanges(zone), last]) {
      const { end } = sprintAt(change, zone);
      for (const now of [end.subtract({ milliseconds: 1 }), end]) {
        await onThree(now, [zone, zone, zone]);
        boundaries += 1;
        const rows = await weeks();
        const current = rows.filter(({ start, end: ends }) => compare(start, now) <= 0 && compare(now, ends) < 0);
        const isRight = current.length === 1 && compare(current[0]!.start, sprintAt(now, zone).start) === 0;
        if (!isRight) wrong.push(`${zone} at ${now}: ${JSON.stringify(current)}`);
      }
    }
    wrong.push(...faultsOf(await weeks(), zone));
  }
  expectNone(context, 'C6', boundaries, wrong);
});

test('requests in the last and the first millisecond are of the old and of the new sprint, on every server', async (context) => {
  const zone = 'Europe/Amsterdam';
  const env = { COMPANY_TIME_ZONE: zone };
  const wrong: unknown[] = [];
  let asked = 0;
  // A week of 167, one of 168 and one of 169 hours.
  for (const boundary of ['2026-03-30T08:00:00Z', '2026-06-22T08:00:00Z', '2026-10-26T09:00:00Z']) {
    const one = await startTestApp({ now: instant(boundary).subtract({ milliseconds: 1 }).toString(), env });
    const servers: readonly TestApp[] = [
      one,
      await startTestApp({ beside: one, env }),
      await startTestApp({ beside: one, env }),
    ];
    try {
      const admin = await someone(one, { role: 'admin' });
      const owner = await someone(one, { permissions: staff, approvers: [admin.id] });
      const make = 'mutation ($id: ID!) { createTask(title: "Now", userId: $id) { sprintId } }';
      for (const [now, isNew] of [
        [one.clock.now(), false],
        [instant(boundary), true],
      ] as const) {
        one.clock.set(now);
        const answers = await Promise.all(
          servers.flatMap((server) => [
            server
              .gql(owner.token, '{ myWeek { sprint { id startDate } } }')
              .then(({ data, code }) => data?.myWeek.sprint ?? { id: code, startDate: null }),
            server.gql(admin.token, make, { id: owner.id }).then(({ data, code, errors }) => ({
              id: data?.createTask.sprintId ?? `${code}: ${errors?.[0]?.message}`,
              startDate: null,
            })),
          ]),
        );
        asked += answers.length;
        const starts = new Set(answers.flatMap(({ startDate }) => (startDate === null ? [] : [startDate])));
        const starting = isNew ? instant(boundary) : sprintAt(now, zone).start;
        const isOne = new Set(answers.map(({ id }) => id)).size === 1 && starts.size === 1;
        if (!isOne || compare(instant([...starts][0] as string), starting) !== 0)
          wrong.push({ boundary, now: now.toString(), answers });
      }
    } finally {
      for (const server of servers.toReversed()) await server.stop();
    }
  }
  expectNone(context, 'C6', asked, wrong);
});

const moves = [
  ['Europe/Amsterdam', 'America/New_York'],
  ['America/New_York', 'Europe/Amsterdam'],
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
  ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
] as const;

test('a zone that changes on the Sunday of the clocks, on one server before the others, leaves no gap and no overlap', async (context) => {
  const all = Intl.supportedValuesOf('timeZone');
  const more = all.flatMap((zone, index) => [[zone, all[(index * 7 + 3) % all.length] as string] as const]);
  const wrong: string[] = [];
  const pairs = [...moves, ...more.slice(0, rounds(2, more.length))];
  for (const [before, after] of pairs) {
    await restart();
    const sunday = instant('2026-10-25T00:30:00Z');
    await onThree(sunday, [before, before, before]);
    const known = (await weeks()).map((row) => JSON.stringify(row));
    // One server has the new zone already when the week rolls over, then all have.
    for (const days of [1, 2, 8, 9, 15]) {
      const zones = days < 3 ? ([before, after, before] as const) : ([after, after, after] as const);
      await onThree(sunday.add({ hours: 24 * days }), zones);
    }
    const rows = await weeks();
    const kept = rows.slice(0, known.length).map((row) => JSON.stringify(row));
    if (kept.join() !== known.join()) wrong.push(`${before} to ${after} changes weeks that exist`);
    wrong.push(...gapsAndOverlaps(rows).map((fault) => `${before} to ${after}: ${fault}`));
    const lengths = rows.map(({ start, end }) => start.until(end).total('hours'));
    if (lengths.some((hours) => hours < 84 || hours > 252))
      wrong.push(`${before} to ${after}: weeks of ${lengths} hours`);
    expect(rows.length).toBeGreaterThan(3);
  }
  expectNone(context, 'C8', pairs.length, wrong);
});
