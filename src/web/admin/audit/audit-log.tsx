import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AuditFilter, auditWords } from '#core/admin/audit-log.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useAddress } from '#web/shell/address.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from '../shared/tools-page.module.css';
import { type AuditRow, auditBesidesQuery, auditQuery, auditTime, downloadAudit } from './audit-calls.ts';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters } from './audit-filters.tsx';

/** Who did what, when, on whom and from where; newest first. */
export default function AuditLog() {
  const [search, change] = useAddress('/tools');
  const filter: AuditFilter = useMemo(() => {
    const { actorId, action, subjectType, subjectId, from, until, search: text } = search;
    return { actorId, action, subjectType, subjectId, from, until, search: text };
  }, [search]);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const rows = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData });
  const save = useMutation({ mutationFn: () => downloadAudit(filter) });
  const found = useMemo(() => rows.data?.pages.flatMap((page) => page.rows) ?? [], [rows.data]);
  return (
    <>
      <AuditFilters filter={filter} onChange={change} />
      <Panel
        title="Audit log"
        note={<ChainNote />}
        actions={
          <Writes>
            <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
              CSV
            </Button>
          </Writes>
        }
        flush
      >
        {rows.error && !rows.data ? (
          <PanelError
            sentence={rows.error.message}
            requestId={rows.error.requestId}
            onRetry={() => void rows.refetch()}
          />
        ) : (
          <Loading loading={rows.isPending} skeleton={<SkeletonRows rows={10} />}>
            <DataTable
              caption="Audit log"
              items={found}
              columns={columns}
              keyOf={({ id }) => id}
              onOpen={setOpen}
              openKey={open?.id ?? null}
              empty={<EmptyState title="No results">Remove a filter or choose other days.</EmptyState>}
            />
            {rows.hasNextPage && (
              <div className={classes.more}>
                <Button variant="default" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
                  Show older
                </Button>
              </div>
            )}
          </Loading>
        )}
      </Panel>
      <AuditDetail row={open} onClose={() => setOpen(null)} />
    </>
  );
}

const columns: DataColumn<AuditRow>[] = [
  { id: 'what', title: 'What', cell: ({ action }) => auditWords(action) },
  { id: 'who', title: 'Who', phone: 'below', cell: ({ actorName }) => actorName ?? 'Nobody signed in' },
  {
    id: 'on',
    title: 'On',
    cell: ({ subjectType, subjectId, subjectName }) => `${auditWords(subjectType)} ${subjectName ?? subjectId}`,
  },
  { id: 'at', title: 'When', phone: 'value', cell: ({ at }) => auditTime(at) },
  { id: 'from', title: 'Address', cell: ({ address }) => address ?? '' },
];

/** How far the log is sealed: whoever writes place and hash down elsewhere can prove later that nothing was taken out. */
function ChainNote() {
  const { data } = useQuery(auditBesidesQuery);
  if (!data) return null;
  const { position, hash, unsealed } = data.auditChain;
  if (hash === null) return 'not sealed yet';
  return (
    <span title={`${position}:${hash}`}>
      verified to entry {position}
      {unsealed > 0 && `, ${unsealed} not yet`}
    </span>
  );
}
