import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Panel } from '#web/ui/panel.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { ViewAsButton } from '../shared/view-as-button.tsx';
import classes from './doctor.module.css';
import { viewableRolesQuery } from './doctor-queries.ts';
import { Explained } from './explained.tsx';
import { FindingsPanel } from './findings-panel.tsx';

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
