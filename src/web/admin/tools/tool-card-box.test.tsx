import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { refuse, showPage } from '../../../../test/show-page.tsx';
import { cardsQuery, type ToolCard } from './tool-card-calls.ts';
import { ToolCardBox } from './tool-cards.tsx';

const card: ToolCard = {
  ...{ id: '1', group: 'Money', title: 'Payroll', description: '', link: 'https://pay.acme.test', permission: null },
  ...{ health: 'works', healthNote: '', healthAt: '2026-11-18T12:00:00Z', version: 1 },
  ...{ ownerId: '7', ownerName: 'Marcus Adeyemi', ownerDisabled: false },
};
const left = { ownerName: 'Marcus Adeyemi (disabled)', ownerDisabled: true };

test.each([
  ['the owner is asked', {}, false, 'Ask Marcus Adeyemi'],
  ['an owner who left isn’t asked', left, false, 'Owner: Marcus Adeyemi (disabled). Ask an admin'],
  ['admins choose another one', left, true, 'Owner: Marcus Adeyemi (disabled). Choose another owner'],
  ['a tool can be nobody’s', { ownerId: null, ownerName: null }, false, 'No owner'],
])('%s', async (_case, more, edits, words) => {
  await showPage(<ToolCardBox card={{ ...card, ...more }} cards={[]} edits={edits} />);
  expect((await screen.findByText(/Marcus|No owner/)).textContent).toBe(words);
});

test('a server of an older version gives the cards without the state of their owners', async () => {
  const { ownerDisabled: _new, ...older } = card;
  await showPage(<p>Tools</p>, {
    answers: {
      ToolCards: () => refuse('BAD_INPUT', 'Cannot query field "ownerDisabled" on type "ToolCard"'),
      OlderToolCards: () => ({ toolCards: [older] }),
    },
  });
  expect(await queryClient.fetchQuery(cardsQuery)).toEqual([older]);
});
