import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { useChange } from '#web/api/change.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
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
    <Panel title={`Requirements of ${role.name}`} note={role.requirements.length} actions={add} flush>
      {role.requirements.length === 0 ? (
        <EmptyState title={`${role.name} has no requirements yet`}>
          Anyone can have this role. Add a guideline, training, experience or recommendation.
        </EmptyState>
      ) : (
        <ul className={classes.requirements}>
          {role.requirements.map((requirement) => (
            <li key={requirement.id}>
              <span className={classes.requirement}>
                <span className={classes.requirementTitle}>{requirement.title}</span>
                <span className={classes.quiet}>{requirementWords(requirement)}</span>
              </span>
              <Writes>
                <ActionIcon aria-label={`Edit ${requirement.title}`} onClick={() => setEdited(requirement)}>
                  <IconPencil {...icon} />
                </ActionIcon>
              </Writes>
              <Writes>
                <ActionIcon
                  aria-label={`Withdraw ${requirement.title}`}
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(requirement)}
                >
                  <IconTrash {...icon} />
                </ActionIcon>
              </Writes>
            </li>
          ))}
        </ul>
      )}
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
