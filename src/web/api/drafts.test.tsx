import { screen } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, test } from 'vitest';
import { DraftMark } from '#web/shell/draft-mark.tsx';
import { showPage } from '../../../test/show-page.tsx';
import { unsentDrafts, useDraft } from './drafts.ts';
import { endSession, keepToken } from './session.ts';

afterEach(() => localStorage.clear());

function Field() {
  const draft = useDraft('field', '');
  return (
    <>
      <input aria-label="Text" value={draft.value} onChange={(event) => draft.change(event.currentTarget.value)} />
      <button type="button" onClick={draft.discard}>
        Discard
      </button>
    </>
  );
}

it('a text that was typed and removed again is no unsent draft', async () => {
  const user = await showPage(<Field />);
  await user.type(await screen.findByLabelText('Text'), 'ab');
  await expect.poll(unsentDrafts).toMatchObject([{ name: 'other text' }]);
  await user.clear(screen.getByLabelText('Text'));
  await expect.poll(unsentDrafts).toEqual([]);
});

it('what another tab wrote since is not discarded with the text that was sent here', async () => {
  const user = await showPage(<Field />);
  const stored = 'of-person:viewer:draft:field';
  await user.type(await screen.findByLabelText('Text'), 'ab');
  await expect.poll(() => localStorage.getItem(stored)).toBe('"ab"');
  localStorage.setItem(stored, '"typed elsewhere"');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(localStorage.getItem(stored)).toBe('"typed elsewhere"');
  await user.type(screen.getByLabelText('Text'), 'cd');
  await expect.poll(() => localStorage.getItem(stored)).toBe('"cd"');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(localStorage.getItem(stored)).toBeNull();
});

it('what is typed here stays when another tab sends its own text about the same item, but not when it signs out', async () => {
  const user = await showPage(<Field />);
  const stored = 'of-person:viewer:draft:field';
  /** Another tab's text takes this one's place, then goes. */
  const goneAfter = (oldValue: string) => {
    localStorage.removeItem(stored);
    window.dispatchEvent(new StorageEvent('storage', { key: stored, oldValue, newValue: null }));
    return localStorage.getItem(stored);
  };
  await user.type(await screen.findByLabelText('Text'), 'ab');
  await expect.poll(() => localStorage.getItem(stored)).toBe('"ab"');
  onTestFinished(endSession);
  expect(keepToken('token')).toBe(true);
  expect(goneAfter('"typed elsewhere"')).toBe('"ab"');
  // The same text, which the other tab had found.
  expect(goneAfter('"ab"')).toBeNull();
  endSession();
  expect(goneAfter('"typed elsewhere"')).toBeNull();
});

it.each([
  ['new-task', 'a new task'],
  ['note:17:3', 'an edited note'],
  ['new-note:17', 'a note'],
  ['bonus-7-tasks', 'a message about a bonus'],
])('the draft %s is called “%s”', async (key, name) => {
  await showPage(<Field />);
  localStorage.setItem(`of-person:viewer:draft:${key}`, '"Text"');
  expect(unsentDrafts()).toMatchObject([{ name }]);
});

test.each([
  ['task', '17', 'new-note:17'],
  ['task', '17', 'note:17:3'],
  ['task', '17', 'reason:17'],
  ['task', '17', 'reason:16,17'],
  ['task', '17', 'task:17:title'],
  ['person', '17', 'person:17'],
  ['person', '17', 'grants:17'],
] as const)('the row of the %s %s is marked while there is the draft %s', async (about, id, key) => {
  localStorage.setItem(`of-person:viewer:draft:${key}`, '"Text"');
  await showPage(
    <>
      <DraftMark about={about} id={id} />
      <DraftMark about={about} id="7" />
      <DraftMark about={about === 'task' ? 'person' : 'task'} id={id} />
      <p>Shown</p>
    </>,
  );
  await screen.findByText('Shown');
  expect(screen.getAllByTitle(/^You typed something here/)).toHaveLength(1);
});
