import { IconCertificate } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isAdmin } from '#core/access/access.ts';
import { listWords } from '#core/base/formats.ts';
import { accessHelpQuery } from '#web/api/access-help.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { requirementWords } from '../shared/qualification-words.ts';
import { StatePill } from '../shared/state-pill.tsx';
import classes from './account-page.module.css';

const requirementsDocument = graphql(`
  query MyRequirements {
    myRequirements {
      id
      kind
      title
      validMonths
      state
      goodUntil
    }
  }
`);

type OwnRequirement = ResultOf<typeof requirementsDocument>['myRequirements'][number];

const myRequirementsQuery = queryOptions({
  queryKey: ['qualifications', 'mine'],
  queryFn: async ({ signal }) => {
    // An older server, during an upgrade, has no such list.
    const read = orWithoutNewFields(request(requirementsDocument, {}, { signal }), async () => ({
      myRequirements: [] as OwnRequirement[],
    }));
    return (await read).myRequirements;
  },
});

const title = 'Requirements of your role';

/** Until when the viewer meets what their role requires, and how to meet the rest. */
export function RoleRequirements() {
  const { data, error, refetch } = useQuery(myRequirementsQuery);
  if (error && !data)
    return (
      <Panel title={title} flush>
        <PanelError
          sentence="Couldn’t load the requirements of your role."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      </Panel>
    );
  if (!data || data.length === 0) return null;
  const due = data.filter(({ state }) => state !== 'met');
  return (
    <Panel title={title} flush>
      <WayList label={title}>
        {data.map((requirement) => (
          <WayRow
            key={requirement.id}
            icon={IconCertificate}
            title={requirement.title}
            facts={requirementWords(requirement)}
            action={
              <span className={classes.standing}>
                <StatePill state={requirement.state} goodUntil={requirement.goodUntil} />
              </span>
            }
          />
        ))}
      </WayList>
      {due.length > 0 && (
        <p className={classes.hint}>
          <NextStep kinds={due.map(({ kind }) => kind)} />
        </p>
      )}
    </Panel>
  );
}

/** Confirming the guidelines is up to the viewer. Admins record everything else. */
function NextStep({ kinds }: { readonly kinds: readonly OwnRequirement['kind'][] }) {
  const viewer = useViewer();
  const confirms = kinds.includes('guideline') && navigationTarget(viewer, 'guidelines') !== null;
  return (
    <>
      {confirms && (
        <>
          <Link to="/top-5/tools/guidelines">Read and confirm the guidelines</Link>.{' '}
        </>
      )}
      {(!confirms || kinds.some((kind) => kind !== 'guideline')) && <WhoRecords />}
    </>
  );
}

function WhoRecords() {
  const viewer = useViewer();
  const recordsOwn = isAdmin(viewer);
  const { data } = useQuery({ ...accessHelpQuery, enabled: !recordsOwn });
  if (recordsOwn && viewer.role !== null)
    return (
      <>
        Record your evidence in{' '}
        <Link to="/role-qualifications" search={{ role: viewer.role, person: viewer.id }}>
          Role Qualifications
        </Link>
        .
      </>
    );
  const admins = (data?.admins ?? []).map(({ displayName }) => displayName);
  return <>Ask {admins.length > 0 ? listWords(admins, 'or') : 'an admin'} to record your evidence.</>;
}
