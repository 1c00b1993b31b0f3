// The rows of the stats table as a file: what the page shows, in its order, with raw numbers.
import { approvedCount, taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import type { EmployeeStats, SprintStats } from './stats-queries.ts';

const head = [
  'Employee',
  'Team',
  'Sprint Tasks',
  ...taskStatusKeys.map((status) => taskStatuses[status].title),
  '% Completed',
  '% Signed off',
  '% First pass',
  'Rework',
  'Waited hours',
  'Recorded',
  'Corrections',
];

export function saveStats(
  sprint: SprintStats['sprint'],
  scope: string | null,
  employees: readonly EmployeeStats[],
): void {
  const rows = employees.map((each) => [
    each.person.displayName,
    each.person.team,
    approvedCount(each.counts),
    ...taskStatusKeys.map((status) => each.counts[status]),
    each.completionPercentage,
    each.signedOffPercentage,
    each.firstPassPercentage,
    each.rework,
    each.waitedHours,
    each.recorded ? 'yes' : 'no',
    each.corrections,
  ]);
  saveCsv(['stats', sprint.name, scope].filter(Boolean).join('-'), head, rows);
}
