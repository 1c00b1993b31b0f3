// No request reads or answers more than a fixed number of bytes, no matter how it repeats its fields.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { limits, taskLimits } from '#core/base/limits.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { makeTeam, prepareTask, type Team } from '../../../../test/task-fixtures.ts';
import { AnswerBudget, answerLimits, LargeAnswers, type Sized } from './answer-budget.ts';

let app: TestApp;
let team: Team;
let sprintId: string;
let id: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  team = await makeTeam(app);
});
beforeEach(async () => {
  id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
});
afterAll(() => app.stop());

/** Notes from before there was a limit. */
const insertNotes = (count: number, text: string, by = team.owner.id) =>
  app.database.pool.query(
    `insert into task_notes (task_id, author_id, author_name, text, at)
     select $1, $2, 'Owner', $3, '2026-11-17T10:00:00Z' from generate_series(1, $4)`,
    [id, by, text, count],
  );
const insertHistory = (by: string, count: number, text: string) =>
  app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, before, after)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Ada', 'edited', 'TODO', 'TODO', v.last + n,
       jsonb_build_object('summary', $4::text), jsonb_build_object('summary', $4::text)
     from generate_series(1, $5) n, (select max(version) as last from task_history where task_id = $1) v`,
    [id, sprintId, by, text, count],
  );
const times = (count: number, field: (alias: string) => string): string =>
  Array.from({ length: count }, (_, index) => field(`a${index}`)).join(' ');
const length = (answer: object): number => JSON.stringify(answer).length;

test('an answer that 15 aliases multiply is refused before it is read, and ids alone still come', async () => {
  await insertNotes(304, 'x'.repeat(30_000));
  const answer = await app.gql(
    team.owner.token,
    `{ ${times(15, (alias) => `${alias}: getTasks(taskId: "${id}") { notes { text } }`)} }`,
  );
  expect(answer.code).toBe('QUERY_TOO_LARGE');
  expect(length(answer)).toBeLessThan(10_000);
  const { code, data } = await app.gql(team.owner.token, `{ getTasks(taskId: "${id}") { notes { id } } }`);
  expect([code, data.getTasks[0].notes.length]).toEqual([null, 304]);
});

test('an answer that repeats a text under many names is refused, although it is read once', async () => {
  await insertNotes(40, '漢'.repeat(29_000));
  const repeated = `{ getTasks(taskId: "${id}") { notes { ${times(15, (alias) => `${alias}: text`)} } } }`;
  expect((await app.gql(team.owner.token, repeated)).code).toBe('QUERY_TOO_LARGE');
  const once = await app.gql(team.owner.token, `{ getTasks(taskId: "${id}") { notes { text } } }`);
  expect([once.code, once.data.getTasks[0].notes.length]).toEqual([null, 40]);
});

test('short numbers and blanks are counted by their length, so the stats of 20,000 people fit', async () => {
  const budget = new AnswerBudget(new LargeAnswers(), '1');
  onTestFinished(() => budget.end());
  const row = [7, null, 0.5];
  const rows = (bytes: number) => Array.from({ length: Math.floor(bytes / (length(row) + 1)) }, () => row);
  await budget.admit(rows(0.9 * answerLimits.bytes));
  await expect(budget.admit(rows(1.1 * answerLimits.bytes))).rejects.toThrow('16 MB');
});

test('the largest task that the limits allow is read whole', async () => {
  // In the answer each of them takes four bytes, and two in the count.
  const quotes = (count: number) => '"'.repeat(count);
  for (const by of [team.owner.id, team.approver.id]) {
    await insertNotes(taskLimits.notes, '漢'.repeat(taskLimits.noteText / taskLimits.notes), by);
    await insertHistory(by, taskLimits.changes, quotes(taskLimits.longChange));
    await insertHistory(by, Math.ceil(taskLimits.historyText / (4 * limits.summary)), quotes(limits.summary));
  }
  const { code, data } = await app.gql(
    team.owner.token,
    `{ getTasks(taskId: "${id}") { summary notes { text } history { before after } } }`,
  );
  expect([code, data.getTasks[0].notes.length]).toEqual([null, 2 * taskLimits.notes]);
});

test('a history that is too long is refused, and the task is read without it', async () => {
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version, after)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Owner', 'edited', 'TODO', 'TODO', n + 1, jsonb_build_object('summary', repeat('x', 30000))
     from generate_series(1, 600) n`,
    [id, sprintId, team.owner.id],
  );
  const ask = (fields: string) => app.gql(team.owner.token, `{ getTasks(taskId: "${id}") { ${fields} } }`);
  expect((await ask('id history { after }')).code).toBe('QUERY_TOO_LARGE');
  expect((await ask('id')).code).toBeNull();
});

test('a history that is answered under several names is counted each time, before the answer is made', async () => {
  await app.database.pool.query(
    `insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
     select $1, $2, '2026-11-17T10:00:00Z', $3, 'Owner', 'edited', 'TODO', 'TODO', n + 1 from generate_series(1, 5000) n`,
    [id, sprintId, team.owner.id],
  );
  const admit = vi.spyOn(AnswerBudget.prototype, 'admit');
  const ask = (fields: string) => app.gql(team.owner.token, `{ getTasks(taskId: "${id}") { ${fields} } }`);
  const copies = (count: number) => ask(times(count, (alias) => `${alias}: history { event }`));
  expect((await copies(3)).code).toBeNull();
  // GraphQL leaves out what was refused, so little is left to count.
  expect((await copies(4)).code).toBe('QUERY_TOO_LARGE');
  expect(length(admit.mock.calls.at(-1)![0] as object)).toBeLessThan(10_000);
  expect((await copies(5)).errors?.[0]?.message).toBe('A query can have up to 4 aliases of fields without arguments');
  admit.mockRestore();
});

test('more large answers than there are turns come one after the other, and each ends its turn', async () => {
  await insertNotes(100, 'x'.repeat(20_000));
  const read = `{ getTasks(taskId: "${id}") { notes { text } } }`;
  const answers = await Promise.all(
    Array.from({ length: answerLimits.largeAtOnce * 3 }, () => app.gql(team.owner.token, read)),
  );
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => null));
});

test('adding a note reads no other note unless the answer asks for them', async () => {
  await insertNotes(10, 'x'.repeat(30_000));
  const read = vi.spyOn(AnswerBudget.prototype, 'readWithoutWaiting');
  const { code } = await app.gql(team.owner.token, `mutation { addNoteToTask(taskId: "${id}", text: "Short") { id } }`);
  const [rows] = (await Promise.all(read.mock.results.map(({ value }) => value))) as { notes?: unknown }[][];
  read.mockRestore();
  expect([code, rows?.length, rows?.[0]?.notes]).toEqual([null, 1, undefined]);
});

const sized = (bytes: number): Sized<string> => ({ rows: ['row'], bytes });

test('a large read waits for a turn, and is refused when none comes in time', async () => {
  vi.useFakeTimers();
  try {
    const turns = new LargeAnswers();
    const large = () => Promise.resolve(sized(answerLimits.small + 1));
    const first = Array.from({ length: answerLimits.largeAtOnce }, (_, index) => new AnswerBudget(turns, `${index}`));
    for (const budget of first) await budget.read(large);
    await new AnswerBudget(turns, 'other').read(() => Promise.resolve(sized(10)));
    const next = new AnswerBudget(turns, 'next').read(large);
    first[0]?.end();
    expect(await next).toEqual(['row']);
    const late = new AnswerBudget(turns, 'late').read(large).catch((error) => error.refusal.code);
    await vi.advanceTimersByTimeAsync(answerLimits.waitMs + 1);
    expect(await late).toBe('TOO_MANY_ATTEMPTS');
  } finally {
    vi.useRealTimers();
  }
});

test('one person’s large answers keep nobody else waiting, however slowly they are read', async () => {
  vi.useFakeTimers();
  try {
    const turns = new LargeAnswers();
    const large = () => Promise.resolve(sized(answerLimits.small + 1));
    const greedy = Array.from({ length: 12 }, () => new AnswerBudget(turns, 'greedy'));
    const answers = Promise.all(greedy.map((budget) => budget.read(large).catch((error) => error.refusal.code)));
    await vi.advanceTimersByTimeAsync(0);
    for (let index = 0; index < 20; index++) {
      const other = new AnswerBudget(turns, `other ${index}`);
      await other.read(large);
      // Finished but still being sent.
      other.written();
    }
    await vi.advanceTimersByTimeAsync(answerLimits.waitMs + 1);
    const [first, ...rest] = await answers;
    expect(first).toEqual(['row']);
    expect(new Set(rest)).toEqual(new Set(['TOO_MANY_ATTEMPTS']));
    // The answer was sent, so the person's next one starts immediately.
    greedy[0]?.end();
    expect(await new AnswerBudget(turns, 'greedy').read(large)).toEqual(['row']);
  } finally {
    vi.useRealTimers();
  }
});

test('what one request reads adds up, and nothing is read when it is used up', async () => {
  const budget = new AnswerBudget(new LargeAnswers(), 'somebody');
  const third = () => Promise.resolve(sized(answerLimits.bytes * 0.4));
  await budget.read(third);
  await budget.read(third);
  await expect(budget.read(third)).rejects.toMatchObject({ refusal: { code: 'QUERY_TOO_LARGE' } });
  const again = vi.fn(third);
  await expect(budget.readWithoutWaiting(again)).rejects.toMatchObject({ refusal: { code: 'QUERY_TOO_LARGE' } });
  expect(again).not.toHaveBeenCalled();
});
