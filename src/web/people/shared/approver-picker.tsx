import type { ComboboxItem, ComboboxLikeRenderOptionInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { capital, compareNames } from '#core/base/formats.ts';
import { awayWords } from '#core/people/absences.ts';
import { type ApproverWarning, choosesAnyone, mostApprovers } from '#core/people/approvers.ts';
import type { PeopleNames } from '#web/api/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import classes from './approver-picker.module.css';
import { type Candidate, usePeopleToChoose } from './people-to-choose.ts';

export const warningWords: Record<ApproverWarning, string> = {
  disabled: 'Account disabled. Can’t approve',
  mayNotDecide: 'Can’t approve: no access to Approvals',
  cannotSignIn: 'Can’t approve: no sign-in method yet',
};

/** What the picker says about one person; null for nobody. */
export const warningText = (warning: string | null): string | null =>
  warning === null ? null : warningWords[warning as ApproverWarning];

/** The same, and until when the person is away and who decides then. Null if there is nothing to say. */
function noteOn({ approverWarning, away }: Candidate): string | null {
  const notes = [warningText(approverWarning), away && capital(awayWords(away))].filter((note) => note != null);
  return notes.length > 0 ? notes.join('. ') : null;
}

type Choice = {
  /** People who can't be chosen: nobody approves their own tasks. */
  readonly without?: string | null | undefined;
  readonly chosen: readonly string[];
  /** The person's approvers before the change. */
  readonly before?: readonly string[];
  /** What is known of them before the server answers. */
  readonly names?: PeopleNames;
};

/** The options: first people who can decide, then others, and last the ones that only an admin can choose. */
export function useApproverOptions({ without = null, chosen, before = [], names = {} }: Choice) {
  const viewer = useViewer();
  const everyone = choosesAnyone(viewer, before);
  const { people, labelOf, unseen, search } = usePeopleToChoose(chosen, names);
  const offered = people
    .filter(({ id, disabled }) => id !== without && (!disabled || chosen.includes(id)))
    .toSorted((one, other) => compareNames(one.displayName, other.displayName));
  const isLocked = ({ id, approves }: Candidate) => !everyone && !approves && !chosen.includes(id);
  const group = (title: string, holds: (person: Candidate) => boolean) => ({
    group: title,
    items: offered
      .filter(holds)
      .map((person) => ({ value: person.id, label: labelOf(person), disabled: isLocked(person) })),
  });
  const groups = [
    group('Can approve', (person) => !isLocked(person) && person.approverWarning === null),
    group('Can’t approve yet', (person) => !isLocked(person) && person.approverWarning !== null),
    group('New approvers (only admins can add)', isLocked),
  ];
  return {
    warned: people.filter((person) => noteOn(person) !== null && chosen.includes(person.id)),
    select: {
      ...search,
      data: [...unseen, ...groups.filter(({ items }) => items.length > 0)],
      renderOption: ({ option }: ComboboxLikeRenderOptionInput<ComboboxItem>): ReactNode => {
        const person = people.find(({ id }) => id === option.value);
        const warning = person && noteOn(person);
        return (
          <span>
            {option.label}
            {warning && <span className={classes.warning}>{warning}</span>}
          </span>
        );
      },
    },
  };
}

type Props = Choice & {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly error?: ReactNode;
  /** Takes the focus when its panel opens, or when it comes later. */
  readonly focused?: boolean;
  readonly onChange: (ids: string[]) => void;
};

/** Chooses approvers, wherever that is done. */
export function ApproverPicker(props: Props) {
  const { without, before, names, chosen, placeholder = 'Type a name', focused = false, onChange, ...field } = props;
  const [open, setOpen] = useState(false);
  const { select, warned } = useApproverOptions({
    without,
    chosen,
    ...(before && { before }),
    ...(names && { names }),
  });
  return (
    <div>
      <SearchMultiSelect
        {...field}
        {...select}
        {...(focused && { autoFocus: true, 'data-autofocus': true })}
        size="sm"
        value={[...chosen]}
        onChange={onChange}
        // Closes after each choice, to show its effect.
        dropdownOpened={open}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        onOptionSubmit={() => setOpen(false)}
        clearable
        maxValues={mostApprovers}
        hidePickedOptions
        placeholder={chosen.length === 0 ? placeholder : ''}
      />
      {warned.map((person) => (
        <p key={person.id} className={classes.hint}>
          {person.displayName}: {noteOn(person)}.
        </p>
      ))}
    </div>
  );
}
