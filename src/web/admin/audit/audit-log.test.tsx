import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { closeTopLayer } from '#web/ui/back-closes.ts';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import AuditLog from './audit-log.tsx';

const besides = {
  AuditFilters: () => ({
    auditKinds: { actions: [], subjectTypes: ['role', 'person'] },
    auditChain: { position: null, hash: null, unsealed: 0 },
  }),
  EveryoneToChoose: () => ({ peopleToChoose: [] }),
};

const row = {
  ...{ id: '9', at: '2026-11-26T10:00:00Z', actorId: '1', actorName: 'Ada', action: 'approversChanged' },
  ...{ subjectType: 'person', subjectId: '7', subjectName: 'Bob', differences: [], requestId: null, address: null },
  ...{ erased: false, position: null },
};

test('Back closes an entry and stays in the log', async () => {
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools',
    answers: { ...besides, AuditLog: () => ({ auditLog: { next: null, rows: [row] } }) },
  });
  await user.click(await screen.findByText('Approvers changed'));
  await screen.findByRole('dialog', { name: 'Approvers changed' });
  let isStopped = false;
  act(() => {
    isStopped = closeTopLayer();
  });
  expect(isStopped).toBe(true);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('all events of an item are shown without the other filters, and the item is named', async () => {
  const asked: object[] = [];
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools?search=Ada&from=2026-11-01',
    answers: {
      ...besides,
      AuditLog: (variables: object) => {
        asked.push(variables);
        return { auditLog: { next: null, rows: [row] } };
      },
    },
  });
  await user.click(await screen.findByText('Approvers changed'));
  await user.click(await screen.findByRole('button', { name: 'All events for this item' }));
  await expect.poll(() => asked.at(-1)).toEqual({ subjectType: 'person', subjectId: '7' });
  await user.click(await screen.findByRole('button', { name: 'Remove filter: only Bob' }));
  await expect.poll(() => asked.at(-1)).toEqual({ subjectType: 'person' });
});

test('Who also finds people who are disabled', async () => {
  const left = { displayName: 'Cat Gone', email: 'cat@company.test' };
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools',
    answers: {
      ...besides,
      EveryoneToChoose: ({ find }: { find: string }) => ({
        peopleToChoose: find === 'cat' ? [{ id: '4', disabled: true, ...left }] : [],
      }),
      AuditLog: () => ({ auditLog: { next: null, rows: [row] } }),
    },
  });
  await user.type(await screen.findByRole('combobox', { name: 'Who' }), 'cat');
  await screen.findByRole('option', { name: 'Cat Gone, disabled' });
});

test('a search that found nothing in a part of a long log says so, and goes further back', async () => {
  const asked: unknown[] = [];
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools?search=rare',
    answers: {
      ...besides,
      AuditLog: ({ after }: { after?: string }) => {
        asked.push(after ?? null);
        return { auditLog: { next: after ? null : '38', rows: [] } };
      },
    },
  });
  await screen.findByText('No results in the latest 300,000 entries');
  await user.click(screen.getByRole('button', { name: 'Search older entries' }));
  await screen.findByText('No results');
  expect(asked).toEqual([null, '38']);
});

test('the search keeps the focus while its results come, cuts a text that is too long, and follows Clear', async () => {
  const asked: unknown[] = [];
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools?subjectType=role',
    answers: {
      AuditLog: ({ search }: { search?: string }) => {
        asked.push(search);
        return { auditLog: { next: null, rows: [] } };
      },
      ...besides,
    },
  });
  const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' });
  await user.type(field, 'ann');
  await expect.poll(() => asked.at(-1)).toBe('ann');
  await user.keyboard('a');
  expect(field.value).toBe('anna');
  await expect.poll(() => asked.at(-1)).toBe('anna');
  await user.clear(field);
  await user.paste('x'.repeat(250));
  await expect.poll(() => asked.at(-1)).toBe('x'.repeat(200));
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await expect.poll(() => field.value).toBe('');
});

test('entries without a person name the command or the server, and only strangers are “Not signed in”', async () => {
  const entry = (id: string, action: string, address: string | null, requestId: string) => ({
    ...{ id, at: '2026-11-26T10:00:00Z', actorId: null, actorName: null, action, address, requestId },
    ...{ subjectType: 'person', subjectId: '7', subjectName: 'Bob', differences: [], erased: false, position: id },
  });
  const rows = [
    entry('4', 'roleGiven', 'command', 'command 1'),
    entry('3', 'repeated', 'server', 'repeating tasks'),
    entry('2', 'groupRoles', '', 'start'),
    entry('1', 'signInFailed', '10.0.0.1', '1'),
  ];
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools',
    answers: { ...besides, AuditLog: () => ({ auditLog: { next: null, rows } }) },
  });
  await screen.findByText('Role given');
  const whoOf = (row: HTMLElement) => row.querySelector('[data-title="Who"]')?.textContent;
  expect(screen.getAllByRole('row').slice(1).map(whoOf)).toEqual(['Command', 'Server', 'Server', 'Not signed in']);
  await user.click(screen.getByText('Role given'));
  const panel = within(await screen.findByRole('dialog'));
  panel.getByText('Command');
  panel.getByText('Entry 4');
});

test('each row names the fields that changed, the first three of many', async () => {
  const changed = (id: string, ...fields: string[]) => ({
    ...{ ...row, id, action: 'personChanged' },
    differences: fields.map((field) => ({ field, before: null, after: 'x' })),
  });
  const rows = [
    changed('3', 'role', 'team'),
    changed('2', 'email', 'firstName', 'lastName', 'role', 'team'),
    changed('1'),
  ];
  await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools',
    answers: { ...besides, AuditLog: () => ({ auditLog: { next: null, rows } }) },
  });
  await screen.findByText('Role, Team');
  const changedOf = (row: HTMLElement) => row.querySelector('[data-title="Changed"]')?.textContent;
  expect(screen.getAllByRole('row').slice(1).map(changedOf)).toEqual([
    'Role, Team',
    'Email, First name, Last name and 2 more',
    '',
  ]);
});
