import { useState } from 'react';
import { listWords } from '#core/base/formats.ts';
import { type PersonOfMap, waitingOf, warningOf } from '#core/people/approver-map.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
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

/** One person's approvers. Always mounted, only to return the focus. */
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
  // As they were when the panel opened, so a concurrent change isn't overwritten.
  const [before] = useState(person.ownApproverIds);
  const form = useForm({
    initial: { after: before as readonly string[] },
    mutation: useSetApprovers(),
    variables: ({ after }) => ({
      changes: [{ userId: person.id, before, after }],
      message: `Approvers of ${person.displayName} saved`,
    }),
    onSent: onClose,
  });
  const chosen = form.values.after;
  const changed = chosen.length !== before.length || chosen.some((id) => !before.includes(id));
  const stays = approvers.length > 0 && approvers.every(({ id }) => chosen.includes(id));
  const warned = people.filter((one) => chosen.includes(one.id) && warningOf(one) !== null);
  return (
    <Form form={form} submit="Save approvers" disabled={!changed}>
      <ApproverChoice
        label={`Approvers of ${person.displayName}`}
        people={people}
        without={person.id}
        chosen={chosen}
        onChange={(after) => form.set({ after })}
      />
      {byDefault && chosen.length === 0 && (
        <p className={classes.hint}>Without an approver, {approvers[0]?.displayName} decides as default approver.</p>
      )}
      {warned.map((approver) => (
        <p key={approver.id} className={classes.warning}>
          {approver.displayName}: {warningWords[warningOf(approver) ?? 'mayNotDecide']}.
        </p>
      ))}
      {circle.length > 0 && <CircleHint names={[person.displayName, ...circle]} />}
      {changed && <PendingList people={[person]} count={waitingOf(person)} stays={stays} />}
    </Form>
  );
}

function CircleHint({ names }: { names: readonly string[] }) {
  return (
    <p className={classes.warning}>
      {listWords(names)} approve each other’s tasks. That’s allowed, because nobody decides their own.
    </p>
  );
}
