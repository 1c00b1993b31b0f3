// The audit log's data: pages from the newest on, the filters' options, and the export.
import { queryOptions } from '@tanstack/react-query';
import type { AuditFilter } from '#core/admin/audit-log.ts';
import { instantWithSeconds } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { download } from '#web/api/download.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
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
  listQuery({
    queryKey: ['audit', 'rows', filter],
    read: async (after, signal) => (await request(pageDocument, { ...filter, after }, { signal })).auditLog,
  });

const filterOptionsDocument = graphql(`
  query AuditFilters {
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

export const auditFilterOptionsQuery = queryOptions({
  queryKey: ['audit', 'filters'],
  queryFn: ({ signal }) => request(filterOptionsDocument, {}, { signal }),
});

const ticketDocument = graphql(`
  mutation AuditTicket($actorId: ID, $action: String, $subjectType: String, $subjectId: String, $from: String, $until: String, $search: String) {
    createAuditTicket(actorId: $actorId, action: $action, subjectType: $subjectType, subjectId: $subjectId, from: $from, until: $until, search: $search)
  }
`);

export async function downloadAudit(filter: AuditFilter): Promise<void> {
  download((await request(ticketDocument, filter)).createAuditTicket);
}

/** With year and seconds: a log is read years later, and close entries must differ. */
export function auditTime(at: string): string {
  return instantWithSeconds(at, config().companyTimeZone);
}
