// What the bonus reports to the areas above it, in the message's transaction.
import type { TaskOwner } from '#core/tasks/task.ts';
import type { BonusComponent } from '#core/toolbox/bonus.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

/** A message about a line of a statement. */
export type BonusMessage = {
  readonly messageId: string;
  readonly statementId: string;
  readonly line: BonusComponent;
  readonly sprintId: string;
  readonly sprint: string;
  readonly text: string;
  readonly owner: TaskOwner;
  readonly now: Temporal.Instant;
};

type Listener = (context: RequestContext, queries: Queries, message: BonusMessage) => Promise<void>;

export const bonusHook = createHook<{ readonly asked: Listener; readonly answered: Listener }>('bonusHook');
