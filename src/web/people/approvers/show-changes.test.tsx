import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { showPage, viewerWith } from '../../../../test/show-page.tsx';
import { type Management, managementQuery, peopleQuery } from '../shared/approver-queries.ts';
import { ShowChanges } from './approvers-page.tsx';

const counts = {
  active: 60,
  disabled: 0,
  approvers: 1,
  unable: 0,
  tasks: 0,
  undecided: 0,
  none: 60,
  circle: 0,
  waiting: 0,
};
const management = (tasks: number): Management => ({
  ...{ defaultApproverId: null, defaultIsChosen: false, defaultVersion: 0, counts: { ...counts, tasks } },
});
const page = { rows: [], total: 0, next: null };

test('a list is read again by itself while it has one page', () => {
  const options = peopleQuery({ show: null, search: '', order: undefined });
  const refetchInterval = options.refetchInterval as (query: object) => number | false;
  const everyMs = (pages: number) => refetchInterval({ state: { data: { pages: Array(pages).fill(page) } } });
  expect([everyMs(1), everyMs(2)]).toEqual([30_000, false]);
});

const Tasks = () => <output>{useQuery(managementQuery).data?.counts.tasks}</output>;

test.each([
  [1, []],
  [2, ['Show changes']],
])('a list of %d pages that is older than the counts has the buttons %j', async (pages, buttons) => {
  const read = Date.now();
  // Reading a later page updates the data, and leaves the pages before it as old as they are.
  const readAt = { data: { pages: Array(pages).fill({ ...page, readAt: read }) }, dataUpdatedAt: read + 90_000 };
  const query = { ...readAt, isFetching: false };
  const parts = (
    <>
      <Tasks />
      <ShowChanges query={query as never} />
    </>
  );
  await showPage(parts, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: { ApproverManagement: () => ({ approverManagement: management(0) }) },
  });
  const buttonsWith = async (tasks: number, later: number) => {
    queryClient.setQueryData(managementQuery.queryKey, management(tasks), { updatedAt: read + later });
    await screen.findByText(String(tasks));
    return screen.queryAllByRole('button').map(({ textContent }) => textContent);
  };
  await screen.findByText('0');
  expect(await buttonsWith(1, 1_000)).toEqual([]);
  expect(await buttonsWith(1, 30_000)).toEqual([]);
  expect(await buttonsWith(2, 60_000)).toEqual(buttons);
});
