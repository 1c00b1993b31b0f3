// The files of the core whose every mutant must be killed by the tests beside them: who may what, the steps of a task, the sprints.
export const rules = [
  ...['access', 'call-access', 'dataset-access', 'permissions', 'last-admin'],
  ...['task', 'task-status', 'sprint', 'sprint-year'],
] as const;
