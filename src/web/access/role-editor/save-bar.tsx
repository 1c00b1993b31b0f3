import { Button } from '@mantine/core';
import { Writes } from '#web/ui/writes.tsx';
import { changedRoles, countChanges, type Pending } from './pending-roles.ts';
import type { ListedRole } from './role-queries.ts';
import classes from './save-bar.module.css';

type Props = {
  readonly roles: readonly ListedRole[];
  readonly pending: Pending;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
};

/** Stands at the foot of the page while something is not saved. */
export function SaveBar({ roles, pending, onDiscard, onReview }: Props) {
  const count = countChanges(roles, pending);
  const changed = changedRoles(roles, pending);
  const where = changed.length === 1 ? `in ${changed[0]?.name}` : `in ${changed.length} roles`;
  return (
    <>
      <p className="visually-hidden" role="status">
        {count > 0 && `${changesInWords(count)} not saved`}
      </p>
      {count > 0 && (
        <section className={classes.bar} data-at-foot aria-label="Unsaved changes">
          <p className={classes.words}>
            <strong>{changesInWords(count)}</strong> {where}
          </p>
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          <Writes>
            <Button onClick={onReview}>Review and save</Button>
          </Writes>
        </section>
      )}
    </>
  );
}

export const changesInWords = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);
