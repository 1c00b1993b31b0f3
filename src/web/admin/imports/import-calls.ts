// The wizard's calls: a preview of a file's start, saved mappings, and an import's state.
import { queryOptions } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { readApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { send } from '#web/api/send.ts';
import type { Mapping } from './mapping-draft.ts';

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
  mutation SaveImportMapping($name: String!, $mapping: String!) {
    saveImportMapping(name: $name, mapping: $mapping) {
      name
    }
  }
`);

export async function saveMapping(name: string, mapping: Mapping): Promise<void> {
  await request(saveDocument, { name, mapping: JSON.stringify(mapping) });
}

const standFields = graphql(`
  fragment StandFields on ImportRun @_unmask {
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
export type ImportStand = ResultOf<typeof standFields>;

const runFields = graphql(
  `
    fragment RunFields on ImportRun @_unmask {
      ...StandFields
      hasReport
      reasons {
        kind
        column
        reason
        count
        line
        value
      }
    }
  `,
  [standFields],
);
export type ImportRun = ResultOf<typeof runFields>;

const runDocument = graphql(
  `
    query ImportRun($id: ID!) {
      importRun(id: $id) {
        ...RunFields
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
    queryFn: async ({ signal }) => (await request(runDocument, { id }, { signal })).importRun,
    refetchInterval: ({ state: { data } }) => (data === undefined || data?.state === 'running' ? everyMs : false),
    staleTime: 0,
  });

const lastDocument = graphql(
  `
    query LastImports {
      importRuns {
        ...StandFields
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
      }
    }
  `,
  [standFields],
);
export type LastImport = ResultOf<typeof lastDocument>['importRuns'][number];

const isUnderWay = ({ state, undoState }: LastImport) => state === 'running' || undoState === 'running';

export const lastImportsQuery = queryOptions({
  queryKey: ['import', 'last'],
  queryFn: async ({ signal }) => (await request(lastDocument, {}, { signal })).importRuns,
  refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? everyMs : false),
  staleTime: 0,
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

/** The start of a file for a preview. */
export type Sample = { readonly text: string; readonly isWhole: boolean };

export async function sampleOf(file: File): Promise<Sample> {
  const bytes = new Uint8Array(await file.slice(0, importLimits.sample).arrayBuffer());
  // In chunks, because a call's number of arguments is limited.
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return { text: btoa(binary), isWhole: file.size <= importLimits.sample };
}

type PreviewFault = { readonly column: string; readonly reason: string };

export type Preview = {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string | null;
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
  readonly reasons: readonly ImportRun['reasons'][number][];
  readonly values: Readonly<Record<string, readonly { readonly value: string; readonly count: number }[]>>;
  readonly dates: Readonly<
    Record<string, readonly { readonly format: string; readonly count: number; readonly example: string }[]>
  >;
};

export async function readPreview(
  dataset: DatasetKey,
  { text, isWhole }: Sample,
  mapping: Mapping | null,
  signal: AbortSignal,
): Promise<Preview> {
  const response = await send(`${config().top5ServerUrl}/api/import/${dataset}/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sample: text, isWhole, ...(mapping ? { mapping } : {}) }),
    signal,
  });
  const answer = (await response.json().catch(() => null)) as (Preview & { error?: object }) | null;
  if (!response.ok || !answer) throw readApiError(answer?.error ?? {}, response);
  return answer;
}
