import { useQuery } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import { Fragment, type ReactNode, useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { permissionKeys } from '#core/access/permissions.ts';
import { otherDaysReason } from '#core/numbers/imports.ts';
import { ApiError } from '#web/api/api-error.ts';
import { answerConfirm } from '#web/api/confirm.ts';
import { unsentDrafts } from '#web/api/drafts.ts';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { FileStep } from './file-step.tsx';
import { rowFaultsOf } from './first-rows.tsx';
import { lastImportsKey, mappingsQuery } from './import-calls.ts';
import { ImportReasons, ReasonTable } from './import-reasons.tsx';
import ImportWizard from './import-wizard.tsx';
import { type MappingDraft, mappingOf, newDraft, previewOf, withField } from './mapping-draft.ts';
import { MappingStep } from './mapping-step.tsx';
import { ruleOf } from './rule-form.ts';
import { RunStep } from './run-step.tsx';
import { type Importing, useImport } from './use-import.ts';
import { isPreviewWorthRetrying } from './use-preview.ts';

const viewer = { ...viewerWith(...permissionKeys), role: 'Importers' };

const preview = {
  ...{ format: 'xlsx', encoding: 'utf-8', delimiter: null, rows: [], mapped: [], above: [], sampleRows: 1, refused: 0 },
  ...{
    columns: ['id'],
    mappingFault: null,
    missingColumns: [],
    reasons: [],
    values: {},
    dates: {},
    unclearDates: {},
    numbers: {},
    fill: null,
    unique: [],
    doubts: [],
  },
  workbook: { sheets: ['Jan', 'Feb'], sheet: 'Jan' },
};

test('another sheet of a workbook starts afresh, and the first keeps its edits', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: {
      ImportMappings: () => ({ importMappings: [] }),
      LastImports: () => ({ importRuns: [] }),
    },
  });
  await screen.findByText('1. File');
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    const { sheet = 'Jan' } = JSON.parse(String(init.body)) as { sheet?: string };
    return Promise.resolve(Response.json({ ...preview, workbook: { ...preview.workbook, sheet } }));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id\n1'], 'shop.csv', { type: 'text/csv' }));
  const source = await screen.findByLabelText<HTMLInputElement>('Source');
  const started = source.value;
  await user.type(source, ' Ghent');
  const show = async (sheet: string) => {
    await user.click(await screen.findByRole('combobox', { name: 'Sheet' }));
    await user.click(await screen.findByRole('option', { name: sheet }));
  };
  const value = () => screen.queryByLabelText<HTMLInputElement>('Source')?.value;
  await show('Feb');
  await expect.poll(value).toBe(started);
  await show('Jan');
  await expect.poll(value).toBe(`${started} Ghent`);
});

test('only data that a person can read in full is offered', async () => {
  const read = ['VIEW_SALES', 'VIEW_GREEN_SALES', 'READ_GREEN', 'VIEW_DISTRIBUTIONS', 'VIEW_PRODUCT_PAYMENTS'] as const;
  const user = await showPage(<ImportWizard />, {
    viewer: {
      ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT', ...read),
      ...{ id: 'accountant', role: 'Importers' },
    },
    answers: {
      ImportMappings: () => ({ importMappings: [] }),
      LastImports: () => ({ importRuns: [] }),
    },
  });
  const type = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Dataset' });
  expect(type.value).toBe('Payouts');
  await user.click(type);
  expect((await screen.findAllByRole('option')).map((one) => one.textContent)).toEqual(['Payouts', 'Payments']);
});

test('a preview that other previews keep from running is asked for again', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer: { ...viewer, id: 'patient' },
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const busy = { code: 'TOO_MANY_ATTEMPTS', message: 'Your other previews are running' };
  const answers = [Response.json({ error: busy }, { status: 429 })];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(answers.pop() ?? Response.json({ ...preview, workbook: null }))
      : others(url, init),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id\n1'], 'patience.csv', { type: 'text/csv' }));
  await screen.findByText('Reading the file…');
  await screen.findByText(/read as/, undefined, { timeout: 5_000 });
  expect(answers).toEqual([]);
});

test('a busy server is asked for longer than a server that died keeps its places', () => {
  const error = new ApiError({ code: 'TOO_MANY_ATTEMPTS', message: '', statusCode: 429 });
  const wait = queryClient.getDefaultOptions().queries?.retryDelay as (count: number, error: ApiError) => number;
  let waited = 0;
  for (let count = 0; isPreviewWorthRetrying(count, error); count += 1) waited += wait(count, error);
  expect(waited).toBeGreaterThan(45_000);
});

test('a sheet that wasn’t read is asked for again at a click, and the first one if the sheet is at fault', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer: { ...viewer, id: 'again' },
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const sentences = ['Third', 'Second', 'First'];
  let code = 'INTERNAL';
  const refused = (message: string) => Response.json({ error: { code, message } }, { status: 500 });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    const message = JSON.parse(String(init.body)).sheet === undefined ? undefined : sentences.pop();
    return Promise.resolve(message === undefined ? Response.json(preview) : refused(message));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id\n1'], 'again.csv', { type: 'text/csv' }));
  await user.click(await screen.findByRole('combobox', { name: 'Sheet' }));
  await user.click(await screen.findByRole('option', { name: 'Feb' }));
  await screen.findByText('First');
  // The sheet isn’t at fault.
  expect(screen.queryByRole('button', { name: 'Read the first sheet' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Second');
  code = 'BAD_INPUT';
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Third');
  await user.click(screen.getByRole('button', { name: 'Read the first sheet' }));
  await screen.findByLabelText('Source');
});

test('a failed preview is read again when its file is chosen again, and in step 2 at a click', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer: { ...viewer, id: 'twice' },
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const busy = (message: string) => Response.json({ error: { code: 'INTERNAL', message } }, { status: 500 });
  const of = { file: [() => busy('The file wasn’t read')], mapping: [() => busy('The columns weren’t read')] };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    const { mapping } = JSON.parse(String(init.body)) as { mapping?: object };
    const answer = (mapping ? of.mapping : of.file).pop() ?? (() => Response.json({ ...preview, workbook: null }));
    return Promise.resolve(answer());
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const chooseFile = () => user.upload(input, new File(['id\n1'], 'once.csv', { type: 'text/csv' }));
  await chooseFile();
  await screen.findByText('The file wasn’t read');
  await chooseFile();
  await screen.findByText('The columns weren’t read');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => screen.queryByText('The columns weren’t read')).toBeNull();
});

test('a file of more than 2 GB is refused before it is read or sent', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const slow = slowFile('march.csv');
  await user.upload(input, slow.file);
  await screen.findByText('Reading march.csv…');
  const file = new File(['id'], 'decade.csv');
  Object.defineProperty(file, 'size', { value: 2 * 1024 ** 3 + 1 });
  await user.upload(input, file);
  await screen.findByText('decade.csv is larger than 2 GB. Split it, or save it as Parquet or gzip.');
  expect(screen.queryByText('Reading march.csv…')).toBeNull();
});

test('a file that can’t be read is named', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const file = new File(['id'], 'cloud.csv', { type: 'text/csv' });
  vi.spyOn(file, 'slice').mockImplementation(() => {
    throw new DOMException('', 'NotReadableError');
  });
  await user.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, file);
  await screen.findByText(/^Couldn’t read cloud.csv\. /);
});

/** A file whose bytes come when it is released. */
function slowFile(name: string) {
  const file = new File(['id\n1'], name, { type: 'text/csv' });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const reads: Promise<ArrayBuffer>[] = [];
  vi.spyOn(file, 'slice').mockImplementation((...range) => {
    const part = File.prototype.slice.apply(file, range);
    const arrayBuffer = () => {
      const read = promise.then(() => Blob.prototype.arrayBuffer.call(part));
      reads.push(read);
      return read;
    };
    return Object.assign(part, { arrayBuffer });
  });
  const isRead = async () => {
    release();
    await expect.poll(() => reads.length).toBe(2);
    await reads[1];
  };
  return { file, isRead };
}

test('only the last chosen file counts, and none once an import is under way', async () => {
  const chosenNames: string[] = [];
  function Step() {
    const [chosen, setChosen] = useState<ChosenFile | null>(null);
    const [isLocked, setLocked] = useState(false);
    const onChoose = (next: ChosenFile) => {
      chosenNames.push(next.file.name);
      setChosen(next);
    };
    const choices = { onDataset: vi.fn(), onSheet: vi.fn(), onMapping: vi.fn(), onDiscard: null };
    const read = {
      waiting: null,
      saved: null,
      isFresh: true,
      sheet: '',
      editsOf: null,
      preview: { error: null } as never,
    };
    return (
      <>
        <FileStep dataset="orders" {...{ chosen, isLocked, onChoose, ...choices, ...read }} />
        <button type="button" onClick={() => setLocked(true)}>
          Lock
        </button>
      </>
    );
  }
  const user = await showPage(<Step />, { viewer, answers: { ImportMappings: () => ({ importMappings: [] }) } });
  const says = () => screen.getByRole('status').textContent;
  const [march, april, may] = [slowFile('march.zip'), slowFile('april.csv'), slowFile('may.csv')];
  await screen.findByText('1. File');
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, march.file);
  await expect.poll(says).toBe('Reading march.zip…');
  await user.upload(input, april.file);
  await expect.poll(says).toBe('Reading april.csv…');
  await april.isRead();
  await expect.poll(says).toBe('april.csv');
  await march.isRead();
  await user.upload(input, may.file);
  await expect.poll(says).toBe('Reading may.csv…');
  await user.click(screen.getByRole('button', { name: 'Lock' }));
  expect(says()).toBe('april.csv');
  await may.isRead();
  await user.click(screen.getByRole('button', { name: 'Lock' }));
  expect([says(), chosenNames]).toEqual(['april.csv', ['april.csv']]);
});

test('a saved mapping that fits the file is offered, and a repeated id says what helps', async () => {
  const fields = { external_id: 'id', gross: 'price' };
  const saved = (name: string, mapping: object) => ({ name, dataset: 'orders', mapping: JSON.stringify(mapping) });
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: {
      ImportMappings: () => ({
        importMappings: [
          saved('other', { fields: { ...fields, sku: 'x' } }),
          saved('shop', { source: 'till', fields }),
        ],
      }),
      LastImports: () => ({ importRuns: [] }),
    },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const reason = {
    kind: 'refused',
    column: 'ID in the source',
    reason: 'has the ID of line 2: "1"',
    count: 1,
    line: 3,
    values: [],
  };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(
          Response.json({
            ...preview,
            workbook: null,
            columns: ['id', 'price'],
            reasons: [{ ...reason, value: null }],
          }),
        )
      : others(url, init),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id,price\n1,2'], 'week.csv', { type: 'text/csv' }));
  const choose = async (name: string) => {
    await user.click(screen.getByRole('combobox', { name: 'Mapping' }));
    await user.click(await screen.findByRole('option', { name }));
  };
  await user.click(await screen.findByRole('button', { name: 'Use “shop”' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Source')).value).toBe('till');
  // It would discard what has been typed.
  await choose('New mapping');
  await screen.findByRole('button', { name: 'Use “shop”' });
  await user.type(await screen.findByLabelText('Source'), 'x');
  expect(screen.queryByRole('button', { name: 'Use “shop”' })).toBeNull();
  await choose('shop');
  await screen.findByText(/choose “Combine columns” for the ID and select “Number rows with the same values/);
  expect(screen.getByText(/^Choose a column or a value for: Product, Order,/)).toBeTruthy();
});

test('looking at another mapping or type of data loses no edits, and a typed name isn’t the next mapping’s', async () => {
  const mapping = JSON.stringify({ source: 'till', fields: { external_id: 'nr', gross: 'cost' } });
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: {
      ImportMappings: () => ({ importMappings: [{ name: 'shop', dataset: 'orders', mapping }] }),
      LastImports: () => ({ importRuns: [] }),
    },
  });
  await screen.findByText('1. File');
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(Response.json({ ...preview, workbook: null, columns: ['nr', 'cost'] }))
      : others(url, init),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['nr,cost\n1,2'], 'looking.csv', { type: 'text/csv' }));
  const choose = async (list: string, name: string) => {
    await user.click(screen.getByRole('combobox', { name: list }));
    await user.click(await screen.findByRole('option', { name }));
  };
  const source = () => screen.queryByLabelText<HTMLInputElement>('Source')?.value;
  await choose('Mapping', 'New mapping');
  await user.type(await screen.findByLabelText('Source'), '-mine');
  await expect.poll(source).toBe('looking-mine');
  const name = () => screen.queryByLabelText<HTMLInputElement>('Mapping name')?.value;
  await user.type(screen.getByLabelText('Mapping name'), '-2');
  expect(name()).toBe('looking-mine-2');
  await choose('Mapping', 'shop');
  await expect.poll(source).toBe('till');
  expect(name()).toBe('shop');
  await user.type(screen.getByLabelText('Source'), '-too');
  await choose('Mapping', 'New mapping');
  await expect.poll(source).toBe('looking-mine');
  await choose('Dataset', 'Payments');
  await expect.poll(source).toBe('looking');
  await choose('Dataset', 'Orders');
  await expect.poll(source).toBe('looking-mine');
  await choose('Mapping', 'shop');
  await expect.poll(source).toBe('till-too');
  await choose('Mapping', 'New mapping');
});

test('the columns and their fields follow the encoding that someone types', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    const { mapping = {} } = JSON.parse(String(init.body)) as { mapping?: { encoding?: string } };
    const columns = mapping.encoding === 'windows-1253' ? ['Ποσό', 'gross'] : ['Ðïóü', 'ãross'];
    return Promise.resolve(Response.json({ ...preview, workbook: null, columns }));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['x'], 'greek.csv', { type: 'text/csv' }));
  const gross = () => screen.queryByRole<HTMLInputElement>('combobox', { name: 'Gross comes from' })?.value;
  const encoding = await screen.findByLabelText<HTMLInputElement>('Encoding');
  await user.type(screen.getByLabelText('Source'), '-shop');
  expect(gross()).not.toBe('A column');
  await user.click(encoding);
  await user.paste('windows-1253');
  await expect.poll(gross).toBe('A column');
  // The same field: it is still being typed in.
  expect(document.activeElement).toBe(encoding);
  expect(screen.getByLabelText<HTMLInputElement>('Source').value).toBe('greek-shop');
  await user.click(encoding);
  await user.clear(encoding);
  await expect.poll(gross).not.toBe('A column');
});

test('columns that are blank on later lines are filled down at a click', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  let fill: unknown;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    fill = (JSON.parse(String(init.body)) as { mapping?: { fill?: unknown } }).mapping?.fill;
    const suggested = fill === undefined ? { by: 'Name', columns: ['Country', 'Source'] } : null;
    return Promise.resolve(
      Response.json({ ...preview, workbook: null, columns: ['Name', 'Country', 'Source'], fill: suggested }),
    );
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['Name\n1'], 'lines.csv', { type: 'text/csv' }));
  await screen.findByText('Filled only on an order’s first line: Country and Source.');
  await user.click(screen.getByRole('button', { name: 'Fill down' }));
  await expect.poll(() => fill).toEqual({ by: 'Name', columns: ['Country', 'Source'] });
  await expect.poll(() => screen.queryByRole('button', { name: 'Fill down' })).toBeNull();
});

test('a wrong date is shown at the field whose date it is, beside the other values, and a plain day is a day', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const day = '2011-12-29';
  const mapped = [
    { line: 2, externalId: 'a', values: { country: 'FR', occurred_at: day } },
    {
      ...{ line: 3, externalId: 'b', values: { country: 'DE' } },
      faults: [{ field: 'occurred_at', column: 'id', reason: 'isn’t a date: "b"' }],
    },
  ];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(Response.json({ ...preview, workbook: null, columns: ['id', 'Country'], mapped }))
      : others(url, init),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id\n1'], 'days.csv', { type: 'text/csv' }));
  const rowOf = (title: string) => screen.getByRole('combobox', { name: `${title} comes from` }).closest('li')!;
  await screen.findByText('Line 3: isn’t a date: "b"');
  expect(rowOf('Date and time').textContent).toContain('29 Dec 2011');
  expect(rowOf('Date and time').textContent).toContain('Line 3: isn’t a date');
  expect(rowOf('Date and time').textContent).not.toContain('00:00');
  expect(rowOf('ID in the source').textContent).not.toContain('isn’t a date');
  expect(rowOf('Country').textContent).toContain('FR: FranceDE: Germany');
  expect(rowOf('Date and time').textContent).toContain('29 Dec 2011refused');
});

/** The second step with this draft, when the server has answered; returns what a field's row says. */
async function showStep(draft: MappingDraft, answer: Partial<typeof preview>, columns: readonly string[]) {
  const chosen = { id: 1, file: new File([''], 'step.csv'), sample: { text: JSON.stringify(answer), isWhole: true } };
  const changed: MappingDraft[] = [];
  const step = { draft, chosen, columns, ran: [], onChange: (next: MappingDraft) => changed.push(next) };
  const user = await showPage(
    <Later>
      <MappingStep {...step} />
    </Later>,
  );
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ...preview, ...answer })));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const rowOf = async (title: string) =>
    (await screen.findByRole('combobox', { name: `${title} comes from` })).closest('li')!;
  return { user, changed, says: async (title: string) => (await rowOf(title)).textContent };
}

test('a duration shows its moment and what it is counted from, and only later moments can be one', async () => {
  const columns = ['Opened', 'Waited'];
  const draft = withField(newDraft('conversations', 'desk', columns), 'first_response_at', {
    ...{ kind: 'duration', column: 'Waited', unit: '', after: undefined, decimals: { Waited: ',' } },
  });
  const mapped = [{ line: 2, values: { opened_at: '2026-01-05', first_response_at: '2026-01-05T12:30:00Z' } }] as never;
  const { user, changed, says } = await showStep(draft, { columns, mapped, workbook: null as never }, columns);
  await expect.poll(() => says('First response')).toContain('Counted from Opened');
  expect(await says('First response')).toContain('5 Jan 2026');
  await user.click(screen.getByRole('combobox', { name: 'First response: unit of numbers' }));
  await user.click(await screen.findByRole('option', { name: 'Hours' }));
  expect(ruleOf(changed.at(-1)!.fields.first_response_at!)).toEqual({
    rule: { duration: { number: 'Waited', decimal: ',' }, unit: 'hours', after: 'Opened' },
  });
  await user.click(screen.getByRole('radio', { name: '1,234.50' }));
  expect(ruleOf(changed.at(-1)!.fields.first_response_at!)).toMatchObject({ rule: { duration: { decimal: '.' } } });
  await user.click(screen.getByRole('combobox', { name: 'Opened comes from' }));
  await screen.findByRole('option', { name: 'A date' });
  expect(screen.queryByRole('option', { name: 'A duration' })).toBeNull();
});

test('an amount that each line of an order repeats counts once with one choice; other fields don’t offer it', async () => {
  const columns = ['Order', 'Country', 'Total'];
  const gross = { kind: 'number', column: 'Total', decimal: ',' } as const;
  const draft = withField(newDraft('orders', 'shop', columns), 'gross', gross);
  const numbers = { Total: { decimal: ',', isPlain: false } } as never;
  const answer = { columns, numbers, workbook: null as never };
  const { user, changed } = await showStep(draft, answer, columns);
  await user.click(screen.getByRole('combobox', { name: 'Gross comes from' }));
  await user.click(await screen.findByRole('option', { name: 'Once per order' }));
  expect(ruleOf(changed.at(-1)!.fields.gross!)).toEqual({
    rule: {
      when: [{ value: { occurrence: ['Order'] }, equals: '1' }],
      ...{ give: { number: 'Total', decimal: ',' }, else: { constant: '0' } },
    },
  });
  await user.click(screen.getByRole('combobox', { name: 'Country comes from' }));
  await screen.findByRole('option', { name: 'A column' });
  expect(screen.queryByRole('option', { name: 'Once per order' })).toBeNull();
  cleanup();
  const { says } = await showStep(changed.at(-1)!, answer, columns);
  await expect
    .poll(() => says('Gross'))
    .toContain('Counted on each order’s first line, so keep all lines of an order in one file');
});

test('replaced values stay while another kind of rule for the same column is looked at', async () => {
  const map = { kind: 'map', column: 'Shop', pairs: [{ from: 'a', to: 'b' }], otherwise: 'c' } as const;
  const begun = withField(newDraft('orders', 'shop', []), 'sku', map);
  const chosen = { id: 1, file: new File([''], 'kinds.csv'), sample: { text: 'kinds', isWhole: true } };
  let shown = begun;
  function Step() {
    const [draft, setDraft] = useState(begun);
    shown = draft;
    return <MappingStep {...{ draft, chosen }} columns={['Shop', 'Till']} ran={[]} onChange={setDraft} />;
  }
  const user = await showPage(
    <Later>
      <Step />
    </Later>,
  );
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(preview)));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  const choose = async (list: string, name: string) => {
    await user.click(await screen.findByRole('combobox', { name: list }));
    await user.click(await screen.findByRole('option', { name }));
  };
  for (const kind of ['A column', 'Same for all rows', 'Replace values']) await choose('SKU comes from', kind);
  expect(shown.fields.sku).toEqual(map);
  await choose('SKU comes from', 'A column');
  await choose('SKU: column', 'Till');
  await choose('SKU comes from', 'Replace values');
  expect(shown.fields.sku).toMatchObject({ column: 'Till', pairs: [] });
});

test('a field shows a blank cell among its first values', async () => {
  const draft = withField(newDraft('orders', 'shop', []), 'gross', { kind: 'column', column: 'Total' });
  const mapped = [
    { line: 2, values: { gross: '12.5' } },
    { line: 3, leftOut: { column: 'Type', reason: 'a test' } },
    { line: 4, values: {} },
    { line: 5, values: { gross: '7' } },
    { line: 6, values: { gross: '8' } },
  ];
  const { says } = await showStep(draft, { mapped: mapped as never[] }, ['Total', 'Type']);
  await expect.poll(() => says('Gross')).toContain('12.5blank7');
  expect(await says('Gross')).not.toContain('8');
  expect(await says('Tax')).not.toContain('12.5');
});

test('a field shows what the page will say of a country code, and the zone of a time', async () => {
  const draft = withField(newDraft('orders', 'shop', []), 'country', { kind: 'column', column: 'State' });
  const codes = ['PA', 'WY', 'Peru'];
  const mapped = codes.map((country, index) => ({
    ...{ line: index + 2, values: { country, occurred_at: '2026-01-05T06:35:00Z' } },
  }));
  const { says } = await showStep(draft, { mapped: mapped as never[] }, ['State']);
  await expect.poll(() => says('Country')).toContain('PA: PanamaWY: not a country codePeru');
  expect(await says('Date and time')).toContain('07:35 (Europe/Amsterdam)');
});

test('a flag is Yes or No, and its hint says what a gift without it is', async () => {
  const draft = withField(newDraft('donations', 'gifts', []), 'recurring', { kind: 'column', column: 'Type' });
  const mapped = [true, false].map((recurring, index) => ({ line: index + 2, values: { recurring } }));
  const { says } = await showStep(draft, { mapped: mapped as never[] }, ['Type']);
  await expect.poll(() => says('Recurring')).toContain('YesNo');
  expect(await says('Recurring')).toContain('If Recurring gift isn’t mapped either, it’s unknown');
});

test('words like NULL become blank by a click, and values again by another', async () => {
  const draft = withField(newDraft('donations', 'gifts', []), 'campaign', { kind: 'column', column: 'Faction' });
  const doubts = [{ field: 'campaign', reason: 'Faction has “None” in 2 rows', missing: ['None'] }] as never[];
  const begun = { ...draft, rest: { missing: ['?'] } };
  const { user, changed } = await showStep(begun, { doubts }, ['Faction']);
  await user.click(await screen.findByRole('button', { name: 'Campaign: treat as blank in every column' }));
  expect(previewOf(changed.at(-1)!)).toMatchObject({ missing: ['?', 'None'] });
  cleanup();
  const later = await showStep(changed.at(-1)!, {}, ['Faction']);
  await screen.findByText('Treated as blank: ? and None');
  await later.user.click(screen.getByRole('button', { name: 'Import as values' }));
  expect(previewOf(later.changed.at(-1)!)).not.toHaveProperty('missing');
});

test('a product without its second column asks for it, and a missing column is named with its fields', async () => {
  const begun = withField(newDraft('orders', 'shop', []), 'gross', { kind: 'multiply', columns: ['Price'] });
  const draft = ['title', 'sku'].reduce((so, name) => withField(so, name, { kind: 'column', column: 'Item' }), begun);
  const doubts = [{ field: 'gross', reason: 'No column is chosen' }];
  const reasons = [{ kind: 'refused', column: 'Item', reason: 'is wrong', count: 1, line: 2, value: 'x', values: [] }];
  const faults = [{ field: 'title', column: 'Item', reason: 'is wrong' }];
  const mapped = [{ line: 2, values: {}, faults }] as never[];
  const answer = {
    doubts: doubts as never[],
    missingColumns: ['Item'] as never[],
    reasons: reasons as never[],
    mapped,
  };
  const { says } = await showStep(draft, answer, ['Price']);
  await screen.findByText('SKU and Title: The file has no column “Item”.');
  expect(await says('Gross')).toContain('needs a second column');
  expect(await says('Gross')).not.toContain('No column is chosen');
  // Whose cells are wrong isn't known from the column alone.
  expect(screen.getAllByRole('checkbox', { name: /^Import invalid/ })).toHaveLength(1);
  expect(await says('Title')).toContain('Import invalid Title values as blank');
});

test('exact copies may count or not, and a column that differs is advised for other rows with the same id', async () => {
  const copies = { kind: 'refused', column: '', reason: 'Exact copy: has the ID of line …: …', count: 9, line: 3 };
  const one = { ...copies, value: null, values: [] };
  await showPage(<ReasonTable reasons={[one]} isImported={false} />);
  const words = /^9 rows are exact copies of an earlier line\. If they were exported twice, leave them refused\./;
  expect((await screen.findByText(words)).textContent).toContain('select “Number rows with the same values');
  expect(screen.queryByText(/different rows/)).toBeNull();
  cleanup();
  const other = { ...one, column: 'Id', reason: 'has the ID of line …: …', count: 2 };
  await showPage(<ReasonTable reasons={[one, other]} isImported={false} />);
  const advice = (await screen.findByText(/^Other rows have the same ID but differ/)).textContent;
  expect(advice).toContain('add a column in which they differ.');
  expect(advice).not.toContain('select');
});

test('after an import, another ID is only advised with an undo, and correcting rows only if the ID is right', async () => {
  const reason = { kind: 'refused', column: 'Id', reason: 'has the ID of line …: …', count: 9, line: 3, value: '1' };
  const reasons = [{ ...reason, values: [] }];
  const importedRun = { id: '1', rows: 99, refused: 9, hasReport: true, isDryRun: false, reasons } as never;
  await showPage(<ImportReasons run={importedRun} />);
  const advice = await screen.findByText(/^If those are different rows/);
  expect(advice.textContent).toBe(
    'If those are different rows, undo this import, choose “Combine columns” for the ID and select “Number rows with the same values: 1, 2, 3”, and import the whole file again.',
  );
  await screen.findByText(/^If the ID’s columns are right, download the refused rows/);
});

test('a reason of many rows has no dots for what differs, and a trial imports nothing', async () => {
  const reason = { kind: 'refused', column: 'Id', reason: 'has the ID of line …: …', count: 9, line: 3, value: '1' };
  const check = { ...reason, kind: 'warning', column: 'Gross', reason: 'is blank', value: null };
  const reasons = [reason, check].map((one) => ({ ...one, values: [] }));
  await showPage(<ReasonTable reasons={reasons} isImported={false} />);
  await screen.findByText('Id has the ID of another line');
  expect(screen.getByText('Check')).toBeTruthy();
  expect(screen.queryByText('Imported, but check')).toBeNull();
});

test('the same file again keeps what was chosen, another one doesn’t, and doubts are said beside the import', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const doubts = [{ field: 'discount', reason: 'All values are below 1, like rates' }];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    const sample = atob((JSON.parse(String(init.body)) as { sample: string }).sample);
    const columns = sample.split('\n')[0]!.split(',');
    return Promise.resolve(Response.json({ ...preview, workbook: null, columns, doubts }));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const drop = (text: string, name: string) => user.upload(input, new File([text], name, { type: 'text/csv' }));
  await drop('nr,rate\n1,0.5', 'march.csv');
  // The wizard keeps what another test chose.
  await user.click(screen.getByRole('combobox', { name: 'Mapping' }));
  await user.click(await screen.findByRole('option', { name: 'New mapping' }));
  const zone = () => screen.queryByLabelText<HTMLInputElement>('Time zone')?.value;
  await user.type(await screen.findByLabelText('Time zone'), 'UTC');
  const checks = await screen.findByRole('list', { name: 'Check before importing' });
  expect(checks.textContent).toBe('Discount: All values are below 1, like rates.');
  await drop('nr,rate\n1,0.5\n2,0.6', 'march-again.csv');
  await screen.findByText('march-again.csv');
  await expect.poll(zone).toBe('UTC');
  await screen.findByText(
    'These unsaved edits were made for march.csv. Check the source, formats and values, or discard them.',
  );
  await drop('no,rate\n1,0.5', 'april.csv');
  await screen.findByText('april.csv');
  await expect.poll(zone).toBe('');
});

test('choices for a file survive a reload: they are back when it is chosen again', async () => {
  const show = async (id: string) => {
    const user = await showPage(<ImportWizard />, {
      viewer: { ...viewer, id },
      answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
    });
    await screen.findByText('1. File');
    const others = fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (!url.endsWith('/preview')) return others(url, init);
      const { mapping = {} } = JSON.parse(String(init.body)) as { mapping?: { encoding?: string } };
      const columns = mapping.encoding === 'windows-1253' ? ['Ποσό', 'gross'] : ['Ðïóü', 'ãross'];
      return Promise.resolve(Response.json({ ...preview, workbook: null, columns }));
    });
    const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
    const drop = () => user.upload(input, new File(['nr\n1'], 'orders.csv', { type: 'text/csv' }));
    return { user, drop };
  };
  const draftOf = (id: string) => `of-person:${id}:draft:import-mapping`;
  const before = await show('before');
  await before.drop();
  await before.user.click(await screen.findByLabelText('Encoding'));
  await before.user.paste('windows-1253');
  const gross = () => screen.queryByRole<HTMLInputElement>('combobox', { name: 'Gross comes from' })?.value;
  await expect.poll(gross).toBe('A column');
  await before.user.type(screen.getByLabelText('Source'), '-ghent');
  const draft = localStorage.getItem(draftOf('before'));
  expect(unsentDrafts().map(({ name }) => name)).toContain('an import mapping');
  cleanup();

  // As another person's, because this one's is still in memory.
  localStorage.setItem(draftOf('after'), draft!);
  const after = await show('after');
  await screen.findByText('Your mapping for orders.csv isn’t saved yet. Choose the file again to continue.');
  await after.drop();
  const value = (name: string) => screen.queryByLabelText<HTMLInputElement>(name)?.value;
  await expect.poll(() => value('Source')).toBe('orders-ghent');
  expect(value('Encoding')).toBe('windows-1253');
  expect(screen.queryByText(/^Your mapping for/)).toBeNull();
  await after.user.click(screen.getByRole('button', { name: 'Discard edits' }));
  await expect.poll(() => value('Source')).toBe('orders');
  expect(localStorage.getItem(draftOf('after'))).toBeNull();
});

test('a tab of the wizard keeps the mapping that another tab has saved since', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer: { ...viewer, id: 'two-tabs' },
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const stored = 'of-person:two-tabs:draft:import-mapping';
  localStorage.setItem(stored, '{"typed": "elsewhere"}');
  await user.click(await screen.findByRole('combobox', { name: 'Dataset' }));
  await user.click(await screen.findByRole('option', { name: 'Donations' }));
  expect(localStorage.getItem(stored)).toBe('{"typed": "elsewhere"}');
});

test('Parquet is sent whole or in parts, JSON by its start, and both are shown as such', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const sent: { sample: string; isWhole: boolean; parts?: object }[] = [];
  let answer = { ...preview, format: 'parquet', workbook: null, columns: ['id', 'gross'] };
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    sent.push(JSON.parse(String(init.body)));
    return Promise.resolve(Response.json(answer));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const bytes = `PAR1${'x'.repeat(100_000)}PAR1`;
  await user.upload(input, new File([bytes], 'year.parquet'));
  await screen.findByText('100 kB, read as Parquet, 2 columns');
  expect(sent.map(({ sample, isWhole }) => [atob(sample) === bytes, isWhole])).toContainEqual([true, true]);
  await screen.findByLabelText('Time zone');
  await expect.poll(() => screen.queryByLabelText('Encoding')).toBeNull();
  answer = { ...answer, format: 'xlsx', workbook: { sheets: ['Jan'], sheet: 'Jan' } } as unknown as typeof answer;
  await user.upload(input, new File(['PK'], 'year.xlsx'));
  await screen.findByText(/read as Excel/);
  await expect.poll(() => screen.queryByLabelText('Encoding')).toBeNull();
  answer = { ...answer, format: 'parquet', workbook: null };
  await user.upload(input, new File([`PAR1${'x'.repeat(5_000_000)}`], 'decade.parquet'));
  const parts = { size: 5_000_004, places: [[4_999_996, 8]] };
  await expect.poll(() => sent.at(-1)).toMatchObject({ sample: btoa('xxxxxxxx'), isWhole: false, parts });
  answer = { ...answer, format: 'json' };
  await user.upload(input, new File([`[{"id":"${'x'.repeat(100_000)}"}]`], 'year.json'));
  await screen.findByText('100 kB, read as JSON, utf-8, 2 columns');
  expect(atob(sent.at(-1)!.sample)).toHaveLength(64 * 1024);
});

test('wrong cells of an optional field are left empty at a click; a required field, or one wrong in all first rows, has no such choice', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  const columns = ['Quantity', 'Discount', 'Status'];
  const reasons = columns.map((column) => ({
    ...{ kind: 'refused', values: [] },
    column,
    reason: 'is wrong',
    count: column === 'Quantity' ? 2 : 3,
    line: 2,
    value: 'x',
  }));
  const sampleRows = 3;
  let sent: unknown;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/preview')) return others(url, init);
    sent = (JSON.parse(String(init.body)) as { mapping?: { emptyIfWrong?: string[] } }).mapping?.emptyIfWrong ?? sent;
    return Promise.resolve(Response.json({ ...preview, workbook: null, sampleRows, columns, reasons }));
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['Quantity,Discount,Status\n1,y,x'], 'cells.csv', { type: 'text/csv' }));
  const boxes = await screen.findAllByRole('checkbox', { name: /^Import invalid/ });
  expect(boxes.map((box) => box.closest('label')?.textContent?.trim())).toEqual([
    'Import invalid Quantity values as blank',
  ]);
  await user.click(boxes[0]!);
  await expect.poll(() => sent).toEqual(['quantity']);
});

test('so are cells beyond the first rows, which only a run reads', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const wrong = { kind: 'refused', column: 'Quantity', reason: 'is wrong', count: 1, line: 500, value: 'x' };
  const reason = { ...wrong, values: ['x'] };
  const file = new File([''], 'cells.csv', { type: 'text/csv' });
  const chosen = { id: 1, file, sample: { text: '', isWhole: false } };
  const step = { draft: newDraft('orders', 'cells', ['Quantity']), chosen, columns: ['Quantity'], onChange: () => {} };
  await showPage(<MappingStep {...step} ran={[reason]} />);
  await screen.findByRole('checkbox', { name: 'Import invalid Quantity values as blank' });
});

test('counts with decimals can be rounded at a click, and refused again at another', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const wrong = { kind: 'refused', column: 'Conversions', reason: 'isn’t a whole number: …', count: 199, line: 5 };
  const file = new File([''], 'ads.csv', { type: 'text/csv' });
  const chosen = { id: 1, file, sample: { text: '', isWhole: false } };
  const columns = ['Conversions', 'Clicks'];
  const begun = newDraft('affiliate_activity', 'ads', columns);
  function Step() {
    const [draft, setDraft] = useState(begun);
    return (
      <>
        <MappingStep
          {...{ draft, chosen, columns, onChange: setDraft, ran: [{ ...wrong, value: '0.67', values: ['0.67'] }] }}
        />
        <p>{`Rounds ${JSON.stringify(previewOf(draft).round)}`}</p>
      </>
    );
  }
  const user = await showPage(<Step />);
  const boxes = await screen.findAllByRole('checkbox', { name: /^Round/ });
  expect(boxes.map((box) => box.closest('label')?.textContent?.trim())).toEqual(['Round Conversions to whole numbers']);
  await user.click(boxes[0]!);
  await screen.findByText('Rounds ["conversions"]');
  await user.click(boxes[0]!);
  await screen.findByText('Rounds undefined');
});

test('an order’s discount on its first line can be divided among its lines at a click, and whole again at another', async () => {
  const doubts = [{ field: 'discount', reason: 'Off is filled only on an order’s first line', canDivide: true }];
  const begun = newDraft('orders', 'shop', ['Off']);
  const name = 'Divide Discount among the order’s lines, by gross sales';
  const { user, changed } = await showStep(begun, { doubts: doubts as never[] }, ['Off']);
  await user.click(await screen.findByRole('checkbox', { name, checked: false }));
  expect(previewOf(changed.at(-1)!).divide).toEqual(['discount']);
  cleanup();
  const again = await showStep(changed.at(-1)!, {}, ['Off']);
  await again.user.click(await screen.findByRole('checkbox', { name, checked: true }));
  expect(previewOf(again.changed.at(-1)!).divide).toBeUndefined();
});

test('values in different capitals are imported in lowercase at a click, and as written at another', async () => {
  const reason = 'Channel has 1 value in different capitals. Check “Import Channel in lowercase”';
  const begun = newDraft('orders', 'shop', ['Channel']);
  const { user, changed } = await showStep(begun, { doubts: [{ field: 'channel', reason }] as never[] }, ['Channel']);
  const boxes = await screen.findAllByRole('checkbox', { name: /in lowercase$/, checked: false });
  expect(boxes.map((box) => box.closest('label')?.textContent?.trim())).toEqual(['Import Channel in lowercase']);
  await user.click(boxes[0]!);
  expect(previewOf(changed.at(-1)!).lowercase).toEqual(['channel']);
  cleanup();
  const again = await showStep(changed.at(-1)!, {}, ['Channel']);
  await again.user.click(await screen.findByRole('checkbox', { name: /in lowercase$/, checked: true }));
  expect(previewOf(again.changed.at(-1)!)).not.toHaveProperty('lowercase');
});

test('negative amounts become refunds at a click, and sales again at another', async () => {
  const reason = 'Among the first rows, 3 amounts are negative. Check “Negative amounts are refunds”';
  const begun = withField(newDraft('orders', 'shop', ['Off']), 'gross', {
    kind: 'number',
    column: 'Off',
    decimal: '.',
  });
  const { user, changed } = await showStep(begun, { doubts: [{ field: 'gross', reason }] as never[] }, ['Off']);
  await user.click(await screen.findByRole('checkbox', { name: 'Negative amounts are refunds', checked: false }));
  expect(previewOf(changed.at(-1)!).negatives).toBe('refunds');
  cleanup();
  const again = await showStep(changed.at(-1)!, {}, ['Off']);
  await again.user.click(await screen.findByRole('checkbox', { name: 'Negative amounts are refunds', checked: true }));
  expect(previewOf(again.changed.at(-1)!)).not.toHaveProperty('negatives');
});

test('values that only a run has read are listed, and added to those to replace', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const values = ['pending', 'expired', 'partially_refunded'];
  const first = { kind: 'refused', column: 'State', reason: 'is unknown', count: 9, line: 69, value: 'pending' };
  const reason = { ...first, values };
  const file = new File([''], 'pay.csv', { type: 'text/csv' });
  const begun = withField(newDraft('payments', 'pay', []), 'status', {
    ...{ kind: 'map', column: 'State', pairs: [{ from: 'pending', to: 'pending' }], otherwise: '' },
  });
  const changed: MappingDraft[] = [];
  const step = { draft: begun, chosen: { id: 1, file, sample: { text: '', isWhole: false } }, columns: ['State'] };
  const user = await showPage(
    <>
      <MappingStep {...step} ran={[reason]} onChange={(next) => changed.push(next)} />
      <ReasonTable reasons={[reason]} isImported />
    </>,
  );
  await screen.findByText(/^Line 69: pending, expired,? and partially_refunded$/);
  await user.click(screen.getByRole('button', { name: 'Add 2 values from the file' }));
  expect(changed.at(-1)?.fields.status).toMatchObject({ pairs: values.map((from) => ({ from })) });
});

test('the values under “All others” are named once, with their counts', async () => {
  const values = ['Returned', 'Deferred'];
  const named = { kind: 'warning', column: 'Action', count: 3, line: 2, value: 'Returned', values };
  const reason = 'has values that “All others” changes to Completed: Returned (2) and Deferred (1)';
  await showPage(<ReasonTable reasons={[{ ...named, reason }]} isImported />);
  await screen.findByText('Line 2: Returned');
});

/** Shows the page when its answers are ready. */
function Later({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    children
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  );
}

/** Shows another tab and comes back at a click. */
function ComeBack({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setOpened(opened + 1)}>
        Come back
      </button>
      <Fragment key={opened}>{children}</Fragment>
    </>
  );
}

const leaveOut = { column: 'Tag', which: 'has', values: ['test'], reason: 'a test' } as const;

/** A mapping that can be imported. */
function payments(): MappingDraft {
  const columns = { external_id: 'id', attempted_at: 'when', order_ref: 'id', amount: 'amount' };
  const draft = Object.entries(columns).reduce<MappingDraft>(
    (so, [field, column]) => withField(so, field, { kind: 'column', column }),
    newDraft('payments', 'till', []),
  );
  const constant = (so: MappingDraft, field: string, text: string) => withField(so, field, { kind: 'constant', text });
  return constant(constant(draft, 'currency', 'EUR'), 'status', 'paid');
}

function runStep(importing: Partial<Importing>) {
  const changed: MappingDraft[] = [];
  const file = new File([''], 'till.csv', { type: 'text/csv' });
  const step = (
    <RunStep
      draft={payments()}
      chosen={{ id: 1, file, sample: { text: '', isWhole: true } }}
      saved={null}
      importing={
        { sendError: null, isUnderWay: false, isDryRun: false, run: null, ...importing } as unknown as Importing
      }
      onChange={(next) => changed.push(next)}
      onSaved={() => {}}
    />
  );
  return { step, changed };
}

test('an import that would refuse many rows asks first, with the tick box that makes their ids differ', async () => {
  const reason = {
    kind: 'refused',
    column: 'Id',
    reason: 'has the ID of line 2: "1"',
    count: 353,
    line: 3,
    value: '1',
    values: [],
  };
  const first = { ...preview, workbook: null, sampleRows: 999, refused: 353, reasons: [reason] };
  const doubts = [{ field: 'external_id', reason: 'Check it' }];
  const orders: boolean[] = [];
  const { step, changed } = runStep({ start: ({ isAgain }) => orders.push(isAgain) });
  const user = await showPage(<Later>{step}</Later>);
  const opening = await screen.findByRole('button', { name: 'Open' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ...first, doubts })));
  await user.click(opening);
  await screen.findByText(/^ID in the source: Check it/);
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    '353 of the first 999 rows would be refused. The reasons are in step 2.',
  );
  expect(orders).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: 'Number rows with the same values: 1, 2, 3' }));
  expect(changed.at(-1)?.fields.external_id).toMatchObject({ kind: 'together', columns: ['id'], isNumbered: true });
  await user.click(screen.getByRole('button', { name: 'Import the valid rows' }));
  expect(orders).toEqual([false]);
});

test('step 2 doesn’t pass what was said of the mapping before for this one’s, and Import waits for this one’s', async () => {
  const drafts = { first: payments(), second: withField(payments(), 'amount', { kind: 'column', column: 'rate' }) };
  const orders: string[] = [];
  function Steps() {
    const [draft, setDraft] = useState(drafts.first);
    const chosen = { id: 1, file: new File([''], 'till.csv'), sample: { text: '', isWhole: true } };
    const start = ({ mapping }: { mapping: object }) => orders.push(JSON.stringify(mapping));
    const importing = { sendError: null, isUnderWay: false, isDryRun: false, run: null, start } as never;
    const onChange = () => setDraft(draft === drafts.first ? drafts.second : drafts.first);
    return (
      <>
        <button type="button" onClick={onChange}>
          Change
        </button>
        <MappingStep {...{ draft, chosen, onChange }} columns={['id']} ran={[]} />
        <RunStep {...{ draft, chosen, onChange, importing }} saved={null} onSaved={() => {}} />
      </>
    );
  }
  const user = await showPage(
    <Later>
      <Steps />
    </Later>,
  );
  const opening = await screen.findByRole('button', { name: 'Open' });
  const asked: ((answer: object) => void)[] = [];
  vi.stubGlobal('fetch', (url: string) =>
    url.endsWith('/preview')
      ? new Promise<Response>((resolve) => {
          asked.push((answer) => resolve(Response.json({ ...preview, workbook: null, ...answer })));
        })
      : Promise.resolve(Response.json({ data: { importMappings: [] } })),
  );
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  const answer = async (nth: number, doubts: readonly object[], refused: number) => {
    await expect.poll(() => asked.length).toBe(nth);
    asked[nth - 1]!({ doubts, refused, sampleRows: 9 });
  };
  const isReading = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  const doubt = { field: 'amount', reason: 'Looks like a price' };
  const doubtIn = () => screen.getByRole('list', { name: 'Check before importing' }).parentElement!.parentElement!;
  await user.click(opening);
  await answer(1, [doubt], 0);
  await expect.poll(() => isReading()).toEqual(['first rows of till.csv', '']);
  expect(doubtIn().dataset.current).toBe('true');
  await press('Change');
  expect(isReading()).toEqual(['Reading the first rows…', '']);
  expect(doubtIn().dataset.current).toBe('false');
  await press('Import');
  expect(isReading()).toEqual(['Reading the first rows…', 'Reading the first rows…']);
  await answer(2, [], 9);
  await screen.findByText(/^All of the first 9 rows would be refused/);
  // Its answer is known, so an import that waits for nothing else starts.
  await press('Change');
  expect(screen.queryByText(/would be refused/)).toBeNull();
  await press('Import');
  await expect.poll(() => orders.length).toBe(1);
  expect(orders[0]).not.toContain('rate');
});

const failed = {
  ...{ state: 'failed', isDryRun: false, rows: 0, inserted: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 },
  ...{ totals: [], reasons: [] },
};

test.each([
  ['', 'Import', 0, 'Replace those rows'],
  [' and refuse many', 'Import', 9, 'Replace and import'],
  [' after another one failed', 'Run again', 0, 'Replace those rows'],
])('an import that would replace rows of other days%s asks once', async (_, begin, refused, answer) => {
  const reason = `ID in the source ${otherDaysReason} in all 9 stored rows checked`;
  const first = { ...preview, workbook: null, sampleRows: 9, refused, doubts: [{ field: 'external_id', reason }] };
  const orders: boolean[] = [];
  const run = begin === 'Import' ? null : failed;
  const { step } = runStep({ run, start: ({ isAgain }: never) => orders.push(isAgain) } as never);
  const user = await showPage(<Later>{step}</Later>);
  const opening = await screen.findByRole('button', { name: 'Open' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(first)));
  await user.click(opening);
  await screen.findByText(`${reason}.`);
  await user.click(screen.getByRole('button', { name: begin }));
  const refusal = refused > 0 ? 'All of the first 9 rows would be refused. The reasons are in step 2. ' : '';
  expect((await screen.findByRole('alert')).textContent).toBe(
    `${refusal}Rows stored for other days have the same IDs as rows in this file. The import would replace them.`,
  );
  expect(orders).toEqual([]);
  await user.click(screen.getByRole('button', { name: answer }));
  expect(orders).toEqual([false]);
});

test('rows that another source has are imported on purpose only, and that source is used at a click', async () => {
  const reason = 'ID in the source already exists in the source “till-2025” for all 9 rows checked';
  const doubt = { field: 'external_id', reason, source: 'till-2025' };
  const doubts = [{ ...doubt, countsTwice: true }];
  const orders: boolean[] = [];
  const { step, changed } = runStep({ start: ({ isAgain }) => orders.push(isAgain) });
  const user = await showPage(<Later>{step}</Later>);
  const opening = await screen.findByRole('button', { name: 'Open' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ...preview, workbook: null, doubts })));
  await user.click(opening);
  const use = { name: 'Use source “till-2025”' };
  await user.click(await screen.findByRole('button', use));
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'These rows, or earlier versions of them, seem to have been imported already and would count twice.',
  );
  await user.click(screen.getAllByRole('button', use)[1]!);
  expect([orders, changed.map(({ source }) => source)]).toEqual([[], ['till-2025', 'till-2025']]);
  // The server isn’t to ask the same of the same file.
  await user.click(screen.getByRole('button', { name: 'Import anyway' }));
  expect(orders).toEqual([true]);
});

test('values to leave out can differ in case only, and can have a comma', async () => {
  const draft = { ...newDraft('orders', 'shop', []), leaveOut: [leaveOut] };
  const values = { Tag: ['test', 'TEST', 'paid'].map((value) => ({ value, count: 1 })) };
  const { user, changed } = await showStep(draft, { values }, ['Tag']);
  const field = await screen.findByPlaceholderText('Choose or type values');
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: '“TEST”' }));
  expect(screen.queryByRole('option', { name: '“test”' })).toBeNull();
  expect(changed.pop()?.leaveOut[0]?.values).toEqual(['test', 'TEST']);
  await user.type(field, 'TEST{Enter}');
  expect(changed.at(-1)?.leaveOut[0]?.values).toEqual(['test', 'TEST']);
  await user.click(field);
  await user.paste('Berlin, DE');
  await user.keyboard('{Enter}');
  expect(changed.at(-1)?.leaveOut[0]?.values).toEqual(['test', 'Berlin, DE']);
  await user.click(screen.getByRole('combobox', { name: 'Leave out 1: which rows' }));
  await user.click(await screen.findByRole('option', { name: 'Is below 0' }));
  expect(changed.at(-1)?.leaveOut[0]).toMatchObject({ column: 'Tag', which: 'below' });
});

test('rows that would count twice are imported on purpose only, and how to replace them is said', async () => {
  const sendError = new ApiError({ code: 'SAME_FILE', message: 'Rows would count twice', statusCode: 409 });
  const orders: boolean[] = [];
  const { step } = runStep({ sendError, start: ({ isAgain }) => orders.push(isAgain) });
  const user = await showPage(step);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Rows would count twice. To replace those rows, first undo their import under Imports below.',
  );
  await user.click(screen.getByRole('button', { name: 'Import anyway' }));
  expect(orders).toEqual([true]);
});

test('a mapping that someone else has changed is replaced on purpose only', async () => {
  const orders: unknown[] = [];
  const sendError = new ApiError({ code: 'CONFLICT', message: 'It has changed', statusCode: 409 });
  const said = mappingOf(payments());
  const order = { dataset: 'payments', name: 'till', isAgain: false, ...said };
  const { step } = runStep({ sendError, order, start: ({ replaces }: never) => orders.push(replaces) } as never);
  const mapping = JSON.stringify({ dataset: 'payments', source: 'till', fields: { external_id: 'nr' } });
  const user = await showPage(step, {
    answers: { ImportMappings: () => ({ importMappings: [{ name: 'till', dataset: 'payments', mapping }] }) },
  });
  await screen.findByText(/^The mapping “till” has changed since you opened it\. Replace it\?/);
  expect(screen.queryByText('It has changed')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Replace mapping and import' }));
  expect(orders).toEqual([mapping]);
});

test('a question about rows that would count twice isn’t asked of another mapping', async () => {
  const sendError = new ApiError({ code: 'SAME_FILE', message: 'Rows would count twice', statusCode: 409 });
  const { step } = runStep({ sendError, order: { dataset: 'payments', mapping: { source: 'another' } } } as never);
  await showPage(step);
  await screen.findByRole('button', { name: 'Import' });
  expect(screen.queryByRole('button', { name: 'Import anyway' })).toBeNull();
});

test('a saved mapping is replaced on purpose only, and never by one for other data', async () => {
  const orders: boolean[] = [];
  const { step } = runStep({ start: ({ isDryRun }) => orders.push(isDryRun) });
  const mapping = JSON.stringify({ dataset: 'payments', source: 'till', fields: { external_id: 'nr' } });
  const user = await showPage(<Later>{step}</Later>, {
    answers: {
      ImportMappings: () => ({
        importMappings: [
          { name: 'till', dataset: 'payments', mapping },
          { name: 'gifts', dataset: 'donations', mapping: '{"fields":{}}' },
        ],
      }),
    },
  });
  const others = fetch;
  const opening = await screen.findByRole('button', { name: 'Open' });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview') ? Promise.resolve(Response.json(preview)) : others(url, init),
  );
  await user.click(opening);
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await press('Dry run');
  expect(orders).toEqual([true]);
  await press('Import');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Replace the mapping “till”\?/);
  expect(orders).toEqual([true]);
  await press('Replace mapping and import');
  expect(orders).toEqual([true, false]);
  const name = screen.getByLabelText('Mapping name');
  await user.clear(name);
  await user.type(name, 'gifts');
  await screen.findByText('“gifts” is a mapping for Donations. Choose another name');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true);
  await user.clear(name);
  await user.type(name, 'mine');
  await press('Import');
  expect(orders).toEqual([true, false, false]);
});

test('a dry run sends the mapping with the file and saves none; an import saves it first', async () => {
  const saved: string[] = [];
  const bodies: Promise<string>[] = [];
  const addresses: string[] = [];
  class Call {
    upload = {};
    open(_method: string, address: string) {
      addresses.push(address);
    }
    setRequestHeader() {}
    send(body: Blob) {
      bodies.push(body.text());
    }
  }
  function Start() {
    const { start } = useImport();
    const file = new File(['id\n1'], 'a.csv');
    const order = {
      dataset: 'orders',
      file,
      name: 'shop',
      mapping: { source: 'é' },
      isAgain: false,
      replaces: '',
      onSaved: () => {},
    } as const;
    return [true, false].map((isDryRun) => (
      <button key={String(isDryRun)} type="button" onClick={() => start({ ...order, isDryRun })}>
        {isDryRun ? 'Try' : 'Import'}
      </button>
    ));
  }
  const user = await showPage(<Start />, {
    answers: {
      SaveImportMapping: ({ name }: { name: string }) => {
        saved.push(name);
        return { saveImportMapping: { name } };
      },
    },
  });
  vi.stubGlobal('XMLHttpRequest', Call);
  await user.click(await screen.findByRole('button', { name: 'Try' }));
  await expect.poll(() => bodies.length).toBe(1);
  expect(saved).toEqual([]);
  expect(await bodies[0]).toBe('{"source":"é"}id\n1');
  expect(addresses[0]).toContain('mappingBytes=15');
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await expect.poll(() => bodies.length).toBe(2);
  expect(saved).toEqual(['shop']);
});

test('an import that is refused puts back the mapping that it had replaced, not a colleague’s, and one without an answer nothing', async () => {
  const before = '{"source":"shop"}';
  let stored = before;
  let status = 409;
  let meanwhile = async () => {};
  class Call {
    upload = {};
    onload = () => {};
    onerror = () => {};
    get status() {
      return status;
    }
    get responseText() {
      return status === 200 ? '{"run":"1"}' : '{"error":{"code":"SAME_FILE","message":"Twice"}}';
    }
    open() {}
    setRequestHeader() {}
    getResponseHeader() {
      return null;
    }
    send() {
      void meanwhile().then(() => (status === 0 ? this.onerror() : this.onload()));
    }
  }
  const onSaved = vi.fn();
  function Start() {
    const { start, sendError } = useImport();
    useQuery(mappingsQuery);
    const order = { dataset: 'orders', file: new File(['id\n1'], 'a.csv'), name: 'shop', onSaved } as const;
    const begin = () =>
      start({ ...order, mapping: { source: 'other' }, isDryRun: false, isAgain: false, replaces: before });
    return (
      <button type="button" onClick={begin}>
        {sendError?.message ?? 'Import'}
      </button>
    );
  }
  const user = await showPage(<Start />, {
    answers: {
      ImportMappings: () => ({ importMappings: [{ name: 'shop', dataset: 'orders', mapping: stored }] }),
      SaveImportMapping: ({ mapping, replaces }: { mapping: string; replaces: string }) => {
        if (replaces !== stored) refuse('CONFLICT', 'Changed');
        stored = mapping;
        return { saveImportMapping: { name: 'shop' } };
      },
      ImportRun: () => ({ importRun: { ...failed, id: '1' } }),
    },
  });
  vi.stubGlobal('XMLHttpRequest', Call);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await user.click(await screen.findByRole('button', { name: 'Import' }));
  await screen.findByRole('button', { name: 'Twice' });
  await expect.poll(() => stored).toBe(before);
  expect(onSaved.mock.calls).toEqual([]);
  const theirs = '{"source":"theirs"}';
  meanwhile = async () => {
    stored = theirs;
    await queryClient.invalidateQueries(mappingsQuery);
  };
  const calls = vi.mocked(console.error).mock.calls.length;
  await user.click(screen.getByRole('button', { name: 'Twice' }));
  // Putting it back is refused.
  await expect.poll(() => vi.mocked(console.error).mock.calls.length).toBeGreaterThan(calls);
  await screen.findByRole('button', { name: 'Twice' });
  expect(stored).toBe(theirs);
  stored = before;
  meanwhile = async () => {};
  status = 0;
  await user.click(screen.getByRole('button', { name: 'Twice' }));
  await screen.findByRole('button', { name: 'Can’t reach the server' });
  expect(stored).toBe('{"source":"other"}');
  stored = before;
  status = 200;
  await user.click(screen.getByRole('button', { name: 'Can’t reach the server' }));
  await expect.poll(() => onSaved.mock.calls.length).toBe(1);
  expect(stored).toBe('{"source":"other"}');
});

test('an import’s edits are saved, and a mapping without edits is what someone else made of it', async () => {
  let runs: object[] = [];
  const said = mappingOf(payments());
  let stored: object = 'mapping' in said ? said.mapping : {};
  let saves = 0;
  let sent = 0;
  const done = {
    ...{ id: '1', state: 'done', isDryRun: false, isStopping: false, rows: 1, inserted: 1, updated: 0, unchanged: 0 },
    ...{ refused: 0, leftOut: 0, reason: null, share: 1, reasons: [], amountTitle: 'Amount', totals: [] },
  };
  const { promise: isBack, resolve: saveNow } = Promise.withResolvers<void>();
  const page = (
    <ComeBack>
      <ImportWizard />
    </ComeBack>
  );
  const user = await showPage(page, {
    viewer: { ...viewer, id: 'importer' },
    answers: {
      ImportMappings: () => ({
        importMappings: [{ name: 'shop', dataset: 'payments', mapping: JSON.stringify(stored) }],
      }),
      // The database stores the keys in another order.
      SaveImportMapping: async ({ mapping, replaces }: { mapping: string; replaces: string }) => {
        expect(JSON.parse(replaces)).toEqual(stored);
        await isBack;
        saves += 1;
        stored = Object.fromEntries(Object.entries(JSON.parse(mapping)).toReversed());
        return { saveImportMapping: { name: 'shop' } };
      },
      ImportRun: () => ({ importRun: done }),
      LastImports: () => ({ importRuns: runs }),
    },
  });
  await screen.findByText('1. File');
  const others = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(Response.json({ ...preview, workbook: null, columns: ['id', 'when', 'amount'] }))
      : others(url, init),
  );
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      readonly upload = {};
      readonly status = 200;
      readonly responseText = '{"run":"1"}';
      onload = () => {};
      open() {}
      setRequestHeader() {}
      send() {
        sent += 1;
        queueMicrotask(() => this.onload());
      }
    },
  );
  const choose = async (list: string, name: string) => {
    await user.click(screen.getByRole('combobox', { name: list }));
    await user.click(await screen.findByRole('option', { name }));
  };
  await choose('Dataset', 'Payments');
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['id,when,amount'], 'week.csv', { type: 'text/csv' }));
  await choose('Mapping', 'shop');
  await user.type(await screen.findByLabelText('Source'), '-b');
  await screen.findByText('This mapping has unsaved edits.');
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await user.click(await screen.findByRole('button', { name: 'Replace mapping and import' }));
  // The wizard that is shown when it is saved isn’t the one that asked for it.
  await user.click(screen.getByRole('button', { name: 'Come back' }));
  await screen.findByText('This mapping has unsaved edits.');
  saveNow();
  await screen.findByText(/^Imported: 1 rows? read/);
  const source = () => screen.getByLabelText<HTMLInputElement>('Source').value;
  expect([source(), screen.queryByText(/unsaved edits|has changed since/)]).toEqual(['till-b', null]);
  stored = { ...stored, source: 'till-c' };
  await queryClient.invalidateQueries(mappingsQuery);
  await expect.poll(source).toBe('till-c');
  // Someone else may have changed it since this tab read it.
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await expect.poll(() => sent).toBe(2);
  expect(saves).toBe(1);
  // The result keeps the type of data that was imported.
  await screen.findByText(/^Imported: 1 rows? read/);
  await choose('Dataset', 'Orders');
  expect((await screen.findByRole('link', { name: 'Show payments' })).textContent).toBe('Show payments');
  runs = [undone];
  await queryClient.invalidateQueries(lastImportsKey);
  await screen.findByText('This import was undone.');
  expect(screen.queryByRole('link', { name: 'Show payments' })).toBeNull();
});

const undone = {
  ...{ id: '1', dataset: 'payments', fileName: 'week.csv', source: '', way: 'page', isDryRun: false, state: 'done' },
  ...{ startedAt: '2026-11-24T10:00:00Z', startedBy: 'Lena', share: 1, rows: 1, inserted: 1, updated: 0, unchanged: 0 },
  ...{ refused: 0, leftOut: 0, reason: null, isStopping: false, hasReport: false, totals: [], waitsFor: null },
  ...{ canUndo: false, undoState: 'done', undoneRows: 1, undoReason: null, undoneAt: '2026-11-24T11:00:00Z' },
  undoneBy: 'Lena',
};

test('a file goes on being sent while another tab of the page is open, and can be stopped after coming back', async () => {
  const aborts: string[] = [];
  class Endless {
    readonly upload: { onprogress?: (progress: object) => void } = {};
    onabort = () => {};
    open() {}
    setRequestHeader() {}
    send() {
      this.upload.onprogress?.({ loaded: 1, total: 4 });
    }
    abort() {
      aborts.push('import');
      this.onabort();
    }
  }
  function Part() {
    const { sent, isUnderWay, isGivenUp, start, stop } = useImport();
    const file = new File(['id'], 'a.csv');
    const order = {
      dataset: 'orders',
      file,
      name: 'shop',
      mapping: {},
      isDryRun: true,
      isAgain: false,
      replaces: null,
    } as const;
    return (
      <>
        <button type="button" onClick={() => start({ ...order, onSaved: () => {} })}>
          Import
        </button>
        <button type="button" onClick={stop}>
          Stop
        </button>
        <p>{isUnderWay ? `Sending ${sent}` : isGivenUp ? 'Stopped' : 'Nothing'}</p>
      </>
    );
  }
  function Tabs() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setOpen(!isOpen)}>
          Other tab
        </button>
        {isOpen ? <Part /> : <p>Audit log</p>}
      </>
    );
  }
  const user = await showPage(<Tabs />);
  vi.stubGlobal('XMLHttpRequest', Endless);
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await press('Import');
  await screen.findByText('Sending 0.25');
  await press('Other tab');
  await screen.findByText('Audit log');
  await press('Other tab');
  await screen.findByText('Sending 0.25');
  await press('Stop');
  await screen.findByText('Stopped');
  expect(aborts).toEqual(['import']);
});

test('nothing is said to be sent while the person is asked to confirm their identity', async () => {
  class Asking {
    readonly upload: { onprogress?: (progress: object) => void } = {};
    readonly status = 403;
    readonly responseText = '{"error":{"code":"CONFIRM_IDENTITY","message":"Confirm it’s you to continue"}}';
    onload = () => {};
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null;
    send() {
      this.upload.onprogress?.({ loaded: 1, total: 1 });
      this.onload();
    }
    abort() {}
  }
  const asked: unknown[] = [];
  onTestFinished(answerConfirm((question) => asked.push(question)));
  function Page() {
    const importing = useImport();
    const order = { dataset: 'payments', name: 'till', mapping: {}, isDryRun: true, isAgain: false } as const;
    const file = new File(['id'], 'till.csv');
    const start = () => importing.start({ ...order, file, replaces: null, onSaved: () => {} });
    return (
      <>
        <button type="button" onClick={start}>
          Begin
        </button>
        {runStep(importing).step}
      </>
    );
  }
  const user = await showPage(<Page />, { viewer, answers: { LastImports: () => ({ importRuns: [] }) } });
  vi.stubGlobal('XMLHttpRequest', Asking);
  await user.click(await screen.findByRole('button', { name: 'Begin' }));
  await screen.findByText('Waiting to send till.csv');
  expect(asked).toHaveLength(1);
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('a stop that failed isn’t still asked for after coming back', async () => {
  class Late {
    readonly upload = {};
    readonly status = 200;
    readonly responseText = '{"run":"1"}';
    onload = () => {};
    open() {}
    setRequestHeader() {}
    send() {}
    abort() {
      this.onload();
    }
  }
  function Part() {
    const { isUnderWay, isStopping, start, stop } = useImport();
    const file = new File(['id'], 'a.csv');
    const order = { dataset: 'orders', file, name: 'shop', mapping: {}, isDryRun: true, isAgain: false } as const;
    return (
      <>
        <button type="button" onClick={() => start({ ...order, replaces: null, onSaved: () => {} })}>
          Import
        </button>
        <button type="button" onClick={stop}>
          Stop
        </button>
        <p>{isUnderWay ? `Under way${isStopping ? ', stopping' : ''}` : 'Nothing'}</p>
      </>
    );
  }
  const page = (
    <ComeBack>
      <Part />
    </ComeBack>
  );
  const user = await showPage(page, {
    answers: {
      StopImport: () => refuse('CONFLICT', 'Not stopped'),
      ImportRun: () => ({ importRun: { id: '1', state: 'running', isStopping: false } }),
    },
  });
  vi.stubGlobal('XMLHttpRequest', Late);
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  await press('Import');
  await screen.findByText('Under way');
  await press('Stop');
  await message('Not stopped');
  await press('Come back');
  expect(await screen.findByText(/^Under way/)).toHaveProperty('textContent', 'Under way');
});

test('what the rows add up to is told by status, because pages leave some out', async () => {
  const total = {
    scope: null,
    currency: 'GBP',
    rows: 3181,
    amount: '100',
    firstDay: '2014-01-01',
    lastDay: '2014-12-31',
  };
  const statuses = [
    { status: 'paid', rows: 3168, amount: '60' },
    { status: 'failed', rows: 13, amount: '40' },
  ];
  const run = {
    ...{ id: '1', state: 'done', isDryRun: true, rows: 3181, inserted: 3181, updated: 0, unchanged: 0, refused: 0 },
    ...{ leftOut: 0, reason: null, share: 1, reasons: [], amountTitle: 'Amount', totals: [{ ...total, statuses }] },
  };
  await showPage(runStep({ run } as unknown as Parameters<typeof runStep>[0]).step);
  const table = await screen.findByRole('table', { name: 'Valid rows in the file' });
  const rows = [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows).toEqual([
    ['All', expect.stringContaining('31 Dec 2014'), '3,181', '£100.00'],
    ['Paid', '', '3,168', '£60.00'],
    ['Failed', '', '13', '£40.00'],
  ]);
});

test('what a file refunds is beside what it sells', async () => {
  const total = { scope: 'codex', currency: 'USD', rows: 4, amount: '100', refunded: '15.98' };
  const days = { firstDay: '2022-03-05', lastDay: '2022-03-05' };
  const statuses = [
    { status: 'completed', rows: 3, amount: '100', refunded: '0' },
    { status: 'refunded', rows: 1, amount: '0', refunded: '15.98' },
  ];
  const run = {
    ...{ id: '1', state: 'done', isDryRun: true, rows: 4, inserted: 4, updated: 0, unchanged: 0, refused: 0 },
    ...{ leftOut: 0, reason: null, share: 1, reasons: [], amountTitle: 'Gross' },
    totals: [{ ...total, ...days, statuses }],
  };
  await showPage(runStep({ run, order: { dataset: 'orders', mapping: {} } } as never).step);
  const table = await screen.findByRole('table', { name: 'Valid rows in the file' });
  const rows = [...table.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows.map((cells) => cells.slice(-2))).toEqual([
    ['Gross', 'Refunded'],
    ['$100.00', '$15.98'],
    ['$100.00', '$0.00'],
    ['$0.00', '$15.98'],
  ]);
});

test('an error of a whole row is said with its line alone', () => {
  const faults = [{ column: '', reason: 'repeats the column names' }];
  expect([...rowFaultsOf([{ line: 3, faults }]).values()]).toEqual(['Line 3: repeats the column names']);
});

test('a result says that the mapping has changed since', async () => {
  const run = {
    ...{ id: '1', state: 'done', isDryRun: true, rows: 1, inserted: 1, updated: 0, unchanged: 0, refused: 0 },
    ...{ leftOut: 0, reason: null, share: 1, reasons: [], amountTitle: 'Amount', totals: [] },
  };
  const shown = (mapping: object) => showPage(runStep({ run, order: { dataset: 'payments', mapping } } as never).step);
  await shown({ source: 'another' });
  await screen.findByText('The mapping has changed since this dry run.');
});

test('a file whose lines are inside one cell, or that has no names, says so; a header with a comma is none', async () => {
  const user = await showPage(<ImportWizard />, {
    viewer,
    answers: { ImportMappings: () => ({ importMappings: [] }), LastImports: () => ({ importRuns: [] }) },
  });
  await screen.findByText('1. File');
  const others = fetch;
  let columns = ['order,created at,total,note', 'unnamed'];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/preview')
      ? Promise.resolve(Response.json({ ...preview, workbook: null, columns }))
      : others(url, init),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await user.upload(input, new File(['a'], 'saved.csv', { type: 'text/csv' }));
  await screen.findByText(/^Each line is inside one cell/);
  columns = ['Total, with tax', 'Date'];
  await user.upload(input, new File(['b'], 'other.csv', { type: 'text/csv' }));
  await expect.poll(() => screen.queryByText(/^Each line is inside one cell/)).toBeNull();
  columns = ['1387149695', '561,170.77', '2026-01-05T10:00:00Z', '5%'];
  await user.upload(input, new File(['c'], 'third.csv', { type: 'text/csv' }));
  await screen.findByText(/^The first row looks like data/);
  columns = ['Country', '2025', '2026'];
  await user.upload(input, new File(['d'], 'last.csv', { type: 'text/csv' }));
  await expect.poll(() => screen.queryByText(/^The first row looks like data/)).toBeNull();
});
