import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { PersonPanel } from './person-panel.tsx';
import type { QualifiedRole } from './qualification-queries.ts';

test('a note of evidence stays while it is typed when the person can’t be read again', async () => {
  const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
  const person = {
    ...{ id: '5', displayName: 'Nina Hart', team: null, role: 'Sales', state: 'missing' },
    standings: [{ requirementId: '3', state: 'missing', goodUntil: null }],
  };
  let isBusy = false;
  let reads = 0;
  const user = await showPage(
    <PersonPanel
      role={{ name: 'Sales', requirements: [requirement] } as unknown as QualifiedRole}
      personId="5"
      onClose={() => {}}
    />,
    {
      viewer: { ...viewerWith(), role: 'admin' },
      answers: {
        QualifiedPerson: () => {
          reads += 1;
          return isBusy
            ? refuse('TOO_MANY_ATTEMPTS', 'Many people are reading large reports')
            : { qualifiedPeople: { people: [person] } };
        },
        RoleEvidence: () => ({ roleEvidence: [] }),
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Record evidence for First aid' }));
  await user.type(await screen.findByLabelText('Note'), 'Certificate in the safe');
  isBusy = true;
  await act(() => queryClient.invalidateQueries({ queryKey: ['qualifications'] }));
  expect(reads).toBe(2);
  await user.keyboard(' of HR');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Certificate in the safe of HR');
});
