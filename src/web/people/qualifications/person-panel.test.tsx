import { act, screen, within } from '@testing-library/react';
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
        QualifiedPeople: () => {
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

const sales = (...titles: string[]) =>
  ({
    name: 'Sales',
    requirements: titles.map((title, at) => ({ id: `${at}`, kind: 'training', title, validMonths: null, version: 1 })),
  }) as unknown as QualifiedRole;

test('who gave the role without its requirements, when and why is shown, and for which', async () => {
  const standings = [
    { requirementId: '0', state: 'missing', goodUntil: null },
    { requirementId: '1', state: 'expired', goodUntil: '2026-11-01' },
    { requirementId: '2', state: 'met', goodUntil: null },
  ];
  const exception = {
    ...{ by: 'Ingrid Solheim', at: '2026-11-28T23:30:00Z', reason: 'Trial for a month' },
    requirementIds: ['0'],
  };
  const person = { id: '5', displayName: 'Nina Hart', team: null, role: 'Sales', state: 'missing' };
  await showPage(<PersonPanel role={sales('First aid', 'Prices', 'Tax')} personId="5" onClose={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      QualifiedPeople: () => ({ qualifiedPeople: { people: [{ ...person, standings, exception }] } }),
      RoleEvidence: () => ({ roleEvidence: [] }),
    },
  });
  await screen.findByText('Exception given by Ingrid Solheim on 29 Nov 2026: Trial for a month');
  const state = (title: string) => within(screen.getByRole('region', { name: title })).getByText(/2026|exception/);
  expect(state('First aid').textContent).toBe('exception');
  expect(state('Prices').textContent).toBe('valid until 1 Nov 2026');
  expect(within(screen.getByRole('region', { name: 'Tax' })).queryByText('exception')).toBeNull();
});

test('an older server, during an upgrade, still lists a person’s requirements', async () => {
  const person = { id: '5', displayName: 'Nina Hart', team: null, role: 'Sales', state: 'missing' };
  const standings = [{ requirementId: '0', state: 'missing', goodUntil: null }];
  await showPage(<PersonPanel role={sales('First aid')} personId="5" onClose={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      QualifiedPeople: () => refuse('BAD_INPUT', 'Cannot query field "exception"'),
      OlderQualifiedPeople: () => ({ qualifiedPeople: { people: [{ ...person, standings }] } }),
      RoleEvidence: () => ({ roleEvidence: [] }),
    },
  });
  await screen.findByRole('region', { name: 'First aid' });
});
