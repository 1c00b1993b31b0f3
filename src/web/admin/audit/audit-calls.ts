// The audit log as the page reads it: pages from the newest on, what can be chosen from, and the file of what was found.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from '#core/admin/audit-log.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const pageDocument = graphql(`
  query AuditLog($actorId: ID, $action: String, $subjectType: String, $subjectId: String, $from: String, $until: String, $search: String, $after: ID) {
    auditLog(actorId: $actorId, action: $action, subjectType: $subjectType, subjectId: $subjectId, from: $from, until: $until, search: $search, after: $after) {
      next
      rows {
        id
        at
        actorId
        actorName
        action
        subjectType
        subjectId
        subjectName
        requestId
        address
        erased
        position
        differences {
          field
          before
          after
        }
      }
    }
  }
`);
export type AuditRow = ResultOf<typeof pageDocument>['auditLog']['rows'][number];

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'rows', filter],
    queryFn: async ({ signal, pageParam }) =>
      (await request(pageDocument, { ...filter, after: pageParam }, { signal })).auditLog,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

const besidesDocument = graphql(`
  query AuditBesides {
    auditKinds {
      actions
      subjectTypes
    }
    auditChain {
      position
      hash
      unsealed
    }
  }
`);

export const auditBesidesQuery = queryOptions({
  queryKey: ['audit', 'besides'],
  queryFn: ({ signal }) => request(besidesDocument, {}, { signal }),
});

const ticketDocument = graphql(`
  mutation AuditTicket($actorId: ID, $action: String, $subjectType: String, $subjectId: String, $from: String, $until: String, $search: String) {
    createAuditTicket(actorId: $actorId, action: $action, subjectType: $subjectType, subjectId: $subjectId, from: $from, until: $until, search: $search)
  }
`);

/** The ticket is good once, so that no address with a lasting right lies in the history of the browser. */
export async function downloadAudit(filter: AuditFilter): Promise<void> {
  const { createAuditTicket } = await request(ticketDocument, filter);
  const link = window.document.createElement('a');
  link.href = new URL(createAuditTicket, config().top5ServerUrl || location.origin).href;
  link.download = '';
  link.click();
}

/** With the year and the seconds: a log is read years later, and two lines a second apart are two. */
export function auditTime(at: string): string {
  const { companyTimeZone: timeZone } = config();
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
}
