import { act, cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reportConnection } from '#web/ui/connection.ts';
import { message, showPage } from '../../../../test/show-page.tsx';
import type { StatementLine } from './bonus-queries.ts';
import { LineThread } from './line-panel.tsx';

const line = { key: 'signedOff', thread: null, messages: [] } as unknown as StatementLine;
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Ask about this part' });
const ask = () => screen.getByRole('button', { name: 'Ask' });

/** The form after the answer to “Why?” got lost. `sent`: each text that was sent. */
async function afterLostAnswer() {
  const sent: string[] = [];
  const thread = <LineThread statementId="5" line={line} isOwn />;
  const answers = {
    AddBonusMessage: ({ text }: { text: string }) => {
      sent.push(text);
      if (sent.length === 1) throw new TypeError('Failed to fetch');
      return { addBonusMessage: { id: '5' } };
    },
    CallResult: () => ({ callResult: '9' }),
  };
  const hands = await showPage(thread, { answers });
  await hands.type(await field(), 'Why?');
  await hands.click(ask());
  await screen.findByText('Can’t reach the server');
  const reload = async () => {
    cleanup();
    reportConnection('back');
    await showPage(thread, { answers });
  };
  return { hands, sent, reload };
}

test('a question whose answer got lost isn’t asked a second time', async () => {
  const { hands, sent } = await afterLostAnswer();
  await hands.click(ask());
  await message('Your question was sent');
  expect([sent, (await field()).value]).toEqual([['Why?'], '']);
});

test('it is said to be sent when the page opens again, where its field is empty', async () => {
  const { sent, reload } = await afterLostAnswer();
  await reload();
  await message('Your question was sent');
  expect([sent, (await field()).value]).toEqual([['Why?'], '']);
});

test('a question that another tab sent leaves the field, also after one that was sent here, and says so', async () => {
  const { hands } = await afterLostAnswer();
  await hands.click(ask());
  await message('Your question was sent');
  await hands.type(await field(), 'Who decides?');
  const key = 'of-person:viewer:sending:bonus-5-signedOff';
  const newValue = JSON.stringify({ key: '2', sent: 'Who decides?', isDone: true });
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })));
  await message('“Who decides?” was sent in another tab');
  expect((await field()).value).toBe('');
});

test('a corrected question is held back once', async () => {
  const { hands, sent } = await afterLostAnswer();
  await hands.type(await field(), ' It was signed off.');
  await hands.click(ask());
  await screen.findByText('“Why?” was already sent. Send again to add this too');
  await hands.click(ask());
  await message('Your question was sent');
  expect(sent).toEqual(['Why?', 'Why? It was signed off.']);
});
