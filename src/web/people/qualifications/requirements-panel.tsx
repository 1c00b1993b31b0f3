import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addRequirementInput,
  type RequirementKind,
  requirementKindKeys,
  requirementKinds,
} from '#core/people/qualifications.ts';
import { requirementWords } from '#web/access/shared/qualification-words.ts';
import { useChange } from '#web/api/change.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { EvidenceForPeopleDialog } from './evidence-dialog.tsx';
import {
  addRequirement,
  type QualifiedRole,
  qualificationKeys,
  type Requirement,
  type RequirementContent,
  setRequirementWithdrawn,
  updateRequirement,
} from './qualification-queries.ts';
import classes from './qualifications-page.module.css';

type Props = { readonly role: string; readonly requirement: Requirement | null; readonly onClose: () => void };

const kinds = requirementKindKeys.map((kind) => ({ value: kind, label: requirementKinds[kind].title }));

const contentOf = ({ kind, title, validMonths }: Requirement): RequirementContent => ({
  kind,
  title,
  ...(validMonths === null ? {} : { validMonths }),
});

type Sent = { readonly content: RequirementContent; readonly version: number };

function useSaveRequirement({ role, requirement, onClose }: Props) {
  return useChange({
    send: ({ content, version }: Sent) =>
      requirement ? updateRequirement(requirement.id, version, content) : addRequirement(role, content),
    touches: qualificationKeys,
    onDone: onClose,
    done: ({ id, version }, { content: { title } }) =>
      requirement
        ? { message: `“${title}” changed`, undo: () => updateRequirement(id, version, contentOf(requirement)) }
        : { message: `${role} now requires “${title}”`, undo: () => setRequirementWithdrawn(id, true) },
    meta: { quiet: true },
  });
}

const valuesOf = (requirement: Requirement | null) => ({
  kind: (requirement?.kind ?? 'training') as RequirementKind,
  title: requirement?.title ?? '',
  validMonths: String(requirement?.validMonths ?? ''),
});

const wordsOf = ({ kind, title, validMonths }: ReturnType<typeof valuesOf>) => ({
  Kind: requirementKinds[kind].title,
  Title: title,
  'Valid for (months)': validMonths,
});

function RequirementDialog(props: Props) {
  const { role, requirement, onClose } = props;
  const form = useForm({
    initial: valuesOf(requirement),
    input: ({ kind, title, validMonths: months }) => ({
      role,
      kind,
      title: title.trim(),
      ...(months.trim() === '' ? {} : { validMonths: Number(months) }),
    }),
    schema: addRequirementInput,
    errors: { title: 'Describe the requirement in a few words', validMonths: 'Enter whole months, from 1 to 600' },
    mutation: useSaveRequirement(props),
    variables: ({ role: _role, ...content }, version) => ({ content, version }),
    saved: requirement
      ? { version: requirement.version, values: valuesOf(requirement), words: wordsOf, onKept: onClose }
      : undefined,
  });
  return (
    <Dialog opened title={requirement ? 'Edit requirement' : `Add requirement for ${role}`} onClose={onClose}>
      <Form form={form} submit={requirement ? 'Save' : 'Add requirement'}>
        <Select
          label="Kind"
          data={kinds}
          allowDeselect={false}
          description={requirementKinds[form.values.kind].meaning}
          {...form.field('kind')}
        />
        <TextInput label="Title" placeholder="Data protection training" data-autofocus {...form.field('title')} />
        <TextInput
          label="Valid for (months)"
          description="Leave empty if the evidence never expires"
          inputMode="numeric"
          {...form.field('validMonths')}
        />
      </Form>
    </Dialog>
  );
}

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
