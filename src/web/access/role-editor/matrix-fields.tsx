import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Ref } from 'react';
import type { ListedRole } from './role-queries.ts';
import classes from './roles-part.module.css';

type FindProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The shortcut that leads here. */
  readonly keys?: string;
  readonly field?: Ref<HTMLInputElement>;
};

export function FindField({ label, value, onChange, keys, field }: FindProps) {
  return (
    <TextInput
      {...(field ? { ref: field } : {})}
      type="search"
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts={keys}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      className={classes.find}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type SelectProps = {
  readonly roles: readonly ListedRole[];
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
};

/** The one role that a phone has room for. */
export function RoleSelect({ roles, chosen, onChoose }: SelectProps) {
  return (
    <Select
      aria-label="Role"
      className={classes.find}
      data={roles.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={onChoose}
      allowDeselect={false}
      searchable
    />
  );
}
