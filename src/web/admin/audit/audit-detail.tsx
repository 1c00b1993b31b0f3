import { Button } from '@mantine/core';
import { actorWithoutPerson, auditSubject, auditWords } from '#core/admin/audit-log.ts';
import { config } from '#web/api/config.ts';
import { useAddress } from '#web/shell/address.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { type AuditRow, auditTime } from './audit-calls.ts';
import classes from './audit-detail.module.css';
import { noAuditFilter } from './audit-filters.tsx';

/** An audit entry with the values before and after. */
export function AuditDetail({ row, onClose }: { row: AuditRow | null; onClose: () => void }) {
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

export const auditActor = (row: AuditRow): string => row.actorName ?? actorWithoutPerson(row);

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
