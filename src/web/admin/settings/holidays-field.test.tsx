import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, showPage } from '../../../../test/show-page.tsx';
import SettingsPart, { settingsQuery } from './settings-part.tsx';

const future = new Date().getFullYear() + 2;
const saved = `2020-05-01 Labor Day\n${future}-12-25 Christmas Day`;

async function show(value = saved) {
  const sent: unknown[] = [];
  const stored = { key: 'holidays', value, isDefault: false, version: 3 };
  const user = await showPage(<SettingsPart />, {
    answers: {
      Settings: () => ({ settings: [{ ...stored, changedAt: null, changedBy: null, person: null }] }),
      ChangeSetting: (variables: object) => {
        sent.push(variables);
        return { changeSetting: { key: 'holidays', version: 4 } };
      },
    },
  });
  const form = within(await screen.findByRole('form', { name: 'Company holidays' }));
  const replace = (text: string) => {
    Object.assign(stored, { value: text, version: stored.version + 1 });
    return queryClient.invalidateQueries(settingsQuery);
  };
  return { user, sent, form, replace };
}
const names = () => within(screen.getByRole('list', { name: 'Company holidays' })).getAllByRole('listitem');
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const calendar = (...events: string[]) =>
  new File(
    [`BEGIN:VCALENDAR\n${events.map((one) => `BEGIN:VEVENT\n${one}\nEND:VEVENT`).join('\n')}\nEND:VCALENDAR`],
    'holidays.ics',
  );
const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Calendar file (.ics)'), { target: { files: [file] } });

test('a holiday without a name or with its end before its start is not added', async () => {
  const { form, sent } = await show();
  const add = form.getByRole<HTMLButtonElement>('button', { name: 'Add holiday' });
  expect(add.disabled).toBe(true);
  fill('First day', `${future}-01-02`);
  expect(add.disabled).toBe(true);
  fill('Last day', `${future}-01-01`);
  fill('Name', 'New Year');
  expect(add.disabled).toBe(true);
  form.getByText('The last day is before the first');
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter' });
  expect(names()).toHaveLength(1);
  expect(sent).toEqual([]);
});

test('a holiday that isn’t saved says so, and is still there after leaving the page', async () => {
  const { user, form, sent } = await show();
  fill('First day', `${future}-01-01`);
  fill('Name', 'New Year');
  await user.click(form.getByRole('button', { name: 'Add holiday' }));
  within(names()[0]!).getByText('Not saved yet');
  cleanup();
  const again = await show();
  expect(names().map((row) => row.textContent)).toEqual([
    expect.stringContaining('New Year Not saved yet'),
    expect.stringContaining('Christmas Day'),
  ]);
  await again.user.click(again.form.getByRole('button', { name: 'Save' }));
  await message('Company holidays changed');
  expect([sent, again.sent]).toEqual([[], [expect.objectContaining({ version: 3 })]]);
  cleanup();
  await show(saved);
  expect(names()).toHaveLength(1);
});

test('holidays are added and removed in the list, and written together when saved', async () => {
  const { user, form, sent } = await show();
  await user.click(form.getByRole('button', { name: 'Show 1 past holiday' }));
  expect(names()).toHaveLength(2);
  fill('First day', `${future}-01-01`);
  fill('Name', ' New Year ');
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter' });
  expect(names().map((one) => one.textContent?.includes('New '))).toContain(true);
  await user.click(form.getByRole('button', { name: `Remove Christmas Day ${future}-12-25` }));
  expect(sent).toEqual([]);
  await user.click(form.getByRole('button', { name: 'Save' }));
  const value = `2020-05-01 Labor Day\n${future}-01-01 New Year`;
  await expect.poll(() => sent).toEqual([{ key: 'holidays', value, version: 3 }]);
  expect(await message('Company holidays changed')).toBeTruthy();
});

test('a calendar file shows what it adds and leaves out before anything is written, and can be discarded', async () => {
  const { user, form, sent } = await show();
  const day = Temporal.Now.plainDateISO().add({ days: 200 }).toString().replaceAll('-', '');
  choose(
    calendar(
      `DTSTART;VALUE=DATE:${day}\nSUMMARY:Founders\\, Day`,
      `DTSTART;VALUE=DATE:${future}1225\nSUMMARY:Christmas Day`,
      `DTSTART:${day}T090000Z\nSUMMARY:Party`,
    ),
  );
  await form.findByText('1 new · 1 already listed · 1 event left out: only whole days are read');
  expect(names()[0]!.textContent).toContain('Founders, Day Not saved yet');
  expect(sent).toEqual([]);
  await user.click(form.getByRole('button', { name: 'Discard changes' }));
  expect(names()).toHaveLength(1);
  expect(form.queryByRole('button', { name: 'Save' })).toBeNull();
  choose(new File(['no calendar'], 'notes.txt'));
  await form.findByText('This isn’t a calendar file. Choose one that ends in .ics.');
});

test('saving adds what is typed in the fields, and asks for the rest of it', async () => {
  const { user, form, sent } = await show();
  await user.click(form.getByRole('button', { name: /^Remove/ }));
  fill('First day', `${future}-01-01`);
  await user.click(form.getByRole('button', { name: 'Save' }));
  form.getByText('Complete this holiday, or clear it');
  expect(sent).toEqual([]);
  fill('Name', 'New Year');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await message('Company holidays changed');
  expect(sent).toMatchObject([{ value: `2020-05-01 Labor Day\n${future}-01-01 New Year` }]);
});

test('two lists of the same length differ: the conflict shows their days', async () => {
  const { user, form, replace } = await show();
  fill('First day', `${future}-01-01`);
  fill('Name', 'New Year');
  await user.click(form.getByRole('button', { name: 'Add holiday' }));
  await replace(`${saved}\n${future}-12-26 Boxing Day`);
  const conflict = await screen.findByRole('group', { name: 'Someone changed this' });
  expect(conflict.querySelector('ins')?.textContent).toContain('New Year');
  expect(conflict.querySelector('del')?.textContent).toContain('Boxing Day');
});
