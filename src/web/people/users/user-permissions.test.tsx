import { useQuery } from '@tanstack/react-query';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { permissions } from '#core/access/permissions.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { UserPermissions, useGrants } from './user-permissions.tsx';
import { type User, type UserDetail, userQuery } from './users-queries.ts';

const lucas = {
  ...{ id: '7', displayName: 'Lucas Meyer', email: 'lucas@demo.test', role: 'Sales', team: null, approverId: [] },
  ...{ approverNames: [], top5From: null, disabled: false },
} as unknown as User;
const titles = ['Customer service', 'Distributions', 'Product payments'];

function Shown({ detail }: { detail: UserDetail }) {
  return <UserPermissions detail={detail} grants={useGrants(detail)} />;
}

function Panel({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(userQuery(lucas.id));
  return (
    <SidePanel opened title="Lucas Meyer" onClose={onClose}>
      {data && <Shown detail={data} />}
    </SidePanel>
  );
}

type Stored = { grants?: string[]; rolePermissions?: string[] };

const admin: SignedIn = { ...viewerWith(), role: 'admin' };

async function show({ grants = [], rolePermissions = [] }: Stored = {}, viewer = admin) {
  const stored = { version: 1, grants };
  const onClose = vi.fn();
  let answer = async () => {};
  let left = async () => {};
  const user = await showPage(<Panel onClose={onClose} />, {
    viewer,
    answers: {
      ManagedUser: () => ({
        managedUser: { user: lucas, version: String(stored.version), grants: stored.grants, rolePermissions },
      }),
      LeftWithoutApprover: async ({ permissions }: { permissions: string[] }) => {
        await left();
        return { leftWithoutApprover: permissions.includes('VIEW_TOP_5_APPROVALS') ? [] : ['Ann Left'] };
      },
      UpdateUser: async ({ version, permissions }: { version: string; permissions: string[] }) => {
        if (version !== String(stored.version)) refuse('CONFLICT', 'Someone else edited this person');
        stored.version += 1;
        stored.grants = permissions;
        await answer();
        return { updateUser: lucas };
      },
    },
  });
  const boxOf = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  return {
    ...{ user, stored, boxOf, onClose },
    checked: async () => Promise.all(titles.map(async (title) => (await boxOf(title)).checked)),
    tick: async (...names: string[]) => {
      for (const name of names) await user.click(await boxOf(name));
    },
    bar: () => within(screen.getByRole('region', { name: 'Unsaved changes' })),
    save: () => user.click(screen.getByRole('button', { name: 'Save' })),
    answerWith: (next: () => Promise<void>) => {
      answer = next;
    },
    leftAfter: (next: () => Promise<void>) => {
      left = next;
    },
  };
}
const noBar = () => expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();

test('a change of someone else is not overwritten: the boxes show it, and Save adds to it', async () => {
  const { stored, tick, save, checked, bar } = await show();
  await tick(titles[0]!);
  stored.version = 5;
  stored.grants = ['VIEW_DISTRIBUTIONS'];
  await save();
  await message('Someone else edited this person');
  await expect.poll(checked).toEqual([true, true, false]);
  expect(stored.grants).toEqual(['VIEW_DISTRIBUTIONS']);
  bar().getByText('Grants Customer service.');
  await save();
  await message('Changes to Lucas Meyer saved');
  expect(stored.grants.toSorted()).toEqual(['VIEW_CUSTOMER_SERVICE', 'VIEW_DISTRIBUTIONS']);
});

test('a tick grants nothing before Save, which says what it changes', async () => {
  const { stored, tick, save, checked, bar } = await show({ grants: ['VIEW_DISTRIBUTIONS'] });
  await tick(...titles);
  expect(await checked()).toEqual([true, false, true]);
  bar().getByText('Grants Customer service and Product payments. Removes Distributions.');
  expect(stored.version).toBe(1);
  await save();
  await message('Changes to Lucas Meyer saved');
  expect(stored.grants.toSorted()).toEqual(['VIEW_CUSTOMER_SERVICE', 'VIEW_PRODUCT_PAYMENTS']);
  expect(await checked()).toEqual([true, false, true]);
  noBar();
});

test('a second tick or Discard takes the first one back, and many are counted', async () => {
  const { stored, tick, user, checked, bar } = await show();
  await tick(titles[0]!, titles[0]!);
  noBar();
  await tick(...titles, 'User management', 'Role editor', 'Donations');
  bar().getByText(/^Grants Customer service, Distributions, Product payments, User management, and 2 more\.$/);
  await user.click(bar().getByRole('button', { name: 'Discard' }));
  expect(await checked()).toEqual([false, false, false]);
  noBar();
  expect(stored.version).toBe(1);
});

test('a tick that was taken back removes nothing that others grant later, nor does one in an earlier draft', async () => {
  const draft = 'of-person:viewer:draft:grants:7';
  const { tick } = await show();
  await tick(titles[0]!, titles[0]!);
  await expect.poll(() => localStorage.getItem(draft)).toBeNull();
  cleanup();
  localStorage.setItem(draft, JSON.stringify([['VIEW_DISTRIBUTIONS', false]]));
  await (await show()).boxOf(titles[1]!);
  await expect.poll(() => localStorage.getItem(draft)).toBeNull();
});

test('a box that is unticked during the save stays unticked', async () => {
  const { tick, save, bar, answerWith } = await show();
  const answer = Promise.withResolvers<void>();
  answerWith(() => answer.promise);
  await tick(titles[0]!);
  await save();
  await tick(titles[0]!);
  answer.resolve();
  await message('Changes to Lucas Meyer saved');
  bar().getByText('Removes Customer service.');
});

test('closing keeps unsaved ticks, like the input of the person', async () => {
  const { tick, user, onClose } = await show();
  await tick(titles[0]!);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  cleanup();
  const again = await show();
  await again.boxOf(titles[0]!);
  again.bar().getByText('Grants Customer service.');
  await again.user.click(again.bar().getByRole('button', { name: 'Discard' }));
  noBar();
});

test('a tick during the save stays unsaved', async () => {
  const { tick, save, bar, answerWith, checked } = await show();
  const answer = Promise.withResolvers<void>();
  answerWith(() => answer.promise);
  await tick(titles[0]!);
  await save();
  await tick(titles[1]!);
  answer.resolve();
  await message('Changes to Lucas Meyer saved');
  bar().getByText('Grants Distributions.');
  expect(await checked()).toEqual([true, true, false]);
});

test('a save whose answer was lost is read again', async () => {
  const { stored, tick, save, checked, answerWith } = await show();
  answerWith(async () => refuse('UNAVAILABLE', 'No answer'));
  await tick(titles[0]!);
  await save();
  await message('No answer');
  await expect.poll(() => screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  expect(await checked()).toEqual([true, false, false]);
  expect(stored.version).toBe(2);
});

test('removing what one can’t give back is announced beside Save, and can be taken back until then', async () => {
  const viewer = viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT');
  const { stored, tick, boxOf, bar } = await show({ grants: ['VIEW_DISTRIBUTIONS'] }, viewer);
  await tick('Distributions');
  bar().getByText(/^Removes Distributions\. You can’t undo this: you don’t have Distributions/);
  await tick('Distributions');
  noBar();
  expect((await boxOf('Distributions')).checked).toBe(true);
  expect(stored.version).toBe(1);
});

test('a permission of the role that was granted too loses its grant, and keeps its tick', async () => {
  const both = ['VIEW_DISTRIBUTIONS'];
  const { stored, tick, save, bar, boxOf } = await show({ grants: both, rolePermissions: both });
  await tick('Distributions', 'Distributions');
  noBar();
  await tick('Distributions');
  bar().getByText('Removes Distributions.');
  await save();
  await message('Changes to Lucas Meyer saved');
  expect(stored.grants).toEqual([]);
  expect((await boxOf('Distributions')).checked).toBe(true);
});

test('a grant that is stored in the specification’s spelling can be removed', async () => {
  const { stored, tick, save } = await show({ grants: ['IEW_WHO_LIVES_DONATIONS'] });
  await tick(permissions.VIEW_WHO_LIVES_DONATIONS.title);
  await save();
  await message('Changes to Lucas Meyer saved');
  expect(stored.grants).toEqual([]);
});

test('removing what lets someone approve says who is left without an approver', async () => {
  const { tick, bar, leftAfter } = await show({ grants: ['VIEW_TOP_5_APPROVALS', 'VIEW_DISTRIBUTIONS'] });
  const answer = Promise.withResolvers<void>();
  await tick('Distributions');
  bar().getByText('Removes Distributions.');
  leftAfter(() => answer.promise);
  await tick(permissions.VIEW_TOP_5_APPROVALS.title);
  const save = () => bar().getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await expect.poll(() => save().disabled).toBe(true);
  answer.resolve();
  await bar().findByText('Left without an approver: Ann Left.');
  expect(save().disabled).toBe(false);
});
