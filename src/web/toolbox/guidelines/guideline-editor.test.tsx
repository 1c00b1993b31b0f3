import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { GuidelineEditor } from './guideline-editor.tsx';
import type { Guidelines } from './guidelines-queries.ts';

test('what is typed while a version is being published becomes the draft of the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const closed: string[] = [];
  const current = { version: 3, text: 'Five tasks.', note: '', publishedBy: 'Ada North' } as unknown as Guidelines;
  const hands = await showPage(<GuidelineEditor current={current} onClose={() => closed.push('closed')} />, {
    answers: {
      PublishGuidelines: async () => {
        await promise;
        return { publishGuidelines: { version: 4 } };
      },
    },
  });
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
  await hands.type(text, ' No more.');
  await hands.type(screen.getByRole('textbox', { name: 'What changed' }), 'The limit');
  await hands.click(screen.getByRole('button', { name: 'Publish' }));
  await hands.type(text, ' Except in May.');
  resolve();
  await expect.poll(() => localStorage.getItem('of-person:viewer:draft:guidelines')).toContain('"basedOn":4');
  expect([text.value, closed]).toEqual(['Five tasks. No more. Except in May.', []]);
  localStorage.clear();
});
