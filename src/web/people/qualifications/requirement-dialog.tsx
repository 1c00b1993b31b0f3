import { Select, TextInput } from '@mantine/core';
import {
  addRequirementInput,
  type RequirementKind,
  requirementKindKeys,
  requirementKinds,
} from '#core/people/qualifications.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import {
  addRequirement,
  type Requirement,
  type RequirementContent,
  setRequirementWithdrawn,
  undo,
  updateRequirement,
} from './qualification-queries.ts';

type Props = { readonly role: string; readonly requirement: Requirement | null; readonly onClose: () => void };

const kinds = requirementKindKeys.map((kind) => ({ value: kind, label: requirementKinds[kind].title }));

const contentOf = ({ kind, title, validMonths }: Requirement): RequirementContent => ({
  kind,
  title,
  ...(validMonths === null ? {} : { validMonths }),
});

/** Saves, and offers to take it back. */
function useSaveRequirement({ role, requirement, onClose }: Props) {
  return useMutation({
    mutationFn: (content: RequirementContent) =>
      requirement ? updateRequirement(requirement.id, requirement.version, content) : addRequirement(role, content),
    onSuccess: ({ id, version }, content) => {
      const onUndo = undo(() =>
        requirement ? updateRequirement(id, version, contentOf(requirement)) : setRequirementWithdrawn(id, true),
      );
      const message = requirement ? `“${content.title}” changed` : `${role} asks for “${content.title}”`;
      showToast({ message, onUndo });
      onClose();
    },
    meta: { quiet: true },
  });
}

export function RequirementDialog(props: Props) {
  const { role, requirement, onClose } = props;
  const form = useForm({
    initial: {
      kind: (requirement?.kind ?? 'training') as RequirementKind,
      title: requirement?.title ?? '',
      validMonths: String(requirement?.validMonths ?? ''),
    },
    input: ({ kind, title, validMonths: months }) => ({
      role,
      kind,
      title: title.trim(),
      ...(months.trim() === '' ? {} : { validMonths: Number(months) }),
    }),
    schema: addRequirementInput,
    errors: { title: 'Describe the requirement in a few words', validMonths: 'Enter whole months, from 1 to 600' },
    mutation: useSaveRequirement(props),
    variables: ({ role: _role, ...content }) => content,
  });
  return (
    <Dialog opened title={requirement ? 'Edit requirement' : `Requirements of ${role}`} onClose={onClose}>
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
          label="Good for, in months"
          description="Leave empty if the evidence never expires"
          inputMode="numeric"
          {...form.field('validMonths')}
        />
      </Form>
    </Dialog>
  );
}
