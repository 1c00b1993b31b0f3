import { Autocomplete, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { permissionKeys, permissions } from '#core/access/permissions.ts';
import { createToolCardInput } from '#core/admin/tool-cards.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { usePeopleOptions } from '../shared/people-choice.ts';
import classes from '../shared/tools-page.module.css';
import { type CardValues, steps, type ToolCard, useCardStep, valuesOf } from './tool-card-calls.ts';

type Props = {
  /** Null: a new one. */
  readonly card: ToolCard | null;
  readonly cards: readonly ToolCard[];
  readonly onClose: () => void;
};

const blank: CardValues = { title: '', group: '', link: 'https://', description: '', ownerId: '', permission: '' };
const permissionOptions = permissionKeys.map((value) => ({
  value,
  label: `${permissions[value].group}: ${permissions[value].title}`,
}));

export function ToolCardForm({ card, cards, onClose }: Props) {
  const [values, setValues] = useState(card ? valuesOf(card) : blank);
  const [asked, setAsked] = useState(false);
  const step = useCardStep({ quiet: true, onDone: onClose });
  const read = readInput(createToolCardInput, values);
  const fault = asked && isRefusal(read) ? read : step.error;
  const errorOf = (field: keyof CardValues) => (fault?.field === field ? fault.message : undefined);
  const set = (part: Partial<CardValues>) => setValues({ ...values, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!isRefusal(read)) step.mutate(card ? steps.update(card, values) : steps.create(values));
  };
  return (
    <Dialog opened title={card ? `Edit ${card.title}` : 'Add a tool'} onClose={onClose}>
      <form onSubmit={submit} className={classes.form} noValidate>
        <CardFields card={card} cards={cards} values={values} errorOf={errorOf} onChange={set} />
        {step.error && !step.error.field && <p role="alert">{step.error.message}</p>}
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={step.isPending}>
            {card ? 'Save' : 'Add the tool'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type FieldsProps = Omit<Props, 'onClose'> & {
  readonly values: CardValues;
  readonly errorOf: (field: keyof CardValues) => string | undefined;
  readonly onChange: (part: Partial<CardValues>) => void;
};

function CardFields(props: FieldsProps) {
  const { cards, values, errorOf, onChange: set } = props;
  const groups = [...new Set(cards.map(({ group }) => group))];
  return (
    <>
      <TextInput
        size="sm"
        label="Name"
        value={values.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        error={errorOf('title')}
        data-autofocus
      />
      <TextInput
        size="sm"
        label="Link"
        description="Begins with https:// or http://"
        value={values.link}
        onChange={(event) => set({ link: event.currentTarget.value })}
        error={errorOf('link')}
      />
      <Autocomplete
        size="sm"
        label="Group"
        description="An existing one, or a new name"
        data={groups}
        value={values.group}
        onChange={(group) => set({ group })}
        error={errorOf('group')}
      />
      <TextInput
        size="sm"
        label="What it is for"
        value={values.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        error={errorOf('description')}
      />
      <PeopleFields {...props} />
    </>
  );
}

/** Whom to ask about it, and who sees it. */
function PeopleFields({ card, values, errorOf, onChange: set }: FieldsProps) {
  const people = usePeopleOptions({ id: card?.ownerId ?? null, name: card?.ownerName ?? null });
  return (
    <>
      <SearchSelect
        size="sm"
        label="Owner"
        description="Whom to ask about it"
        placeholder="Nobody"
        data={people}
        clearable
        limit={50}
        value={values.ownerId || null}
        onChange={(ownerId) => set({ ownerId: ownerId ?? '' })}
        error={errorOf('ownerId')}
      />
      <SearchSelect
        size="sm"
        label="Seen by"
        description="Admins see every tool"
        placeholder="Everybody with the tools"
        data={permissionOptions}
        clearable
        value={values.permission || null}
        onChange={(permission) => set({ permission: permission ?? '' })}
        error={errorOf('permission')}
      />
    </>
  );
}
