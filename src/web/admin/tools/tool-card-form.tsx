import { Autocomplete, type AutocompleteProps, TextInput } from '@mantine/core';
import { useState } from 'react';
import { permissionKeys, permissions } from '#core/access/permissions.ts';
import { createToolCardInput } from '#core/admin/tool-cards.ts';
import { usePersonSelect } from '#web/people/shared/people-to-choose.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { type CardValues, steps, type ToolCard, useCardStep, valuesOf } from './tool-card-calls.ts';

type Props = {
  /** Null for a new one. */
  readonly card: ToolCard | null;
  readonly cards: readonly ToolCard[];
  readonly onClose: () => void;
};

const blank: CardValues = { title: '', group: '', link: '', description: '', ownerId: '', permission: '' };
const permissionOptions = permissionKeys.map((value) => ({
  value,
  label: `${permissions[value].group}: ${permissions[value].title}`,
}));

const wordsOf = (card: ToolCard) => (values: CardValues) => ({
  Name: values.title,
  Link: values.link,
  Group: values.group,
  Purpose: values.description,
  Owner: values.ownerId === (card.ownerId ?? '') ? (card.ownerName ?? '') : 'Someone else',
  'Visible to': permissionOptions.find(({ value }) => value === values.permission)?.label ?? 'Everyone with tools',
});

export function ToolCardForm({ card, cards, onClose }: Props) {
  const form = useForm({
    saved: card ? { version: card.version, values: valuesOf(card), words: wordsOf(card), onKept: onClose } : undefined,
    initial: card ? valuesOf(card) : blank,
    schema: createToolCardInput,
    names: { title: 'The name', ownerId: 'The owner' },
    mutation: useCardStep({ quiet: true, onDone: onClose }),
    variables: (values, version) => (card ? steps.update({ ...card, version }, values) : steps.create(values)),
  });
  const groups = [...new Set(cards.map(({ group }) => group))];
  return (
    <Dialog opened title={card ? `Edit ${card.title}` : 'Add tool'} onClose={onClose}>
      <Form form={form} submit={card ? 'Save' : 'Add tool'}>
        <TextInput label="Name" data-autofocus {...form.field('title')} />
        <TextInput label="Link" placeholder="https://" {...form.field('link')} />
        <GroupField data={groups} {...form.field('group')} />
        <TextInput label="Purpose" {...form.field('description')} />
        <PeopleFields form={form} card={card} />
      </Form>
    </Dialog>
  );
}

/** Enter in the open list ends the choice, as in every field with a list, and doesn't send the form. */
function GroupField(field: AutocompleteProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Autocomplete
      label="Group"
      description="An existing one, or a new name"
      {...field}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onKeyDown={(event) => {
        const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '');
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !list?.querySelector('[role="option"]')) return;
        event.preventDefault();
        setOpened(false);
      }}
    />
  );
}

/** The contact person, and who sees it. */
function PeopleFields({ form, card }: Pick<Props, 'card'> & { readonly form: FormOf<CardValues> }) {
  const owner = form.choice('ownerId');
  const person = usePersonSelect(
    owner.value,
    card?.ownerId && card.ownerName ? { [card.ownerId]: card.ownerName } : {},
  );
  return (
    <>
      <SearchSelect
        label="Owner"
        description="Who answers questions"
        placeholder="Nobody"
        {...person}
        clearable
        {...owner}
      />
      <SearchSelect
        label="Visible to"
        description="Admins see every tool"
        placeholder="Everyone with tools"
        data={permissionOptions}
        clearable
        {...form.choice('permission')}
      />
    </>
  );
}
