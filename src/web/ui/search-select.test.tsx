import { readFileSync } from 'node:fs';
import { TagsInput, TextInput } from '@mantine/core';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { Form, useForm } from './form.tsx';
import { SearchMultiSelect, SearchSelect } from './search-select.tsx';

const roles = ['admin', 'Finance', 'Staff', 'Sales', 'Analyst', 'Sales analyst'];
const people = ['Marcus Webb', 'Vera Fox', 'Vera Lee'];
type Values = { name: string; role: string | null; approvers: string[] };

function Hire({ role, onSend }: { readonly role: string | null; readonly onSend: (values: Values) => void }) {
  const form = useForm<Values, void>({
    initial: { name: '', role, approvers: [] },
    mutation: { isPending: false, mutateAsync: async (values: Values) => onSend(values) },
  });
  return (
    <Form form={form} submit="Create">
      <TextInput label="Name" {...form.field('name')} />
      <SearchSelect label="Role" data={roles} {...form.field('role')} />
      <SearchMultiSelect label="Approvers" data={people} {...form.field('approvers')} />
    </Form>
  );
}

async function hire(role: string | null = null) {
  const sent: Values[] = [];
  const user = await showPage(<Hire role={role} onSend={(values) => sent.push(values)} />);
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const box = (label: string) => screen.getByRole<HTMLInputElement>('combobox', { name: label });
  /** Keys that come before the kit's timers, as a fast typist's do. */
  const typeFast = (field: HTMLInputElement, text: string) => {
    for (const [index] of [...text].entries()) {
      const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
      const value = `${field.value.slice(0, start)}${text[index]}${field.value.slice(end)}`;
      fireEvent.input(field, { target: { value } });
      field.setSelectionRange(start + 1, start + 1);
    }
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
  };
  return { user, sent, name, box, typeFast, create: screen.getByRole('button', { name: 'Create' }) };
}

const values = (more: Partial<Values>) => ({ name: '', role: null, approvers: [], ...more });

test('Enter never sends the form, whether or not something matches', async () => {
  const { user, sent, box, create } = await hire();
  await user.click(box('Role'));
  await user.keyboard('{Enter}{Enter}nothing{Enter}{Enter}');
  await user.clear(box('Role'));
  await user.click(box('Approvers'));
  await user.keyboard('{Enter}{Enter}');
  await user.click(create);
  expect(sent).toEqual([values({})]);
});

test('keys that come at once choose what they say', async () => {
  const { user, sent, name, box, typeFast, create } = await hire('Finance');
  await user.click(name);
  fireEvent.focus(box('Role'));
  box('Role').focus();
  typeFast(box('Role'), 'sta');
  expect(box('Role').value).toBe('Staff');
  await user.click(create);
  expect(sent).toEqual([values({ role: 'Staff' })]);
});

test('Enter on the value already chosen shows its whole name, selected', async () => {
  const { user, box } = await hire('Staff');
  await user.click(box('Role'));
  await user.keyboard('sta{Enter}');
  expect(box('Role').value).toBe('Staff');
  await user.keyboard('fin{Enter}');
  expect(box('Role').value).toBe('Finance');
  await user.keyboard('sal{Enter}');
  expect(box('Role').value).toBe('Sales');
});

test('an option with a word that begins with the text comes before one that only contains it', async () => {
  const { user, sent, box, create } = await hire();
  await user.click(box('Role'));
  // "Finance" contains it, and comes first in the list.
  await user.keyboard('an');
  const shown = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(shown()).toEqual(['Analyst', 'Sales analyst', 'Finance']);
  await user.keyboard('alyst');
  expect(shown()).toEqual(['Analyst', 'Sales analyst']);
  await user.keyboard('{Enter}');
  await user.click(create);
  expect(sent).toEqual([values({ role: 'Analyst' })]);
});

test('arrow keys choose another match than the first', async () => {
  const { user, box } = await hire();
  await user.click(box('Role'));
  await user.keyboard('a{ArrowDown}{ArrowDown}{Enter}');
  expect(box('Role').value).toBe('Sales analyst');
});

test('Ctrl+Enter only sends: with the text cleared, nothing is highlighted or added', async () => {
  const { user, sent, box } = await hire();
  await user.click(box('Approvers'));
  await user.keyboard('marc{Enter}ver{Backspace}{Backspace}{Backspace}');
  expect(document.querySelector('[data-combobox-selected]')).toBeNull();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => sent).toEqual([values({ approvers: ['Marcus Webb'] })]);
});

test.each([
  ['Ctrl+Enter', '{Control>}{Enter}{/Control}'],
  ['the button', null],
])('text that is no choice stays, and the form is not sent by %s before it is chosen or cleared', async (_by, keys) => {
  const { user, sent, box, create } = await hire('Staff');
  const send = () => (keys ? user.keyboard(keys) : user.click(create));
  for (const [label, text] of [
    ['Approvers', 'Vera'],
    ['Role', 'mark'],
  ] as const) {
    await user.click(box(label));
    await user.keyboard(text);
    await send();
    await screen.findByText('Choose from the list, or clear the text');
    expect(document.activeElement).toBe(box(label));
    expect(box(label).value).toBe(text);
    await user.clear(box(label));
    expect(screen.queryByText('Choose from the list, or clear the text')).toBeNull();
  }
  await send();
  await expect.poll(() => sent).toEqual([values({ role: 'Staff' })]);
});

test.each([
  ['Tab', '{Tab}'],
  ['Ctrl+Enter', '{Control>}{Enter}{/Control}'],
])('%s chooses the whole label that was typed, or the only one that matches', async (_key, leaving) => {
  const { user, sent, box, create } = await hire('Staff');
  await user.click(box('Approvers'));
  await user.keyboard('vera fóx{Tab}');
  await user.click(box('Role'));
  await user.keyboard(`fin${leaving}`);
  if (leaving === '{Tab}') {
    expect(box('Role').value).toBe('Finance');
    await user.click(create);
  }
  await expect.poll(() => sent).toEqual([values({ role: 'Finance', approvers: ['Vera Fox'] })]);
});

test('a field that gives access needs the whole label, and waits for what the server finds', async () => {
  let answer: () => void = () => {};
  const sent: Values[] = [];
  function Page() {
    const [found, setFound] = useState(false);
    answer = () => setFound(true);
    const form = useForm<Values, void>({
      initial: { name: '', role: null, approvers: [] },
      mutation: { isPending: false, mutateAsync: async (values: Values) => void sent.push(values) },
    });
    return (
      <Form form={form} submit="Create">
        <SearchSelect label="Role" exact data={roles} {...form.field('role')} />
        <SearchMultiSelect
          label="Approvers"
          exact
          settled={found}
          data={found ? people : []}
          {...form.field('approvers')}
        />
      </Form>
    );
  }
  const user = await showPage(<Page />);
  const role = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Role' });
  await user.click(role);
  await user.keyboard('fin{Tab}');
  await screen.findByText('Choose from the list, or clear the text');
  await user.type(role, 'finance{Tab}');
  expect(role.value).toBe('Finance');
  await user.keyboard('vera lee{Tab}');
  act(() => answer());
  expect(screen.queryByText('Choose from the list, or clear the text')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await expect.poll(() => sent).toEqual([values({ role: 'Finance', approvers: ['Vera Lee'] })]);
});

test('a list opens by typing, an arrow key or a click, and not by Tab', async () => {
  const { user, name, box } = await hire();
  await user.click(name);
  for (const [label, open] of [
    ['Role', '{ArrowDown}'],
    ['Approvers', 'ver'],
  ] as const) {
    await user.keyboard('{Tab}');
    expect(document.activeElement).toBe(box(label));
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.keyboard(open);
    await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
  }
});

test('a choice that gives the focus back is made once, also where the whole label of another was typed', async () => {
  const chosen: (string | null)[] = [];
  const user = await showPage(
    <div role="dialog" tabIndex={-1}>
      <SearchSelect label="Brand" data={roles} value="Staff" onChange={(value) => chosen.push(value)} returnsFocus />
    </div>,
  );
  await user.click(await screen.findByRole('combobox', { name: 'Brand' }));
  await user.keyboard('sales{ArrowDown}{Enter}');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('dialog');
  expect(chosen).toEqual(['Sales analyst']);
});

test('outside a form, text that is no choice goes on leaving', async () => {
  const user = await showPage(<SearchSelect label="Sprint" data={roles} value="Staff" onChange={() => {}} />);
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  await user.click(field);
  await user.keyboard('xyz{Tab}');
  expect(field.value).toBe('Staff');
});

test('Enter waits for the options that the server searches, unless the text changes', async () => {
  const chosen: (string | null)[] = [];
  let answer: (data: string[]) => void = () => {};
  function Page() {
    const [data, setData] = useState<string[]>([]);
    answer = setData;
    return <SearchSelect label="Person" data={data} value={null} onChange={(value) => chosen.push(value)} />;
  }
  const user = await showPage(<Page />);
  await user.click(await screen.findByRole('combobox', { name: 'Person' }));
  await user.keyboard('ver{Enter}a');
  act(() => answer(people));
  expect(chosen).toEqual([]);
  act(() => answer([]));
  await user.keyboard('{Enter}');
  act(() => answer(people));
  expect(chosen).toEqual(['Vera Fox']);
});

test('a choice whose label is loaded after it was chosen shows it then, instead of the last one’s', async () => {
  const loaded = { value: '48', label: 'W48, current' };
  let choose: (value: string) => void = () => {};
  let answer: (data: (typeof loaded)[]) => void = () => {};
  function Page() {
    const [value, setValue] = useState('48');
    const [data, setData] = useState([loaded]);
    choose = setValue;
    answer = setData;
    return <SearchSelect label="Sprint" data={data} value={value} onChange={() => {}} />;
  }
  await showPage(<Page />);
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Sprint' });
  expect(field.value).toBe('W48, current');
  act(() => choose('47'));
  act(() => answer([loaded, { value: '47', label: 'W47, recorded' }]));
  expect(field.value).toBe('W47, recorded');
});

test.each([
  ['choices', <SearchMultiSelect key="a" label="Several" data={people} value={['Vera Fox']} onChange={() => {}} />],
  ['tags', <TagsInput key="b" label="Several" value={['Vera Fox']} />],
])('a field of several %s shows where the keyboard is around its rounded box', async (_, field) => {
  await showPage(field);
  const input = await screen.findByLabelText<HTMLInputElement>('Several', { selector: 'input:not([type="hidden"])' });
  const sheet = readFileSync('src/web/ui/global.css', 'utf8');
  const selectors = [...sheet.matchAll(/^(\S.*):has\(:focus-visible\) \{\n {2}outline: 2px/gm)].map(
    ([, box = '']) => box,
  );
  expect(selectors).toHaveLength(1);
  expect(input.closest(selectors[0]!)?.textContent).toContain('Vera Fox');
});
