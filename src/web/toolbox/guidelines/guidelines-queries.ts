// What the guidelines page reads and sends.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { request } from '#web/api/request.ts';
import { readyMarkdown } from '#web/ui/markdown.tsx';

const guidelinesFields = graphql(`
  fragment GuidelinesFields on Guidelines @_unmask {
    version
    text
    note
    publishedAt
    publishedBy
    confirmedAt
    lastConfirmed
  }
`);

const currentDocument = graphql(
  `
    query CurrentGuidelines {
      guidelines {
        ...GuidelinesFields
      }
      guidelineVersions {
        version
        note
        publishedAt
        publishedBy
      }
    }
  `,
  [guidelinesFields],
);

const versionDocument = graphql(
  `
    query GuidelineVersion($version: Int!) {
      guidelineVersion(version: $version) {
        ...GuidelinesFields
      }
    }
  `,
  [guidelinesFields],
);

const readersDocument = graphql(`
  query GuidelineReaders($confirmed: Boolean, $search: String, $after: ID) {
    guidelineReaders(confirmed: $confirmed, search: $search, after: $after) {
      readers
      confirmed
      matching
      next
      people {
        id
        displayName
        team
        confirmedAt
        lastConfirmed
      }
    }
  }
`);

const confirmDocument = graphql(`
  mutation ConfirmGuidelines($version: Int!) {
    confirmGuidelines(version: $version) {
      version
      confirmedAt
    }
  }
`);

const publishDocument = graphql(`
  mutation PublishGuidelines($text: String!, $note: String!, $basedOn: Int!) {
    publishGuidelines(text: $text, note: $note, basedOn: $basedOn) {
      version
    }
  }
`);

export type CurrentGuidelines = ResultOf<typeof currentDocument>;
export type Guidelines = NonNullable<CurrentGuidelines['guidelines']>;
export type GuidelineReader = ResultOf<typeof readersDocument>['guidelineReaders']['people'][number];

export const guidelinesKey = ['guidelines'] as const;

export const currentQuery = queryOptions({
  queryKey: [...guidelinesKey, 'current'],
  queryFn: async ({ signal }) => {
    const [answer] = await Promise.all([request(currentDocument, {}, { signal }), readyMarkdown()]);
    return answer;
  },
  staleTime: 0,
});

/** A version never changes once it is published. */
export const versionQuery = (version: number) =>
  queryOptions({
    queryKey: [...guidelinesKey, 'version', version],
    queryFn: async ({ signal }) => (await request(versionDocument, { version }, { signal })).guidelineVersion,
    staleTime: Number.POSITIVE_INFINITY,
  });

export type ReadersChoice = { readonly confirmed: boolean; readonly search: string };

export const readersQuery = (choice: ReadersChoice) =>
  listQuery({
    queryKey: [...guidelinesKey, 'readers', choice],
    read: async (after, signal) => {
      const { people, matching, ...rest } = (await request(readersDocument, { ...choice, after }, { signal }))
        .guidelineReaders;
      return { ...rest, rows: people, total: matching };
    },
  });

export const confirm = async (version: number) => (await request(confirmDocument, { version })).confirmGuidelines;

export type NewVersion = { readonly text: string; readonly note: string; readonly basedOn: number };
export const publish = async (input: NewVersion) => (await request(publishDocument, input)).publishGuidelines;
