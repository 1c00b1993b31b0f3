import { Select } from '@mantine/core';
import { Writes } from '#web/ui/writes.tsx';
import { optionsOf } from './approver-choice.tsx';
import { type Management, useSetDefaultApprover } from './approver-queries.ts';

/** Who decides for the people without an approver of their own. */
export function DefaultApprover({ management }: { management: Management }) {
  const { people, defaultApproverId, defaultIsChosen, defaultVersion } = management;
  const saving = useSetDefaultApprover();
  return (
    <Writes>
      <Select
        label="Default approver"
        description={
          defaultApproverId !== null && !defaultIsChosen
            ? 'Decides for who has no approver. Comes from DEFAULT_APPROVER_ID'
            : 'Decides for who has no approver of their own'
        }
        data={optionsOf(people, null, defaultApproverId === null ? [] : [defaultApproverId])}
        value={defaultApproverId}
        onChange={(approverId) => saving.mutate({ approverId, version: defaultVersion })}
        disabled={saving.isPending}
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
