// Calls that remove a source, erase a person or delete old rows.
import { queryOptions } from '@tanstack/react-query';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const sourcesDocument = graphql(`
  query ImportSources {
    importSources {
      dataset
      source
    }
  }
`);
export type ImportSource = ResultOf<typeof sourcesDocument>['importSources'][number];

export const sourcesQuery = queryOptions({
  queryKey: ['import', 'sources'],
  queryFn: async ({ signal }) => (await request(sourcesDocument, {}, { signal })).importSources,
  staleTime: 0,
});

const sourceRowsDocument = graphql(`
  query ImportSourceRows($dataset: String!, $source: String!) {
    importSourceRows(dataset: $dataset, source: $source) {
      rows
      hasMore
      firstDay
      lastDay
    }
  }
`);

/** What removing the source would remove. Never cached, because imports change it. */
export const sourceRowsQuery = ({ dataset, source }: ImportSource) =>
  queryOptions({
    queryKey: ['import', 'source rows', dataset, source],
    queryFn: async ({ signal }) =>
      (await request(sourceRowsDocument, { dataset, source }, { signal })).importSourceRows,
    gcTime: 0,
  });

const removeDocument = graphql(`
  mutation RemoveImportSource($dataset: String!, $source: String!) {
    removeImportSource(dataset: $dataset, source: $source) {
      id
    }
  }
`);

export async function removeSource({ dataset, source }: ImportSource): Promise<void> {
  await request(removeDocument, { dataset, source });
}

/** A customer or donor, by their reference in the source. */
export type Reference = { readonly dataset: DatasetKey; readonly reference: string };

const referenceRowsDocument = graphql(`
  query ReferenceRows($dataset: String!, $reference: String!) {
    referenceRows(dataset: $dataset, reference: $reference) {
      source
      rows
      firstDay
      lastDay
    }
  }
`);

/** What an erasure would change. Never cached, because the key has the reference. */
export const referenceRowsQuery = ({ dataset, reference }: Reference) =>
  queryOptions({
    queryKey: ['import', 'reference', dataset, reference],
    queryFn: async ({ signal }) =>
      (await request(referenceRowsDocument, { dataset, reference }, { signal })).referenceRows,
    gcTime: 0,
  });

const eraseDocument = graphql(`
  mutation EraseReference($dataset: String!, $reference: String!) {
    eraseReference(dataset: $dataset, reference: $reference) {
      id
    }
  }
`);

export async function eraseReference({ dataset, reference }: Reference): Promise<void> {
  await request(eraseDocument, { dataset, reference });
}

const retentionsDocument = graphql(`
  query Retentions {
    retentions {
      dataset
      months
      ranOn
      deleted
    }
  }
`);
export type Retention = ResultOf<typeof retentionsDocument>['retentions'][number];

export const retentionsQuery = queryOptions({
  queryKey: ['import', 'retention'],
  queryFn: async ({ signal }) => (await request(retentionsDocument, {}, { signal })).retentions,
  staleTime: 0,
});

const retentionPreviewDocument = graphql(`
  query RetentionPreview($dataset: String!, $months: Int!) {
    retentionPreview(dataset: $dataset, months: $months) {
      before
      rows
      all
      imports
    }
  }
`);

/** What keeping so many months would delete. Never cached, because imports change it. */
export const retentionPreviewQuery = (dataset: DatasetKey, months: number) =>
  queryOptions({
    queryKey: ['import', 'retention', dataset, months],
    queryFn: async ({ signal }) =>
      (await request(retentionPreviewDocument, { dataset, months }, { signal })).retentionPreview,
    gcTime: 0,
  });

const setRetentionDocument = graphql(`
  mutation SetRetention($dataset: String!, $months: Int) {
    setRetention(dataset: $dataset, months: $months) {
      months
    }
  }
`);

/** Null keeps all rows. */
export async function setRetention(wanted: { readonly dataset: DatasetKey; readonly months: number | null }) {
  await request(setRetentionDocument, wanted);
}
