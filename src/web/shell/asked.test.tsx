import { useRouter } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { useCreating } from './asked.ts';

test('a link opens the dialog once, without a history entry that would open it again', async () => {
  let history: ReturnType<typeof useRouter>['history'] | undefined;
  function Page() {
    history = useRouter().history;
    const { creating } = useCreating('/usermanagement', 'new-person');
    return creating ? 'Open' : 'Closed';
  }
  await showPage(<Page />, { address: '/usermanagement?new=1' });
  await screen.findByText('Open');
  await expect.poll(() => history?.location.search).toBe('');
  expect(history?.length).toBe(1);
});
