import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import type { DateReading, Preview } from './import-calls.ts';
import { changeKind, formOf, noFacts, type RuleForm, ruleOf, withFormat } from './rule-form.ts';
import { RuleInputs } from './rule-inputs.tsx';

let rule: unknown;

type InputsProps = {
  begun: RuleForm;
  choices: readonly string[];
  readings?: readonly DateReading[];
  shapes?: Preview['dates'][string];
};

function Inputs({ begun, choices, readings = [], shapes = [] }: InputsProps) {
  const [form, setForm] = useState(begun);
  rule = ruleOf(form);
  const values = { Shop: ['Arcade', 'CODEX', 'Kiosk'].map((value) => ({ value, count: 1 })) };
  return (
    <RuleInputs
      {...{ title: 'Field', form, choices, values, readings, shapes }}
      columns={['Shop', 'Date', 'Time']}
      exampleOf={(column) => (column === 'Time' ? '09:12:58' : '')}
      onChange={setForm}
    />
  );
}

test('a field with fixed values offers them by their names, and finds the file’s by name', async () => {
  const begun = { kind: 'map', column: 'Shop', pairs: [], otherwise: '' } as const;
  const user = await showPage(<Inputs begun={begun} choices={['connect', 'codex', 'bgp']} />);
  await user.click(await screen.findByRole('button', { name: 'Add 3 values from the file' }));
  await user.click(screen.getByRole('combobox', { name: 'Field: import value 3 as' }));
  await user.click(await screen.findByRole('option', { name: 'Connect' }));
  expect(rule).toEqual({ rule: { value: 'Shop', map: { Arcade: 'bgp', CODEX: 'codex', Kiosk: 'connect' } } });
});

test('values of any text stay as they are until someone changes them, so none becomes blank', async () => {
  const begun = { kind: 'map', column: 'Shop', pairs: [], otherwise: '' } as const;
  const user = await showPage(<Inputs begun={begun} choices={[]} />);
  await user.click(await screen.findByRole('button', { name: 'Add 3 values from the file' }));
  expect(rule).toEqual({ rule: { value: 'Shop', map: { Arcade: 'Arcade', CODEX: 'CODEX', Kiosk: 'Kiosk' } } });
  await user.clear(screen.getByRole('textbox', { name: 'Field: import value 3 as' }));
  expect(rule).toMatchObject({ rule: { map: { CODEX: 'CODEX', Kiosk: '' } } });
});

test('a date that has two meanings is read by a click, with the time of another column too', async () => {
  const readings = [
    { format: 'D/M/YYYY', example: '7/2/2022', day: '2022-02-07' },
    { format: 'M/D/YYYY', example: '7/2/2022', day: '2022-07-02' },
  ];
  const begun = { kind: 'column', column: 'Date' } as const;
  const user = await showPage(<Inputs begun={begun} choices={[]} readings={readings} />);
  await screen.findByText('What does 7/2/2022 mean?');
  await user.click(screen.getByRole('radio', { name: '2 Jul 2022' }));
  expect(rule).toEqual({ rule: { date: 'Date', format: 'M/D/YYYY' } });
  await user.click(screen.getByRole('combobox', { name: 'Field: column of the time' }));
  await user.click(await screen.findByRole('option', { name: 'Time' }));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '2 Jul 2022' }).checked).toBe(true);
  await user.click(screen.getByRole('radio', { name: '7 Feb 2022' }));
  const date = { join: ['Date', 'Time'], with: ' ' };
  expect(rule).toEqual({ rule: { date, format: 'D/M/YYYY H:mm:ss' } });
});

test('a date that one column leaves blank comes from another one, also after “First non-blank column”', async () => {
  const begun = changeKind({ kind: 'first', columns: ['Date', 'Time'] }, 'date');
  const user = await showPage(<Inputs begun={begun} choices={[]} />);
  await screen.findByRole('combobox', { name: 'Field: columns for rows that leave it blank' });
  const given = { date: { first: ['Date', 'Time'] }, format: 'YYYY-MM-DD' };
  expect(rule).toEqual({ rule: given });
  expect(ruleOf(formOf(given))).toEqual({ rule: given });
  expect(screen.queryByRole('combobox', { name: 'Field: column of the time' })).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Field: columns for rows that leave it blank' }));
  await user.click(await screen.findByRole('option', { name: 'Time' }));
  expect(rule).toEqual({ rule: { date: 'Date', format: 'YYYY-MM-DD' } });
  const facts = { ...noFacts, dates: { Date: [{ format: 'D/M/YYYY' }], Time: [{ format: 'ISO' }] } };
  const [before, after] = [
    { kind: 'date', column: 'Date', time: '', format: 'D/M/YYYY', zone: '' },
    { kind: 'date', column: 'Date', others: ['Time'], time: '', format: 'D/M/YYYY', zone: '' },
  ] as const;
  expect(withFormat(after, before, facts, 'instant')).toMatchObject({ format: 'D/M/YYYY | ISO' });
});

test('blank cells of the file become a value too', async () => {
  const begun = { kind: 'map', column: 'Shop', pairs: [{ from: '', to: '' }], otherwise: '' } as const;
  const user = await showPage(<Inputs begun={begun} choices={['connect', 'codex']} />);
  const choice = await screen.findByRole('combobox', { name: 'Field: import value 1 as' });
  expect(rule).toEqual({ rule: { value: 'Shop', map: {} } });
  await user.click(choice);
  await user.click(await screen.findByRole('option', { name: 'Connect' }));
  expect(rule).toEqual({ rule: { value: 'Shop', map: { '': 'connect' } } });
  expect(screen.getByPlaceholderText('Blank cells')).toBeTruthy();
});

test('a date offers the formats that its column has, each with an example', async () => {
  const begun = { kind: 'date', column: 'Date', time: '', format: 'YYYY-MM-DD', zone: '' } as const;
  const shapes = [{ format: 'MMM D, YYYY', count: 3, example: 'Sep 21, 2025' }];
  const user = await showPage(<Inputs begun={begun} choices={[]} shapes={shapes} />);
  await user.click(await screen.findByRole('button', { name: 'Read Sep 21, 2025 as MMM D, YYYY' }));
  expect(rule).toEqual({ rule: { date: 'Date', format: 'MMM D, YYYY' } });
  expect(screen.queryByRole('button', { name: /is MMM/ })).toBeNull();
});

test('columns are joined by any text, and a date takes the time of another column', async () => {
  const together = { kind: 'together', columns: ['Shop', 'Date'], with: ' / ', isNumbered: false } as const;
  const date = { kind: 'date', column: 'Date', time: '', format: 'YYYY-MM-DD', zone: '' } as const;
  const user = await showPage(<Inputs begun={together} choices={[]} />);
  const between = await screen.findByRole('textbox', { name: 'Field: separator' });
  await user.clear(between);
  await user.type(between, '-');
  expect(rule).toEqual({ rule: { join: ['Shop', 'Date'], with: '-' } });
  const other = await showPage(<Inputs key="date" begun={date} choices={[]} />);
  await other.click(await screen.findByRole('combobox', { name: 'Field: column of the time' }));
  await other.click(await screen.findByRole('option', { name: 'Time' }));
  const format = 'YYYY-MM-DD H:mm:ss';
  expect(rule).toEqual({ rule: { date: { join: ['Date', 'Time'], with: ' ' }, format } });
});

test('the numbers of columns that are multiplied can have a decimal comma', async () => {
  const begun = { kind: 'multiply', columns: ['Shop', 'Time'] } as const;
  const user = await showPage(<Inputs begun={begun} choices={[]} />);
  await screen.findByText('How Time is written: 09:12:58');
  const sign = within(screen.getByRole('radiogroup', { name: 'Field: decimal sign of Time' }));
  await user.click(sign.getByRole('radio', { name: '1.234,50' }));
  expect(rule).toEqual({ rule: { multiply: ['Shop', { number: 'Time', decimal: ',' }] } });
});
