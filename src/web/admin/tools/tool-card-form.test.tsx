import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, showPage, viewerWith } from '../../../../test/show-page.tsx';
import type { ToolCard } from './tool-card-calls.ts';
import { ToolCardForm } from './tool-card-form.tsx';

test('Enter in the open list of groups ends the choice, and adds no tool that is half filled in', async () => {
  const sent: unknown[] = [];
  const card = { id: '1', title: 'Wiki', group: 'Everyone', link: 'https://wiki.test' } as ToolCard;
  const user = await showPage(<ToolCardForm card={null} cards={[card]} onClose={() => {}} />, {
    viewer: viewerWith('VIEW_DASHBOARD', 'VIEW_TOOLS'),
    answers: {
      PeopleToChoose: () => ({ people: [] }),
      CreateToolCard: (variables) => {
        sent.push(variables);
        return { card: { id: '2', version: 1 } };
      },
    },
  });
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Payroll');
  await user.type(screen.getByRole('textbox', { name: /^Link/ }), 'https://payroll.test');
  await user.type(screen.getByRole('combobox', { name: 'Group' }), 'Every');
  await screen.findByRole('option', { name: 'Everyone' });
  await user.keyboard('{Enter}');
  await expect.poll(() => screen.queryByRole('option')).toBeNull();
  expect(sent).toEqual([]);
  // The next one is for the form, as with a group that no list offers.
  await user.keyboard('{Enter}');
  await message('Payroll added');
  expect(sent).toMatchObject([{ title: 'Payroll', group: 'Every' }]);
});
