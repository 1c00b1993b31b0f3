import { Autocomplete, TextInput } from '@mantine/core';
import { permissionKeys, permissions } from '#core/access/permissions.ts';
import { createToolCardInput } from '#core/admin/tool-cards.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { usePeopleOptions } from '../shared/people-choice.ts';
import { type CardValues, steps, type ToolCard, useCardStep, valuesOf } from './tool-card-calls.ts';

type Props = {
  /** Null for a new one. */
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
  const form = useForm({
    initial: card ? valuesOf(card) : blank,
    schema: createToolCardInput,
    names: { title: 'The name', ownerId: 'The owner' },
    mutation: useCardStep({ quiet: true, onDone: onClose }),
    variables: (values) => (card ? steps.update(card, values) : steps.create(values)),
  });
  const groups = [...new Set(cards.map(({ group }) => group))];
  return (
    <Dialog opened title={card ? `Edit ${card.title}` : 'Add tool'} onClose={onClose}>
      <Form form={form} submit={card ? 'Save' : 'Add tool'}>
        <TextInput label="Name" data-autofocus {...form.field('title')} />
        <TextInput label="Link" description="Starts with https:// or http://" {...form.field('link')} />
        <Autocomplete
          label="Group"
          description="An existing one, or a new name"
          data={groups}
          {...form.field('group')}
        />
        <TextInput label="Purpose" {...form.field('description')} />
        <PeopleFields card={card} form={form} />
      </Form>
    </Dialog>
  );
}

/** The contact person, and who sees it. */
function PeopleFields({ card, form }: Pick<Props, 'card'> & { readonly form: FormOf<CardValues> }) {
  const people = usePeopleOptions({ id: card?.ownerId ?? null, name: card?.ownerName ?? null });
  return (
    <>
      <SearchSelect
        label="Owner"
        description="Who answers questions"
        placeholder="Nobody"
        data={people}
        clearable
        limit={50}
        {...form.choice('ownerId')}
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
