import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { ApproverPicker } from './approver-picker.tsx';
import { usePersonSelect } from './people-to-choose.ts';

const person = (id: string, displayName: string) => ({
  ...{ id, displayName, email: `${id}@company.test`, disabled: false, approves: true, approverWarning: null },
});
const people = [person('1', 'Nora Lind'), person('2', 'Zoe Abel'), person('5', 'Zoe Abel'), person('7', 'Ben Ode')];
type Asked = { readonly find?: string; readonly ids?: readonly string[] };

const found = ({ find, ids = [] }: Asked) => ({
  peopleToChoose: people.filter(
    ({ id, displayName }) =>
      ids.includes(id) || (find !== undefined && displayName.toLowerCase().includes(find.toLowerCase())),
  ),
});

function Owner({ name }: { readonly name?: string }) {
  const [value, setValue] = useState<string | null>('2');
  const select = usePersonSelect(value, name === undefined ? {} : { 2: name });
  return <SearchSelect label="Owner" placeholder="Nobody" {...select} value={value} onChange={setValue} />;
}

const ownerField = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Owner' });
const optionTexts = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const pill = { selector: '.mantine-Pill-label' };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a person who has a namesake keeps one label, and what is typed is searched', async () => {
  const finds: (string | undefined)[] = [];
  const user = await showPage(<Owner />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: {
      PeopleToChoose: (asked: Asked) => {
        if (asked.ids === undefined) finds.push(asked.find);
        return found(asked);
      },
    },
  });
  const field = await ownerField();
  await expect.poll(() => field.value).toBe('Zoe Abel (2@company.test)');
  await wait(500);
  expect(field.value).toBe('Zoe Abel (2@company.test)');
  await user.click(field);
  await user.keyboard('ben');
  await expect.poll(optionTexts).toEqual(['Ben Ode']);
  await wait(300);
  expect(field.value).toBe('ben');
  expect(finds).toEqual(['', 'ben']);
});

test('a namesake who is found later leaves what is typed', async () => {
  const user = await showPage(<Owner />, {
    viewer: viewerWith('USER_MANAGEMENT'),
    answers: { PeopleToChoose: (asked: Asked) => (asked.find === '' ? { peopleToChoose: [] } : found(asked)) },
  });
  const field = await ownerField();
  await expect.poll(() => field.value).toBe('Zoe Abel');
  await user.click(field);
  await user.keyboard('zoe');
  await screen.findByRole('option', { name: 'Zoe Abel (5@company.test)' });
  expect(field.value).toBe('zoe');
  await user.tab();
  await expect.poll(() => field.value).toBe('Zoe Abel (2@company.test)');
});

const both = (name?: string) => (
  <>
    <Owner {...(name === undefined ? {} : { name })} />
    <ApproverPicker
      label="Approvers"
      chosen={['1']}
      names={name === undefined ? {} : { 1: name }}
      onChange={() => {}}
    />
  </>
);

test.each([
  ['Known', new Promise(() => {}), 'Known'],
  [undefined, new Promise(() => {}), 'Loading…'],
])(
  'until the server answers, the chosen people are called by their name %s, or as loading',
  async (name, answer, shown) => {
    await showPage(both(name), { viewer: viewerWith('USER_MANAGEMENT'), answers: { PeopleToChoose: () => answer } });
    const field = await ownerField();
    await expect.poll(() => field.value).toBe(shown);
    await screen.findByText(shown, pill);
  },
);

test('after a failure, a chosen person is neither nobody nor an id', async () => {
  const answers = { PeopleToChoose: () => refuse('INTERNAL', 'Failed') };
  await showPage(both(), { viewer: viewerWith('USER_MANAGEMENT'), answers });
  const field = await ownerField();
  await expect.poll(() => field.value).toBe('Unknown person');
  await screen.findByText('Unknown person', pill);
});

test('the search ends where the server’s does', async () => {
  await showPage(both(), { viewer: viewerWith('USER_MANAGEMENT'), answers: { PeopleToChoose: found } });
  expect((await ownerField()).maxLength).toBe(200);
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Approvers' }).maxLength).toBe(200);
});

test('a server of an older version, which can’t find disabled people, is not asked for them', async () => {
  const user = await showPage(<Owner />, { viewer: viewerWith('USER_MANAGEMENT'), answers: { PeopleToChoose: found } });
  const fetched = globalThis.fetch;
  const sent: string[] = [];
  globalThis.fetch = (url, init) => {
    sent.push(String(init?.body));
    return fetched(url, init);
  };
  await user.click(await ownerField());
  await user.keyboard('ben');
  await expect.poll(optionTexts).toEqual(['Ben Ode']);
  expect(sent.some((body) => body.includes('peopleToChoose('))).toBe(true);
  expect(sent.filter((body) => body.includes('$disabled') || body.includes('disabled:'))).toEqual([]);
});
