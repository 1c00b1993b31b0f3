import { Checkbox } from '@mantine/core';
import { plural } from '#core/base/formats.ts';
import { type ApproverOfMap, reassigned, waitingOf } from '#core/people/approver-map.ts';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
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

/** The resulting changes; people with only the default approver have none to replace. */
function changesOf(people: readonly Managed[], from: string, to: readonly string[]): Change[] {
  return people
    .map((person) => ({
      userId: person.id,
      before: person.ownApproverIds,
      after: reassigned(person, person.ownApproverIds.includes(from) ? from : null, to),
    }))
    .filter(({ before, after }) => !same(before, after));
}

/** One approver's people, and reassigning them. Always mounted, like PersonPanel. */
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

/** The excluded people, and the new approver, by id. */
type Choice = { readonly left: readonly string[]; readonly to: readonly string[] };

function ReassignForm({ row, people, onClose }: Props) {
  const { approver, people: own, warning } = row;
  const form: FormOf<Choice> = useForm({
    initial: { left: [], to: [] } as Choice,
    mutation: useSetApprovers(),
    variables: () => {
      const who = plural(changes.length, 'person', 'people');
      return { changes, message: `${who} reassigned from ${approver.displayName}` };
    },
    onSent: onClose,
  });
  const { to } = form.values;
  const left = new Set(form.values.left);
  const chosen = own.filter(({ id }) => !left.has(id));
  const changes = to.length === 0 ? [] : changesOf(chosen, approver.id, to);
  const moving = chosen.filter(({ id }) => changes.some(({ userId }) => userId === id));
  const staying = chosen.length - moving.length;
  return (
    <Form
      form={form}
      submit={changes.length === 0 ? 'Reassign' : `Reassign ${changes.length}`}
      disabled={changes.length === 0}
    >
      {warning && (
        <p className={classes.warning}>
          {warningWords[warning]}. Their waiting tasks can’t be decided until you reassign them.
        </p>
      )}
      <ApproverChoice
        label="Reassign to"
        people={people}
        without={approver.id}
        chosen={to}
        onChange={(ids) => form.set({ to: ids })}
      />
      <PeopleChoice people={own} left={left} onChange={(ids) => form.set({ left: [...ids] })} />
      {to.length > 0 && staying > 0 && (
        <p className={classes.hint}>
          {plural(staying, 'person stays', 'people stay')}: nobody can approve their own tasks.
        </p>
      )}
      {changes.length > 0 && (
        <PendingList people={moving} count={moving.reduce((sum, person) => sum + waitingOf(person), 0)} />
      )}
    </Form>
  );
}

type ChoiceProps = {
  readonly people: readonly Managed[];
  /** The excluded people by id. */
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
        {people.length - left.size} of {people.length} selected
      </legend>
      <Checkbox
        label="Everyone"
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
