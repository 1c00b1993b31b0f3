import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminRole } from '#core/access/access.ts';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { nobody, type UsersSearch } from '#core/people/people-search.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { peopleCountsQuery, unapprovedTitle } from '../shared/people-counts.ts';
import { type ChangeUsers, type List, listMeanings, lists, noFilters, type State, states } from './users-choice.ts';
import classes from './users-filters.module.css';
import { rolesQuery } from './users-queries.ts';

type Counts = Readonly<Record<'permitted' | 'logged', number>>;

type Props = {
  /** The people matching everything but the list. */
  readonly counts: Counts | undefined;
  readonly choice: UsersSearch;
  readonly onChoice: ChangeUsers;
  /** Enter in the search field. */
  readonly onEnter: () => void;
};

const filterKeys = Object.keys(noFilters) as (keyof typeof noFilters)[];

export function UsersFilters({ counts, choice, onChoice, onEnter }: Props) {
  const isFiltered = filterKeys.some((key) => choice[key] !== undefined);
  return (
    <div className={classes.filters}>
      <Lists counts={counts} choice={choice} onChoice={onChoice} />
      <SearchField
        label="Find a person"
        scope="User Management"
        value={choice.q ?? ''}
        onChange={(q) => onChoice({ q })}
        onEnter={onEnter}
      />
      <div className={classes.choices}>
        <Choices choice={choice} onChoice={onChoice} />
        {isFiltered && (
          <Button variant="subtle" onClick={() => onChoice(noFilters)}>
            Clear
          </Button>
        )}
      </div>
      <Attention choice={choice} onChoice={onChoice} />
    </div>
  );
}

/** The specification's two lists, and both together. */
function Lists({ counts, choice, onChoice }: Omit<Props, 'onEnter'>) {
  const chosen = choice.list ?? 'everybody';
  const countOf = (list: List) => counts && (list === 'everybody' ? counts.permitted + counts.logged : counts[list]);
  return (
    <fieldset className={classes.chips}>
      <legend className="visually-hidden">List</legend>
      {(Object.keys(lists) as List[]).map((list) => (
        <button
          key={list}
          type="button"
          className={classes.chip}
          aria-pressed={chosen === list}
          title={listMeanings[list] ?? undefined}
          onClick={() => onChoice({ list: list === 'everybody' ? null : list })}
        >
          {lists[list]} <span>{countOf(list)}</span>
        </button>
      ))}
      {listMeanings[chosen] && <span className={classes.meaning}>{listMeanings[chosen]}</span>}
    </fieldset>
  );
}

const noRole = 'No role';

/** What someone who manages people looks for, and its filter. */
const attention = {
  invited: { title: states.invited, filter: { state: 'invited' } },
  unapproved: { title: unapprovedTitle, filter: { approver: nobody } },
  withoutRole: { title: noRole, filter: { role: nobody } },
  roleRequested: { title: 'Role requested', filter: { asked: '1' } },
  awayNow: { title: 'Away now', filter: { away: '1' } },
  backThisWeek: { title: 'Back this week', filter: { back: '1' } },
} as const satisfies Record<string, { readonly title: string; readonly filter: UsersSearch }>;

/**
 * Each adds to the other filters, and a second press removes it. The counts are of everyone, so none is shown
 * beside other filters.
 */
function Attention({ choice, onChoice }: Pick<Props, 'choice' | 'onChoice'>) {
  const { data: counts } = useQuery(peopleCountsQuery);
  const filtered = filterKeys.filter((key) => choice[key] !== undefined);
  return (
    <fieldset className={`${classes.chips} ${classes.line}`}>
      <legend className="visually-hidden">Needs attention</legend>
      {(Object.keys(attention) as (keyof typeof attention)[]).map((kind) => {
        const { title, filter } = attention[kind];
        const [key, value] = Object.entries(filter)[0] as [keyof typeof noFilters, string];
        const isOn = choice[key] === value;
        return (
          <button
            key={kind}
            type="button"
            className={classes.chip}
            aria-pressed={isOn}
            onClick={() => onChoice(isOn ? { [key]: null } : filter)}
          >
            {title} {filtered.every((one) => one === key) && <span>{counts?.[kind]}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}

function Choices({ choice, onChoice }: Omit<Props, 'counts' | 'onEnter'>) {
  const { data = [] } = useQuery(rolesQuery);
  const roles = [adminRole, ...data.map(({ name }) => name)];
  return (
    <>
      <SearchSelect
        aria-label="Role"
        w={112}
        data={[
          { value: '', label: 'Any role' },
          { value: nobody, label: noRole },
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
