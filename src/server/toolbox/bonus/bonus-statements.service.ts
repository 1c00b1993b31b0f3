// Bonus statements: recorded ones, a forecast for the running sprint, and the messages about their lines.

import { sql } from 'drizzle-orm';
import { inArea } from '#core/access/access.ts';
import { decimalText } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import type { TaskEventKind } from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { type BonusComponent, type BonusTask, bonusComponentKeys, isHeldUp } from '#core/toolbox/bonus.ts';
import {
  bonusMessageInput,
  bonusStatementsInput,
  bonusWeekInput,
  canSeeBonusOf,
  planMessage,
  type ThreadState,
  threadState,
} from '#core/toolbox/bonus-plans.ts';
import { assertRecentProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import { ownerOf, type Person } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { workCalendar } from '#server/platform/settings/settings.service.ts';
import type { SprintWeek } from '#server/tasks/sprints/sprint-week.ts';
import { sprintOrCurrent } from '#server/tasks/sprints/sprints.service.ts';
import { isDecidedBy } from '#server/tasks/visible-tasks.ts';
import { forecast } from './bonus-freeze.service.ts';
import { bonusHook } from './bonus-hook.ts';
import { type PlanVersion, planOf } from './bonus-plans.service.ts';
import * as store from './bonus-statements.store.ts';
import type { StoredLine } from './bonus-tables.ts';

export type Message = store.MessageRow;
export type Line = StoredLine & { readonly messages: readonly Message[]; readonly thread: ThreadState | null };
export type Correction = { readonly event: TaskEventKind; readonly at: string; readonly actorName: string };
export type StatementTask = BonusTask & {
  readonly title: string;
  readonly heldUp: boolean;
  readonly statusNow: TaskStatus;
  readonly corrections: readonly Correction[];
};
export type Statement = {
  /** Null for a forecast, which nobody can ask about. */
  readonly id: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly planVersion: number;
  readonly team: string | null;
  readonly lines: readonly Line[];
  readonly corrections: number;
  readonly sprint: { readonly id: string; readonly name: string; readonly startAt: string; readonly endAt: string };
};
export type BonusWeek = {
  readonly person: Person;
  readonly sprint: SprintWeek;
  readonly plan: PlanVersion | null;
  /** Null if no plan is in effect, or the person has no tasks. */
  readonly statement: Statement | null;
  readonly tasks: readonly StatementTask[];
};

const spelled = (at: string): string => instantText(Temporal.Instant.from(at));

function linesOf(lines: readonly StoredLine[], messages: readonly Message[]): Line[] {
  return bonusComponentKeys.flatMap((key) => {
    const line = lines.find((each) => each.key === key);
    if (!line) return [];
    const thread = messages
      .filter((message) => message.line === key)
      .map((each) => ({ ...each, at: spelled(each.at) }));
    return [{ ...line, messages: thread, thread: threadState(thread) }];
  });
}

function statementOf(row: store.StatementRow): Statement {
  const { id, currency, planVersion, team, corrections, sprintId, sprintName, startAt, endAt } = row;
  return {
    ...{ id, currency, planVersion, team, corrections },
    amount: decimalText(BigInt(row.amount)),
    lines: linesOf(row.lines, row.messages),
    sprint: { id: sprintId, name: sprintName, startAt, endAt },
  };
}

/** The person whose amounts are requested. Without access the answer is the same as for an unknown person. */
async function personSeen({ viewer, database }: RequestContext, userId: string = viewer.id): Promise<Person> {
  const owner = await ownerOf(database.drizzle, userId);
  if (!owner || !canSeeBonusOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  return owner;
}

/** A person's recorded statements, the caller's by default, newest first. */
export async function statements(context: RequestContext, args: object): Promise<Statement[]> {
  const { userId, limit = limits.page, offset = 0 } = orThrow(readInput(bonusStatementsInput, args));
  const { id } = await personSeen(context, userId);
  const { drizzle } = context.database;
  const rows = await context.budget.read((allowance) => store.statementsOf(drizzle, id, { limit, offset }, allowance));
  return rows.map(statementOf);
}

/** A person's sprint: the recorded statement, or else the forecast, also while the record is being written. */
export async function bonusWeek(context: RequestContext, args: object): Promise<BonusWeek> {
  const { userId, sprintId } = orThrow(readInput(bonusWeekInput, args));
  const person = await personSeen(context, userId);
  const sprint = await sprintOrCurrent(context, sprintId);
  const plan = await planOf(context.database.drizzle, sprint.id);
  const found =
    sprint.resultAt !== null ? await recorded(context, person, sprint) : await expected(context, person, sprint, plan);
  const tasks = await withTitles(context, sprint.id, found?.tasks ?? [], plan);
  return { person, sprint, plan, statement: found?.statement ?? null, tasks };
}

type Found = { readonly statement: Statement; readonly tasks: readonly BonusTask[] } | null;

async function recorded({ database }: RequestContext, person: Person, sprint: SprintWeek): Promise<Found> {
  const row = await store.statementOf(database.drizzle, person.id, sprint.id);
  return row && { statement: statementOf(row), tasks: row.tasks };
}

async function expected(
  { database, clock, ...context }: RequestContext,
  person: Person,
  sprint: SprintWeek,
  plan: PlanVersion | null,
): Promise<Found> {
  if (plan === null) return null;
  const until = [instantText(clock.now()), sprint.settledAt].sort()[0]!;
  const counting = { sprintId: sprint.id, until, ...workCalendar(context) };
  const reckoned = await forecast(database.drizzle, plan, person.id, counting);
  if (reckoned === null) return null;
  const { amount, team, lines, tasks } = reckoned;
  const statement = {
    ...{
      id: null,
      amount: decimalText(amount),
      currency: plan.currency,
      planVersion: plan.version,
      team,
      corrections: 0,
    },
    lines: linesOf(lines, []),
    sprint,
  };
  return { statement, tasks };
}

async function withTitles(
  { database }: RequestContext,
  sprintId: string,
  tasks: readonly BonusTask[],
  plan: PlanVersion | null,
): Promise<StatementTask[]> {
  const ids = tasks.map(({ taskId }) => taskId);
  const rows = new Map((await store.tasksNow(database.drizzle, ids, sprintId)).map((row) => [row.id, row]));
  return tasks.flatMap((task) => {
    const now = rows.get(task.taskId);
    if (!now) return [];
    const corrections = now.corrections.map((each) => ({
      ...each,
      event: each.event as TaskEventKind,
      at: spelled(each.at),
    }));
    const heldUp = plan !== null && isHeldUp(task, plan.fairHours);
    return [{ ...task, title: now.title, heldUp, statusNow: now.status as TaskStatus, corrections }];
  });
}

/** Adds the person's question, or their decider's answer, to a line of a recorded statement. */
export async function addMessage(context: RequestContext, args: object): Promise<Statement> {
  const { statementId, line, text } = orThrow(readInput(bonusMessageInput, args));
  const call = callKey(context, 'addBonusMessage', args);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    const row = await store.lockStatement(queries, statementId);
    const owner = row && (await ownerOf(queries, row.personId));
    if (!row || !owner) throw new RefusalError(refuse('NOT_FOUND'));
    // A repeated call is judged without its own message, because that may have filled the line.
    const thread = row.messages.filter((message) => message.line === line && message.id !== made);
    const plan = orThrow(planMessage(context.viewer, owner, thread));
    if (made !== null) return statementOf(row);
    if (plan.needsProof) await assertRecentProof(queries, context);
    const { isQuestion } = plan;
    const now = context.clock.now();
    const at = instantText(now);
    const author = { authorId: context.viewer.id, authorName: displayName(context.viewer) };
    const id = await store.insertMessage(queries, { statementId, line, ...author, isQuestion, text, at });
    await recordResult(queries, context, call, id);
    const { sprintId, sprintName: sprint } = row;
    const said = { messageId: id, statementId, line, sprintId, sprint, text, owner, now };
    const { asked, answered } = bonusHook.handlers();
    await (isQuestion ? asked : answered)(context, queries, said);
    await recordOwnChange(queries, context, {
      action: isQuestion ? 'bonusQuestionAsked' : 'bonusQuestionAnswered',
      subjectType: 'bonusStatement',
      subjectId: statementId,
      after: { line, text },
    });
    const message = { id, line, authorName: author.authorName, isQuestion, text, at };
    return statementOf({ ...row, messages: [...row.messages, message] });
  });
}

export type OpenQuestion = {
  readonly person: Person;
  readonly sprint: { readonly id: string; readonly name: string };
  readonly line: BonusComponent;
  readonly text: string;
  readonly at: string;
};

/** Questions waiting for the caller's answer, oldest first. */
export async function questionsForMe({ viewer, database }: RequestContext): Promise<OpenQuestion[]> {
  const rows = await store.openQuestions(
    database.drizzle,
    isDecidedBy(inArea(viewer, 'bonus'), sql`p.id`),
    limits.page,
  );
  return rows.map(({ personId, firstName, lastName, email, personTeam, sprintId, sprintName, line, text, at }) => ({
    person: { id: personId, displayName: displayName({ firstName, lastName, email }), team: personTeam },
    sprint: { id: sprintId, name: sprintName },
    ...{ line, text, at },
  }));
}
