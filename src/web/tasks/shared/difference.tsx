import { taskEvents } from '#core/tasks/task.ts';
import { FieldDifference } from '#web/ui/conflict.tsx';
import classes from './difference.module.css';
import { changesSinceDecision, type FieldChange, fieldTitles, lastDecisionOf } from './past.ts';
import type { FullTask } from './queries.ts';

/** A change of a field, titled. */
export const TaskFieldDifference = ({ change: { field, ...texts } }: { change: FieldChange }) => (
  <FieldDifference name={fieldTitles[field]} {...texts} />
);

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
        <TaskFieldDifference key={change.field} change={change} />
      ))}
    </section>
  );
}
