import { useLocation } from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import QualificationsPage from './qualifications-page.tsx';

test('the page stays at its role when that has no requirement any more', async () => {
  const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
  const role = (name: string) => ({
    ...{ name, people: 1, missing: 0, expired: 0, expiring: 0, excepted: 0 },
    requirements: [] as object[],
  });
  const sales = { ...role('Sales'), requirements: [requirement] };
  await showPage(<QualificationsPage />, {
    viewer: { ...viewerWith(), role: 'admin' },
    address: '/role-qualifications',
    answers: {
      QualifiedRoles: () => ({ qualifiedRoles: [role('admin'), { ...sales }] }),
      QualifiedPeople: () => ({ qualifiedPeople: { total: 0, next: null, people: [] } }),
    },
  });
  await screen.findByText('First aid');
  sales.requirements = [];
  await act(() => queryClient.invalidateQueries({ queryKey: ['qualifications', 'roles'] }));
  await screen.findByText('Sales has no requirements yet');
});

test('the list tells who was given the role as an exception from who let a requirement lapse', async () => {
  const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
  const person = (id: string, displayName: string, exception: object | null) => ({
    ...{ id, displayName, team: null, role: 'Sales', state: 'missing', exception },
    standings: [{ requirementId: '3', state: 'missing', goodUntil: null }],
  });
  const given = { by: 'Ada', at: '2026-11-16T11:00:00Z', reason: 'Trial', requirementIds: ['3'] };
  await showPage(<QualificationsPage />, {
    viewer: { ...viewerWith(), role: 'admin' },
    address: '/role-qualifications',
    answers: {
      QualifiedRoles: () => ({
        qualifiedRoles: [
          { name: 'Sales', people: 2, missing: 2, expired: 0, expiring: 0, excepted: 0, requirements: [requirement] },
        ],
      }),
      QualifiedPeople: () => ({
        qualifiedPeople: { total: 2, next: null, people: [person('1', 'Nina', given), person('2', 'Tia', null)] },
      }),
    },
  });
  await screen.findByText('Nina');
  const cells = (name: string) =>
    [...screen.getByText(name).closest('tr')!.cells].map(({ textContent }) => textContent);
  expect(cells('Nina')).toEqual(['Nina', 'Missingexception', 'Missingexception']);
  expect(cells('Tia')).toEqual(['Tia', 'Missing', 'Missing']);
});

const Address = () => <output>{useLocation().searchStr}</output>;

test.each([
  ['with some', '', { role: 'Sales' }],
  ['for everyone', '&who=everyone', { role: 'Sales', everyone: true, states: ['missing', 'expired'], excepted: false }],
])(
  'a link to people who don’t meet their role opens the first role with some, and the next one %s keeps to them',
  async (_which, who, sales) => {
    const role = (name: string, missing: number, expired: number) => ({
      ...{ name, people: 4, missing, expired, expiring: 0, excepted: 0 },
      requirements: [{ id: name, kind: 'training', title: `Knows ${name}`, validMonths: null, version: 1 }],
    });
    const asked: object[] = [];
    const user = await showPage(<QualificationsPage />, {
      viewer: { ...viewerWith(), role: 'admin' },
      address: `/role-qualifications?state=lacking${who}`,
      answers: {
        QualifiedRoles: () => ({ qualifiedRoles: [role('Sales', 0, 0), role('Support', 0, 1), role('Team', 2, 0)] }),
        QualifiedPeople: ({ search: _search, ...choice }: { search: string }) => {
          asked.push(choice);
          return { qualifiedPeople: { total: 0, next: null, people: [] } };
        },
      },
    });
    await screen.findByText('Requirements for Support');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'State' }).value).toBe('Not met');
    await user.click(screen.getByRole('button', { name: /^Team/ }));
    await screen.findByText('Requirements for Team');
    await user.click(screen.getByRole('button', { name: /^Sales/ }));
    await screen.findByText('Requirements for Sales');
    await expect.poll(() => asked).toHaveLength(3);
    const everyone = who !== '';
    const lacking = { everyone, states: ['missing', 'expired'], excepted: false };
    expect(asked).toEqual([
      { role: 'Support', ...lacking },
      { role: 'Team', ...lacking },
      { everyone, ...sales },
    ]);
  },
);

test('a chosen state keeps the role in the address, so a reload opens no other one', async () => {
  const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
  const user = await showPage(
    <>
      <QualificationsPage />
      <Address />
    </>,
    {
      viewer: { ...viewerWith(), role: 'admin' },
      address: '/role-qualifications',
      answers: {
        QualifiedRoles: () => ({
          qualifiedRoles: [
            { name: 'Sales', people: 0, missing: 0, expired: 0, expiring: 0, excepted: 0, requirements: [requirement] },
          ],
        }),
        QualifiedPeople: () => ({ qualifiedPeople: { total: 0, next: null, people: [] } }),
      },
    },
  );
  await user.click(await screen.findByRole('combobox', { name: 'State' }));
  await user.click(await screen.findByRole('option', { name: 'Not met' }));
  await expect.poll(() => screen.getByRole('status').textContent).toBe('?state=lacking&role=Sales');
});

/** Four in Sales lack something, two of them by an exception; everyone else meets their role. */
const roleWithExceptions = (name: string, missing = 0, excepted = 0) => ({
  ...{ name, people: 6, missing, expired: 0, expiring: 1, excepted },
  requirements: [{ id: name, kind: 'training', title: `Knows ${name}`, validMonths: null, version: 1 }],
});
const roleNotes = () => screen.getAllByRole('button', { name: /active people/ }).map(({ textContent }) => textContent);

test('people with an exception are counted apart, and a filter shows only them', async () => {
  const asked: object[] = [];
  const user = await showPage(<QualificationsPage />, {
    viewer: { ...viewerWith(), role: 'admin' },
    address: '/role-qualifications?state=lacking',
    answers: {
      QualifiedRoles: () => ({
        qualifiedRoles: [
          roleWithExceptions('Pilot', 2, 2),
          roleWithExceptions('Sales', 4, 2),
          roleWithExceptions('Support'),
        ],
      }),
      QualifiedPeople: ({ search: _search, ...choice }: { search: string }) => {
        asked.push(choice);
        return { qualifiedPeople: { total: 0, next: null, people: [] } };
      },
    },
  });
  await screen.findByText('Requirements for Sales');
  expect(roleNotes()).toEqual([
    'Pilot6 active people, 2 with an exception, 1 expiring',
    'Sales6 active people, 2 not met, 2 with an exception, 1 expiring',
    'Support6 active people, nothing missing, 1 expiring',
  ]);
  await user.click(screen.getByRole('combobox', { name: 'State' }));
  await user.click(await screen.findByRole('option', { name: 'By exception' }));
  await expect.poll(() => asked).toHaveLength(2);
  const lacking = { role: 'Sales', everyone: false, states: ['missing', 'expired'] };
  expect(asked).toEqual([
    { ...lacking, excepted: false },
    { ...lacking, excepted: true },
  ]);
});

test('an older server, during an upgrade, still lists the roles', async () => {
  const { excepted: _excepted, ...sales } = roleWithExceptions('Sales', 4);
  await showPage(<QualificationsPage />, {
    viewer: { ...viewerWith(), role: 'admin' },
    address: '/role-qualifications',
    answers: {
      QualifiedRoles: () => refuse('BAD_INPUT', 'Cannot query field "excepted"'),
      OlderQualifiedRoles: () => ({ qualifiedRoles: [sales] }),
      QualifiedPeople: () => ({ qualifiedPeople: { total: 0, next: null, people: [] } }),
    },
  });
  await screen.findByText('Requirements for Sales');
  expect(roleNotes()).toEqual(['Sales6 active people, 4 not met, 1 expiring']);
});
