import type { ComboboxParsedItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isPermission, permissions } from '#core/access/permissions.ts';
import { productsOfRoute } from '#core/access/products.ts';
import { isRestricted, paths, routes } from '#core/access/routes.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useAddress } from '#web/shell/address.ts';
import { titleOf } from '#web/shell/page-title.ts';
import { bestMatches } from '#web/ui/matches.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { ViewAsButton } from '../shared/view-as-button.tsx';
import classes from './doctor.module.css';
import { type Explanation, explanationQuery, peopleQuery } from './doctor-queries.ts';

/** Pages with access rules, those with tabs once per tab. */
const pages = paths
  .filter((path) => routes[path].layout === 'default' && !('landsAt' in routes[path]))
  .flatMap((path) =>
    isRestricted(path)
      ? Object.keys(productsOfRoute[path]).map((product) => ({
          value: `${path}?product=${product}`,
          label: titleOf(path, product),
        }))
      : [{ value: path, label: titleOf(path, undefined) }],
  );

const checkTitles: Readonly<Record<string, string>> = {
  application: 'Application',
  page: 'Page',
  query: 'Tab',
  approver: 'Approved by manager',
  data: 'Numbers',
};

/** Why a person can't see a page: each check in order, with how to fix a failed one. */
export function Explained() {
  const [search, change] = useAddress('/role-editor');
  const page = pages.find(({ value }) => value === search.page)?.value ?? null;
  const person = search.person ?? null;
  return (
    <>
      <div className={classes.question}>
        <PersonSelect label="Person" value={person} onChange={(id) => change({ person: id }, { replace: true })} />
        <SearchSelect
          label="Page"
          placeholder="Choose a page"
          data={pages}
          value={page}
          onChange={(next) => change({ page: next }, { replace: true })}
          nothingFoundMessage="No matching pages"
        />
        {person && <ViewAsButton as={{ personId: person }} label="View as this person" />}
      </div>
      {person && page ? (
        <Answer personId={person} page={page} />
      ) : (
        <p className={classes.hint}>Choose a person and a page to see each check in order.</p>
      )}
    </>
  );
}

function Answer({ personId, page }: { personId: string; page: string }) {
  const [path = '', query = ''] = page.split('?');
  const product = new URLSearchParams(query).get('product');
  const { data, error, isPending, refetch } = useQuery(explanationQuery(personId, path, product));
  if (error && !data)
    return (
      <PanelError
        sentence="Couldn’t run the checks."
        requestId={asApiError(error).requestId}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Loading loading={isPending} skeleton={<SkeletonRows rows={4} />}>
      {data && <Checks explanation={data} />}
    </Loading>
  );
}

const outcomes: Readonly<Record<string, { icon: typeof IconCheck; words: string }>> = {
  passed: { icon: IconCheck, words: 'Passed' },
  failed: { icon: IconX, words: 'Failed' },
  notReached: { icon: IconMinus, words: 'Not checked' },
};

function Checks({ explanation }: { explanation: Explanation }) {
  const { sees, message, checks, mends } = explanation;
  return (
    <div className={classes.answer}>
      <p className={classes.verdict} data-sees={sees} role="status">
        {sees ? 'This person can see the page.' : `This person can’t see the page: “${message}”.`}
      </p>
      <ol className={classes.checks}>
        {checks.map(({ name, outcome, sentence }) => {
          const { icon: Icon, words } = outcomes[outcome] ?? outcomes.notReached!;
          return (
            <li key={name} data-outcome={outcome}>
              <Icon size={16} stroke={2} aria-hidden="true" />
              <span>{checkTitles[name] ?? name}</span>
              <span className={classes.outcome}>{words}</span>
              <span className={classes.sentence}>{outcome === 'notReached' ? '' : sentence}</span>
            </li>
          );
        })}
      </ol>
      {mends.length > 0 && (
        <>
          <h3 className={classes.mendTitle}>How to fix it</h3>
          <ul className={classes.mends}>
            {mends.map((mend) => (
              <li key={`${mend.kind} ${mend.permission}`}>{wordsOf(mend)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function wordsOf({ kind, permission, roles }: Explanation['mends'][number]): string {
  if (kind === 'role') return 'Give this person a role in User Management.';
  if (kind === 'approver') return 'Choose an approver in Approver Management.';
  if (kind === 'admin') return 'Make this person an admin. The page is for admins only.';
  const title = permission && isPermission(permission) ? permissions[permission].title : permission;
  const names = roles.join(', ');
  return roles.length > 0
    ? `Give “${title}” (${permission}) through a role that has it (${names}), or directly in User Management.`
    : `No role has “${title}” (${permission}) yet. Add it to a role, or give it directly in User Management.`;
}

type PersonSelectProps = {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
};

type Option = { readonly value: string; readonly label: string };
const optionOf = ({ id, name, role }: { id: string; name: string; role: string | null }): Option => ({
  value: id,
  label: `${name} · ${role ?? 'No role'}`,
});

function PersonSelect({ label, value, onChange }: PersonSelectProps) {
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<Option | null>(null);
  // The address has the person's id only.
  const isKnown = value === null || picked?.value === value;
  const { data: named = [] } = useQuery({ ...peopleQuery({ id: value ?? '' }), enabled: !isKnown });
  const chosen = isKnown ? picked : (named.map(optionOf).find((option) => option.value === value) ?? null);
  // The selected person's name fills the field, but isn't a search.
  const wanted = typed === chosen?.label ? '' : typed;
  const [search] = useDebouncedValue(wanted, typingPauseMs);
  const { data: people = [], isError, isFetching } = useQuery(peopleQuery({ search }));
  const found = people.map(optionOf);
  const options = chosen && !found.some((option) => option.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <SearchSelect
      label={label}
      placeholder="Type a name"
      clearable
      data={options}
      // What was found for another text is no match of this one.
      {...(search === wanted &&
        !isFetching && { filter: ({ options: all }) => bestMatches(all as ComboboxParsedItem[], wanted, () => true) })}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id, option) => {
        setPicked(option ? { value: option.value, label: option.label } : null);
        onChange(id);
      }}
      nothingFoundMessage={isError ? 'Couldn’t load people' : 'No matching people'}
    />
  );
}
