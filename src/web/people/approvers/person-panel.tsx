import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type PersonOfMap, waitingOf, warningOf } from '#core/people/approver-map.ts';
import { DialogActions } from '#web/ui/dialog.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { warningWords } from './approver-chips.tsx';
import { ApproverChoice } from './approver-choice.tsx';
import { type Managed, useSetApprovers } from './approver-queries.ts';
import classes from './approvers.module.css';
import { PendingList } from './pending-list.tsx';
import { useLatest } from './use-latest.ts';

type Props = {
  readonly row: PersonOfMap<Managed>;
  readonly people: readonly Managed[];
  readonly onClose: () => void;
};

/** The approvers of one person. Mounted before there is anybody to show: only so the focus goes back to where it was. */
export function PersonPanel({ row, ...props }: Omit<Props, 'row'> & { readonly row: Props['row'] | undefined }) {
  const shown = useLatest(row);
  return (
    <SidePanel opened={row !== undefined} title={shown?.person.displayName ?? ''} onClose={props.onClose}>
      {shown && <PersonForm key={shown.person.id} row={shown} {...props} />}
    </SidePanel>
  );
}

function PersonForm({ row, people, onClose }: Props) {
  const { person, byDefault, approvers, circle } = row;
  // As they were when the panel opened: what somebody else changes meanwhile is not overwritten.
  const [before] = useState(person.ownApproverIds);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const saving = useSetApprovers();
  const changed = chosen.length !== before.length || chosen.some((id) => !before.includes(id));
  const warned = people.filter((one) => chosen.includes(one.id) && warningOf(one) !== null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changed || saving.isPending) return;
    const change = { userId: person.id, before, after: chosen };
    saving.mutate({ changes: [change], message: `Approvers of ${person.displayName} saved` }, { onSuccess: onClose });
  };
  return (
    <form className={classes.form} onSubmit={save}>
      <Writes>
        <ApproverChoice
          label={`Approvers of ${person.displayName}`}
          people={people}
          without={person.id}
          chosen={chosen}
          onChange={setChosen}
          error={saving.error?.message}
        />
      </Writes>
      {byDefault && chosen.length === 0 && (
        <p className={classes.hint}>
          Without one of their own, {approvers[0]?.displayName} decides as default approver.
        </p>
      )}
      {warned.map((approver) => (
        <p key={approver.id} className={classes.warning}>
          {approver.displayName}: {warningWords[warningOf(approver) ?? 'mayNotDecide']}.
        </p>
      ))}
      {circle.length > 0 && <CircleHint names={circle} />}
      {changed && <PendingList people={[person]} count={waitingOf(person)} />}
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Writes>
          <Button size="sm" type="submit" disabled={!changed} loading={saving.isPending}>
            Save approvers
          </Button>
        </Writes>
      </DialogActions>
    </form>
  );
}

function CircleHint({ names }: { names: readonly string[] }) {
  return (
    <p className={classes.warning}>
      In a circle with {names.join(', ')}: they decide each other’s tasks. That is allowed, as nobody decides their own.
    </p>
  );
}
