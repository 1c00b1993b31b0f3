import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { useChange } from '#web/api/change.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { EvidenceForPeopleDialog } from './evidence-dialog.tsx';
import {
  type QualifiedRole,
  qualificationKeys,
  type Requirement,
  setRequirementWithdrawn,
} from './qualification-queries.ts';
import classes from './qualifications-page.module.css';
import { RequirementDialog } from './requirement-dialog.tsx';

const icon = { size: 16, stroke: 1.7 };

export function RequirementsPanel({ role }: { role: QualifiedRole }) {
  const [edited, setEdited] = useState<Requirement | 'new' | null>(null);
  const [recorded, setRecorded] = useState<Requirement | null>(null);
  const withdraw = useChange({
    send: ({ id }: Requirement) => setRequirementWithdrawn(id, true),
    touches: qualificationKeys,
    done: (_none, { id, title }) => ({
      message: `${role.name} no longer requires “${title}”`,
      undo: () => setRequirementWithdrawn(id, false),
    }),
  });
  const add = (
    <Writes>
      <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setEdited('new')}>
        Add a requirement
      </Button>
    </Writes>
  );
  return (
    <Panel title={`Requirements for ${role.name}`} note={role.requirements.length} actions={add} flush>
      {role.requirements.length === 0 ? (
        <EmptyState title={`${role.name} has no requirements yet`}>
          Anyone can have this role. Add a guideline, training, experience or recommendation.
        </EmptyState>
      ) : (
        <ul className={classes.requirements}>
          {role.requirements.map((requirement) => (
            <Row
              key={requirement.id}
              requirement={requirement}
              isWithdrawing={withdraw.isPending}
              onRecord={() => setRecorded(requirement)}
              onEdit={() => setEdited(requirement)}
              onWithdraw={() => withdraw.mutate(requirement)}
            />
          ))}
        </ul>
      )}
      {recorded && <EvidenceForPeopleDialog requirement={recorded} onClose={() => setRecorded(null)} />}
      {edited && (
        <RequirementDialog
          role={role.name}
          requirement={edited === 'new' ? null : (role.requirements.find(({ id }) => id === edited.id) ?? edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

type RowProps = {
  readonly requirement: Requirement;
  readonly isWithdrawing: boolean;
  readonly onRecord: () => void;
  readonly onEdit: () => void;
  readonly onWithdraw: () => void;
};

function Row({ requirement, isWithdrawing, onRecord, onEdit, onWithdraw }: RowProps) {
  const { title } = requirement;
  return (
    <li>
      <span className={classes.requirement}>
        <span className={classes.requirementTitle}>{title}</span>
        <span className={classes.quiet}>{requirementWords(requirement)}</span>
      </span>
      <span className={classes.requirementActions}>
        <Writes>
          <Button variant="default" aria-label={`Record evidence for several people: ${title}`} onClick={onRecord}>
            Record evidence
          </Button>
        </Writes>
        <Writes>
          <ActionIcon aria-label={`Edit ${title}`} onClick={onEdit}>
            <IconPencil {...icon} />
          </ActionIcon>
        </Writes>
        <Writes>
          <ActionIcon aria-label={`Withdraw ${title}`} disabled={isWithdrawing} onClick={onWithdraw}>
            <IconTrash {...icon} />
          </ActionIcon>
        </Writes>
      </span>
    </li>
  );
}
