// A sprint's recorded statements as a file for payroll: of everyone whose amounts the caller can see.
import { type SQL, sql } from 'drizzle-orm';
import { inArea, type Viewer } from '#core/access/access.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { csvLine, csvMark } from '#core/base/csv.ts';
import { decimalText } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { bonusExportInput } from '#core/toolbox/bonus-plans.ts';
import { statementHead, statementRows } from '#core/toolbox/bonus-words.ts';
import { recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Download } from '#server/platform/tickets/ticket-download.ts';
import { makeTicket, redeemTicket, ticketExpired } from '#server/platform/tickets/tickets.service.ts';
import { isDecidedBy } from '#server/tasks/visible-tasks.ts';
import { recordedSprint, statementsOfSprint } from './bonus-statements.store.ts';

export const bonusExportPath = '/api/bonus/export';
const batchPeople = 1_000;

/** `canSeeBonusOf` of the core, as a condition on `p` (people). */
const isSeenBy = (viewer: Viewer): SQL =>
  sql`(p.id = ${viewer.id} or ${isDecidedBy(inArea(viewer, 'bonus'), sql`p.id`)})`;

async function sprintToExport(queries: Queries, viewer: Viewer, sprintId: string): Promise<string> {
  const name = await recordedSprint(queries, sprintId, isSeenBy(viewer));
  if (name === undefined)
    throw new RefusalError(
      refuse('NOT_FOUND', 'This sprint has no recorded statements that you can see', { field: 'sprintId' }),
    );
  return name;
}

/** A one-time download address, valid for a minute. */
export async function makeBonusTicket(context: RequestContext, args: object): Promise<string> {
  const { sprintId } = orThrow(readInput(bonusExportInput, args));
  const sprint = await sprintToExport(context.database.drizzle, context.viewer, sprintId);
  const { ticket } = await makeTicket(context, { bonus: { sprintId } });
  await context.database.transaction((queries) =>
    recordOwnChange(queries, context, {
      action: 'bonusExported',
      subjectType: 'sprint',
      subjectId: sprintId,
      after: { sprint },
    }),
  );
  return `${bonusExportPath}?ticket=${ticket}`;
}

/** With everything read: errors surface before anything is sent. */
export async function redeemBonusTicket(services: Services, ticket: string): Promise<Download> {
  const { viewer, holder, request } = await redeemTicket(services, ticket);
  const { bonus } = request as { bonus?: object };
  if (bonus === undefined) throw ticketExpired();
  const assertAllowed = (person: SignedInPerson) => {
    const code = callRefusal(person, callAccess.bonus);
    if (code !== null) throw new RefusalError(refuse(code));
  };
  assertAllowed(viewer);
  const { sprintId } = orThrow(readInput(bonusExportInput, bonus));
  const { drizzle } = services.database;
  const sprint = await sprintToExport(drizzle, viewer, sprintId);
  const statements = await statementsOfSprint(drizzle, sprintId, isSeenBy(viewer));
  const fileName = `bonus-statements-${sprint.replaceAll(' ', '-')}.csv`;
  return { fileName, lines: linesOf(sprint, statements), holder, assertAllowed };
}

type Statements = Awaited<ReturnType<typeof statementsOfSprint>>;

async function* linesOf(sprint: string, statements: Statements): AsyncGenerator<string> {
  yield csvMark + csvLine(statementHead);
  for (let at = 0; at < statements.length; at += batchPeople)
    yield statements
      .slice(at, at + batchPeople)
      .flatMap(({ amount, ...row }) =>
        statementRows({ displayName: displayName(row), email: row.email }, sprint, {
          ...row,
          amount: decimalText(BigInt(amount)),
        }),
      )
      .map(csvLine)
      .join('');
}
