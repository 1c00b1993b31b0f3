import { useQuery } from '@tanstack/react-query';
import { DialogActions } from '#web/ui/dialog.tsx';
import type { UserPreview, UserResult } from './bulk-calls.ts';
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

/** The refused people and their reasons. */
export function Results({
  results,
  users,
  onDone,
}: {
  results: readonly UserResult[];
  users: readonly User[];
  onDone: () => void;
}) {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  return (
    <>
      <p role="status">
        {count('changed')} changed{count('unchanged') > 0 && `, ${count('unchanged')} unchanged`}
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
      <DialogActions primary="Done" onPrimary={onDone} cancel={null} focused />
    </>
  );
}
