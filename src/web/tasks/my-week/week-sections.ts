// Which sections of My week a person has, read from the same tables as the navigation.
import { refusalAt, refusalMessage, type Viewer } from '#core/access/access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';

/** The entries that lead to numbers. */
const numberKeys: ReadonlySet<string> = new Set([
  'sales',
  'donations',
  'affiliateStats',
  'customerService',
  'distributions',
  'productPayments',
]);

export type WeekSections = {
  /** Where the own tasks are; null for who keeps none. */
  readonly tasks: string | null;
  /** Why the own tasks are closed to this person though they keep some ("approved by the manager", spec 6). */
  readonly tasksRefusal: string | null;
  readonly approvals: string | null;
  readonly schedule: string | null;
  readonly numbers: boolean;
  /** The navigation, for who has no S.T.A.R.T to begin with. */
  readonly pages: readonly VisibleEntry[];
};

export function sectionsFor(viewer: Viewer): WeekSections {
  const entries = navigationFor(viewer);
  const tasks = navigationTarget(viewer, 'tasks');
  const refusal = tasks && refusalAt(viewer, tasks.path);
  return {
    tasks: tasks && !refusal ? tasks.to : null,
    tasksRefusal: refusal && refusalMessage(refusal),
    approvals: navigationTarget(viewer, 'approvals')?.to ?? null,
    schedule: navigationTarget(viewer, 'schedule')?.to ?? null,
    numbers: entries.some(({ key }) => numberKeys.has(key)),
    // The one that signs out leads to no page.
    pages: entries.filter(({ icon }) => icon !== 'logout'),
  };
}
