import { useQuery } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import { waitingOf } from '#core/people/approver-map.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { type Managed, type PersonRow, pendingQuery } from './approver-queries.ts';
import classes from './pending-list.module.css';

type Props = {
  readonly people: readonly Managed[];
  readonly count: number;
  /** Others are only added: the tasks stay with those who decide them now. */
  readonly stays?: boolean;
};

/**
 * The waiting tasks that move with the people, before anything is saved. Past decisions keep their decider.
 */
export function PendingList({ people, count, stays = false }: Props) {
  const waiting = people.filter(({ toApprove, toSignOff }) => toApprove + toSignOff > 0);
  const items = useQuery(pendingQuery(waiting.map(({ id }) => id)));
  const named = items.data?.filter(({ title }) => title !== null) ?? [];
  // Lines without a title would all be the same.
  const unnamed = waiting.filter(({ id }) => items.data?.some(({ userId, title }) => userId === id && title === null));
  const shown = named.length + unnamed.reduce((sum, person) => sum + waitingOf(person), 0);
  const nameOf = (id: string) => people.find((person) => person.id === id)?.displayName ?? '';
  if (count === 0)
    return <p className={classes.hint}>{stays ? 'No tasks are waiting.' : 'No waiting tasks to reassign.'}</p>;
  return (
    <section className={classes.pending} aria-label={stays ? 'Tasks that get more approvers' : 'Tasks to reassign'}>
      <h3>{headingOf(count, stays)}</h3>
      <p className={classes.hint}>These are waiting for a decision. Past decisions don’t change.</p>
      {items.isError && !items.data ? (
        <PanelError
          sentence="Couldn’t load the tasks."
          requestId={items.error.requestId}
          onRetry={() => void items.refetch()}
        />
      ) : (
        <Loading loading={items.isPending} skeleton={<SkeletonRows rows={Math.min(count, 5)} />}>
          <ul className={classes.items}>
            {unnamed.map((person) => (
              <li key={person.id}>
                <span className={classes.item}>
                  {person.displayName}
                  <span className={classes.note}>
                    {plural(waitingOf(person), 'task, title hidden', 'tasks, titles hidden')}
                  </span>
                </span>
              </li>
            ))}
            {named.map((item) => (
              <li key={item.id}>
                <span className={classes.item}>
                  {item.title}
                  <span className={classes.note}>
                    {nameOf(item.userId)} · <Age instant={item.statusAt} zone={config().companyTimeZone} />
                  </span>
                </span>
                <StatusPill status={item.status} />
              </li>
            ))}
          </ul>
          {items.data && shown < count && <p className={classes.hint}>Showing the {shown} that have waited longest.</p>}
        </Loading>
      )}
    </section>
  );
}

type PersonProps = { readonly row: PersonRow; readonly chosen: readonly string[] };

/** What moves with one person, whose approvers are chosen. */
export function PersonPending({ row: { person, approvers }, chosen }: PersonProps) {
  const stays = approvers.length > 0 && approvers.every(({ id }) => chosen.includes(id));
  return <PendingList people={[person]} count={waitingOf(person)} stays={stays} />;
}

function headingOf(count: number, stays: boolean): string {
  return stays
    ? `Any of these approvers can decide on ${plural(count, 'waiting task', 'waiting tasks')}`
    : `${plural(count, 'task')} will be reassigned`;
}
