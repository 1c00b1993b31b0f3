import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage, viewerWith } from '../../../test/show-page.tsx';
import SprintCalendar from './sprint-calendar.tsx';

test('a share of completed tasks is named as one’s own, on a phone too', async () => {
  const year = new Date().getFullYear();
  const dates = { startDate: `${year}-01-12T09:00:00Z`, endDate: `${year}-01-19T09:00:00Z`, settledAt: null };
  await showPage(<SprintCalendar />, {
    viewer: viewerWith('VIEW_TOP_5'),
    address: '/tools?tab=sprints',
    answers: {
      SprintCalendar: () => ({
        getSprints: [{ id: '1', name: `${year} W03`, phase: 'settled', ...dates, completionPercentage: 40 }],
      }),
    },
  });
  const cell = (await screen.findByText('40.0%')).closest('td');
  expect([cell?.dataset.title, cell?.dataset.phone]).toEqual(['Your % completed', 'line']);
});

test('a sprint that has not started has no share of completed tasks', async () => {
  const year = new Date().getFullYear();
  const dates = { startDate: `${year}-01-12T09:00:00Z`, endDate: `${year}-01-19T09:00:00Z`, settledAt: null };
  await showPage(<SprintCalendar />, {
    viewer: viewerWith('VIEW_TOP_5'),
    address: '/tools?tab=sprints',
    answers: {
      SprintCalendar: () => ({
        getSprints: [{ id: '1', name: `${year} W03`, phase: 'future', ...dates, completionPercentage: 0 }],
      }),
    },
  });
  const row = (await screen.findByText(`${year} W03`)).closest('tr');
  expect(row?.querySelector('[data-title="Your % completed"]')?.textContent).toBe('–');
});
