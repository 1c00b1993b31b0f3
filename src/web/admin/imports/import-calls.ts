// The wizard's calls: a preview of a file's start, saved mappings, and an import's state.
import { queryOptions } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { readApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { fullPage, listQuery } from '#web/api/list-query.ts';
import { filterPrefix, writeValues } from '#web/api/number-view.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import { send } from '#web/api/send.ts';
import type { Sample } from './file-sample.ts';
import type { FillForm, Mapping } from './mapping-draft.ts';
import type { ColumnFacts } from './rule-form.ts';

const mappingsDocument = graphql(`
  query ImportMappings {
    importMappings {
      name
      dataset
      mapping
    }
  }
`);
export type SavedMapping = ResultOf<typeof mappingsDocument>['importMappings'][number];

export const mappingsQuery = queryOptions({
  queryKey: ['import', 'mappings'],
  queryFn: async ({ signal }) => (await request(mappingsDocument, {}, { signal })).importMappings,
});

const saveDocument = graphql(`
  mutation SaveImportMapping($name: String!, $mapping: String!, $replaces: String) {
    saveImportMapping(name: $name, mapping: $mapping, replaces: $replaces) {
      name
    }
  }
`);

/** Fails with a conflict if someone has changed the one that it replaces. */
export async function saveMapping(name: string, mapping: Mapping, replaces: string): Promise<void> {
  await request(saveDocument, { name, mapping: JSON.stringify(mapping), replaces });
}

const progressFields = graphql(`
  fragment ProgressFields on ImportRun @_unmask {
    id
    isDryRun
    state
    isStopping
    share
    rows
    inserted
    updated
    unchanged
    refused
    leftOut
    reason
  }
`);
export type ImportProgress = ResultOf<typeof progressFields>;

const runFields = graphql(
  `
    fragment RunFields on ImportRun @_unmask {
      ...ProgressFields
      source
      hasReport
      amountTitle
      totals {
        scope
        currency
        rows
        amount
        firstDay
        lastDay
        statuses {
          status
          rows
          amount
        }
      }
      reasons {
        kind
        column
        reason
        count
        line
        value
        values
      }
    }
  `,
  [progressFields],
);
type WithRefunds = { readonly refunded?: string | null };
type RunTotal = ResultOf<typeof runFields>['totals'][number];
export type FileTotal = Omit<RunTotal, 'statuses'> &
  WithRefunds & { readonly statuses: readonly (RunTotal['statuses'][number] & WithRefunds)[] };
export type ImportRun = Omit<ResultOf<typeof runFields>, 'totals'> & { readonly totals: readonly FileTotal[] };

type OfPage = Pick<FileTotal, 'scope' | 'currency' | 'firstDay' | 'lastDay'>;

/** The page's days, source, product and currency that have these rows: the first total's, on all of their days. */
export function searchOf(source: string, totals: readonly OfPage[]) {
  const [first] = totals;
  if (!first) return undefined;
  const shown = totals.filter(({ scope }) => scope === first.scope);
  return {
    ...(first.scope !== null && { product: first.scope }),
    from: shown.map(({ firstDay }) => firstDay).toSorted()[0],
    to: shown
      .map(({ lastDay }) => lastDay)
      .toSorted()
      .at(-1),
    ...(first.currency !== null && { currency: first.currency }),
    // Older imports of other sources have rows on these days too.
    ...(source !== '' && { [`${filterPrefix}source`]: writeValues([source]) }),
  };
}

const olderRunDocument = graphql(
  `
    query OlderImportRun($id: ID!) {
      importRun(id: $id) {
        ...RunFields
      }
    }
  `,
  [runFields],
);

const runDocument = graphql(
  `
    query ImportRun($id: ID!) {
      importRun(id: $id) {
        ...RunFields
        totals {
          refunded
          statuses {
            refunded
          }
        }
      }
    }
  `,
  [runFields],
);

const stopDocument = graphql(
  `
    mutation StopImport($run: ID!) {
      stopImport(run: $run) {
        ...RunFields
      }
    }
  `,
  [runFields],
);

/** The resulting state: it stops at its next batch, or has already ended. */
export async function stopRun(run: string): Promise<ImportRun> {
  return (await request(stopDocument, { run })).stopImport;
}

const everyMs = 1_000;

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', 'run', id],
    queryFn: async ({ signal }) => {
      const { importRun } = await orWithoutNewFields<{ readonly importRun: ImportRun | null }>(
        request(runDocument, { id }, { signal }),
        () => request(olderRunDocument, { id }, { signal }),
      );
      return importRun;
    },
    refetchInterval: ({ state: { data } }) => (data === undefined || data?.state === 'running' ? everyMs : false),
    staleTime: 0,
  });

const lastFields = graphql(
  `
    fragment LastFields on ImportRun @_unmask {
      ...ProgressFields
      waitsFor
      dataset
      source
      fileName
      startedAt
      startedBy
      way
      canUndo
      undoState
      undoneRows
      undoReason
      undoneAt
      undoneBy
      totals {
        scope
        currency
        firstDay
        lastDay
      }
    }
  `,
  [progressFields],
);
export type LastImport = ResultOf<typeof lastFields> & { readonly warnings?: number };

const olderLastDocument = graphql(
  `
    query OlderLastImports($after: ID, $search: String) {
      importRuns(after: $after, search: $search) {
        ...LastFields
      }
    }
  `,
  [lastFields],
);

const lastDocument = graphql(
  `
    query LastImports($after: ID, $search: String) {
      importRuns(after: $after, search: $search) {
        ...LastFields
        warnings
      }
    }
  `,
  [lastFields],
);

const isUnderWay = ({ state, undoState }: LastImport) => state === 'running' || undoState === 'running';

export const lastImportsKey = { queryKey: ['import', 'last'] } as const;

export const lastImportsQuery = (search: string) =>
  listQuery({
    queryKey: [...lastImportsKey.queryKey, search],
    read: async (after, signal) => {
      const page = { after, search };
      const { importRuns } = await orWithoutNewFields<{ readonly importRuns: LastImport[] }>(
        request(lastDocument, page, { signal }),
        () => request(olderLastDocument, page, { signal }),
      );
      return fullPage(importRuns, importLimits.runs, ({ id }) => id);
    },
    every: (pages) => (pages.some(({ rows }) => rows.some(isUnderWay)) ? everyMs : false),
  });

const undoPreviewDocument = graphql(`
  query ImportUndo($run: ID!) {
    importUndo(run: $run) {
      removed
      restored
      firstDay
      lastDay
      amountTitle
      blockedBy {
        fileName
        startedAt
      }
      totals {
        currency
        rowsNow
        rowsAfter
        amountNow
        amountAfter
      }
    }
  }
`);
export type UndoPreview = ResultOf<typeof undoPreviewDocument>['importUndo'];

/** What undoing the import would change. Never cached, because other imports change it. */
export const undoPreviewQuery = (run: string) =>
  queryOptions({
    queryKey: ['import', 'undo', run],
    queryFn: async ({ signal }) => (await request(undoPreviewDocument, { run }, { signal })).importUndo,
    gcTime: 0,
  });

const undoDocument = graphql(`
  mutation UndoImport($run: ID!) {
    undoImport(run: $run) {
      id
    }
  }
`);

export async function undoRun(run: string): Promise<void> {
  await request(undoDocument, { run });
}

const ticketDocument = graphql(`
  mutation ImportReport($run: ID!) {
    createImportReportTicket(run: $run)
  }
`);

/** The one-time address of a run's bad rows, valid for a minute. */
export async function reportAddress(run: string): Promise<string> {
  return config().top5ServerUrl + (await request(ticketDocument, { run })).createImportReportTicket;
}

/** Previews compare a file with the stored rows. */
export const previewsKey = ['import', 'preview'] as const;

type PreviewFault = { readonly field?: string; readonly column: string; readonly reason: string };

/**
 * `source`: the one that has the rows. `countsTwice`: nearly all of them are stored already. `missing`: texts
 * that may mean a blank cell. `canDivide`: an amount of whole orders could be divided among their lines.
 */
export type Doubt = {
  readonly field: string;
  readonly reason: string;
  readonly source?: string;
  readonly countsTwice?: boolean;
  readonly missing?: readonly string[];
  readonly canDivide?: true;
};

export type Preview = {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string | null;
  readonly workbook: { readonly sheets: readonly string[]; readonly sheet: string } | null;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly line: number;
    readonly values: readonly unknown[];
    readonly fault: string | null;
  }[];
  readonly mappingFault: string | null;
  readonly missingColumns: readonly string[];
  readonly mapped: readonly {
    readonly line: number;
    readonly externalId?: string;
    readonly values?: Readonly<Record<string, unknown>>;
    readonly faults?: readonly PreviewFault[];
    readonly leftOut?: PreviewFault;
  }[];
  readonly above: readonly { readonly line: number; readonly text: string }[];
  readonly sampleRows: number;
  readonly refused: number;
  readonly reasons: readonly ImportRun['reasons'][number][];
  readonly values: Readonly<Record<string, readonly { readonly value: string; readonly count: number }[]>>;
  readonly unique: readonly string[];
  readonly fill: FillForm | null;
  readonly doubts: readonly Doubt[];
  /** The decimal sign of columns of numbers; plain ones are read without it. */
  readonly numbers: ColumnFacts['numbers'];
  /** Servers of an earlier version don't tell. */
  readonly durations?: ColumnFacts['durations'];
  readonly dates: Readonly<
    Record<string, readonly { readonly format: string; readonly count: number; readonly example: string }[]>
  >;
  /** Columns whose day and month can't be told apart, with each reading of an example. */
  readonly unclearDates: Readonly<Record<string, readonly DateReading[]>>;
};

export type DateReading = { readonly format: string; readonly example: string; readonly day: string };

/** The column's first value in the file. */
export function exampleOf(preview: Preview | undefined, column: string): string {
  const at = preview?.columns.indexOf(column) ?? -1;
  const found = preview?.rows
    .map(({ values }) => values[at])
    .find((value) => typeof value === 'string' && value !== '');
  return String(found ?? '');
}

export const factsOf = (preview: Preview | undefined): ColumnFacts => ({
  dates: preview?.dates ?? {},
  numbers: preview?.numbers ?? {},
  durations: preview?.durations ?? {},
  exampleOf: (column) => exampleOf(preview, column),
});

export async function readPreview(
  dataset: DatasetKey,
  { text, isWhole, parts }: Sample,
  mapping: Mapping | null,
  sheet: string,
  signal: AbortSignal,
): Promise<Preview> {
  const response = await send(`${config().top5ServerUrl}/api/import/${dataset}/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sample: text, isWhole, parts, ...(mapping && { mapping }), ...(sheet !== '' && { sheet }) }),
    signal,
  });
  const answer = (await response.json().catch(() => null)) as (Preview & { error?: object }) | null;
  if (!response.ok || !answer) throw readApiError(answer?.error ?? {}, response);
  return answer;
}
