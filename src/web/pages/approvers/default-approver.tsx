import { Select } from '@mantine/core';
import { isAdmin } from '#core/access/access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';
import { optionsOf } from './approver-choice.tsx';
import { type Management, useSetDefaultApprover } from './approver-queries.ts';

/** Who decides for the people without an approver of their own. */
export function DefaultApprover({ management }: { management: Management }) {
  const { people, defaultApproverId, defaultIsChosen, defaultVersion } = management;
  const saving = useSetDefaultApprover();
  // It approves for admins and for whoever chooses it, too.
  const mayChoose = isAdmin(useViewer());
  return (
    <Writes>
      <Select
        label="Default approver"
        description={
          defaultApproverId !== null && !defaultIsChosen
            ? 'Approves for people without an approver. Set by DEFAULT_APPROVER_ID'
            : `Approves for people without an approver${mayChoose ? '' : '. Only an admin can change it'}`
        }
        data={optionsOf(people, null, defaultApproverId === null ? [] : [defaultApproverId])}
        value={defaultApproverId}
        onChange={(approverId) => saving.mutate({ approverId, version: defaultVersion })}
        disabled={saving.isPending || !mayChoose}
        placeholder="Nobody"
        searchable
        clearable
        limit={50}
        w={280}
        nothingFoundMessage="Nobody has this name"
      />
    </Writes>
  );
}
