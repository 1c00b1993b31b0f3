import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import AuditLog from './audit-log.tsx';

test('the search keeps the focus while its results come, and follows Clear', async () => {
  const asked: unknown[] = [];
  const user = await showPage(<AuditLog />, {
    viewer: viewerWith('VIEW_TOOLS'),
    address: '/tools?subjectType=role',
    answers: {
      AuditLog: ({ search }: { search?: string }) => {
        asked.push(search);
        return { auditLog: { next: null, rows: [] } };
      },
      AuditBesides: () => ({
        auditKinds: { actions: [], subjectTypes: ['role'] },
        auditChain: { position: null, hash: null, unsealed: 0 },
      }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
    },
  });
  const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' });
  await user.type(field, 'ann');
  await expect.poll(() => asked.at(-1)).toBe('ann');
  await user.keyboard('a');
  expect(field.value).toBe('anna');
  await expect.poll(() => asked.at(-1)).toBe('anna');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await expect.poll(() => field.value).toBe('');
});
