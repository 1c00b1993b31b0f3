// The people of the directory as a file that the import of people reads.
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { csvLine, csvMark } from '#core/base/csv.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { withoutEmpty } from '#core/base/without-empty.ts';
import { peopleCells, peopleHeader } from '#core/people/people-import.ts';
import { type PeopleExport, peopleExportInput } from '#core/people/people-lists.ts';
import { recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext, Services, SignedInPerson } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { Download } from '#server/platform/tickets/ticket-download.ts';
import { makeTicket, redeemTicket, ticketExpired } from '#server/platform/tickets/tickets.service.ts';
import { companyDay } from '#server/platform/viewer.ts';
import { readPeopleToExport } from './people.store.ts';
import { findPeople } from './users.service.ts';

export const peopleExportPath = '/api/people/export';
const batchRows = 1_000;

/** A one-time download address for the people that these filters find, valid for a minute. */
export async function makePeopleTicket(context: RequestContext, args: object): Promise<string> {
  const filters = orThrow(readInput(peopleExportInput, args));
  const { ticket } = await makeTicket(context, { people: withoutEmpty(args) });
  await context.database.transaction((queries) =>
    recordOwnChange(queries, context, {
      action: 'peopleExported',
      subjectType: 'people',
      subjectId: 'csv',
      after: filters,
    }),
  );
  return `${peopleExportPath}?ticket=${ticket}`;
}

export async function redeemPeopleTicket(services: Services, ticket: string): Promise<Download> {
  const { viewer, holder, request } = await redeemTicket(services, ticket);
  const { people } = request as { people?: object };
  if (people === undefined) throw ticketExpired();
  const assertAllowed = (person: SignedInPerson) => {
    const code = callRefusal(person, callAccess.people);
    if (code !== null) throw new RefusalError(refuse(code));
  };
  assertAllowed(viewer);
  const lines = linesOf(services, orThrow(readInput(peopleExportInput, people)));
  return { fileName: `people-${companyDay(services)}.csv`, lines, holder, assertAllowed };
}

async function* linesOf(services: Services, filters: PeopleExport): AsyncGenerator<string> {
  yield csvMark + csvLine(peopleHeader);
  // Read at once: people who are renamed during the download are neither left out nor listed twice.
  const { ids } = await findPeople(services, filters);
  for (let at = 0; at < ids.length; at += batchRows) {
    const people = await readPeopleToExport(services.database.drizzle, ids.slice(at, at + batchRows));
    yield people.map((person) => csvLine(peopleCells(person))).join('');
  }
}
