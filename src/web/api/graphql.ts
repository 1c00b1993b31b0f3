// GraphQL documents typed by the schema; `graphql-env.d.ts` is generated from schema.graphql. What runs is their text: reading it into a tree
// and writing it out again would cost every start of the application time.
import type { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

type Tada = ReturnType<typeof initGraphQLTada<{ introspection: introspection; scalars: { ID: string } }>>;

/** The document's own text and those of its fragments, each once. */
type Texts = { readonly texts: ReadonlySet<string> };

/** `@_unmask` speaks to the types alone. */
const cleaned = (text: string): string => text.replaceAll(' @_unmask', '').replaceAll(/\s+/g, ' ').trim();

const document = (text: string, fragments: readonly Texts[] = []): Texts => ({
  texts: new Set([cleaned(text), ...fragments.flatMap(({ texts }) => [...texts])]),
});

export const graphql = document as unknown as Tada;

/** What is sent to the server. */
export const textOf = (of: object): string => [...(of as Texts).texts].join(' ');

export type { ResultOf, VariablesOf } from 'gql.tada';
