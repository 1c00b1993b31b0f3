import { useState } from 'react';
import { warningOf } from '#core/people/approver-map.ts';
import { mostApprovers } from '#core/people/approvers.ts';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import type { Managed } from './approver-queries.ts';

type Props = {
  readonly label: string;
  readonly people: readonly Managed[];
  /** People who can't be chosen: nobody approves their own tasks. */
  readonly without: string | null;
  readonly chosen: readonly string[];
  readonly onChange: (ids: string[]) => void;
};

const mostShown = 100;

/** The options: first people who can decide, then everyone else with an enabled account. */
export function optionsOf(people: readonly Managed[], without: string | null, chosen: readonly string[]) {
  const offered = people.filter(({ id, disabled }) => id !== without && (!disabled || chosen.includes(id)));
  const option = (person: Managed) => ({ value: person.id, label: person.displayName });
  return [
    { group: 'Can approve', items: offered.filter((person) => warningOf(person) === null).map(option) },
    { group: 'Can’t approve yet', items: offered.filter((person) => warningOf(person) !== null).map(option) },
  ];
}

export function ApproverChoice({ label, people, without, chosen, onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <SearchMultiSelect
      label={label}
      data={optionsOf(people, without, chosen)}
      value={[...chosen]}
      onChange={onChange}
      // Closes after each choice, to show its effect.
      dropdownOpened={open}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onOptionSubmit={() => setOpen(false)}
      clearable
      limit={mostShown}
      maxValues={mostApprovers}
      hidePickedOptions
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage="No matching people"
      placeholder={chosen.length === 0 ? 'Type a name' : ''}
    />
  );
}
