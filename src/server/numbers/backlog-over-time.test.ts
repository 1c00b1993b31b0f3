import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { backlogOverTime } from './backlog-over-time.ts';
import { leafSources, type NumbersQuestion, type Period, readNumbers } from './numbers.store.ts';
import type { Reading, Span } from './row-conditions.ts';

// On 8 March and 1 November 2026, its clocks change.
const zone = 'America/New_York';
const now = Temporal.ZonedDateTime.from('2026-11-26T11:00:00[America/New_York]');
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  // Of ten conversations, one ended before it was opened, one ended by its status alone and one never. Some are
  // dated to the day, and some end at midnight or after today.
  await fresh.database.drizzle.execute(sql`
    insert into conversations (source, external_id, opened_at, day, hour, resolved_at, closed_at, team, channel, reopened, status)
    select 'desk', n::text, opened, (opened at time zone ${zone})::date, case when n % 7 > 0 then extract(hour from opened at time zone ${zone}) end,
      case when n % 10 < 6 then ended end, case when n % 10 in (4, 5, 6, 7) then ended end,
      nullif('team ' || n % 5, 'team 4'), 'channel ' || n % 3, n % 2, case when n % 10 = 8 then (array['Resolved', 'closed', 'DONE'])[1 + n % 3] when n % 4 = 1 then 'Open' end
    from (select setseed(0.17)) seed cross join lateral (
      select n, opened, case when n % 10 = 3 then opened - interval '2 days' * random()
        when n % 13 = 0 then date_trunc('day', opened + interval '9 days', ${zone}) else opened + interval '100 days' * random() ^ 4 end as ended
      from (select n, case when n % 7 = 0 then date_trunc('day', made, ${zone}) else made end as opened
        from (select n, timestamptz '2025-09-01' + interval '450 days' * random() as made from generate_series(1, 4000) n) m) o) c`);
});
afterAll(() => fresh.drop());

const spanOf = (from: string, to: string, until: string | null = null): Span => ({ from, to, until });

function reading({ from, to }: Span, filters: Reading['filters'] = []): Reading {
  const range = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) };
  return {
    dataset: 'conversations',
    scope: null,
    currency: null,
    range,
    filters,
    hours: 'clock',
    zone,
    holidays: [],
    now,
  };
}

/** By the definition: how many were open at the end of each bucket that has begun. */
async function byDefinition(by: readonly string[], { from, to, until }: Span, where: string, days: number) {
  const [time, ...groups] = by;
  const keys = groups.map((word) => `, t.${word} as "${word}"`).join('');
  const { rows } = await fresh.database.pool.query({
    rowMode: 'array',
    text: `
      select b.key::text${groups.map((word) => `, x."${word}"`).join('')}, count(*)::text from (
        select date_trunc('${time}', (d + make_interval(days => ${days})))::date as key,
          least((max(d)::date + 1)::timestamp at time zone $3, $4::timestamptz) as instant
        from generate_series($1::date, $2::date - 1, interval '1 day') d where (d::date)::timestamp at time zone $3 < $4 group by 1) b
      join lateral (select 1${keys} from conversations t where t.opened_at < b.instant and (coalesce(t.resolved_at, t.closed_at) >= b.instant
        or coalesce(t.resolved_at, t.closed_at) is null and lower(coalesce(t.status, '')) not in ('resolved', 'closed', 'done')) and ${where}) x on true
      group by b.key${groups.map((word) => `, x."${word}"`).join('')}`,
    values: [from, to, zone, until ?? now.toInstant().toString()],
  });
  return rows.map((row) => row.join(' | ')).sort();
}

async function read(by: readonly string[], current: Period, previous: Period | null, filters: Reading['filters']) {
  const question: NumbersQuestion = {
    ...{ reading: reading(current.span, filters), metrics: ['backlog'], by, current, previous },
    ...{ top: 50_000, offset: 0, order: null, search: null, onlyFilled: false, keepsGone: false },
  };
  const rows = await readNumbers(fresh.database.drizzle, question, leafSources(question));
  const linesOf = (values: 'current' | 'previous') =>
    rows
      .filter(({ isTotal, [values]: [open] }) => !isTotal && Number(open ?? 0) > 0)
      .map(({ keys, [values]: [open] }) => [...keys.slice(0, by.length), open].join(' | '))
      .sort();
  const total = rows.find(({ isTotal }) => isTotal)!;
  return { current: linesOf('current'), previous: linesOf('previous'), total: total.current[0] };
}

const spans: Record<string, Span> = {
  'up to now': spanOf('2026-10-28', '2026-11-27'),
  'over the change to summer time': spanOf('2026-03-01', '2026-03-20'),
  'over the change to winter time': spanOf('2026-10-20', '2026-11-10'),
  'all of it, with days to come': spanOf('2025-08-01', '2026-12-24'),
};
const filters: Record<string, { where: string; filters: Reading['filters'] }> = {
  'no filter': { where: 'true', filters: [] },
  'a team': { where: `t.team = 'team 2'`, filters: [{ field: 'team', values: ['team 2'] }] },
  'no team or a channel': {
    where: `t.team is null and t.channel = 'channel 1'`,
    filters: [
      { field: 'team', values: [null] },
      { field: 'channel', values: ['channel 1'] },
    ],
  },
};

test.each(Object.keys(spans))('in every bucket, the backlog is what was open at its end: %s', async (name) => {
  const span = spans[name]!;
  for (const time of ['day', 'week', 'month']) {
    for (const groups of [[], ['team'], ['channel', 'team']]) {
      for (const { where, filters: asked } of Object.values(filters)) {
        const by = [time, ...groups];
        const expected = await byDefinition(by, span, where, 0);
        expect((await read(by, { span, shift: {} }, null, asked)).current).toEqual(expected);
        expect(expected.length).toBeGreaterThan(0);
      }
    }
  }
});

test('the comparison is read by the same rules, cut at the elapsed time and aligned with the range', async () => {
  const span = spanOf('2026-11-01', '2026-11-27');
  const before = spanOf('2026-10-02', '2026-10-28', '2026-10-27T15:00:00Z');
  const periods = [
    { span, shift: {} },
    { span: before, shift: { days: 30 } },
  ] as const;
  const answer = await read(['day', 'team'], periods[0], periods[1], []);
  expect(answer.current).toEqual(await byDefinition(['day', 'team'], span, 'true', 0));
  expect(answer.previous).toEqual(await byDefinition(['day', 'team'], before, 'true', 30));
});

test('the total is what is open at the end, and a day without an open conversation is zero', async () => {
  const span = spans['up to now']!;
  const { current, total } = await read(['day'], { span, shift: {} }, null, []);
  expect(current.at(-1)).toBe(`2026-11-26 | ${total}`);
  const nobody = [{ field: 'team', values: ['nobody'] }];
  const { rows } = await fresh.database.drizzle.execute(
    backlogOverTime(reading(span, nobody), ['day'], span, (day) => day),
  );
  expect(rows.map(({ open }) => open)).toEqual(Array.from({ length: 30 }, () => '0'));
});

test('a range reads the conversations that were open in it, not all that were ever opened', async () => {
  await fresh.database.drizzle.execute(sql`
    insert into conversations (source, external_id, opened_at, day, resolved_at)
    select 'archive', n::text, opened, opened::date, opened + interval '1 day'
    from (select n, timestamptz '2016-01-01' + interval '1 hour' * n as opened from generate_series(1, 60000) n) o`);
  await asOwner(fresh.url, 'analyze conversations');
  const span = spanOf('2018-03-01', '2018-03-31');
  const series = backlogOverTime(reading(span), ['day'], span, (day) => day);
  const { rows } = await fresh.database.drizzle.execute<{ 'QUERY PLAN': string }>(sql`explain analyze ${series}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('conversations_open');
  expect(plan).not.toContain('Seq Scan on conversations');
});
