// The files of the core whose every mutant must be killed by the tests beside them: who may what, the steps
// of a task, the sprints.
export const rules = [
  ...['access/access', 'access/call-access', 'access/permissions', 'people/last-admin', 'numbers/dataset-access'],
  ...['tasks/task', 'tasks/task-status', 'tasks/sprint', 'tasks/sprint-year'],
] as const;
