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

const myRequirementsQuery = (role: string | null) =>
  queryOptions({
    queryKey: ['qualifications', 'mine', role],
    // Confirming the guidelines changes them.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      // An older server, during an upgrade, has no such list.
      const read = orWithoutNewFields(request(requirementsDocument, {}, { signal }), async () => ({
        myRequirements: [] as OwnRequirement[],
      }));
      return (await read).myRequirements;
    },
  });

const title = 'Requirements for your role';

/** Until when the viewer meets what their role requires, and how to meet the rest. */
export function RoleRequirements() {
  const { role, viewing } = useViewer();
  // A role that is viewed as has nobody who could meet its requirements.
  const { data, error, refetch } = useQuery({ ...myRequirementsQuery(role), enabled: viewing?.kind !== 'role' });
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
          <NextStep due={due} />
        </p>
      )}
    </Panel>
  );
}

/**
 * The viewer confirms the current guidelines, once for each version. Admins record everything else, also for
 * those who confirmed them too long ago.
 */
function NextStep({ due }: { readonly due: readonly OwnRequirement[] }) {
  const viewer = useViewer();
  const opensGuidelines = navigationTarget(viewer, 'guidelines') !== null;
  const confirmable = due.filter(({ kind, state }) => opensGuidelines && kind === 'guideline' && state === 'missing');
  const confirms = confirmable.length > 0;
  return (
    <>
      {confirms && (
        <>
          <Link to="/top-5/tools/guidelines">Read and confirm the guidelines</Link>.{' '}
        </>
      )}
      {confirmable.length < due.length && (
        <WhoRecords what={confirms ? 'evidence for your other requirements' : 'your evidence'} />
      )}
    </>
  );
}

function WhoRecords({ what }: { readonly what: string }) {
  const viewer = useViewer();
  const recordsOwn = isAdmin(viewer);
  const { data, isLoading } = useQuery({ ...accessHelpQuery, enabled: !recordsOwn });
  if (recordsOwn && viewer.role !== null)
    return (
      <>
        Record {what} in{' '}
        <Link to="/role-qualifications" search={{ role: viewer.role, person: viewer.id }}>
          Role Qualifications
        </Link>
        .
      </>
    );
  if (isLoading) return null;
  const admins = (data?.admins ?? []).map(({ displayName }) => displayName);
  return (
    <>
      Ask {admins.length > 0 ? listWords(admins, 'or') : 'an admin'} to record {what}.
    </>
  );
}
