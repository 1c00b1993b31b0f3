import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type AuditFilter,
  actorWithoutPerson,
  auditSearchedEntries,
  auditSubject,
  auditWords,
} from '#core/admin/audit-log.ts';
import { countWords } from '#core/base/formats.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useAddress } from '#web/shell/address.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton, type MorePages } from '#web/ui/more-button.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type AuditRow, auditFilterOptionsQuery, auditQuery, auditTime, downloadAudit } from './audit-calls.ts';
import classes from './audit-detail.module.css';
import { AuditFilters, noAuditFilter } from './audit-filters.tsx';

/** An audit entry with the values before and after. */
function AuditDetail({ row, onClose }: { row: AuditRow | null; onClose: () => void }) {
  const [, change] = useAddress('/tools');
  return (
    <SidePanel opened={row !== null} title={row ? auditWords(row.action) : ''} onClose={onClose}>
      {row && (
        <>
          <dl className={classes.facts}>
            {factsOf(row).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Differences row={row} />
          <Button
            variant="default"
            onClick={() => {
              change({ ...noAuditFilter, subjectType: row.subjectType, subjectId: row.subjectId });
              onClose();
            }}
          >
            All events for this item
          </Button>
        </>
      )}
    </SidePanel>
  );
}

const auditActor = (row: AuditRow): string => row.actorName ?? actorWithoutPerson(row);

function factsOf(row: AuditRow): [string, string][] {
  const when = `${auditTime(row.at)} ${config().companyTimeZone}`;
  return [
    ['Who', auditActor(row)],
    ['When', when],
    ['Target', `${auditWords(row.subjectType)} ${auditSubject(row) ?? ''} (${row.subjectId})`.replace('  ', ' ')],
    ['IP address', row.address ?? 'Unknown'],
    ['Request', row.requestId ?? 'None'],
    ['Audit chain', row.position === null ? 'Not added yet' : `Entry ${row.position}`],
  ];
}

function Differences({ row: { differences, erased } }: { row: AuditRow }) {
  if (differences.length === 0)
    return <p className={classes.nothing}>{erased ? 'Erased with the person. The hashes remain.' : 'No values.'}</p>;
  return (
    <table className={classes.differences}>
      <caption className="visually-hidden">Before and after</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{auditWords(field)}</th>
            <td>{before ?? '–'}</td>
            <td>{after ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Who did what, when, to which subject and from where; newest first. */
export default function AuditLog() {
  const [search, change] = useAddress('/tools');
  const filter: AuditFilter = useMemo(() => {
    const { actorId, action, subjectType, subjectId, from, until, search: text } = search;
    return { actorId, action, subjectType, subjectId, from, until, search: text };
  }, [search]);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const { query, items, more } = useList(auditQuery(filter));
  const save = useMutation({ mutationFn: () => downloadAudit(filter) });
  return (
    <>
      <AuditFilters
        filter={filter}
        item={filter.subjectId === undefined ? null : (items[0]?.subjectName ?? filter.subjectId)}
        onChange={change}
      />
      <Panel
        title="Audit log"
        note={<ChainNote />}
        actions={
          <Writes>
            <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
              Export CSV
            </Button>
          </Writes>
        }
        flush
      >
        <DataTable
          caption="Audit log"
          unit="entries"
          query={query}
          failed={query.error?.message ?? ''}
          items={items}
          more={more}
          columns={columns}
          keyOf={({ id }) => id}
          onOpen={setOpen}
          openKey={open?.id ?? null}
          choosable="audit"
          empty={<NothingFound more={more} pages={query.data?.pages.length ?? 1} />}
        />
      </Panel>
      <AuditDetail row={open} onClose={() => setOpen(null)} />
    </>
  );
}

/** A search for a text goes through a part of a long log at a time. */
function NothingFound({ more, pages }: { readonly more: MorePages; readonly pages: number }) {
  if (!more.hasMore) return <EmptyState title="No results">Remove a filter or choose other dates.</EmptyState>;
  return (
    <EmptyState
      title={`No results in the latest ${countWords(pages * auditSearchedEntries)} entries`}
      action={<MoreButton more={more}>Search older entries</MoreButton>}
    >
      Add filters or dates to narrow the search.
    </EmptyState>
  );
}

const shownFields = 3;

/** "Role, Team and 2 more" */
function changedWords({ differences }: AuditRow): string {
  const fields = differences.map(({ field }) => auditWords(field));
  const rest = fields.length - shownFields;
  return rest > 0 ? `${fields.slice(0, shownFields).join(', ')} and ${rest} more` : fields.join(', ');
}

const columns: DataColumn<AuditRow>[] = [
  { id: 'what', title: 'What', cell: ({ action }) => auditWords(action) },
  { id: 'changed', title: 'Changed', cell: changedWords },
  { id: 'who', title: 'Who', phone: 'below', cell: auditActor },
  {
    id: 'on',
    title: 'Target',
    cell: (row) => `${auditWords(row.subjectType)} ${auditSubject(row) ?? row.subjectId}`,
  },
  { id: 'at', title: 'When', phone: 'value', cell: ({ at }) => auditTime(at) },
  { id: 'from', title: 'IP address', cell: ({ address }) => address ?? '' },
];

/**
 * How far the log is sealed: with a copy of position and hash, anyone can later prove that nothing was
 * removed.
 */
function ChainNote() {
  const { data } = useQuery(auditFilterOptionsQuery);
  if (!data) return null;
  const { position, hash, unsealed } = data.auditChain;
  if (hash === null) return 'audit chain not started';
  return (
    <span title={`${position}:${hash}`}>
      audit chain up to entry {position}
      {unsealed > 0 && `, ${unsealed} pending`}
    </span>
  );
}
