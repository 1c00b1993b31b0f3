import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { Explained } from './explained.tsx';

test('the person of the address is named, also one that isn’t among the first people', async () => {
  const others = [{ id: '1', name: 'Ada Able', role: null }];
  await showPage(<Explained />, {
    address: '/role-editor?tab=doctor&person=77',
    answers: {
      PeopleToExplain: ({ id }: { id?: string }) => ({
        peopleToExplain: id === '77' ? [{ id, name: 'Zoe Zeller', role: 'Staff' }] : others,
      }),
    },
  });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Person' });
  await expect.poll(() => field.value).toBe('Zoe Zeller · Staff');
});
