import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { StatusMeanings } from './status-meanings.tsx';

test('a completed task waits for its approver, though its owner can still move it', async () => {
  await showPage(<StatusMeanings />, {});
  await screen.findByRole('region', { name: 'What each status means' });
  const meaningOf = (title: string) =>
    screen.getByText(title, { selector: 'dt *' }).closest('dt')?.nextSibling?.textContent;
  expect(meaningOf('Completed')).toMatch(/^Waits for the approver\.The owner can move it until sign-off\./);
  expect(meaningOf('To Do')).toMatch(/^The owner can move it until sign-off\./);
  expect(meaningOf('Awaiting Approval')).toMatch(/^Waits for the approver\.Doesn’t count/);
  expect(meaningOf('Signed Off')).toMatch(/^Final\. Nobody can move it\./);
});
