import { useQuery } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { message, refuse, showPage, viewerWith } from '../../../../test/show-page.tsx';
import { lastImportsKey } from './import-calls.ts';
import { LastImports } from './last-imports.tsx';

const done = {
  ...{ id: '7', isDryRun: false, state: 'done', isStopping: false, share: 1, reason: null },
  ...{ rows: 1_204, inserted: 1_200, updated: 3, unchanged: 1, refused: 0, leftOut: 0 },
  ...{ dataset: 'orders', source: 'shop', fileName: 'May.csv', startedBy: 'Ada Byron', way: 'wizard' },
  ...{ startedAt: '2026-11-23T10:00:00Z', canUndo: true, undoState: null, undoneRows: 0 },
  ...{ undoReason: null, undoneAt: null, undoneBy: null, waitsFor: null, totals: [] },
};
const preview = {
  ...{
    removed: 1_200,
    restored: 1,
    firstDay: '2026-05-01',
    lastDay: '2026-05-31',
    amountTitle: 'Gross',
    blockedBy: null,
  },
  totals: [{ currency: 'EUR', rowsNow: 1_500, rowsAfter: 300, amountNow: '20000.5', amountAfter: '4000' }],
};
const row = async () => within((await screen.findByText('May.csv')).closest('tr')!);

test('an import whose rows a later one also has says which to undo first and offers no undo', async () => {
  const blockedBy = { fileName: 'June.csv', startedAt: '2026-11-24T08:30:00Z' };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [done] }),
      ImportUndo: () => ({ importUndo: { ...preview, blockedBy } }),
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/First undo June\.csv, imported .*\(24 Nov 2026, 09:30\)/);
  expect(dialog.queryByRole('button', { name: 'Undo import' })).toBeNull();
});

test('an undo says that its amounts leave out refunds', async () => {
  const user = await showPage(<LastImports />, {
    answers: { LastImports: () => ({ importRuns: [done] }), ImportUndo: () => ({ importUndo: preview }) },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Any refunds in it are undone too. The amounts below don’t include them.');
});

test('once an import is undone, what a preview said of its rows is read again', async () => {
  let read = 0;
  let undoState: string | null = null;
  function Preview() {
    useQuery({ queryKey: ['import', 'preview', 'orders', '{}'], queryFn: () => (read += 1) });
    return <LastImports />;
  }
  await showPage(<Preview />, {
    answers: { LastImports: () => ({ importRuns: [{ ...done, undoState, canUndo: undoState === null }] }) },
  });
  await screen.findByText('Done');
  expect(read).toBe(1);
  const refresh = () => act(() => queryClient.invalidateQueries(lastImportsKey));
  undoState = 'running';
  await refresh();
  await screen.findByText(/Undoing/);
  const before = read;
  undoState = 'done';
  await refresh();
  await expect.poll(() => read).toBeGreaterThan(before);
});

test('an import leads to the days, source, product and currency of its rows, but not once it is undone', async () => {
  const may = { scope: 'green', currency: 'EUR', firstDay: '2026-05-02', lastDay: '2026-05-30' };
  // The page shows the other currency’s rows beside it, but no other product’s.
  const totals = [
    ...[may, { ...may, currency: 'USD', firstDay: '2026-05-01', lastDay: '2026-05-31' }],
    { ...may, scope: 'codex', firstDay: '2025-01-01', lastDay: '2026-06-30' },
  ];
  const importRuns = [
    { ...done, totals },
    { ...done, id: '6', fileName: 'Old.csv', dataset: 'payouts' },
    { ...done, id: '5', fileName: 'Undone.csv', totals, canUndo: false, undoState: 'done' },
  ];
  await showPage(<LastImports />, { answers: { LastImports: () => ({ importRuns }) } });
  await screen.findByText('May.csv');
  const links = screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => new URL(href));
  expect(links.map(({ pathname }) => pathname)).toEqual(['/sales', '/distributions', '/sales']);
  expect(links.map(({ search }) => [...new URLSearchParams(search)].toSorted().join(' '))).toEqual([
    'currency,EUR from,2026-05-01 product,green to,2026-05-31 where.source,shop',
    '',
    '',
  ]);
});

test('a source is removed by an admin alone, after its name was typed', async () => {
  const removed: unknown[] = [];
  let isRefused = false;
  const counted = Promise.withResolvers<void>();
  const removal = { ...done, id: '9', way: 'removal', fileName: '', inserted: 0, updated: 0, canUndo: false };
  const sources = [
    { dataset: 'orders', source: 'shop' },
    { dataset: 'payments', source: 'shop' },
  ];
  const answers = {
    LastImports: () => ({ importRuns: removed.length > 0 ? [removal, { ...done, canUndo: false }] : [done] }),
    ImportSources: () => ({ importSources: sources }),
    ImportSourceRows: async () => {
      await counted.promise;
      return { importSourceRows: { rows: 1_204, hasMore: false, firstDay: '2026-05-01', lastDay: '2026-05-31' } };
    },
    RemoveImportSource: (variables: unknown) => {
      if (!isRefused) {
        isRefused = true;
        refuse('CONFLICT', 'Another removal runs');
      }
      removed.push(variables);
      return { removeImportSource: { id: '9' } };
    },
  };
  const user = await showPage(<LastImports />, { answers, viewer: { ...viewerWith(), role: 'admin' } });
  await user.click(await screen.findByRole('button', { name: 'Remove a source' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('combobox', { name: 'Source' }));
  await user.click(await screen.findByRole('option', { name: 'Orders: shop' }));
  const button = dialog.getByRole('button', { name: 'Remove rows' });
  await user.type(dialog.getByRole('textbox', { name: 'Type shop to confirm' }), 'sho');
  expect(button).toHaveProperty('disabled', true);
  await user.type(dialog.getByRole('textbox', { name: 'Type shop to confirm' }), 'p');
  expect(button).toHaveProperty('disabled', true);
  counted.resolve();
  await dialog.findByText('Removes 1,204 rows from 1–31 May 2026.');
  await user.click(button);
  await message('Another removal runs');
  dialog.getByDisplayValue('shop');
  await user.click(button);
  await screen.findByText('Removed 1,204 rows');
  expect(removed).toEqual([{ dataset: 'orders', source: 'shop' }]);
  await (await row()).findByText('Done. Undo is no longer available');
});

test('a donor is erased after the rows were found and the reference was typed twice', async () => {
  const erased: unknown[] = [];
  let isRefused = false;
  const erasure = { ...done, id: '9', way: 'erasure', fileName: '', source: '', inserted: 0, canUndo: false };
  const answers = {
    LastImports: () => ({ importRuns: erased.length > 0 ? [{ ...erasure, rows: 3 }, done] : [done] }),
    ReferenceRows: (variables: { reference: string }) =>
      variables.reference === '(Anonymous)'
        ? refuse('CONFLICT', 'More than 100,000 rows have this reference, so it isn’t one donor’s')
        : { referenceRows: [{ source: 'gifts', rows: 3, firstDay: '2026-05-01', lastDay: '2026-05-31' }] },
    EraseReference: (variables: unknown) => {
      if (!isRefused) {
        isRefused = true;
        refuse('CONFLICT', 'Another removal runs');
      }
      erased.push(variables);
      return { eraseReference: { id: '9' } };
    },
  };
  const user = await showPage(<LastImports />, { answers, viewer: { ...viewerWith(), role: 'admin' } });
  await user.click(await screen.findByRole('button', { name: 'Erase a customer or donor' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('combobox', { name: 'Dataset' }));
  await user.click(await screen.findByRole('option', { name: 'Donations: Donor' }));
  const reference = dialog.getByRole('textbox', { name: 'Donor reference' });
  await user.type(reference, '(Anonymous){Enter}');
  await dialog.findByText(/so it isn’t one donor’s/);
  await user.clear(reference);
  await user.type(reference, ' D-1 ');
  await user.click(dialog.getByRole('button', { name: 'Find rows' }));
  await dialog.findByText('3 rows from gifts, 1–31 May 2026.');
  const button = dialog.getByRole('button', { name: 'Erase donor' });
  const again = dialog.getByRole('textbox', { name: 'Type the reference again to confirm' });
  await user.type(again, 'D-');
  expect(button).toHaveProperty('disabled', true);
  await user.type(again, '1');
  // Another reference has to be looked up and confirmed first.
  await user.type(reference, '2');
  expect(button).toHaveProperty('disabled', true);
  await user.type(reference, '{Backspace}{Enter}');
  await user.type(await dialog.findByRole('textbox', { name: 'Type the reference again to confirm' }), 'D-1');
  await user.click(button);
  await message('Another removal runs');
  expect(reference).toHaveProperty('value', ' D-1 ');
  await user.click(button);
  await screen.findByText('Erased from 3 rows');
  await screen.findByText('Person erased');
  expect(erased).toEqual([{ dataset: 'donations', reference: 'D-1' }]);
});

test('old rows are deleted every night after a count and the typed dataset, and kept again at a click', async () => {
  let months: number | null = null;
  const saved: unknown[] = [];
  const counted: number[] = [];
  const answers = {
    LastImports: () => ({ importRuns: [done] }),
    Retentions: () => ({
      retentions: [{ dataset: 'orders', months, ranOn: '2026-11-24', deleted: 12_345 }].concat({
        dataset: 'payments',
        months: null,
        ranOn: '2026-11-24',
        deleted: 0,
      } as never),
    }),
    RetentionPreview: ({ months: asked }: { months: number }) => {
      counted.push(asked);
      return { retentionPreview: { before: `${2026 - asked / 12}-11-01`, rows: 12_345, all: 99_999, imports: 1 } };
    },
    SetRetention: (variables: { months?: number | null }) => {
      saved.push(variables);
      if (saved.length === 1) refuse('CONFLICT', 'Confirm it’s you first');
      months = variables.months ?? null;
      return { setRetention: { months } };
    },
  };
  const user = await showPage(<LastImports />, { answers, viewer: { ...viewerWith(), role: 'admin' } });
  await user.click(await screen.findByRole('button', { name: 'Delete old rows' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/^All rows are kept\./);
  expect(dialog.queryByRole('button', { name: 'Keep all rows from now on' })).toBeNull();
  const button = dialog.getByRole('button', { name: 'Delete old rows every night' });
  expect(button).toHaveProperty('disabled', true);
  await user.type(dialog.getByRole('textbox', { name: 'Months to keep' }), '24');
  await dialog.findByText('The first nightly run deletes 12,345 of 99,999 rows, all from before 1 Nov 2024.');
  await dialog.findByText('After that, 1 import can’t be undone.');
  expect(button).toHaveProperty('disabled', true);
  await user.type(dialog.getByRole('textbox', { name: 'Type Orders to confirm' }), 'Orders');
  expect(counted).toEqual([24]);
  await user.click(button);
  // Refused, it stays with what was typed.
  await message('Confirm it’s you first');
  expect(dialog.getByRole('textbox', { name: 'Type Orders to confirm' })).toHaveProperty('value', 'Orders');
  await user.click(button);
  await message('Orders: rows are kept for 24 months');
  await user.click(await screen.findByRole('button', { name: 'Delete old rows' }));
  const again = within(await screen.findByRole('dialog'));
  await again.findByText('Rows are kept for 24 months. 12,345 rows deleted on 24 Nov 2026.');
  await user.click(again.getByRole('button', { name: 'Keep all rows from now on' }));
  await expect
    .poll(() => saved)
    .toEqual([{ dataset: 'orders', months: 24 }, { dataset: 'orders', months: 24 }, { dataset: 'orders' }]);
  await message('Orders: all rows are kept');
});

test('who is no admin removes no source; more imports come by page and search; one that waits says for what', async () => {
  const asked: unknown[] = [];
  const waiting = { ...done, state: 'running', canUndo: false, waitsFor: 'the undo of June.csv' };
  const page = Array.from({ length: 20 }, (_, at) => ({ ...done, id: `${100 - at}`, fileName: `File ${at}.csv` }));
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: (variables: { after?: string; search: string }) => {
        asked.push(variables);
        return { importRuns: variables.after || variables.search ? [waiting] : page };
      },
    },
  });
  await screen.findByText('File 19.csv');
  for (const name of ['Remove a source', 'Erase a customer or donor', 'Delete old rows'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await user.click(screen.getByRole('button', { name: /more/i }));
  await (await row()).findByText('Waiting for the undo of June.csv');
  await user.type(screen.getByRole('searchbox', { name: 'Search imports' }), 'May');
  await screen.findByText('May.csv');
  await expect.poll(() => asked.at(-1)).toEqual({ search: 'May' });
  expect(asked).toContainEqual({ after: '81', search: '' });
});

test('undo says what goes and what comes back, then the list says who undid it', async () => {
  let runs = [done];
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: runs }),
      ImportUndo: () => ({ importUndo: preview }),
      UndoImport: () => {
        const undone = { canUndo: false, undoState: 'done', undoneAt: '2026-11-24T11:00:00Z', undoneBy: 'Lena' };
        runs = [{ ...done, ...undone } as never];
        return { undoImport: { id: '7' } };
      },
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Removes 1,200 rows that this import added.');
  await dialog.findByText('Restores 1 row that it changed.');
  await dialog.findByText('€20,000.50');
  await user.click(dialog.getByRole('button', { name: 'Undo import' }));
  await (await row()).findByText('Undone 24 Nov 2026 by Lena');
});

test('an import that was undone in another tab closes the question', async () => {
  let runs = [done];
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: runs }),
      ImportUndo: () => ({ importUndo: preview }),
      UndoImport: () => {
        const undone = { canUndo: false, undoState: 'done', undoneAt: '2026-11-24T11:00:00Z', undoneBy: 'Lena' };
        runs = [{ ...done, ...undone } as never];
        refuse('TRANSITION_NOT_ALLOWED', 'This import was already undone');
      },
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('€20,000.50');
  await user.click(dialog.getByRole('button', { name: 'Undo import' }));
  await (await row()).findByText('Undone 24 Nov 2026 by Lena');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('a refused undo is told, and a run under way can be stopped but not undone', async () => {
  const running = { ...done, id: '8', fileName: 'Now.csv', state: 'running', canUndo: false };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [running, done] }),
      ImportUndo: () => refuse('TRANSITION_NOT_ALLOWED', 'This import was already undone'),
    },
  });
  const other = within((await screen.findByText('Now.csv')).closest('tr')!);
  expect(other.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Stop Now.csv']);
  await user.click((await row()).getByRole('button', { name: 'Undo May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Couldn’t load what this import changed.');
  expect(dialog.getByRole('button', { name: 'Undo import' })).toHaveProperty('disabled', true);
});

test('an import in the list says why rows were refused or left out, and hands the refused ones back', async () => {
  const reasons = [
    {
      kind: 'refused',
      column: 'amount',
      reason: 'isn’t an amount: "x"',
      count: 1_200,
      line: 7,
      value: 'x',
      values: [],
    },
    { kind: 'leftOut', column: 'kind', reason: 'Test orders', count: 2, line: 9, value: 'test', values: [] },
  ];
  const run = { ...done, rows: 8_000, refused: 1_200, leftOut: 2 };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [run] }),
      ImportRun: () => ({ importRun: { ...run, hasReport: true, reasons } }),
    },
  });
  await (await row()).findByText('2 left out');
  await user.click((await row()).getByRole('button', { name: 'Why: May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('amount isn’t an amount: "x"');
  await dialog.findByText('Line 9: test');
  await dialog.findByRole('button', { name: 'Download 1,200 refused rows' });
  dialog.getByText(/^Download the refused rows, correct them/);
});

test('an import that refused most rows for one column’s format says that the format may be wrong', async () => {
  const reason = 'isn’t a date in the format M/D/YYYY: …';
  const reasons = [
    { kind: 'refused', column: 'Créé le', reason, count: 599, line: 7, value: '16/01/2014', values: [] },
  ];
  const run = { ...done, rows: 1_000, refused: 599 };
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => ({ importRuns: [run] }),
      ImportRun: () => ({ importRun: { ...run, hasReport: true, reasons } }),
    },
  });
  await user.click((await row()).getByRole('button', { name: 'Why: May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Most rows don’t fit the format of “Créé le”. Check that format in the mapping, then run the file again.',
  );
  dialog.getByText(/^If the format is right, download the refused rows/);
});

test('the warnings of an import can be read later, and a server without their count changes nothing else', async () => {
  const reason = 'is blank in 40 of 50 rows, but Median Resolution needs it';
  const reasons = [{ kind: 'warning', column: 'Closed', reason, count: 40, line: 3, value: null, values: [] }];
  let isOlder = false;
  const user = await showPage(<LastImports />, {
    answers: {
      LastImports: () => (isOlder ? refuse('BAD_INPUT', 'No field') : { importRuns: [{ ...done, warnings: 1 }] }),
      OlderLastImports: () => ({ importRuns: [done] }),
      ImportRun: () => ({ importRun: { ...done, hasReport: false, reasons } }),
    },
  });
  await (await row()).findByText('1 warning');
  await user.click((await row()).getByRole('button', { name: 'Why: May.csv' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(`Closed ${reason}`);
  dialog.getByText('Imported, but check');
  dialog.getByText('Line 3');
  await user.keyboard('{Escape}');
  isOlder = true;
  await act(() => queryClient.invalidateQueries(lastImportsKey));
  await expect.poll(() => screen.queryByText('1 warning')).toBeNull();
  await screen.findByText('May.csv');
});
