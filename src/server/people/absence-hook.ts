// What an absence reports to the areas above people, in the change's transaction.
import type { Absence } from '#core/people/absences.ts';
import type { AccessActor, ZonedActor } from '#server/access/access-hook.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

export type AbsenceChange = {
  readonly absenceId: string;
  readonly personId: string;
  readonly person: string;
  /** The new delegate's name. */
  readonly delegate: string | null;
  /** Null: it is new. */
  readonly before: Absence | null;
  /** Null: it ended or was deleted. */
  readonly after: Absence | null;
};

export type DelegateActor = AccessActor & ZonedActor;

export const absenceHook = createHook<{
  absenceChanged(context: RequestContext, queries: Queries, change: AbsenceChange): Promise<void>;
  /** These people may have become unable to decide for others, or able again. */
  delegatesChanged(actor: DelegateActor, queries: Queries, personIds: readonly string[]): Promise<void>;
}>('absenceHook');
