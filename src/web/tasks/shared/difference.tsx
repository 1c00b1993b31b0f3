import { taskEvents } from '#core/tasks/task.ts';
import { textDifference } from '#web/ui/text-difference.ts';
import classes from './difference.module.css';
import { changesSinceDecision, type FieldChange, fieldTitles, lastDecisionOf } from './past.ts';
import type { FullTask } from './queries.ts';

/** A field before and after in one text: deletions struck out, additions underlined. */
export function FieldDifference({ change }: { change: FieldChange }) {
  let at = 0;
  return (
    <div className={classes.field}>
      <span className={classes.name}>{fieldTitles[change.field]}</span>
      <p className={classes.text}>
        {textDifference(change.before, change.after).map(({ kind, text }) => {
          at += 1;
          if (kind === 'same') return <span key={at}>{shortenedMiddle(text)}</span>;
          return kind === 'gone' ? <del key={at}>{text}</del> : <ins key={at}>{text}</ins>;
        })}
      </p>
    </div>
  );
}

const shownAround = 240;

/** Shortens the unchanged middle of a long text. */
function shortenedMiddle(text: string): string {
  if (text.length <= 2 * shownAround + 20) return text;
  return `${text.slice(0, shownAround).toWellFormed()} […] ${text.slice(-shownAround).toWellFormed()}`;
}

/** What the owner changed since the last decision; nothing if unchanged (D17). */
export function TaskDifference({ task }: { task: FullTask }) {
  const changes = changesSinceDecision(task);
  const decision = lastDecisionOf(task);
  if (changes.length === 0 || !decision) return null;
  return (
    <section className={classes.difference} aria-label="Changed since the last decision">
      <h3 className={classes.title}>
        Changed since it was {taskEvents[decision.event]} by {decision.actorName}
      </h3>
      {changes.map((change) => (
        <FieldDifference key={change.field} change={change} />
      ))}
    </section>
  );
}
