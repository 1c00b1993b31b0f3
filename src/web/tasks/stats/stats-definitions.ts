// The definitions of the stats, for the definition cards.
import { completionFormula } from '#core/tasks/task-status.ts';

export type Definition = { readonly title: string; readonly formula: string; readonly meaning: string };

export const definitions = {
  completed: {
    title: '% Completed',
    formula: completionFormula,
    meaning: 'The share of approved tasks that are finished. Tasks that await approval or were denied don’t count.',
  },
  signedOff: {
    title: 'Signed off',
    formula: 'Signed Off / (To Do + In Progress + Completed + Signed Off)',
    meaning: 'The share of approved tasks that were signed off.',
  },
  firstPass: {
    title: 'Approved on first try',
    formula: 'approved without a denial / decided',
    meaning:
      'The share of decided tasks that were never denied. Tasks still waiting for a first decision don’t count. Bonuses use Rework instead.',
  },
  rework: {
    title: 'Rework',
    formula: 'send-backs / sign-offs',
    meaning: 'Send-backs per sign-off. 0.25 means one send-back for every four sign-offs.',
  },
  waited: {
    title: 'Time with approver',
    formula: 'median of (time decided - time submitted or completed)',
    meaning:
      'Hours that tasks waited for their approver, including when a delegate decided. Wait time doesn’t affect the rates.',
  },
  burnUp: {
    title: 'Burn-up',
    formula: 'Completed + Signed Off, against To Do + In Progress + Completed + Signed Off',
    meaning:
      'Approved and completed tasks at the end of each day. Tasks carried over into the sprint count from that day. Corrections of a recorded result don’t count.',
  },
  trend: {
    title: '13 weeks',
    formula: completionFormula,
    meaning:
      '% Completed of the 13 sprints up to the selected one, oldest first. A gap is a sprint without an approved task.',
  },
} as const satisfies Record<string, Definition>;

export type DefinitionKey = keyof typeof definitions;
