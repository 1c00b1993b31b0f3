import { Button, Checkbox, Select } from '@mantine/core';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { nobody, type UsersSearch } from '#core/people/people-search.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { type ChangeUsers, inList, type List, lists, type State, states } from './users-choice.ts';
import classes from './users-filters.module.css';
import type { User } from './users-queries.ts';

type Props = {
  readonly users: readonly User[];
  /** The people matching everything but the list. */
  readonly found: readonly User[];
  readonly choice: UsersSearch;
  readonly onChoice: ChangeUsers;
  /** Enter in the search field. */
  readonly onEnter: () => void;
};

export function UsersFilters({ users, found, choice, onChoice, onEnter }: Props) {
  const isFiltered = choice.q || choice.role || choice.team || choice.state || choice.approver;
  return (
    <div className={classes.filters}>
      <Lists found={found} choice={choice} onChoice={onChoice} />
      <SearchField
        label="Find a person"
        scope="User management"
        value={choice.q ?? ''}
        onChange={(q) => onChoice({ q })}
        onEnter={onEnter}
      />
      <div className={classes.choices}>
        <Choices users={users} choice={choice} onChoice={onChoice} />
        <Checkbox
          label="Without approver"
          checked={choice.approver !== undefined}
          onChange={(event) => onChoice({ approver: event.currentTarget.checked ? nobody : null })}
        />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => onChoice({ q: null, role: null, team: null, state: null, approver: null })}
          >
            Clear
          </Button>
        )}
      </div>
    </div>
  );
}

/** The specification's two lists, and both together. */
function Lists({ found, choice, onChoice }: Omit<Props, 'users' | 'onEnter'>) {
  return (
    <fieldset className={classes.chips}>
      <legend className="visually-hidden">List</legend>
      {(Object.keys(lists) as List[]).map((list) => (
        <button
          key={list}
          type="button"
          className={classes.chip}
          aria-pressed={(choice.list ?? 'everybody') === list}
          onClick={() => onChoice({ list: list === 'everybody' ? null : list })}
        >
          {lists[list]} <span>{inList(found, list).length}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Choices({ users, choice, onChoice }: Omit<Props, 'found' | 'onEnter'>) {
  const roles = [...new Set(users.map(({ role }) => role))].filter((role) => role !== null).sort();
  return (
    <>
      <SearchSelect
        aria-label="Role"
        w={112}
        data={[
          { value: '', label: 'Any role' },
          { value: nobody, label: 'No role' },
          ...roles.map((role) => ({ value: role, label: role })),
        ]}
        value={choice.role ?? ''}
        allowDeselect={false}
        onChange={(role) => onChoice({ role: role || null })}
      />
      <SearchSelect
        aria-label="Team"
        w={116}
        data={[
          { value: '', label: 'Any team' },
          { value: nobody, label: 'No team' },
          ...scopeKeys.map((scope) => ({ value: scope as string, label: scopes[scope].title as string })),
        ]}
        value={choice.team ?? ''}
        allowDeselect={false}
        onChange={(team) => onChoice({ team: team || null })}
      />
      <Select
        aria-label="Account"
        w={124}
        data={[
          { value: '', label: 'Any account' },
          ...(Object.keys(states) as State[]).map((state) => ({
            value: state as string,
            label: states[state] as string,
          })),
        ]}
        value={choice.state ?? ''}
        allowDeselect={false}
        onChange={(state) => onChoice({ state: (state || null) as State | null })}
      />
    </>
  );
}
