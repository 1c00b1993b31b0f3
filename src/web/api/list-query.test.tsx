import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, showPage } from '../../../test/show-page.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { graphql } from './graphql.ts';
import { fullPage, listQuery, useList } from './list-query.ts';
import { request } from './request.ts';

const document = graphql('query Notices($before: ID, $limit: Int) { notices(before: $before, limit: $limit) { id } }');
const pageSize = 2;
const notices = listQuery({
  queryKey: ['notices', 'list'],
  read: async (before, signal) => {
    const { notices: rows } = await request(document, { before, limit: pageSize }, { signal });
    return fullPage(rows, pageSize, ({ id }) => id);
  },
});

function List() {
  const { query, items, more } = useList(notices);
  return (
    <DataTable
      caption="Notifications"
      unit="notifications"
      query={query}
      failed="Couldn’t load notifications."
      items={items}
      more={more}
      pageSize={pageSize}
      columns={columns}
      keyOf={({ id }) => id}
    />
  );
}

const columns = [{ id: 'id', title: 'Id', cell: ({ id }: { readonly id: string }) => id }];

test('a list that can’t be read says so', async () => {
  await showPage(<List />, { answers: { Notices: () => refuse('FORBIDDEN', 'No access') } });
  await screen.findByText('Couldn’t load notifications.');
});

test('a next page that can’t be read says so and can be asked for again', async () => {
  let isBusy = true;
  const user = await showPage(<List />, {
    answers: {
      Notices: ({ before }: { before?: string }) => {
        if (before === undefined) return { notices: [{ id: '9' }, { id: '8' }] };
        return isBusy ? refuse('TOO_MANY_ATTEMPTS', 'Try again in a moment') : { notices: [{ id: '7' }] };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByText('Couldn’t load more. Try again in a moment');
  isBusy = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('1–3 of 3 notifications');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('each page begins where the one before ended, and the last one ends the list', async () => {
  const asked: (string | undefined)[] = [];
  const user = await showPage(<List />, {
    answers: {
      Notices: ({ before }: { before?: string }) => {
        asked.push(before);
        return { notices: before === undefined ? [{ id: '9' }, { id: '8' }] : [{ id: '7' }] };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  await screen.findByText('1–3 of 3 notifications');
  expect(asked).toEqual([undefined, '8']);
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual(['Id', '9', '8', '7']);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});
