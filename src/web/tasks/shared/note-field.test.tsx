import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, showPage } from '../../../../test/show-page.tsx';
import { NoteField } from './note-field.tsx';

/** A field whose note is being sent until `arrive` is called. */
async function sending(onClose?: () => void) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const drafts: string[] = [];
  const draft = {
    value: '',
    change: (text: string) => drafts.push(text),
    discard: () => drafts.push('discarded'),
    restored: false,
  };
  const rest = { taskId: '7', label: 'New note', verb: 'Add note', isSending: false, ...(onClose ? { onClose } : {}) };
  const hands = await showPage(<NoteField {...rest} draft={draft as never} onSend={() => promise} />);
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
  await hands.type(field, 'First.{Control>}{Enter}{/Control}');
  return { hands, field, drafts, arrive: resolve };
}

test('the next sentence stays in the field and its draft when the note before it was sent', async () => {
  const { hands, field, drafts, arrive } = await sending();
  await hands.type(field, ' Second.');
  arrive();
  await expect.poll(() => field.value).toBe('Second.');
  expect(drafts.at(-1)).toBe('Second.');
});

test('an edited note stays open for what was typed while it was being saved', async () => {
  const closed: string[] = [];
  const { hands, field, drafts, arrive } = await sending(() => closed.push('closed'));
  await hands.type(field, ' Second.');
  arrive();
  await hands.type(field, ' Third.');
  expect([field.value, closed, drafts.includes('discarded')]).toEqual(['First. Second. Third.', [], false]);
});

test('without more, the field is emptied and the draft goes', async () => {
  const { field, drafts, arrive } = await sending();
  arrive();
  await expect.poll(() => field.value).toBe('');
  await expect.poll(() => drafts.at(-1)).toBe('discarded');
});

/** A field with this text, after “Called back” was sent and its answer got lost. */
async function afterLostAnswer(text: string) {
  const keep = `of-person:viewer:sending:new-note:7`;
  localStorage.setItem(keep, JSON.stringify({ key: '1', sent: 'Called back' }));
  const draft = { value: text, change: () => {}, discard: () => {}, restored: true, isOffered: false };
  const rest = { taskId: '7', label: 'New note', verb: 'Add note', isSending: false, draft };
  let found = 0;
  const sending = { draft: 'new-note:7', find: async () => ++found };
  const sent: string[] = [];
  const hands = await showPage(
    <NoteField {...rest} sending={sending} onSend={async (note) => void sent.push(note)} />,
    { answers: { CallResult: () => ({ callResult: '3' }) } },
  );
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
  await expect.poll(() => localStorage.getItem(keep)).toBeNull();
  expect(found).toBe(1);
  return { hands, field, sent };
}

test('a note whose answer got lost leaves the field once it is found, unless more was typed', async () => {
  const same = await afterLostAnswer('Called back ');
  await message('“Called back” was added');
  expect(same.field.value).toBe('');
  cleanup();
  const { field, sent } = await afterLostAnswer('Called back twice');
  expect(field.value).toBe('Called back twice');
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }));
  await screen.findByText('“Called back” was already sent. Send again to add this too');
  expect(sent).toEqual([]);
});

test.each(['Called back', 'Sent the lamps'])(
  '“%s” is a new note once the field was emptied, although a corrected one was held back until then',
  async (text) => {
    const { hands, field, sent } = await afterLostAnswer('Called back twice');
    await hands.clear(field);
    await hands.type(field, `${text}{Control>}{Enter}{/Control}`);
    await expect.poll(() => sent).toEqual([text]);
  },
);

test('a key that comes with the answer doesn’t bring back the note that was sent', async () => {
  const { field, drafts, arrive } = await sending();
  arrive();
  // Only microtasks: nothing is drawn between the answer and the key.
  while (!drafts.includes('discarded')) await Promise.resolve();
  fireEvent.input(field, { target: { value: `${field.value}S` } });
  await expect.poll(() => field.value).toBe('S');
  expect(drafts.at(-1)).toBe('S');
});
