import { Button } from '@mantine/core';
import { plural } from '#core/base/formats.ts';
import { measureFoot } from '#web/ui/toasts.tsx';
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

/** At the bottom of the page while there are unsaved changes. */
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
        <section ref={measureFoot} className={classes.bar} data-at-foot aria-label="Unsaved changes">
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

export const changesInWords = (count: number): string => plural(count, 'change');
