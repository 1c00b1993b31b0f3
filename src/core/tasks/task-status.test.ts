import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  approvedCount,
  awaitingStatuses,
  completedCount,
  completionFormula,
  completionPercentage,
  decisionBetween,
  isPlanned,
  isTaskStatus,
  movableStatuses,
  moveVerb,
  noTasks,
  percentage,
  resultWords,
  type StatusCounts,
  statusRule,
  type TaskStatus,
  taskStatuses,
  taskStatusKeys,
} from './task-status.ts';

// From spec 4: title, user-changeable, approve leads to, deny leads to, an update leads to.
const rows: [TaskStatus, string, boolean, string | undefined, string | undefined, string | undefined][] = [
  ['INAPPROVAL', 'Awaiting Approval', false, 'TODO', 'DENIED', undefined],
  ['DENIED', 'Task Denied', false, undefined, undefined, 'INAPPROVAL'],
  ['TODO', 'To Do', true, undefined, undefined, undefined],
  ['INPROGRESS', 'In Progress', true, undefined, undefined, undefined],
  ['INREVIEW', 'Completed', true, 'DONE', 'INPROGRESS', undefined],
  ['DONE', 'Signed Off', false, undefined, undefined, undefined],
];

describe('task statuses (spec 4)', () => {
  it.each(['', 'todo', 'Todo', 'TODO ', 'TODO\0', 'To Do', '__proto__', 'constructor', 'toString', '\ud800'])(
    '%j is none',
    (text) => {
      expect(isTaskStatus(text)).toBe(false);
    },
  );
  it.each(rows)('%s: %s', (status, title, movable, approve, deny, update) => {
    const rule = statusRule(status);
    expect(isTaskStatus(status)).toBe(true);
    expect([rule.title, rule.movable, rule.approve?.to, rule.deny?.to, rule.update]).toEqual([
      title,
      movable,
      approve,
      deny,
      update,
    ]);
  });
  it('are six, in the order of the table', () => {
    expect(taskStatusKeys).toEqual(rows.map(([status]) => status));
  });
  it('wait for a decision in INAPPROVAL and INREVIEW', () => {
    expect(awaitingStatuses).toEqual(['INAPPROVAL', 'INREVIEW']);
    expect(movableStatuses).toEqual(['TODO', 'INPROGRESS', 'INREVIEW']);
  });
  it('are decided by name, and by nothing else', () => {
    for (const from of taskStatusKeys) {
      for (const to of taskStatusKeys) {
        const row = rows.find(([status]) => status === from);
        expect(decisionBetween(from, to)).toBe(row?.[3] === to ? 'approve' : row?.[4] === to ? 'deny' : null);
      }
    }
  });
  it('are moved by their owner with a verb', () => {
    expect(moveVerb('TODO', 'INPROGRESS')).toBe('Start');
    expect(moveVerb('TODO', 'INREVIEW')).toBe('Complete');
    expect(moveVerb('INPROGRESS', 'INREVIEW')).toBe('Complete');
    expect(moveVerb('INREVIEW', 'INPROGRESS')).toBe('Back to In Progress');
    expect(moveVerb('INPROGRESS', 'TODO')).toBe('Back to To Do');
  });
  it('are planned unless they are denied', () => {
    expect(taskStatusKeys.filter((status) => !isPlanned({ status }))).toEqual(['DENIED']);
  });
  it('are open at the close of a sprint until they are completed (D39)', () => {
    expect(taskStatusKeys.filter((status) => taskStatuses[status].open)).toEqual([
      'INAPPROVAL',
      'DENIED',
      'TODO',
      'INPROGRESS',
    ]);
  });
});

const counts = (more: Partial<StatusCounts>): StatusCounts => ({ ...noTasks, ...more });

describe('% completed (D20)', () => {
  it('is null without an approved task', () => {
    expect(completionPercentage(noTasks)).toBeNull();
    expect(completionPercentage(counts({ INAPPROVAL: 5, DENIED: 3 }))).toBeNull();
    expect(percentage(0, 0)).toBeNull();
  });
  it.each([
    [{ TODO: 1 }, 0],
    [{ INREVIEW: 1 }, 100],
    [{ DONE: 1 }, 100],
    [{ TODO: 1, INPROGRESS: 1, INREVIEW: 1 }, 33.3],
    [{ TODO: 1, INREVIEW: 1, DONE: 1 }, 66.7],
    [{ TODO: 1, DONE: 1, INAPPROVAL: 7, DENIED: 9 }, 50],
    [{ TODO: 7, DONE: 1 }, 12.5],
    [{ TODO: 15, DONE: 1 }, 6.3],
    [{ TODO: 999, DONE: 1 }, 0.1],
    [{ TODO: 1999, DONE: 1 }, 0.1],
    [{ TODO: 2000, DONE: 1 }, 0],
    [{ TODO: 1, DONE: 2000 }, 100],
  ] as [Partial<StatusCounts>, number][])('of %j is %s, with one decimal', (more, expected) => {
    expect(completionPercentage(counts(more))).toBe(expected);
  });
  it('lies between 0 and 100 with at most one decimal, whatever the counts', () => {
    const anyCounts = fc.record(
      Object.fromEntries(taskStatusKeys.map((status) => [status, fc.nat(500)])) as Record<
        TaskStatus,
        fc.Arbitrary<number>
      >,
    );
    fc.assert(
      fc.property(anyCounts, (each) => {
        const approved = each.TODO + each.INPROGRESS + each.INREVIEW + each.DONE;
        expect(approvedCount(each)).toBe(approved);
        expect(completedCount(each)).toBe(each.INREVIEW + each.DONE);
        const share = completionPercentage(each);
        if (approved === 0) return expect(share).toBeNull();
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(100);
        expect(Number((share as number).toFixed(1))).toBe(share);
        expect(Math.abs((share as number) - ((each.INREVIEW + each.DONE) / approved) * 100)).toBeLessThanOrEqual(
          0.05 + 1e-9,
        );
      }),
    );
  });
  it('says its formula with the titles of the statuses', () => {
    expect(completionFormula).toBe('(Completed + Signed Off) / (To Do + In Progress + Completed + Signed Off)');
  });
});

it.each([
  [{ TODO: 1, INREVIEW: 2, DONE: 2, DENIED: 3 }, 0, '4 of 5 approved tasks'],
  [{ TODO: 1 }, 1, '0 of 1 approved task, 1 carried over'],
  [{}, 0, '0 of 0 approved tasks'],
])('a result in words: %j and %s carried over', (counts, carriedOut, words) => {
  expect(resultWords({ ...noTasks, ...counts }, carriedOut)).toBe(words);
});
