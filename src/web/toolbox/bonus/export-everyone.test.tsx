import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { ExportEveryone } from './export-everyone.tsx';

const sprint = (week: number, phase: string) => ({
  ...{ id: `${week}`, name: `2026 W${week}`, phase, startDate: `2026-10-${week - 20}T10:00:00Z` },
  ...{ endDate: '2026-11-16T10:00:00Z', settledAt: '2026-11-18T10:00:00Z', current: phase === 'active' },
});
const sprints = [...[40, 41, 42].map((week) => sprint(week, 'settled')), sprint(43, 'settling'), sprint(44, 'active')];
/** The newest first. The second one corrects the first, and starts earlier. */
const plansFrom = (week: number) => [44, week, 43].map((first) => ({ from: sprint(first, '') })) as never;
const permissions = ['VIEW_DASHBOARD', 'VIEW_TOP_5_BONUS_STRUCTURE', 'VIEW_TOP_5_APPROVALS'] as const;
const viewer = { ...viewerWith(...permissions), role: 'Lead' };
const button = { name: 'Export everyone’s statements' };

async function open(props: { week?: number; sprintId?: string }, asked: object[] = []) {
  const user = await showPage(
    <ExportEveryone plans={plansFrom(props.week ?? 41)} sprintId={props.sprintId ?? null} />,
    {
      viewer,
      answers: {
        People: () => ({ people: [{ id: '7', displayName: 'Ada' }] }),
        Sprints: () => ({ sprints }),
        BonusTicket: (variables: { sprintId: string }) => {
          asked.push(variables);
          if (variables.sprintId === '41')
            refuse('NOT_FOUND', 'This sprint has no recorded statements that you can see', 'sprintId');
          return { createBonusTicket: '/api/bonus/export?ticket=one' };
        },
      },
    },
  );
  await user.click(await screen.findByRole('button', button));
  return { user, dialog: within(await screen.findByRole('dialog', button)) };
}

test('people who decide for nobody export only their own statements', async () => {
  const People = vi.fn(() => ({ people: [] }));
  await showPage(<ExportEveryone plans={plansFrom(41)} sprintId={null} />, {
    viewer,
    answers: { People },
  });
  await expect.poll(() => People.mock.calls.length).toBe(1);
  expect(screen.queryByRole('button', button)).toBeNull();
});

test('the last recorded sprint is exported unless the page shows another, since the first plan', async () => {
  const links: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(this.href);
  });
  const asked: object[] = [];
  const { user, dialog } = await open({ sprintId: '44' }, asked);
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  expect(field.value).toBe('2026 W42');
  await user.click(field);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['2026 W42', '2026 W41']);
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: 'Export CSV' }));
  await expect.poll(() => links).toEqual([expect.stringMatching(/\/api\/bonus\/export\?ticket=one$/)]);
  expect(asked).toEqual([{ sprintId: '42' }]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('a sprint that has nothing to export says so, and another can be chosen', async () => {
  const { user, dialog } = await open({ sprintId: '41' });
  expect((await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' })).value).toBe('2026 W41');
  await user.click(dialog.getByRole('button', { name: 'Export CSV' }));
  await screen.findByText(/This sprint has no recorded statements that you can see/);
  dialog.getByRole('combobox', { name: 'Sprint' });
});

test('before a sprint of the plan was recorded there is nothing to export', async () => {
  const { dialog } = await open({ week: 43 });
  await dialog.findByText('No statements yet');
  expect(dialog.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  expect(dialog.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0);
});
