import { describe, expect, it } from 'vitest';
import { issueStatuses, issueStatusKeys, issueStatusOf } from './issue-status.ts';
import { taskStatusKeys } from './task-status.ts';

describe('issue statuses (spec 4, D21)', () => {
  it('leave out a task that nobody approved', () => {
    expect(issueStatusOf('INAPPROVAL')).toBeNull();
    expect(issueStatusOf('DENIED')).toBeNull();
  });
  it.each(['__proto__', 'constructor', 'todo', ''])('know nothing of %j', (text) => {
    expect(typeof issueStatusOf(text as 'TODO')).not.toBe('string');
  });
  it('follow the task’s status', () => {
    expect(taskStatusKeys.map(issueStatusOf)).toEqual([null, null, 'to do', 'in progress', 'in review', 'done']);
  });
  it('carry the labels in the order given, mismatched as they look', () => {
    expect(issueStatusKeys.map((key) => [key, issueStatuses[key].label])).toEqual([
      ['to do', 'In Review'],
      ['in progress', 'Approved'],
      ['in review', 'In Progress'],
      ['done', 'Done'],
    ]);
  });
});
