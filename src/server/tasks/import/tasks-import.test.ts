import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FaultReport, faultLine } from '#server/platform/imports/fault-report.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { readMapping } from '#server/platform/imports/read-mapping.ts';
import { openRows } from '#server/platform/imports/row-source.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import { openLiveChanges } from '#server/platform/live/live.service.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { needsReal, realFile } from '../../../../test/real-files.ts';
import { importTasks, type TasksImport, type TasksImported } from './tasks-import.service.ts';
import { tasksMapping } from './tasks-mapping.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const mapping = await readMapping(join(root, 'examples/import/tasks_jira_duraspace.json'), tasksMapping);
const now = Temporal.Instant.from('2026-11-20T12:00:00Z');

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh.drop());

const query = async (statement: ReturnType<typeof sql>) => (await fresh.database.drizzle.execute(statement)).rows;

type Issue = Record<string, unknown>;
const issue = (key: string, more: Issue = {}): Issue => ({
  key,
  project: 'DS',
  status: 'Open',
  resolution: null,
  summary: `Title of ${key}`,
  description: 'What it is about',
  created: '2014-03-05T09:00:00.000+0000',
  resolutiondate: null,
  reporter: 'jane.doe',
  assignee: null,
  sprints: [],
  attachments: [],
  comments: [],
  transitions: [],
  ...more,
});
const comment = (text: string, more: Issue = {}) => ({
  user: 'sam',
  at: '2014-03-06T10:00:00.000-0500',
  updated: '2014-03-06T10:00:00.000-0500',
  text,
  ...more,
});

async function* asRows(issues: readonly unknown[]): AsyncGenerator<SourceRow> {
  for (const [index, content] of issues.entries())
    yield { line: index + 1, text: JSON.stringify(content), row: JSON.parse(JSON.stringify(content)) };
}

async function importing(rows: AsyncIterable<SourceRow>, more: Partial<TasksImport> = {}): Promise<TasksImported> {
  const report = more.report ?? (await FaultReport.open(undefined));
  return importTasks({ database: fresh.database, rows, mapping, report, now, zone: 'UTC', isDryRun: false, ...more });
}

/** Everything an import writes, without the ids. */
const everything = () =>
  query(sql`select t.external_id, t.title, t.summary, t.category, t.change, t.reason, t.status, t.version, t.created_at, t.status_at, s.name, p.external_id as owner,
    (select json_agg(json_build_array(n.author_name, n.text, n.at, n.edited_at) order by n.id) from task_notes n where n.task_id = t.id) as notes,
    (select json_agg(json_build_array(h.at, h.event, h.from_status, h.to_status, h.actor_name, h.waited) order by h.id) from task_history h where h.task_id = t.id) as history,
    (select json_agg(json_build_array(a.file_name, a.size) order by a.id) from task_attachments a where a.task_id = t.id) as attachments
    from tasks t join sprints s on s.id = t.sprint_id join people p on p.id = t.owner_id order by t.external_id`);

describe('rows that do not fit', () => {
  const faults: [string, Issue, string, RegExp][] = [
    ['a blank title', { summary: '  ' }, 'summary', /^is blank$/],
    ['a title beyond the limit', { summary: 'x'.repeat(301) }, 'summary', /has 301 characters, the limit is 300/],
    ['NUL', { description: 'a\0b' }, 'description', /NUL/],
    ['half of a surrogate pair', { description: '\ud800' }, 'description', /surrogate/],
    ['text that is a list', { summary: ['x'] }, 'summary', /is not text/],
    ['a status nobody knows', { status: 'Parked' }, 'status', /"Parked", which isn’t in the mapping/],
    ['nobody whose task it is', { reporter: null }, 'reporter', /is blank/],
    ['no id', { key: '' }, 'key', /is blank/],
    ['a date that is none', { created: '5 March' }, 'created', /isn’t a date: "5 March"/],
    ['a date in the future', { created: '2031-01-01T00:00:00Z' }, 'created', /is in the future/],
    [
      'a week behind the next',
      { sprints: [{ startDate: '2031-01-01T00:00:00Z' }] },
      'sprints[0].startDate',
      /is after the next sprint/,
    ],
    ['NUL in a comment', { comments: [comment('ok'), comment('a\0')] }, 'comments[1].text', /NUL/],
    ['comments that are no list', { comments: 'many' }, 'comments', /is not a list/],
    [
      'a size that is no number',
      { attachments: [{ user: 'sam', file: 'a.txt', at: '2014-03-06T10:00:00Z', size: 'big' }] },
      'attachments[0].size',
      /isn’t a number of bytes/,
    ],
  ];

  test('each is told with line, column and reason, and the good ones are kept', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const file = join(folder, 'report.csv');
    const report = await FaultReport.open(file);
    const bad = faults.map(([, more], index) => issue(`BAD-${index}`, more));
    const imported = await importing(asRows([issue('A-1'), ...bad, issue('A-1', { summary: 'again' }), issue('A-2')]), {
      report,
    });
    await report.close();
    expect(imported).toMatchObject({ rows: faults.length + 3, created: 2, refused: faults.length + 1 });
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const [index, [what, , column, reason]] of faults.entries()) {
      const line = lines.find((text) => text.startsWith(`{"refused_because":"Line ${index + 2}: `)) ?? '';
      expect(line, what).toContain(` ${column} `);
      const told = report.first.map(faultLine).filter((text) => text.startsWith(`line ${index + 2}: ${column} `));
      expect(
        told.map((text) => text.slice(text.indexOf(column) + column.length + 1)).filter((text) => reason.test(text)),
        what,
      ).toHaveLength(1);
    }
    expect(lines.at(-2)).toContain('id has the ID of line 1: \\"A-1\\"');
    // Imported unchanged, it would replace the first A-1.
    const again = JSON.parse(lines.at(-2)!) as object;
    expect(await importing(asRows([again]))).toMatchObject({ changed: 0, refused: 1 });
    rmSync(folder, { recursive: true });
  });

  test('whoever waits is told the first hundred, the report gets all', async () => {
    const report = await FaultReport.open(undefined);
    await importing(asRows(Array.from({ length: 150 }, (_, index) => issue(`X-${index}`, { summary: '' }))), {
      report,
    });
    expect(report.first).toHaveLength(100);
    expect(report).toMatchObject({ rows: 150, faults: 150 });
  });

  test('an approver whom nobody knows stops the import before it begins', async () => {
    await expect(importing(asRows([issue('A-1')]), { approver: 'nobody@demo.test' })).rejects.toThrow(
      'No account with the email address nobody@demo.test',
    );
  });
});

describe('a task', () => {
  test('takes people, week, notes, files and history from its row', async () => {
    const imported = await importing(
      asRows([
        issue('A-1', {
          assignee: 'sam',
          status: 'Closed',
          resolution: "Won't Fix",
          resolutiondate: '2014-03-10T09:59:59.000+0000',
          summary: 'Quotes \uFFFD stay',
          comments: [comment('first'), comment('second', { updated: '2014-03-07T10:00:00.000+0000' }), comment(' ')],
          attachments: [{ user: 'sam', file: 'a/b.txt', at: '2014-03-06T10:00:00Z', size: 5, mime: 'text/plain' }],
          transitions: [
            { at: '2014-03-05T10:00:00.000+0000', by: 'sam', from: 'Open', to: 'In Progress' },
            { at: '2014-03-05T11:00:00.000+0000', by: null, from: 'In Progress', to: 'Elsewhere' },
            { at: '2014-03-10T09:59:59.000+0000', by: 'sam', from: 'In Progress', to: 'Closed' },
          ],
        }),
      ]),
    );
    expect(imported).toMatchObject({
      created: 1,
      notes: 2,
      attachments: 1,
      moves: 2,
      people: 2,
      sprints: 1,
      missingColumns: [],
    });
    const [task] = await everything();
    expect(task).toMatchObject({
      title: 'Quotes \uFFFD stay',
      status: 'DENIED',
      reason: "Won't Fix",
      change: 'In Progress → Closed',
      owner: 'sam',
      name: '2014 W10',
      category: 'Liberty',
    });
    expect(task).toMatchObject({ attachments: [['a b.txt', 5]], status_at: '2014-03-10T09:59:59.000Z' });
    const notes = task!.notes as unknown[][];
    expect(notes.map(([author, text, , edited]) => [author, text, edited === null])).toEqual([
      ['sam', 'first', true],
      ['sam', 'second', false],
    ]);
    const history = task!.history as unknown[][];
    expect(history.map(([, event, from, to, , waited]) => [event, from, to, waited])).toEqual([
      ['imported', 'TODO', 'INPROGRESS', 3600],
      ['imported', 'INPROGRESS', 'DONE', 431_999],
      ['imported', 'DENIED', 'DENIED', 0],
    ]);
    const people = await query(
      sql`select email, first_name, last_name, role, password_hash from people order by email`,
    );
    expect(people).toEqual([
      {
        email: 'jane.doe@duraspace-jira.import.invalid',
        first_name: 'Jane',
        last_name: 'Doe',
        role: 'Imported',
        password_hash: null,
      },
      {
        email: 'sam@duraspace-jira.import.invalid',
        first_name: 'sam',
        last_name: '',
        role: 'Imported',
        password_hash: null,
      },
    ]);
  });

  test('has moves from a list inside a list, and says what was left out', async () => {
    const nested = tasksMapping.parse({
      ...mapping,
      fields: { ...mapping.fields, created: { date: 'created', format: 'YYYY-MM-DD HH:mm' } },
      history: {
        each: ['changelog', 'items'],
        fields: { author: 'who', at: '^.created', from: 'from', to: 'to' },
      },
    });
    const change = (created: string, ...moves: [string, string][]) => ({
      who: 'sam',
      created,
      items: moves.map(([from, to]) => ({ from, to, created: 'of the item' })),
    });
    const changelog = [
      change('2014-03-05T10:00:00Z', ['TODO', 'INPROGRESS'], ['red', 'blue']),
      change('2014-03-06T10:00:00Z', ['INPROGRESS', 'DONE']),
    ];
    const row = issue('A-1', { created: '2014-03-05 09:00', changelog, comments: [comment(' ')] });
    const report = await FaultReport.open(undefined);
    const job = { database: fresh.database, now, zone: 'America/Lima', report, isDryRun: false };
    const imported = await importTasks({ ...job, rows: asRows([row]), mapping: nested });
    expect(imported).toMatchObject({ created: 1, moves: 2, notes: 0 });
    expect(imported.leftOut).toEqual([
      { reason: 'notes: without text', count: 1, firstLine: 1 },
      { reason: 'history: from has "red", which isn’t a status', count: 1, firstLine: 1 },
    ]);
    const moves = await query(sql`select at, to_status as "to" from task_history where actor_name = 'sam' order by at`);
    expect(moves).toEqual([
      { at: '2014-03-05T10:00:00.000Z', to: 'INPROGRESS' },
      { at: '2014-03-06T10:00:00.000Z', to: 'DONE' },
    ]);
    // A time without an offset is in company time.
    expect(await query(sql`select created_at as at from tasks`)).toEqual([{ at: '2014-03-05T14:00:00.000Z' }]);
  });

  test('lies in the week of its own sprint, else of its end, else of its beginning', async () => {
    await importing(
      asRows([
        issue('A-1', { sprints: [{ startDate: '2014-01-06T15:17:30.953Z' }], resolutiondate: '2014-02-05T09:00:00Z' }),
        issue('A-2', { resolutiondate: '2014-02-10T09:59:59.999+0000' }),
        issue('A-3'),
      ]),
    );
    expect((await everything()).map(({ name }) => name)).toEqual(['2014 W02', '2014 W06', '2014 W10']);
    const [counts] = await query(
      sql`select count(*)::int as results, sum((counts->>'TODO')::int)::int as todo from sprint_results`,
    );
    expect(counts).toEqual({ results: 3, todo: 3 });
  });

  test('can be decided by the approver that the import names', async () => {
    await query(
      sql`insert into people (email, first_name, last_name, role) values ('boss@demo.test', 'B', 'O', 'admin')`,
    );
    await importing(asRows([issue('A-1')]), { approver: 'Boss@demo.test' });
    expect(
      await query(
        sql`select p.external_id, b.email from approvers a join people p on p.id = a.person_id join people b on b.id = a.approver_id`,
      ),
    ).toEqual([{ external_id: 'jane.doe', email: 'boss@demo.test' }]);
  });
});

test('a week whose start a holiday moved keeps its tasks, also at the second import', async () => {
  await query(sql`insert into sprints (name, start_at, end_at, result_at) values
    ('2014 W09', '2014-02-24T10:00:00Z', '2014-03-04T10:00:00Z', '2014-03-06T10:00:00Z'),
    ('2014 W10', '2014-03-04T10:00:00Z', '2014-03-10T10:00:00Z', '2014-03-12T10:00:00Z')`);
  await importing(asRows([issue('A-1')]));
  expect(await importing(asRows([issue('A-1')]))).toMatchObject({ changed: 0, unchanged: 1 });
  expect((await everything()).map(({ name }) => name)).toEqual(['2014 W10']);
});

describe('an import that is run again', () => {
  const issues = Array.from({ length: 450 }, (_, index) =>
    issue(`A-${index}`, { assignee: `person${index % 7}`, comments: [comment('same'), comment('same')] }),
  );

  test('changes nothing with the same file', async () => {
    await importing(asRows(issues));
    const before = await everything();
    expect(await importing(asRows(issues))).toMatchObject({
      created: 0,
      changed: 0,
      unchanged: 450,
      people: 0,
      sprints: 0,
      notes: 0,
      moves: 0,
    });
    expect(await everything()).toEqual(before);
  });

  test('ends the same after it was killed half-way', async () => {
    const other = await freshDatabase();
    await importing(asRows(issues), { database: other.database });
    async function* killed(): AsyncGenerator<SourceRow> {
      for await (const row of asRows(issues)) {
        if (row.line === 300) throw new Error('killed');
        yield row;
      }
    }
    await expect(importing(killed())).rejects.toThrow('killed');
    expect((await everything()).length).toBe(200);
    expect(await importing(asRows(issues))).toMatchObject({ created: 250, unchanged: 200 });
    const again = await everything();
    await fresh.drop();
    fresh = other;
    expect(again).toEqual(await everything());
  });

  test('twice at the same time imports every task once', async () => {
    const both = await Promise.all([importing(asRows(issues)), importing(asRows(issues))]);
    expect(both[0]!.created + both[1]!.created).toBe(450);
    expect(await query(sql`select count(*)::int as count from tasks`)).toEqual([{ count: 450 }]);
  });

  test('takes over what the source changed, and leaves what was changed here', async () => {
    await importing(asRows([issue('A-1', { comments: [comment('old')] }), issue('A-2')]));
    await query(
      sql`update tasks set status = 'INPROGRESS', title = 'Ours', version = version + 1 where external_id = 'A-1'`,
    );
    const changed = issue('A-1', {
      description: 'New text',
      assignee: 'sam',
      comments: [comment('corrected'), comment('another')],
    });
    expect(await importing(asRows([changed, issue('A-2')]))).toMatchObject({
      created: 0,
      changed: 1,
      unchanged: 1,
      notes: 1,
      people: 0,
    });
    const [task] = await everything();
    expect(task).toMatchObject({ title: 'Ours', status: 'INPROGRESS', summary: 'New text', owner: 'sam', version: 3 });
    expect((task!.notes as unknown[][]).map(([, text]) => text)).toEqual(['corrected', 'another']);
    expect(await importing(asRows([changed, issue('A-2')]))).toMatchObject({ changed: 0, unchanged: 2 });
  });
});

describe('a run of the import', () => {
  const audits = () =>
    query(sql`select actor_id, action, subject_type, subject_id, after from audit_log order by id`) as Promise<
      Record<string, unknown>[]
    >;

  test('leaves one line with its counts in the audit log, also where it changed nothing', async () => {
    for (let run = 0; run < 2; run++)
      await importing(asRows([issue('A-1'), issue('A-2'), issue('A-3', { summary: '' })]));
    const counted = { rows: 3, refused: 1, complete: true };
    expect(await audits()).toMatchObject([
      {
        actor_id: null,
        action: 'tasksImported',
        subject_type: 'import',
        after: { ...counted, created: 2, unchanged: 0 },
      },
      { after: { ...counted, created: 0, unchanged: 2 } },
    ]);
  });

  test('that stops on the way leaves its line too', async () => {
    async function* breaking() {
      yield* asRows([issue('A-1')]);
      throw new ImportError('the file ends in the middle');
    }
    await expect(importing(breaking())).rejects.toThrow('in the middle');
    expect(await audits()).toMatchObject([{ after: { rows: 1, created: 1, complete: false } }]);
  });

  test('lets open pages read again when it changed something, and not otherwise', async () => {
    const live = await openLiveChanges({ url: fresh.url, log: { info() {}, warn() {}, error() {} } });
    let gaps = 0;
    live.onGap(() => gaps++);
    const heard = async () => {
      // Notifications arrive in order: this one means all earlier ones have arrived.
      const { promise, resolve } = Promise.withResolvers<null>();
      const stop = live.on('settingsChanged', resolve);
      await live.publish(fresh.database.drizzle, 'settingsChanged', null);
      await promise;
      stop();
      return gaps;
    };
    await importing(asRows([issue('A-1')]), { isDryRun: true });
    expect(await heard()).toBe(0);
    await importing(asRows([issue('A-1')]));
    expect(await heard()).toBe(1);
    await importing(asRows([issue('A-1')]));
    expect(await heard()).toBe(1);
    await live.close();
  });
});

test('a dry run counts the same and writes nothing', async () => {
  const issues = Array.from({ length: 450 }, (_, index) =>
    issue(`A-${index}`, { assignee: `person${index % 7}`, created: `2014-0${1 + (index % 6)}-05T09:00:00Z` }),
  );
  const dry = await importing(asRows(issues), { isDryRun: true });
  expect(
    await query(
      sql`select (select count(*)::int from tasks) tasks, (select count(*)::int from people) people, (select count(*)::int from sprints) sprints, (select count(*)::int from roles) roles`,
    ),
  ).toEqual([{ tasks: 0, people: 0, sprints: 0, roles: 0 }]);
  expect(await importing(asRows(issues))).toEqual(dry);
});

const tracker = 'tasks_jira_duraspace.jsonl.gz';

test('the export of a real tracker gives the counts that its readme computes', needsReal(tracker), async () => {
  const source = await openRows(realFile(tracker));
  const imported = await importing(source.rows);
  expect(imported).toMatchObject({
    rows: 3_036,
    created: 3_036,
    refused: 0,
    notes: 5_990,
    attachments: 544,
    moves: 5_124,
    people: 283,
  });
  expect(imported.byStatus).toEqual({
    DONE: 1_850,
    TODO: 556,
    DENIED: 363,
    INREVIEW: 158,
    INAPPROVAL: 94,
    INPROGRESS: 15,
  });
  expect(
    await query(
      sql`select category, count(*)::int as count from tasks where category in ('Connect', 'Dig', 'Grow') group by category order by category`,
    ),
  ).toEqual([
    { category: 'Connect', count: 1_019 },
    { category: 'Dig', count: 32 },
    { category: 'Grow', count: 30 },
  ]);
  expect(await query(sql`select count(*)::int as count from task_notes where edited_at is not null`)).toEqual([
    { count: 278 },
  ]);
  const again = await importing((await openRows(realFile(tracker))).rows);
  expect(again).toMatchObject({ created: 0, changed: 0, unchanged: 3_036, people: 0, sprints: 0 });
});
