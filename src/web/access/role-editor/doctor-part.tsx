import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdmin, refusalAt } from '#core/access/access.ts';
import { findingKindKeys, findingKinds } from '#core/access/permission-doctor.ts';
import { isPermission, permissions } from '#core/access/permissions.ts';
import type { Path } from '#core/access/routes.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useViewer } from '#web/api/viewer.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { ViewAsButton } from '../shared/view-as-button.tsx';
import classes from './doctor.module.css';
import { type Finding, findingsQuery, viewableRolesQuery } from './doctor-queries.ts';
import { Explained } from './explained.tsx';

/** Where to fix a problem; the others are fixed in the roles on this page. */
const placeOf = {
  approverDisabled: (open) => linkOptions({ to: '/approvermanagement', search: { view: 'approvers', open } }),
  approverWithoutPermission: (person) => linkOptions({ to: '/usermanagement', search: { person } }),
  personWithoutApprover: (open) => linkOptions({ to: '/approvermanagement', search: { open } }),
  onlyAdminWithoutApprover: (open) => linkOptions({ to: '/approvermanagement', search: { open } }),
  personWithoutRole: (person) => linkOptions({ to: '/usermanagement', search: { person } }),
  roleWithoutDashboard: null,
  tabWithoutNumbers: null,
  misspeltPermission: null,
  unknownPermission: null,
  permissionWithoutRole: null,
  roleWithoutPeople: null,
} satisfies Record<Finding['kind'], ((key: string) => { to: Path }) | null>;

/** More of a kind are only counted. */
const mostShown = 50;

function FindingsPanel() {
  const { data: found, error, isPending, refetch } = useQuery(findingsQuery);
  const data = found ?? [];
  return (
    <Panel title="Problems" {...(found ? { note: found.length } : {})} flush>
      {error && !found ? (
        <PanelError
          sentence="Couldn’t load the problems."
          requestId={asApiError(error).requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows />}>
          {data.length === 0 ? (
            <EmptyState title="No problems">
              Every permission is used, every role has people, and everyone with tasks has an approver.
            </EmptyState>
          ) : (
            findingKindKeys.map((kind) => {
              const ofKind = data.filter((finding) => finding.kind === kind);
              return ofKind.length > 0 && <Kind key={kind} kind={kind} found={ofKind} />;
            })
          )}
        </Loading>
      )}
    </Panel>
  );
}

function Kind({ kind, found }: { kind: Finding['kind']; found: readonly Finding[] }) {
  const { title, advice } = findingKinds[kind];
  return (
    <section className={classes.kind} aria-label={title}>
      <h3>
        {title} <span className={classes.count}>{found.length}</span>
      </h3>
      <p className={classes.advice}>{advice}.</p>
      <ul>
        {found.slice(0, mostShown).map((finding) => (
          <li key={`${finding.key} ${finding.detail}`}>
            <Name finding={finding} />
            <span className={classes.detail}>{finding.detail}</span>
          </li>
        ))}
      </ul>
      {found.length > mostShown && <p className={classes.advice}>and {found.length - mostShown} more</p>}
    </section>
  );
}

/** Links to the fix, if the viewer can open that page. */
function Name({ finding: { kind, about, key, name } }: { finding: Finding }) {
  const viewer = useViewer();
  const place = placeOf[kind]?.(key);
  if (about === 'permission')
    return (
      <span className={classes.name}>
        {isPermission(key) ? permissions[key].title : key} <code>{key}</code>
      </span>
    );
  if (about !== 'person' || !place || refusalAt(viewer, place.to) !== null)
    return <span className={classes.name}>{name}</span>;
  return (
    <Link className={classes.name} {...place}>
      {name}
    </Link>
  );
}

/** The permission doctor: a question about one person, viewing as a role, and a list of all problems. */
export default function DoctorPart() {
  return (
    <div className={classes.parts}>
      <Panel title="Why can’t someone see a page?">
        <Explained />
      </Panel>
      <ViewAsPanel />
      <FindingsPanel />
    </div>
  );
}

/** Views as a role. Viewing as a person starts from the question above, where the person is selected. */
function ViewAsPanel() {
  const viewer = useViewer();
  const [role, setRole] = useState<string | null>(null);
  const { data: roles, isError } = useQuery(viewableRolesQuery);
  return (
    <Panel title="View as a role">
      <div className={classes.question}>
        <SearchSelect
          label="Role"
          placeholder="Choose a role"
          data={roles ?? []}
          value={role}
          onChange={setRole}
          nothingFoundMessage={isError && !roles ? 'Couldn’t load the roles' : 'No matching roles'}
        />
        <ViewAsButton as={{ role: role ?? '' }} label="View as this role" disabled={role === null} />
      </div>
      <p className={classes.hint}>
        {isAdmin(viewer)
          ? 'You see the role’s pages and numbers but can’t change anything. Each time is recorded in the audit log.'
          : 'You see the role’s pages, but only content that you have access to. You can’t change anything. Each time is recorded in the audit log.'}
      </p>
    </Panel>
  );
}
