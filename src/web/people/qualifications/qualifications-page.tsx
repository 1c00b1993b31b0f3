import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activePeople } from '#core/base/formats.ts';
import type { QualificationFilter } from '#core/people/qualifications.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { type QualifiedRole, rolesQuery } from './qualification-queries.ts';
import classes from './qualifications-page.module.css';
import { RequirementsPanel } from './requirements-panel.tsx';

/** What each role requires of people, and who meets it (D8: admins only). */
export default function QualificationsPage() {
  const [search, change] = useAddress('/role-qualifications');
  const { data: roles, error, isPending, refetch } = useQuery(rolesQuery);
  const { state, who } = search;
  // A role with people to show is more useful than the first by name. It stays when those change.
  const first =
    roles?.find((one) => hasSome(one, state)) ??
    roles?.find(({ requirements }) => requirements.length > 0) ??
    roles?.[0];
  const [begun, setBegun] = useState(first?.name);
  if (begun === undefined && first) setBegun(first.name);
  const named = (wanted: string | undefined) => roles?.find(({ name }) => name === wanted);
  const role = named(search.role) ?? named(begun) ?? first;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence="Requirements for each role, and who meets them. Giving a role to someone who doesn’t meet them requires a reason."
      />
      {error && !roles ? (
        <Panel>
          <PanelError
            sentence="Couldn’t load the roles."
            requestId={asApiError(error).requestId}
            onRetry={() => void refetch()}
          />
        </Panel>
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={8} />}>
          {roles && role && (
            <div className={classes.page}>
              <RoleList
                roles={roles}
                chosen={role.name}
                onChoose={(one) => {
                  const keepsState = who === 'everyone' || hasSome(one, state);
                  change({ role: one.name, person: null, state: keepsState ? state : null });
                }}
              />
              <div className={classes.role}>
                <RequirementsPanel key={`asks ${role.name}`} role={role} />
                <PeoplePanel key={`people ${role.name}`} role={role} />
              </div>
            </div>
          )}
        </Loading>
      )}
    </>
  );
}

const countOf = (role: QualifiedRole, state: QualificationFilter): number =>
  state === 'lacking' ? role.missing + role.expired - role.excepted : role[state];

const hasSome = (role: QualifiedRole, state: QualificationFilter | undefined): boolean =>
  state !== undefined && countOf(role, state) > 0;

type RoleListProps = {
  readonly roles: readonly QualifiedRole[];
  readonly chosen: string;
  readonly onChoose: (role: QualifiedRole) => void;
};

/** Every role, and how many of its people miss requirements. */
function RoleList({ roles, chosen, onChoose }: RoleListProps) {
  return (
    <Panel title="Roles" note={roles.length} flush>
      <ul className={classes.roles}>
        {roles.map((role) => (
          <li key={role.name}>
            <button type="button" aria-current={role.name === chosen} onClick={() => onChoose(role)}>
              <span className={classes.roleName}>{role.name}</span>
              <span className={classes.roleNote}>
                <Note role={role} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Note({ role }: { role: QualifiedRole }) {
  const { people, requirements, excepted, expiring } = role;
  const who = activePeople(people);
  if (requirements.length === 0) return <>{who}, no requirements</>;
  const lacking = countOf(role, 'lacking');
  const rest = [excepted > 0 && `${excepted} with an exception`, expiring > 0 && `${expiring} expiring`].filter(
    Boolean,
  );
  return (
    <>
      {who}
      {lacking > 0 && (
        <>
          , <span className={classes.lacking}>{lacking} not met</span>
        </>
      )}
      {lacking + excepted === 0 && ', nothing missing'}
      {rest.map((words) => `, ${words}`)}
    </>
  );
}
