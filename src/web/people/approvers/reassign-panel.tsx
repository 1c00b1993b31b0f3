import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { plural } from '#core/base/formats.ts';
import { reassigned, waitingOf } from '#core/people/approver-map.ts';
import { sameApprovers } from '#core/people/approvers.ts';
import { useList } from '#web/api/list-query.ts';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { MoreButton, type MorePages } from '#web/ui/more-button.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { ApproverPicker, warningText } from '../shared/approver-picker.tsx';
import {
  type ApproverRow,
  approverRowQuery,
  type Change,
  type Managed,
  peopleOfQuery,
  useSetApprovers,
} from '../shared/approver-queries.ts';
import { OneOfList } from '../shared/one-of-list.tsx';
import { PendingList } from '../shared/pending-list.tsx';
import classes from './approvers.module.css';

type Props = {
  readonly row: ApproverRow;
  readonly onClose: () => void;
};

/** The resulting changes; people with only the default approver have none to replace. */
function changesOf(people: readonly Managed[], from: string, to: readonly string[]): Change[] {
  return people
    .map((person) => ({
      userId: person.id,
      before: person.ownApproverIds,
      after: reassigned(person, person.ownApproverIds.includes(from) ? from : null, to),
    }))
    .filter(({ before, after }) => !sameApprovers(before, after));
}

type PanelProps = { readonly approverId: string | null; readonly onClose: () => void };

/** One approver's people, and reassigning them. Always mounted, like PersonPanel. */
export function ReassignPanel({ approverId, onClose }: PanelProps) {
  const { data } = useQuery({ ...approverRowQuery(approverId ?? ''), enabled: approverId !== null });
  const title = data ? `${data.approver.displayName}’s people` : 'Approver';
  return (
    <SidePanel inAddress opened={approverId !== null} title={title} onClose={onClose}>
      {approverId !== null && <Content key={approverId} approverId={approverId} onClose={onClose} />}
    </SidePanel>
  );
}

function Content({ approverId, onClose }: PanelProps & { readonly approverId: string }) {
  const query = useQuery(approverRowQuery(approverId));
  return (
    <OneOfList query={query} what="approver" onClose={onClose}>
      {(row) => <ReassignForm row={row} onClose={onClose} />}
    </OneOfList>
  );
}

/** The excluded people, and the new approver, by id. */
type Choice = { readonly left: readonly string[]; readonly to: readonly string[] };

function ReassignForm({ row, onClose }: Props) {
  const { approver } = row;
  const { query, items, more } = useList(peopleOfQuery(approver.id));
  const own = useMemo(() => items.map(({ person }) => person), [items]);
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
      submit={changes.length === 0 ? 'Reassign people' : `Reassign ${plural(changes.length, 'person', 'people')}`}
      disabled={changes.length === 0}
    >
      <Warning approver={approver} />
      <ApproverPicker
        label="Reassign to"
        focused
        without={approver.id}
        chosen={to}
        onChange={(ids) => form.set({ to: ids })}
      />
      {query.isError && !query.data ? (
        <PanelError
          sentence="Couldn’t load their people."
          requestId={query.error.requestId}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Loading loading={query.isPending} skeleton={<SkeletonRows rows={3} />}>
          <PeopleChoice people={own} more={more} left={left} onChange={(ids) => form.set({ left: [...ids] })} />
        </Loading>
      )}
      {to.length > 0 && staying > 0 && (
        <p className={classes.hint}>
          {plural(staying, 'person', 'people')} won’t be reassigned: nobody can approve their own tasks.
        </p>
      )}
      {changes.length > 0 && (
        <PendingList people={moving} count={moving.reduce((sum, person) => sum + waitingOf(person), 0)} />
      )}
    </Form>
  );
}

function Warning({ approver: { id, displayName, warning } }: { readonly approver: ApproverRow['approver'] }) {
  if (!warning) return null;
  return (
    <p className={classes.warning}>
      {warningText(warning)}. Reassign their people, or waiting tasks may stay undecided.{' '}
      <Link to="/usermanagement" search={{ person: id }}>
        Open {displayName} in User Management
      </Link>
    </p>
  );
}

type ChoiceProps = {
  /** Those that the server sent until now: only they can be reassigned. */
  readonly people: readonly Managed[];
  readonly more: MorePages;
  /** The excluded people by id. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
};

function PeopleChoice({ people, more, left, onChange }: ChoiceProps) {
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className={classes.people}>
      <legend>
        {people.length - left.size} of {more.total ?? people.length} selected
      </legend>
      <Checkbox
        label={more.hasMore ? 'Everyone below' : 'Everyone'}
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
      <MoreButton more={more} />
    </fieldset>
  );
}
