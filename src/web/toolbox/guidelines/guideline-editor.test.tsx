import { useQuery } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, refuse, showPage } from '../../../../test/show-page.tsx';
import { GuidelineEditor } from './guideline-editor.tsx';
import { currentQuery, type Guidelines } from './guidelines-queries.ts';

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

function LiveEditor() {
  const { data } = useQuery(currentQuery);
  return data ? <GuidelineEditor current={data.guidelines} onClose={() => {}} /> : null;
}

test('a version whose answer was lost isn’t taken for someone else’s, and Publish gets its answer', async () => {
  const current = { version: 3, text: 'Five tasks.', note: '', publishedBy: 'Ada North', publishedAt: '' };
  const stored = { ...current, confirmedAt: null, lastConfirmed: null };
  const sent: object[] = [];
  const hands = await showPage(<LiveEditor />, {
    answers: {
      CurrentGuidelines: () => ({ guidelines: { ...stored }, guidelineVersions: [] }),
      PublishGuidelines: (input: { text: string }) => {
        sent.push(input);
        Object.assign(stored, { version: 4, text: input.text });
        return sent.length === 1 ? refuse('UNAVAILABLE', 'Try again') : { publishGuidelines: { version: 4 } };
      },
    },
  });
  await hands.type(await screen.findByRole('textbox', { name: 'Text' }), ' No more.');
  await hands.type(screen.getByRole('textbox', { name: 'What changed' }), 'The limit');
  const publish = screen.getByRole('button', { name: 'Publish' });
  await hands.click(publish);
  await screen.findByText('Try again');
  await hands.click(publish);
  await message('Version 4 published');
  expect(sent[1]).toEqual(sent[0]);
  localStorage.clear();
});

test('a Publish that someone else came before leads to what they published', async () => {
  const stored = { version: 3, text: 'Five tasks.', note: '', publishedBy: 'Ada North', publishedAt: '' };
  const hands = await showPage(<LiveEditor />, {
    answers: {
      CurrentGuidelines: () => ({
        ...{ guidelines: { ...stored, confirmedAt: null, lastConfirmed: null }, guidelineVersions: [] },
      }),
      PublishGuidelines: () => {
        Object.assign(stored, { version: 4, text: 'Six tasks.', note: 'One more' });
        return refuse('CONFLICT', 'Someone else published');
      },
    },
  });
  await hands.type(await screen.findByRole('textbox', { name: 'Text' }), ' No more.');
  await hands.type(screen.getByRole('textbox', { name: 'What changed' }), 'The limit');
  await hands.click(screen.getByRole('button', { name: 'Publish' }));
  const explanation = await screen.findByRole('alert');
  await expect.poll(() => document.activeElement).toBe(explanation);
  // Also later, from beside the button.
  screen.getByRole('textbox', { name: 'Text' }).focus();
  await hands.click(screen.getByRole('button', { name: 'Review version 4' }));
  expect(document.activeElement).toBe(explanation);
  localStorage.clear();
});

test('a draft that differs from the published text is only discarded after a question', async () => {
  const closed: string[] = [];
  const current = { version: 3, text: 'Five tasks.', note: '', publishedBy: 'Ada North' } as unknown as Guidelines;
  const hands = await showPage(<GuidelineEditor current={current} onClose={() => closed.push('closed')} />);
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
  await hands.type(text, ' No more.');
  await hands.click(screen.getByRole('button', { name: 'Discard draft' }));
  const question = within(await screen.findByRole('dialog', { name: 'Discard your draft?' }));
  expect([text.value, closed]).toEqual(['Five tasks. No more.', []]);
  await hands.click(question.getByRole('button', { name: 'Discard draft' }));
  expect(closed).toEqual(['closed']);
  localStorage.clear();
});
