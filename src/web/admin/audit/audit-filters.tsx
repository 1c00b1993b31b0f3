import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type AuditFilter, auditWords } from '#core/admin/audit-log.ts';
import { limits } from '#core/base/limits.ts';
import { useEveryoneSelect } from '#web/people/shared/people-to-choose.ts';
import type { SearchChange } from '#web/shell/address.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { typingPauseMs } from '#web/ui/timing.ts';
import classes from '../shared/tools-page.module.css';
import { auditFilterOptionsQuery } from './audit-calls.ts';

type Props = {
  readonly filter: AuditFilter;
  /** The name of the only item that is shown, or null. */
  readonly item: string | null;
  readonly onChange: (part: SearchChange<'/tools'>, options?: { replace?: boolean }) => void;
};

export const noAuditFilter = {
  actorId: null,
  action: null,
  subjectType: null,
  subjectId: null,
  from: null,
  until: null,
  search: null,
};

export function AuditFilters({ filter, item, onChange }: Props) {
  const { data } = useQuery(auditFilterOptionsQuery);
  const person = useEveryoneSelect(filter.actorId ?? null);
  const { actions = [], subjectTypes = [] } = data?.auditKinds ?? {};
  return (
    <search className={classes.bar}>
      <AuditSearch text={filter.search ?? ''} onChange={onChange} />
      <SearchSelect
        label="Who"
        placeholder="Anyone"
        {...person}
        clearable
        w={180}
        value={filter.actorId ?? null}
        onChange={(actorId) => onChange({ actorId })}
      />
      <SearchSelect
        label="What"
        placeholder="Anything"
        data={optionsOf(actions)}
        clearable
        w={180}
        value={filter.action ?? null}
        onChange={(action) => onChange({ action })}
      />
      <Select
        label="Target"
        placeholder="Anything"
        data={optionsOf(subjectTypes)}
        clearable
        w={150}
        value={filter.subjectType ?? null}
        onChange={(subjectType) => onChange({ subjectType, subjectId: null })}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.from ?? ''}
        onChange={(event) => onChange({ from: event.currentTarget.value || null })}
      />
      <TextInput
        type="date"
        label="Until"
        value={filter.until ?? ''}
        onChange={(event) => onChange({ until: event.currentTarget.value || null })}
      />
      {item !== null && <OnlyItem name={item} onRemove={() => onChange({ subjectId: null })} />}
      {Object.values(filter).some((value) => value !== undefined) && (
        <Button variant="subtle" onClick={() => onChange(noAuditFilter)}>
          Clear
        </Button>
      )}
    </search>
  );
}

function OnlyItem({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <Button
      variant="light"
      rightSection={<IconX size={14} stroke={1.7} aria-hidden="true" />}
      onClick={onRemove}
      aria-label={`Remove filter: only ${name}`}
    >
      Only {name}
    </Button>
  );
}

const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: auditWords(value) }));

function AuditSearch({ text, onChange }: { text: string; onChange: Props['onChange'] }) {
  /** Null unless the field has the focus: the address has the text. */
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const ask = useDebouncedCallback(
    (search: string) => onChange({ search: search || null }, { replace: true }),
    typingPauseMs,
  );
  useShortcuts([{ key: '/', label: 'Search the audit log', scope: 'Tools', run: () => field.current?.focus() }]);
  return (
    <TextInput
      ref={field}
      type="search"
      label="Search"
      placeholder="Name, ID or text"
      maxLength={limits.search}
      w={200}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      aria-keyshortcuts="/"
      value={typed ?? text}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        ask(event.currentTarget.value.trim());
      }}
      // What is pressed next, such as Export, follows the text.
      onBlur={() => {
        ask.flush();
        setTyped(null);
      }}
    />
  );
}
