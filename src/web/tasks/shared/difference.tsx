import { useId } from 'react';
import { fieldTitles, taskEvents } from '#core/tasks/task.ts';
import { FieldDifference } from '#web/ui/conflict.tsx';
import classes from './difference.module.css';
import { changesSinceDecision, type FieldChange, lastDecisionOf, workChangesOf } from './past.ts';
import type { FullTask } from './queries.ts';

/** A change of a field, titled. */
export const TaskFieldDifference = ({ change: { field, ...texts } }: { change: FieldChange }) => (
  <FieldDifference name={fieldTitles[field]} {...texts} />
);

/** What the last decision changed in the task's texts, and what its owner changed since then (D17). */
export function TaskDifference({ task }: { task: FullTask }) {
  const decision = lastDecisionOf(task);
  if (!decision) return null;
  const { actorName, event } = decision;
  return (
    <>
      <Changes title={`${actorName} ${taskEvents[event]} this with edits`} changes={workChangesOf(decision)} />
      <Changes
        title={`Changed since it was ${taskEvents[event]} by ${actorName}`}
        changes={changesSinceDecision(task)}
      />
    </>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly FieldChange[] }) {
  const id = useId();
  if (changes.length === 0) return null;
  return (
    <section className={classes.difference} aria-labelledby={id}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      {changes.map((change) => (
        <TaskFieldDifference key={change.field} change={change} />
      ))}
    </section>
  );
}
