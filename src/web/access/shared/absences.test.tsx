import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { message, refuse, showPage } from '../../../../test/show-page.tsx';
import { Absences } from './absences.tsx';

const later = {
  ...{ id: '7', version: 3, firstDay: '2099-03-04', lastDay: '2099-03-06', note: 'Vacation' },
  delegate: { id: '2', displayName: 'Dana Kim' },
};

async function show(choices: (variables: { name: string }) => object, more: object = {}) {
  const [searches, saved]: [string[], object[]] = [[], []];
  const user = await showPage(<Absences userId="1" name="Ada Able" />, {
    answers: {
      Absences: () => ({ absences: [{ ...later, ...more }] }),
      DelegateChoices: (variables: { name: string }) => {
        searches.push(variables.name);
        return choices(variables);
      },
      AbsencePreview: () => ({
        absencePreview: { refusal: 'This overlaps time away on 4–6 Mar. Edit that instead', effect: null },
      }),
      SaveAbsence: (variables: object) => {
        saved.push(variables);
        return { saveAbsence: { id: '8' } };
      },
      EndAbsence: () => ({ endAbsence: true }),
    },
  });
  return { user, searches, saved };
}

test('an admin reads whose time away it is, the last day follows the first, and a refusal is announced', async () => {
  const { user, searches } = await show(({ name }) =>
    name === '' ? { delegateChoices: [{ id: '2', displayName: 'Dana Kim' }] } : refuse('NOT_FOUND', 'No'),
  );
  await user.click(await screen.findByRole('button', { name: 'Add time away' }));
  await screen.findByRole('dialog', { name: 'Ada Able’s time away' });
  await screen.findByText('Approves, denies and signs off while Ada Able is away');
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2099-05-01' } });
  expect(screen.getByLabelText<HTMLInputElement>('Last day').value).toBe('2099-05-01');
  expect((await screen.findByText(/^This overlaps/)).closest('[role=status]')).not.toBeNull();
  await user.type(screen.getByRole('combobox', { name: 'Delegate' }), 'Zoe');
  await screen.findByText('Couldn’t load people');
  expect(new Set(searches)).toEqual(new Set(['', 'Zoe']));
});

test('one day away stays one day while its date is typed part by part, and a later last day stays', async () => {
  const { user } = await show(() => ({ delegateChoices: [] }));
  await user.click(await screen.findByRole('button', { name: 'Add time away' }));
  const first = await screen.findByLabelText('First day');
  const last = screen.getByLabelText<HTMLInputElement>('Last day');
  const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
  for (const value of ['2099-12-26', '', '2099-12-01']) type(first, value);
  expect(last.value).toBe('2099-12-01');
  type(last, '2099-12-04');
  for (const value of ['', '2099-12-02']) type(first, value);
  expect(last.value).toBe('2099-12-04');
});

test.each([
  [{ problem: 'cannotDecide', away: [] }, 'who can’t approve tasks'],
  [{ problem: 'away', away: [{ firstDay: '2099-03-05', lastDay: '2099-03-06' }] }, 'who is away too (5–6 Mar)'],
])('time away names a delegate who can’t decide: %j', async (delegateGap, words) => {
  await show(() => ({ delegateChoices: [] }), { delegateGap });
  await screen.findByText(`Vacation · Delegate: Dana Kim, ${words}`);
});

test('a delegate’s namesakes are found by the name that the field shows, and told apart', async () => {
  const dana = (id: string) => ({ id, displayName: 'Dana Kim', email: `${id}@company.test` });
  const { user, searches } = await show(({ name }) => ({
    delegateChoices: name === 'Dana Kim' ? [dana('2'), dana('9')] : [{ id: '5', displayName: 'Ben Ode', email: null }],
  }));
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Delegate' });
  await expect.poll(() => field.value).toBe('Dana Kim');
  await user.click(field);
  await user.keyboard('Dana Kim');
  await user.click(await screen.findByRole('option', { name: 'Dana Kim (9@company.test)' }));
  await expect.poll(() => field.value).toBe('Dana Kim (9@company.test)');
  expect(searches).toContain('Dana Kim');
});

test('deleting time away that hasn’t begun says so, and Undo saves it again', async () => {
  const { user, saved } = await show(() => ({ delegateChoices: [] }));
  await screen.findByText('Vacation · Delegate: Dana Kim');
  await user.click(screen.getByRole('button', { name: /^Delete/ }));
  await screen.findByText('Dana Kim won’t decide for Ada Able on 4–6 Mar 2099.');
  await user.click(screen.getByRole('button', { name: 'Delete time away' }));
  await message('Time away deleted');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await message('Time away restored');
  const { id: _id, version: _version, delegate, ...values } = later;
  expect(saved).toEqual([{ ...values, userId: '1', delegateId: delegate.id }]);
});

test('an edit sends the version it began with, and the delegate it keeps', async () => {
  const { user, saved } = await show(() => ({ delegateChoices: [{ id: '2', displayName: 'Dana Kim' }] }));
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  await screen.findByRole('dialog', { name: 'Ada Able’s time away' });
  await user.type(screen.getByRole('textbox', { name: 'Note' }), '!');
  await user.click(screen.getByRole('button', { name: 'Save time away' }));
  await message('Time away saved');
  const { delegate, ...values } = later;
  expect(saved).toEqual([{ ...values, note: 'Vacation!', userId: '1', delegateId: delegate.id }]);
});

test('an edit that someone else was faster with shows theirs, and can be saved over it', async () => {
  let stored = later;
  const saved: { version: number }[] = [];
  const user = await showPage(<Absences userId="1" name="Ada Able" />, {
    answers: {
      Absences: () => ({ absences: [stored] }),
      DelegateChoices: () => ({ delegateChoices: [] }),
      AbsencePreview: () => ({ absencePreview: { refusal: null, effect: null } }),
      SaveAbsence: (wish: { version: number }) => {
        saved.push(wish);
        return wish.version === stored.version ? { saveAbsence: { id: '7' } } : refuse('CONFLICT', 'This changed');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Edit/ }));
  await user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
  stored = { ...later, version: 4, note: 'Parental leave', lastDay: '2099-03-09' };
  await user.click(screen.getByRole('button', { name: 'Save time away' }));
  await screen.findByRole('group', { name: /changed this/ });
  await user.click(screen.getByRole('button', { name: 'Save mine' }));
  await message('Time away saved');
  expect(saved.map(({ version }) => version)).toEqual([3, 4]);
  expect(saved[1]).toMatchObject({ note: 'Vacation!', lastDay: '2099-03-09' });
});

test('one’s own time away is shown with the next three company holidays, and a button shows the rest', async () => {
  const holidays = ['2020-01-01', ...[1, 2, 3, 4, 5, 6].map((day) => `2099-01-0${day}`)].map((day) => ({
    ...{ firstDay: day, lastDay: day, name: `Day ${day.slice(-1)}` },
  }));
  const user = await showPage(<Absences userId="1" name={null} />, {
    answers: { Absences: () => ({ absences: [] }), Holidays: () => ({ holidays }) },
  });
  const list = await screen.findByRole('list', { name: 'Next company holidays' });
  const rows = [...list.children].map(({ textContent }) => textContent?.trim());
  expect(rows).toEqual(
    [1, 2, 3].map((day) => expect.stringMatching(`Day ${day}.*Company holiday, .+ ${day} Jan 2099`)),
  );
  await user.click(screen.getByRole('button', { name: 'Show 3 more' }));
  await expect.poll(() => list.children.length).toBe(6);
});

test('a refusal that stands at its field isn’t repeated above the buttons', async () => {
  const refusal = 'This overlaps time away on 4–6 Mar. Edit that instead';
  const user = await showPage(<Absences userId="1" name="Ada Able" />, {
    answers: {
      Absences: () => ({ absences: [] }),
      DelegateChoices: () => ({ delegateChoices: [] }),
      AbsencePreview: () => ({ absencePreview: { refusal, effect: null } }),
      SaveAbsence: () => refuse('CONFLICT', refusal, 'firstDay'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Add time away' }));
  await screen.findByText(refusal);
  await user.click(screen.getByRole('button', { name: 'Save time away' }));
  await expect.poll(() => screen.getByLabelText('First day').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText(refusal).length).toBe(1);
});
