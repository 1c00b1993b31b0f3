import { cleanup, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { type Managed, managementKey } from '../shared/approver-queries.ts';
import { PendingList } from '../shared/pending-list.tsx';
import { PersonPanel } from './person-panel.tsx';
import { ReassignPanel } from './reassign-panel.tsx';

function person(id: string, displayName: string, more: Partial<Managed> = {}): Managed {
  return {
    ...{ id, displayName, role: null, team: null, disabled: false },
    ...{ ownApproverIds: [], toApprove: 0, toSignOff: 0, away: null },
    ...more,
  };
}

const listOf = (...rows: unknown[]) => ({ approverManagement: { people: { rows, total: rows.length, next: null } } });

async function choose(approverIds: string[], name: string, answers: Record<string, (sent: never) => unknown> = {}) {
  const people = [
    person('1', 'Lena Hoffmann', { ownApproverIds: approverIds, toApprove: 1 }),
    person('2', 'Marcus Adeyemi'),
    person('3', 'Grace Whitfield'),
    person('4', 'Vera Novak'),
  ];
  const candidates = people.map(({ id, displayName, disabled }) => ({
    ...{ id, displayName, disabled, email: `${id}@company.test`, approves: true, approverWarning: null },
  }));
  const rowWith = (ownApproverIds: string[]) => {
    const approvers = people.filter(({ id }) => ownApproverIds.includes(id)).map((one) => ({ ...one, warning: null }));
    const lena = { ...people[0]!, ownApproverIds };
    return { person: lena, approvers, byDefault: false, unapproved: approvers.length === 0, circle: [] };
  };
  /** What the server has: others can change it. */
  const stored = { ids: approverIds };
  const item = { id: '7', userId: '1', sprintId: '1', title: 'Ship it', status: 'INAPPROVAL', statusAt: '2026-11-16' };
  const user = await showPage(<PersonPanel personId="1" onClose={() => {}} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      PeopleWithApprovers: () => listOf(rowWith(stored.ids)),
      Absences: () => ({ absences: [] }),
      PeopleToChoose: () => ({ peopleToChoose: candidates }),
      PendingItems: () => ({ pendingItems: [{ ...item, statusAt: '2026-11-16T10:00:00Z' }] }),
      ...answers,
    },
  });
  const field = await screen.findByRole('combobox', { name: 'Lena Hoffmann’s approvers' });
  await expect.poll(() => document.activeElement).toBe(field);
  await user.click(field);
  await user.click(await screen.findByRole('option', { name }));
  return { user, field, stored };
}

test('the list stays closed when the focus comes back to its field, and a key opens it', async () => {
  const { user, field } = await choose(['2'], 'Grace Whitfield');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await expect.poll(() => screen.queryByRole('button', { name: 'Keep editing' })).toBeNull();
  await expect.poll(() => document.activeElement).toBe(field);
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('{ArrowDown}');
  await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true');
});

test('a second approver takes nothing from the first, so no task moves', async () => {
  await choose(['2'], 'Grace Whitfield');
  await screen.findByRole('heading', { name: 'Any of these approvers can decide on 1 waiting task' });
  expect(screen.queryByText(/moves/)).toBeNull();
});

test('a first approver takes what waits', async () => {
  await choose([], 'Marcus Adeyemi');
  await screen.findByRole('heading', { name: '1 task will be reassigned' });
});

test('tasks whose titles the viewer can’t see are one line for each person', async () => {
  const task = { userId: '1', sprintId: '1', status: 'INAPPROVAL', statusAt: '2026-11-16T10:00:00Z' };
  const people = [person('1', 'Lena Hoffmann', { toApprove: 2, toSignOff: 1 }), person('2', 'Marcus Adeyemi')];
  await showPage(<PendingList people={people} count={3} />, {
    answers: {
      PendingItems: () => ({ pendingItems: ['7', '8', '9'].map((id) => ({ ...task, id, title: null })) }),
    },
  });
  const lines = await screen.findAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual(['Lena Hoffmann3 tasks, titles hidden']);
  expect(screen.queryByText(/^Showing/)).toBeNull();
});

test('after someone else’s change the panel shows it, keeps the own choice, and saves both', async () => {
  const sent: object[] = [];
  const { user, stored } = await choose(['2'], 'Grace Whitfield', {
    SetApprovers: ({ changes }: { changes: { approverIds: string[]; known: string[] }[] }) => {
      const { approverIds, known } = changes[0]!;
      sent.push({ approverIds, known });
      if (known.join() !== stored.ids.join()) refuse('CONFLICT', 'Someone else changed the approvers');
      stored.ids = approverIds;
      return { setApprovers: { defaultVersion: 1 } };
    },
  });
  stored.ids = ['2', '4'];
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save approvers' });
  await user.click(save);
  await screen.findByText(/^Someone else edited this person/);
  expect(save.disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Load the other changes' }));
  for (const name of ['Marcus Adeyemi', 'Vera Novak', 'Grace Whitfield']) await screen.findByText(name);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(save);
  await message('Lena Hoffmann’s approvers saved');
  expect(sent).toEqual([
    { approverIds: ['2', '3'], known: ['2'] },
    { approverIds: ['2', '4', '3'], known: ['2', '4'] },
  ]);
});

test('someone else’s change comes in by itself while nothing is chosen', async () => {
  const { user, field, stored } = await choose(['2'], 'Grace Whitfield');
  await user.type(field, '{Backspace}');
  stored.ids = ['4'];
  await queryClient.invalidateQueries({ queryKey: managementKey });
  await screen.findByText('Vera Novak');
  await user.keyboard('{Escape}');
  expect(document.querySelectorAll('.mantine-Pill-label').length).toBe(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

const panels = [
  ['person', (onClose: () => void) => <PersonPanel personId="9" onClose={onClose} />],
  ['approver', (onClose: () => void) => <ReassignPanel approverId="9" onClose={onClose} />],
] as const;

test.each(panels)(
  'the panel of a %s is open before the answer, and leads back from an unknown one',
  async (what, panel) => {
    const answer = Promise.withResolvers<void>();
    const empty = async () => {
      await answer.promise;
      const rows = { rows: [], total: 0, next: null };
      return { approverManagement: { people: rows, approvers: rows } };
    };
    const onClose = vi.fn<() => void>();
    const user = await showPage(panel(onClose), {
      answers: { PeopleWithApprovers: empty, ApproversWithPeople: empty },
    });
    await screen.findByRole('dialog', { name: new RegExp(what, 'i') });
    answer.resolve();
    await screen.findByText(new RegExp(`^${what} not found`, 'i'));
    await user.click(screen.getByRole('button', { name: 'Back to the list' }));
    expect(onClose).toHaveBeenCalledOnce();
  },
);

test.each(panels)('the panel of a %s that couldn’t be loaded asks again', async (what, panel) => {
  let asked = 0;
  const fail = () => {
    asked += 1;
    return refuse('INTERNAL', 'Failed');
  };
  const user = await showPage(
    panel(() => {}),
    { answers: { PeopleWithApprovers: fail, ApproversWithPeople: fail } },
  );
  await screen.findByText(`Couldn’t load this ${what}.`);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => asked).toBe(2);
});

test('someone who is no admin reads who is away, and that an admin adds time away; their own they add here', async () => {
  const away = { until: '2026-11-27', delegate: 'Grace Whitfield', problem: null };
  const show = (id: string) =>
    showPage(<PersonPanel personId="1" onClose={() => {}} />, {
      viewer: { ...viewerWith('USER_MANAGEMENT'), id },
      answers: {
        PeopleWithApprovers: () =>
          listOf({
            ...{ person: person('1', 'Lena Hoffmann', { away }), approvers: [], byDefault: false, circle: [] },
            unapproved: true,
          }),
        Absences: () => ({ absences: [] }),
        PeopleToChoose: () => ({ peopleToChoose: [] }),
      },
    });
  await show('hr');
  await screen.findByText(
    'Away until Fri 27 Nov (delegate: Grace Whitfield). Only an admin can add time away or change it.',
  );
  expect(screen.queryByRole('button', { name: 'Add time away' })).toBeNull();
  cleanup();
  await show('1');
  await screen.findByRole('button', { name: 'Add time away' });
});
