import { describe, expect, it } from 'vitest';
import type { TaskEventKind } from '#core/tasks/task.ts';
import { changesSinceDecision, fieldChangesOf, lastDecisionOf, removedBy, waitInWords } from './past.ts';
import type { FullTask, HistoryEntry } from './queries.ts';

function entry(version: number, event: TaskEventKind, before: object = {}, after: object = {}): HistoryEntry {
  return {
    id: String(version),
    event,
    version,
    at: '2026-11-16T10:00:00Z',
    actorId: '1',
    actorName: 'Farah Haddad',
    forName: null,
    from: 'TODO',
    to: 'TODO',
    change: null,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
    waitedSeconds: 0,
    correction: false,
  };
}

const task = (title: string, ...history: HistoryEntry[]) =>
  ({ title, summary: '', category: 'Connect', change: '', history }) as unknown as FullTask;

describe('the past of a task', () => {
  it('has no difference before anybody decided', () => {
    expect(
      changesSinceDecision(task('B', entry(1, 'created'), entry(2, 'edited', { title: 'A' }, { title: 'B' }))),
    ).toEqual([]);
  });

  it('compares with what stood there when it was decided, over several edits', () => {
    const edited = task(
      'C',
      entry(1, 'created'),
      entry(2, 'approved'),
      entry(3, 'edited', { title: 'A' }, { title: 'B' }),
      entry(4, 'edited', { title: 'B' }, { title: 'C' }),
    );
    expect(changesSinceDecision(edited)).toEqual([{ field: 'title', before: 'A', after: 'C' }]);
  });

  it('says nothing of an edit that was taken back by another', () => {
    const edited = task(
      'A',
      entry(1, 'approved'),
      entry(2, 'edited', { title: 'A' }, { title: 'B' }),
      entry(3, 'edited', { title: 'B' }, { title: 'A' }),
    );
    expect(changesSinceDecision(edited)).toEqual([]);
  });

  it('passes over a decision that was taken back', () => {
    const undone = task('A', entry(1, 'approved'), entry(2, 'signedOff'), entry(3, 'undone'));
    expect(lastDecisionOf(undone)?.event).toBe('approved');
  });

  it('reads an entry whose values cannot be read as one without changes', () => {
    expect(fieldChangesOf({ ...entry(1, 'edited'), before: 'not json', after: 'null' })).toEqual([]);
  });

  it.each([
    [59, null],
    [60, '1 minute'],
    [7_300, '2 hours'],
    [90_000, '1 day'],
  ])('names a wait of %i seconds by its largest unit', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words);
  });
});

it('names what an entry removed until it is restored or removed again, and nothing without an id', () => {
  const removed = entry(2, 'noteRemoved', {}, { noteId: '5' });
  const restored = entry(4, 'noteRestored', {}, { noteId: '5' });
  const file = entry(3, 'fileRemoved', {}, { fileId: '5' });
  const again = entry(5, 'noteRemoved', {}, { noteId: '5' });
  expect(removedBy(removed, task('A', removed, file))).toEqual({ what: 'note', itemId: '5' });
  expect(removedBy(file, task('A', removed, file, restored))).toEqual({ what: 'file', itemId: '5' });
  expect(removedBy(removed, task('A', removed, restored))).toBeNull();
  expect(removedBy(removed, task('A', removed, restored, again))).toBeNull();
  expect(removedBy(again, task('A', removed, restored, again))).toEqual({ what: 'note', itemId: '5' });
  expect(removedBy(restored, task('A', removed, restored))).toBeNull();
  expect(removedBy(entry(2, 'noteRemoved'), task('A', entry(2, 'noteRemoved')))).toBeNull();
});
