import { Select, TextInput } from '@mantine/core';
import {
  addRequirementInput,
  type RequirementKind,
  requirementKindKeys,
  requirementKinds,
} from '#core/people/qualifications.ts';
import { useChange } from '#web/api/change.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import {
  addRequirement,
  qualificationKeys,
  type Requirement,
  type RequirementContent,
  setRequirementWithdrawn,
  updateRequirement,
} from './qualification-queries.ts';

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

export function RequirementDialog(props: Props) {
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
