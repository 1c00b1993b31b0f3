import { DialogActions } from '#web/ui/dialog.tsx';
import type { UserPreview, UserResult } from './bulk-calls.ts';
import classes from './bulk-dialog.module.css';
import type { User } from './users-queries.ts';

const nameIn = (users: readonly User[], id: string): string =>
  users.find((user) => user.id === id)?.displayName ?? 'Deleted person';

type FieldChange = UserPreview['changes'][number];

/** “Last name: Lind → Hill; Team: none → Green” */
export const changeWords = (changes: readonly FieldChange[]): string =>
  changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`).join('; ');

/** The preview for each person. */
export function Preview({ rows, users }: { rows: readonly UserPreview[]; users: readonly User[] }) {
  return (
    <ul className={classes.rows} aria-label="What changes">
      {rows.map(({ userId, changes, refusal, lacking }) => (
        <li key={userId}>
          <span className={classes.name}>{nameIn(users, userId)}</span>
          <span className={classes.words} data-refused={refusal !== null || undefined}>
            {refusal ?? (changes.length === 0 ? 'unchanged' : changeWords(changes))}
            {lacking.length > 0 && ` (missing: ${lacking.join(', ')})`}
          </span>
        </li>
      ))}
    </ul>
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
