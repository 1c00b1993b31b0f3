import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import type { QualifiedRole } from './qualification-queries.ts';
import { RequirementsPanel } from './requirements-panel.tsx';

const requirement = { id: '3', kind: 'training', title: 'First aid', validMonths: null, version: 1 };
const role = { name: 'Sales', requirements: [requirement] } as unknown as QualifiedRole;
const people = ['Nina Hart', 'Tia Told', 'Ben Ode'].map((displayName, at) => ({
  ...{
    id: `${at + 1}`,
    displayName,
    email: `${at + 1}@company.test`,
    disabled: false,
    approves: false,
    approverWarning: null,
  },
}));

/** Opens the dialog of the requirement; `record` answers when it is sent. */
async function open(record: (sent: { personIds: string[] }) => unknown, withdrawn: (sent: object) => void = () => {}) {
  const user = await showPage(<RequirementsPanel role={role} />, {
    viewer: { ...viewerWith(), role: 'admin' },
    answers: {
      PeopleToChoose: ({ find = '', ids = [] }: { find?: string; ids?: string[] }) => ({
        peopleToChoose: people.filter(
          ({ id, displayName }) => ids.includes(id) || displayName.toLowerCase().includes(find.toLowerCase()),
        ),
      }),
      RecordEvidenceForPeople: record as never,
      WithdrawEvidenceOfPeople: (sent: object) => {
        withdrawn(sent);
        return { withdrawEvidenceOfPeople: [] };
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Record evidence for several people: First aid' }));
  return user;
}

const dialog = () => screen.findByRole('dialog', { name: 'Record evidence for several people' });
const peopleField = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'People' });
const note = () => screen.getByLabelText<HTMLTextAreaElement>('Note');

async function choose(user: Awaited<ReturnType<typeof open>>, ...names: string[]) {
  await user.click(await peopleField());
  for (const name of names) {
    await user.keyboard(name.slice(0, 3).toLowerCase());
    await screen.findByRole('option', { name });
    await user.keyboard('{Enter}');
  }
}

test('evidence for nobody isn’t sent, and a refusal stays at the people with what was entered', async () => {
  const sent: object[] = [];
  const user = await open((variables) => {
    sent.push(variables);
    return refuse('BAD_INPUT', 'Tia Told has a disabled account. Nothing was recorded', 'personIds');
  });
  await user.click(within(await dialog()).getByRole('button', { name: 'Record evidence' }));
  await screen.findByText('Choose 1 to 100 people');
  expect(sent).toEqual([]);
  await choose(user, 'Nina Hart', 'Tia Told');
  await user.type(note(), 'Course of May');
  await user.click(within(await dialog()).getByRole('button', { name: 'Record for 2 people' }));
  await screen.findByText('Tia Told has a disabled account. Nothing was recorded');
  expect((await peopleField()).getAttribute('aria-invalid')).toBe('true');
  expect(note().value).toBe('Course of May');
});

test('one piece of evidence is recorded for the chosen people by keys, and Undo withdraws all of it', async () => {
  const sent: object[] = [];
  const withdrawn: object[] = [];
  const user = await open(
    (variables) => {
      sent.push(variables);
      return { recordEvidenceForPeople: variables.personIds.map((id) => ({ id: `e${id}` })) };
    },
    (variables) => withdrawn.push(variables),
  );
  await choose(user, 'Ben Ode', 'Nina Hart');
  await user.clear(screen.getByLabelText('Date'));
  await user.type(screen.getByLabelText('Date'), '2026-05-04');
  await user.type(note(), 'Course of May{Control>}{Enter}{/Control}');
  await message('Evidence recorded for 2 people');
  expect(sent).toEqual([{ requirementId: '3', personIds: ['3', '1'], note: 'Course of May', day: '2026-05-04' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Undo/ }));
  await expect.poll(() => withdrawn).toEqual([{ ids: ['e3', 'e1'] }]);
});
