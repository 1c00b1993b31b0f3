import { Button, Checkbox } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ApproverOfMap, reassigned, waitingOf } from '#core/people/approver-map.ts';
import { DialogActions } from '#web/ui/dialog.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { warningWords } from './approver-chips.tsx';
import { ApproverChoice } from './approver-choice.tsx';
import { type Change, type Managed, useSetApprovers } from './approver-queries.ts';
import classes from './approvers.module.css';
import { PendingList } from './pending-list.tsx';
import { useLatest } from './use-latest.ts';

type Props = {
  readonly row: ApproverOfMap<Managed>;
  readonly people: readonly Managed[];
  readonly onClose: () => void;
};

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/** What taking over changes; people who only have the default approver have none of their own to replace. */
function changesOf(people: readonly Managed[], from: string, to: readonly string[]): Change[] {
  return people
    .map((person) => ({
      userId: person.id,
      before: person.ownApproverIds,
      after: reassigned(person, person.ownApproverIds.includes(from) ? from : null, to),
    }))
    .filter(({ before, after }) => !same(before, after));
}

/** The people of one approver, and handing them to others. Mounted before it is opened, as PersonPanel. */
export function ReassignPanel({ row, ...props }: Omit<Props, 'row'> & { readonly row: Props['row'] | undefined }) {
  const shown = useLatest(row);
  return (
    <SidePanel
      opened={row !== undefined}
      title={`People of ${shown?.approver.displayName ?? ''}`}
      onClose={props.onClose}
    >
      {shown && <ReassignForm key={shown.approver.id} row={shown} {...props} />}
    </SidePanel>
  );
}

function ReassignForm({ row, people, onClose }: Props) {
  const { approver, people: own, warning } = row;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [to, setTo] = useState<readonly string[]>([]);
  const saving = useSetApprovers();
  const chosen = own.filter(({ id }) => !left.has(id));
  const changes = to.length === 0 ? [] : changesOf(chosen, approver.id, to);
  const moving = chosen.filter(({ id }) => changes.some(({ userId }) => userId === id));
  const staying = chosen.length - moving.length;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (changes.length === 0 || saving.isPending) return;
    const who = changes.length === 1 ? '1 person' : `${changes.length} people`;
    saving.mutate({ changes, message: `${who} reassigned from ${approver.displayName}` }, { onSuccess: onClose });
  };
  return (
    <form className={classes.form} onSubmit={save}>
      {warning && <p className={classes.warning}>{warningWords[warning]}. What waits here stays undecided.</p>}
      <Writes>
        <ApproverChoice
          label="Reassign to"
          people={people}
          without={approver.id}
          chosen={to}
          onChange={setTo}
          error={saving.error?.message}
        />
      </Writes>
      <Writes>
        <PeopleChoice people={own} left={left} onChange={setLeft} />
      </Writes>
      {to.length > 0 && staying > 0 && (
        <p className={classes.hint}>
          {staying === 1 ? '1 person stays' : `${staying} people stay`}: nobody takes over from themselves.
        </p>
      )}
      {changes.length > 0 && (
        <PendingList people={moving} count={moving.reduce((sum, person) => sum + waitingOf(person), 0)} />
      )}
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Writes>
          <Button size="sm" type="submit" disabled={changes.length === 0} loading={saving.isPending}>
            {changes.length === 0 ? 'Reassign' : `Reassign ${changes.length}`}
          </Button>
        </Writes>
      </DialogActions>
    </form>
  );
}

type ChoiceProps = {
  readonly people: readonly Managed[];
  /** Who is left out, by id. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
};

function PeopleChoice({ people, left, onChange }: ChoiceProps) {
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className={classes.people}>
      <legend>
        {people.length - left.size} of {people.length} chosen
      </legend>
      <Checkbox
        label="Everybody"
        checked={left.size === 0}
        indeterminate={left.size > 0 && left.size < people.length}
        onChange={() => onChange(left.size === 0 ? new Set(people.map(({ id }) => id)) : new Set())}
      />
      <ul className={classes.checks}>
        {people.map((person) => (
          <li key={person.id}>
            <Checkbox label={person.displayName} checked={!left.has(person.id)} onChange={() => toggle(person.id)} />
            <span className={classes.note}>{waitingOf(person) > 0 && `${waitingOf(person)} waiting`}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
