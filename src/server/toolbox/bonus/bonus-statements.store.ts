// SQL of bonus statements and the messages about them.
import { type SQL, sql } from 'drizzle-orm';
import type { BonusComponent, BonusTask } from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows } from '#server/platform/db/insert-rows.ts';
import { byPersonName } from '#server/platform/db/pages.ts';
import type { Sized } from '#server/platform/graphql/answer-budget.ts';
import { isCorrection } from '#server/tasks/corrections.ts';
import { peopleAtEnd, type TaskFactRow } from './bonus-facts.store.ts';
import { bonusStatements, type StoredLine } from './bonus-tables.ts';

export type NewStatement = {
  readonly sprintId: string;
  readonly personId: string;
  readonly planId: string;
  readonly team: string | null;
  readonly amount: bigint;
  readonly lines: StoredLine[];
  readonly tasks: BonusTask[];
};

export function insertStatements(queries: Queries, statements: readonly NewStatement[]): Promise<void> {
  return insertRows(
    queries,
    bonusStatements,
    statements.map((row) => ({ ...row, amount: String(row.amount) })),
  );
}

/** Statements of a sprint whose lines are the same. */
export type EqualStatements = {
  readonly lines: readonly StoredLine[];
  readonly amount: string;
  readonly people: number;
};

export async function equalStatements(queries: Queries, sprintId: string): Promise<EqualStatements[]> {
  const { rows } = await queries.execute<EqualStatements>(sql`
    select b.lines, b.amount::text as amount, count(*)::int as people from bonus_statements b
    where b.sprint_id = ${sprintId} group by b.lines, b.amount`);
  return rows;
}

/** The recorded tasks of each person in a sprint. */
export async function recordedFacts(queries: Queries, sprintId: string): Promise<TaskFactRow[][]> {
  const { rows } = await queries.execute<Omit<TaskFactRow, keyof BonusTask> & { readonly tasks: BonusTask[] }>(sql`
    select b.person_id::text as "ownerId", b.team, p.invisible, b.tasks
    from bonus_statements b join (${peopleAtEnd(sprintId)}) p on p.id = b.person_id where b.sprint_id = ${sprintId}`);
  return rows.map(({ tasks, ...person }) => tasks.map((task) => ({ ...task, ...person })));
}

export type MessageRow = {
  readonly id: string;
  readonly line: BonusComponent;
  readonly authorName: string;
  readonly isQuestion: boolean;
  readonly text: string;
  readonly at: string;
};

export type StatementRow = {
  readonly id: string;
  readonly personId: string;
  readonly sprintId: string;
  readonly sprintName: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly planVersion: number;
  readonly currency: string;
  readonly team: string | null;
  readonly amount: string;
  readonly lines: readonly StoredLine[];
  readonly tasks: readonly BonusTask[];
  /** Changes to the sprint's tasks after it was recorded. */
  readonly corrections: number;
  readonly messages: readonly MessageRow[];
};

async function statementsWhere(queries: Queries, condition: SQL): Promise<StatementRow[]> {
  const { rows } = await queries.execute<StatementRow>(sql`
    select b.id::text as id, b.person_id::text as "personId", s.id::text as "sprintId", s.name as "sprintName", s.start_at as "startAt",
      s.end_at as "endAt", p.version as "planVersion", p.currency, b.team, b.amount::text as amount, b.lines, b.tasks,
      (select count(*)::int from task_history h join tasks t on t.id = h.task_id
        where h.sprint_id = b.sprint_id and ${isCorrection} and t.owner_id = b.person_id) as corrections,
      coalesce((select json_agg(json_build_object('id', m.id::text, 'line', m.line, 'authorName', m.author_name,
        'isQuestion', m.is_question, 'text', m.text, 'at', m.at) order by m.id) from bonus_messages m where m.statement_id = b.id), '[]') as messages
    from bonus_statements b join sprints s on s.id = b.sprint_id join bonus_plans p on p.id = b.plan_id
    where ${condition} order by s.start_at desc`);
  return rows;
}

/** Size in bytes of a statement without its messages and tasks, and of a message without its text. */
const statementBytes = 2_000;
const messageBytes = 300;
const bytesOfStatement = sql`${statementBytes}::int + octet_length(b.tasks::text)
  + (select coalesce(sum(octet_length(m.text) + ${messageBytes}::int), 0) from bonus_messages m where m.statement_id = b.id)`;

/** A person's statements, newest first; empty if they exceed the allowance. */
export async function statementsOf(
  queries: Queries,
  personId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  allowance: number,
): Promise<Sized<StatementRow>> {
  const { rows: sizes } = await queries.execute<{ id: string; bytes: number }>(sql`
    select b.id::text as id, (${bytesOfStatement})::float8 as bytes from bonus_statements b join sprints s on s.id = b.sprint_id
    where b.person_id = ${personId} order by s.start_at desc limit ${limit} offset ${offset}`);
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  if (bytes > allowance) return { rows: [], bytes };
  const ids = sizes.map(({ id }) => id);
  return { rows: await statementsWhere(queries, sql`b.id = any(${sql.param(ids)}::bigint[])`), bytes };
}

export async function statementOf(queries: Queries, personId: string, sprintId: string): Promise<StatementRow | null> {
  const [row] = await statementsWhere(queries, sql`b.person_id = ${personId} and b.sprint_id = ${sprintId}`);
  return row ?? null;
}

/** Locked until the transaction ends, so a thread grows by one message at a time. */
export async function lockStatement(queries: Queries, id: string): Promise<StatementRow | null> {
  await queries.execute(sql`select from bonus_statements where id = ${id} for update`);
  const [row] = await statementsWhere(queries, sql`b.id = ${id}`);
  return row ?? null;
}

export async function insertMessage(
  queries: Queries,
  message: Omit<MessageRow, 'id'> & { readonly statementId: string; readonly authorId: string },
): Promise<string> {
  const { statementId, line, authorId, authorName, isQuestion, text, at } = message;
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into bonus_messages (statement_id, line, author_id, author_name, is_question, text, at)
    values (${statementId}, ${line}, ${authorId}, ${authorName}, ${isQuestion}, ${text}, ${at}) returning id::text`);
  return (rows[0] as { id: string }).id;
}

export type OpenQuestionRow = {
  readonly statementId: string;
  readonly line: BonusComponent;
  readonly text: string;
  readonly at: string;
  readonly sprintId: string;
  readonly sprintName: string;
  readonly personId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly personTeam: string | null;
};

/** Unanswered questions, oldest first, of people that match `about`, a condition on `p` (people). */
export async function openQuestions(queries: Queries, about: SQL, most: number): Promise<OpenQuestionRow[]> {
  const { rows } = await queries.execute<OpenQuestionRow>(sql`
    select m.statement_id::text as "statementId", m.line, m.text, m.at, s.id::text as "sprintId", s.name as "sprintName",
      p.id::text as "personId", p.first_name as "firstName", p.last_name as "lastName", p.email, p.team as "personTeam"
    from bonus_messages m
    join bonus_statements b on b.id = m.statement_id join sprints s on s.id = b.sprint_id join people p on p.id = b.person_id
    where m.is_question and ${about} and not exists (
      select from bonus_messages l where l.statement_id = m.statement_id and l.line = m.line and l.id > m.id)
    order by m.id limit ${most}`);
  return rows;
}

export type TaskNowRow = {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** The task's corrections in the sprint, oldest first. */
  readonly corrections: readonly { readonly event: string; readonly at: string; readonly actorName: string }[];
};

/** A statement's tasks as they are now, with decisions made after the sprint was recorded. */
export async function tasksNow(queries: Queries, taskIds: readonly string[], sprintId: string): Promise<TaskNowRow[]> {
  const { rows } = await queries.execute<TaskNowRow>(sql`
    select t.id::text as id, t.title, t.status,
      coalesce((select json_agg(json_build_object('event', h.event, 'at', h.at, 'actorName', h.actor_name) order by h.id)
        from task_history h where h.task_id = t.id and h.sprint_id = ${sprintId} and ${isCorrection}), '[]') as corrections
    from tasks t where t.id = any(${sql.param([...taskIds])}::bigint[])`);
  return rows;
}

/** The sprint's name if it has a statement of a person that matches `whose`, a condition on `p` (people). */
export async function recordedSprint(queries: Queries, sprintId: string, whose: SQL): Promise<string | undefined> {
  const { rows } = await queries.execute<{ name: string }>(sql`
    select s.name from sprints s where s.id = ${sprintId} and exists (
      select from bonus_statements b join people p on p.id = b.person_id where b.sprint_id = s.id and ${whose})`);
  return rows[0]?.name;
}

type ExportedRow = Pick<StatementRow, 'planVersion' | 'currency' | 'amount' | 'lines' | 'corrections'> & {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
};

/** All statements of a sprint by name, of people that match `whose`. Corrections are counted once for everyone. */
export async function statementsOfSprint(queries: Queries, sprintId: string, whose: SQL): Promise<ExportedRow[]> {
  const { rows } = await queries.execute<ExportedRow>(sql`
    with corrected as (
      select t.owner_id, count(*)::int as corrections from task_history h join tasks t on t.id = h.task_id
      where h.sprint_id = ${sprintId} and ${isCorrection} group by t.owner_id)
    select p.first_name as "firstName", p.last_name as "lastName", p.email, b.amount::text as amount, b.lines,
      v.version as "planVersion", v.currency, coalesce(c.corrections, 0) as corrections
    from bonus_statements b join people p on p.id = b.person_id join bonus_plans v on v.id = b.plan_id
      left join corrected c on c.owner_id = b.person_id
    where b.sprint_id = ${sprintId} and ${whose} order by ${byPersonName}`);
  return rows;
}
