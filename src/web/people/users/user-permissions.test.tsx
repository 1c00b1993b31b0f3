import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { UserPermissions } from './user-permissions.tsx';
import { type User, userQuery } from './users-queries.ts';

const lucas = {
  ...{ id: '7', displayName: 'Lucas Meyer', email: 'lucas@demo.test', role: 'Sales', team: null, approverId: [] },
  ...{ approverNames: [], top5From: null, disabled: false },
} as unknown as User;
const titles = ['Customer service', 'Distributions', 'Product payments'];

function Shown() {
  const { data } = useQuery(userQuery(lucas.id));
  return data ? <UserPermissions detail={data} /> : null;
}

async function show() {
  const stored = { version: 1, grants: [] as string[] };
  let answer = () => {};
  let isHeld = true;
  const held = new Promise<void>((resolve) => {
    answer = () => {
      isHeld = false;
      resolve();
    };
  });
  const user = await showPage(<Shown />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      ManagedUser: () => ({
        managedUser: { user: lucas, version: String(stored.version), grants: stored.grants, rolePermissions: [] },
      }),
      UpdateUser: async ({ version, permissions }: { version: string; permissions: string[] }) => {
        if (isHeld) await held;
        if (version !== String(stored.version)) refuse('CONFLICT', 'Someone else edited this person');
        stored.version += 1;
        stored.grants = permissions;
        return { updateUser: lucas };
      },
    },
  });
  const boxOf = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  const checked = async () => Promise.all(titles.map(async (title) => (await boxOf(title)).checked));
  return { user, stored, answer, boxOf, checked };
}

test('a change of someone else is not overwritten, and the boxes show it', async () => {
  const { user, stored, answer, boxOf, checked } = await show();
  const first = await boxOf(titles[0]!);
  stored.version = 5;
  stored.grants = ['VIEW_DISTRIBUTIONS'];
  await user.click(first);
  answer();
  await message('Someone else edited this person');
  await expect.poll(checked).toEqual([false, true, false]);
  expect(stored.version).toBe(5);
});

test('permissions ticked one after the other are all saved, also before the first answer', async () => {
  const { user, stored, answer, boxOf, checked } = await show();
  for (const title of titles) await user.click(await boxOf(title));
  expect(await checked()).toEqual([true, true, true]);
  await user.click(await boxOf(titles[1]!));
  answer();
  await expect.poll(() => stored.grants.toSorted()).toEqual(['VIEW_CUSTOMER_SERVICE', 'VIEW_PRODUCT_PAYMENTS']);
  await expect.poll(checked).toEqual([true, false, true]);
  expect(stored.version).toBe(3);
});
