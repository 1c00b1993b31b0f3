import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { unsentDrafts, useDraft } from './drafts.ts';

afterEach(() => localStorage.clear());

function Field() {
  const draft = useDraft('field', '');
  return <input aria-label="Text" value={draft.value} onChange={(event) => draft.change(event.currentTarget.value)} />;
}

it('a text that was typed and removed again is no unsent draft', async () => {
  const user = await showPage(<Field />);
  await user.type(await screen.findByLabelText('Text'), 'ab');
  await expect.poll(unsentDrafts).toBe(1);
  await user.clear(screen.getByLabelText('Text'));
  await expect.poll(unsentDrafts).toBe(0);
});
