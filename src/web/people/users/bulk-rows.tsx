import { useQuery } from '@tanstack/react-query';
import { asApiError } from '#web/api/api-error.ts';
import { DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { type Step, type UserPreview, type UserResult, useChangeUsers } from './bulk-calls.ts';
import classes from './bulk-dialog.module.css';
import { roleChangeWords } from './role-fields.tsx';
import { rolesQuery, type User } from './users-queries.ts';

const nameIn = (users: readonly User[], id: string): string =>
  users.find((user) => user.id === id)?.displayName ?? 'Deleted person';

type FieldChange = UserPreview['changes'][number];

/** “Last name: Lind → Hill; Team: none → Green” */
export const changeWords = (changes: readonly FieldChange[]): string =>
  changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`).join('; ');

type PreviewProps = {
  readonly rows: readonly UserPreview[];
  readonly users: readonly User[];
  /** The role that they get. */
  readonly role: string | null;
};

/** The preview for each person. */
export function Preview({ rows, users, role }: PreviewProps) {
  const { data: roles = [] } = useQuery(rolesQuery);
  const effectOf = ({ userId, changes }: UserPreview): string | null => {
    const user = users.find(({ id }) => id === userId);
    if (!user || role === null || changes.length === 0) return null;
    return roleChangeWords({ roles, before: user.role, after: role });
  };
  const shown = rows.map((row) => ({ ...row, effect: effectOf(row) }));
  return (
    <>
      <ul className={classes.rows} aria-label="What changes">
        {shown.map(({ userId, changes, refusal, lacking, effect }) => (
          <li key={userId}>
            <span className={classes.name}>{nameIn(users, userId)}</span>
            <span className={classes.words} data-refused={refusal !== null || undefined}>
              {refusal ?? (changes.length === 0 ? 'unchanged' : changeWords(changes))}
              {effect && `. ${effect}`}
              {lacking.length > 0 && ` (missing: ${lacking.join(', ')})`}
            </span>
          </li>
        ))}
      </ul>
      {shown.some(({ effect }) => effect) && <p className={classes.hint}>Direct permissions aren’t counted here.</p>}
    </>
  );
}

type ResultsProps = {
  readonly results: readonly UserResult[];
  readonly users: readonly User[];
  /** None if the viewer can't restore it. */
  readonly restoring: readonly Step[];
  readonly onDone: () => void;
};

/** The refused people and their reasons, and Undo. */
export function Results({ results, users, restoring, onDone }: ResultsProps) {
  const restore = useChangeUsers();
  const shown = restore.data ?? results;
  const count = (outcome: string) => shown.filter((result) => result.outcome === outcome).length;
  const refused = shown.filter(({ outcome }) => outcome === 'refused');
  return (
    <>
      <p role="status">
        {count('changed')} {restore.data ? 'restored' : 'changed'}
        {count('unchanged') > 0 && `, ${count('unchanged')} unchanged`}
        {refused.length > 0 && `, ${refused.length} refused`}.
      </p>
      {refused.length > 0 && (
        <ul className={classes.rows} aria-label="Refused">
          {refused.map(({ userId, message }) => (
            <li key={userId}>
              <span className={classes.name}>{nameIn(users, userId)}</span>
              <span className={classes.words} data-refused>
                {message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {restore.isError && <PanelError sentence={asApiError(restore.error).message} />}
      <DialogActions
        primary="Done"
        onPrimary={onDone}
        cancel={restoring.length > 0 && !restore.data ? 'Undo' : null}
        onCancel={() => restore.mutate(restoring)}
        busy={restore.isPending}
        focused
      />
    </>
  );
}
