// Which sections of My week a person has, read from the same tables as the navigation.
import { refusalAt, refusalMessage, type Viewer } from '#core/access.ts';
import { navigationFor, type VisibleEntry } from '#core/navigation.ts';
import { navigationTarget, targetsOf } from '#web/layouts/navigation-target.ts';

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
  readonly numbers: readonly VisibleEntry[];
  /** Every page of the navigation, for who has no S.T.A.R.T to begin with. */
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
    numbers: targetsOf(entries.filter(({ key }) => numberKeys.has(key))).filter(isLeaf),
    // The last entry signs out.
    pages: targetsOf(entries).filter((entry) => isLeaf(entry) && entry.icon !== 'logout'),
  };
}

/** A parent with children leads to the first of them, which is named itself. */
const isLeaf = ({ children }: VisibleEntry): boolean => children.length === 0;
