// What each number of the stats means and how it is reckoned, as its definition card says it.
import { completionFormula } from '#core/tasks/task-status.ts';

export type Definition = { readonly title: string; readonly formula: string; readonly meaning: string };

export const definitions = {
  completed: {
    title: '% Completed',
    formula: completionFormula,
    meaning:
      'Of the tasks that were approved, the share that is finished. Tasks that await approval or were denied are counted apart.',
  },
  signedOff: {
    title: 'Signed off',
    formula: 'Signed Off / (To Do + In Progress + Completed + Signed Off)',
    meaning: 'Of the tasks that were approved, the share that an approver has signed off.',
  },
  firstPass: {
    title: 'First-pass approval',
    formula: 'approved without a denial / submitted',
    meaning: 'How often a task was clear enough to be approved at once.',
  },
  rework: {
    title: 'Rework',
    formula: 'send-backs / sign-offs',
    meaning: 'How often completed work was sent back, per sign-off. 0.25 is one send-back in four sign-offs.',
  },
  waited: {
    title: 'Waited',
    formula: 'median of (decision - moment the task came to the approver)',
    meaning:
      'Hours that tasks lay with their approver. They are kept apart from the rates: nobody waits at their own expense.',
  },
  trend: {
    title: '13 weeks',
    formula: completionFormula,
    meaning:
      '% Completed of the 13 sprints up to the chosen one, oldest first. A gap is a sprint without an approved task.',
  },
} as const satisfies Record<string, Definition>;

export type DefinitionKey = keyof typeof definitions;
