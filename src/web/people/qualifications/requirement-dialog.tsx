import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import {
  addRequirementInput,
  type RequirementKind,
  requirementKindKeys,
  requirementKinds,
} from '#core/people/qualifications.ts';
import { useMutation } from '#web/api/mutation.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import {
  addRequirement,
  type Requirement,
  type RequirementContent,
  setRequirementWithdrawn,
  undo,
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

type Fault = { readonly field?: string | undefined; readonly message: string };

/** Saves, offers to take it back, and tells the form what the server does not take. */
function useSaveRequirement({ role, requirement, onClose }: Props, setFault: (fault: Fault) => void) {
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
    onError: ({ field, message }) => setFault({ field, message }),
    meta: { quiet: true },
  });
}

export function RequirementDialog(props: Props) {
  const { role, requirement, onClose } = props;
  const [kind, setKind] = useState<RequirementKind>(requirement?.kind ?? 'training');
  const [title, setTitle] = useState(requirement?.title ?? '');
  const [months, setMonths] = useState(String(requirement?.validMonths ?? ''));
  const [fault, setFault] = useState<Fault | null>(null);
  const save = useSaveRequirement(props, setFault);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const validMonths = months.trim() === '' ? undefined : Number(months);
    const input = readInput(addRequirementInput, { role, kind, title, validMonths });
    if (isRefusal(input)) return setFault(input);
    const { role: _role, ...content } = input;
    return save.mutate(content);
  };
  const errorAt = (field: string, words: string) => fault?.field === field && words;
  return (
    <Dialog opened title={requirement ? 'Edit the requirement' : `What ${role} asks for`} onClose={onClose}>
      <form onSubmit={submit} className={classes.form} noValidate>
        <Select
          size="sm"
          label="Kind"
          data={kinds}
          value={kind}
          allowDeselect={false}
          onChange={(next) => next && setKind(next as RequirementKind)}
          description={requirementKinds[kind].meaning}
        />
        <TextInput
          size="sm"
          label="Title"
          placeholder="Data protection training"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={errorAt('title', 'Say in a few words what is asked for')}
          data-autofocus
        />
        <TextInput
          size="sm"
          label="Good for, in months"
          description="Left empty, what shows it never ends"
          inputMode="numeric"
          value={months}
          onChange={(event) => setMonths(event.currentTarget.value)}
          error={errorAt('validMonths', 'Enter whole months, from 1 to 600')}
        />
        {fault && fault.field !== 'title' && fault.field !== 'validMonths' && <p role="alert">{fault.message}</p>}
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={save.isPending}>
            {requirement ? 'Save' : 'Add the requirement'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
