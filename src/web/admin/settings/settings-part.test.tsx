import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { unsentDrafts } from '#web/api/drafts.ts';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import SettingsPart, { settingsQuery } from './settings-part.tsx';

/** The number of tasks per sprint, as this server has it. */
async function openSettings() {
  const stored = { key: 'taskLimit', value: '5', isDefault: true, version: 1, changedAt: null, changedBy: null };
  const set = (value: string, changedBy: string) => {
    const version = stored.version + 1;
    Object.assign(stored, { value, changedBy, version, isDefault: value === '5', changedAt: '2026-11-16T11:00:00Z' });
  };
  let failure: Parameters<typeof refuse> | null = null;
  let held: Promise<void> | null = null;
  const user = await showPage(<SettingsPart />, {
    viewer: { ...viewerWith(), name: 'Ada North' },
    answers: {
      Settings: () => ({ settings: [{ ...stored, person: null }] }),
      ChangeSetting: async ({ value, version }: { value: string | null; version: number }) => {
        await held;
        if (failure) refuse(...failure);
        if (version !== stored.version)
          refuse('CONFLICT', 'This has changed since you opened it. Review it and try again');
        set(value ?? '5', 'Ada North');
        return { changeSetting: { key: stored.key, version: stored.version } };
      },
    },
  });
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Tasks per sprint' });
  const type = async (value: string) => {
    await user.clear(await field());
    await user.type(await field(), `${value}{Enter}`);
  };
  const failWith = (...failed: Parameters<typeof refuse>) => {
    failure = failed;
  };
  const hold = (answer: Promise<void>) => {
    held = answer;
  };
  return { user, stored, set, field, type, failWith, hold };
}

test('a change of someone else in the meantime is shown, and the person chooses which value to keep', async () => {
  const { user, stored, set, field, type } = await openSettings();
  await field();
  set('7', 'Bea Quist');
  await type('6');
  const conflict = await screen.findByText(/^Bea Quist changed this/);
  expect(conflict.parentElement?.querySelector('del')?.textContent).toMatch(/^7/);
  expect(conflict.parentElement?.querySelector('ins')?.textContent).toMatch(/^6/);
  expect((await field()).value).toBe('6');
  expect(screen.queryByText(/^This has changed since you opened it/)).toBeNull();
  await user.keyboard('{Enter}');
  expect(stored.value).toBe('7');
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  await message('Tasks per sprint changed');
  expect(stored.value).toBe('6');
  set('8', 'Bea Quist');
  await type('9');
  await user.click(await screen.findByRole('button', { name: 'Keep the saved version' }));
  expect((await field()).value).toBe('8');
  expect(stored.value).toBe('8');
});

test('Enter saves and leaves the focus in the field, where the next Enter changes nothing', async () => {
  const { user, stored, field, type } = await openSettings();
  const before = await field();
  await type('8');
  await message('Tasks per sprint changed');
  await screen.findByRole('button', { name: 'Reset to default' });
  expect(document.activeElement).toBe(before);
  expect(await field()).toBe(before);
  await user.keyboard('{Enter}');
  expect(stored.value).toBe('8');
});

test('a field that nobody edits follows what others save', async () => {
  const { set, field } = await openSettings();
  await field();
  set('7', 'Bea Quist');
  await queryClient.invalidateQueries(settingsQuery);
  await expect.poll(async () => (await field()).value).toBe('7');
  expect(within(document.body).queryByText(/changed this\. Crossed/)).toBeNull();
});

test('a version that comes in before the refusal keeps what was typed, and asks', async () => {
  const { set, field, type, hold } = await openSettings();
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  await type('6');
  set('7', 'Bea Quist');
  await queryClient.invalidateQueries(settingsQuery);
  await screen.findByText(/^Bea Quist changed this/);
  resolve();
  await expect
    .poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Save mine' }).dataset.loading)
    .toBe(undefined);
  expect((await field()).value).toBe('6');
});

test('while it asks, a wrong value can’t be sent, and another failure says why', async () => {
  const { user, set, field, type, failWith } = await openSettings();
  await field();
  set('7', 'Bea Quist');
  await type('6');
  const mine = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save mine' });
  await user.clear(await field());
  expect(mine.disabled).toBe(true);
  await user.type(await field(), '6');
  failWith('FORBIDDEN', 'You don’t have access');
  await user.click(mine);
  await screen.findByText('You don’t have access');
});

test('one’s own save in another tab is not said to be somebody else’s', async () => {
  const { set, field, type } = await openSettings();
  await field();
  set('7', 'Ada North');
  await type('6');
  await screen.findByText(/^You changed this/);
});

test('without a chosen default approver, the server’s configuration applies, which is not nobody', async () => {
  const stored = {
    key: 'defaultApprover',
    value: 'nobody',
    version: 1,
    changedAt: null,
    changedBy: null,
    person: null,
  };
  let isDefault = true;
  await showPage(<SettingsPart />, {
    viewer: viewerWith(),
    answers: {
      Settings: () => ({ settings: [{ ...stored, isDefault }] }),
      PeopleToChoose: () => ({ peopleToChoose: [] }),
    },
  });
  await screen.findByText(/^Default: From the server configuration\./);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Default approver' });
  expect(field.placeholder).toBe('From the server configuration');
  isDefault = false;
  await queryClient.invalidateQueries(settingsQuery);
  await expect.poll(() => field.placeholder).toBe('Nobody');
});

test('a change reads the sprints again, whose end can follow the holidays, and so does its Undo', async () => {
  const { user, type } = await openSettings();
  const sprints = ['sprints', 'shell'];
  const isOld = () => queryClient.getQueryState(sprints)?.isInvalidated;
  queryClient.setQueryData(sprints, {});
  await type('8');
  await message('Tasks per sprint changed');
  expect(isOld()).toBe(true);
  queryClient.setQueryData(sprints, {});
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(isOld).toBe(true);
});

test('a change that was saved although its answer was lost leaves nothing to try again', async () => {
  const { set, type, failWith } = await openSettings();
  failWith('INTERNAL', 'No answer');
  await type('6');
  await screen.findByText('No answer');
  set('6', 'Ada North');
  await queryClient.invalidateQueries(settingsQuery);
  await expect.poll(() => screen.queryByText('No answer')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await expect.poll(unsentDrafts).toEqual([]);
});
