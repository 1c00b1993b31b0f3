import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { capital, listWords } from '#core/base/formats.ts';
import { awayWords } from '#core/people/absences.ts';
import { approversFixed, mergeApprovers, sameApprovers } from '#core/people/approvers.ts';
import { Absences } from '#web/access/shared/absences.tsx';
import { useViewer } from '#web/api/viewer.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { ApproverPicker } from '../shared/approver-picker.tsx';
import { type PersonRow, personRowQuery, useSetApprovers } from '../shared/approver-queries.ts';
import { OneOfList } from '../shared/one-of-list.tsx';
import { PersonPending } from '../shared/pending-list.tsx';
import { StaleNotice } from '../shared/stale-notice.tsx';
import classes from './approvers.module.css';

type Props = {
  readonly row: PersonRow;
  readonly onClose: () => void;
};

type PanelProps = { readonly personId: string | null; readonly onClose: () => void };

/** One person's approvers. Always mounted, only to return the focus. */
export function PersonPanel({ personId, onClose }: PanelProps) {
  const { data } = useQuery({ ...personRowQuery(personId ?? ''), enabled: personId !== null });
  return (
    <SidePanel inAddress opened={personId !== null} title={data?.person.displayName ?? 'Person'} onClose={onClose}>
      {personId !== null && <Content key={personId} personId={personId} onClose={onClose} />}
    </SidePanel>
  );
}

function Content({ personId, onClose }: PanelProps & { readonly personId: string }) {
  const query = useQuery(personRowQuery(personId));
  const viewer = useViewer();
  return (
    <OneOfList query={query} what="person" onClose={onClose}>
      {(row) => (
        <>
          <PersonForm row={row} onClose={onClose} />
          {!row.person.disabled && (
            <div className={classes.absences}>
              {isAdmin(viewer) || row.person.id === viewer.id ? (
                <Absences userId={row.person.id} name={row.person.displayName} />
              ) : (
                <AwayNow away={row.person.away} />
              )}
            </div>
          )}
        </>
      )}
    </OneOfList>
  );
}

/** Planned time away and its notes are for admins. */
const AwayNow = ({ away }: Pick<PersonRow['person'], 'away'>) => (
  <Panel title="Time away">
    <p className={classes.hint}>
      {away ? capital(awayWords(away)) : 'Not away now'}. Only an admin can add time away or change it.
    </p>
  </Panel>
);

function PersonForm({ row, onClose }: Props) {
  const { person, byDefault, approvers, circle } = row;
  const fixed = approversFixed(useViewer(), person);
  const current = person.ownApproverIds;
  // As they were when the choice began, so a concurrent change isn't overwritten.
  const [before, setBefore] = useState(current);
  const form = useForm({
    initial: { after: before as readonly string[] },
    mutation: useSetApprovers(),
    variables: ({ after }) => ({
      changes: [{ userId: person.id, before, after }],
      message: `${person.displayName}’s approvers saved`,
    }),
    onSent: onClose,
  });
  const chosen = form.values.after;
  const changed = !sameApprovers(chosen, before);
  const load = () => {
    form.restart({ after: current });
    form.set({ after: mergeApprovers(before, chosen, current) });
    setBefore(current);
  };
  const isOther = !sameApprovers(before, current);
  const isStale = isOther && changed && !sameApprovers(chosen, current);
  useEffect(() => {
    if (isOther && !isStale) load();
  });
  return (
    <Form form={form} submit="Save approvers" disabled={!changed || isStale}>
      <ApproverPicker
        label={`${person.displayName}’s approvers`}
        focused
        disabled={fixed !== null}
        description={fixed ? `${fixed.message}.` : ''}
        without={person.id}
        chosen={chosen}
        before={approvers.map(({ id }) => id)}
        names={Object.fromEntries(approvers.map(({ id, displayName }) => [id, displayName]))}
        onChange={(after) => form.set({ after })}
      />
      {byDefault && chosen.length === 0 && (
        <p className={classes.hint}>
          If you don’t choose an approver, {approvers[0]?.displayName} decides as the default approver.
        </p>
      )}
      {circle.length > 0 && <CircleHint names={[person.displayName, ...circle]} />}
      {isStale && <StaleNotice onLoad={load} />}
      {changed && !isStale && <PersonPending {...{ row, chosen }} />}
    </Form>
  );
}

function CircleHint({ names }: { names: readonly string[] }) {
  return (
    <p className={classes.warning}>
      {listWords(names)} approve each other’s tasks. That’s allowed, because nobody decides on their own tasks.
    </p>
  );
}
