// GraphQL documents typed by the schema; `graphql-env.d.ts` is generated from schema.graphql. They stay text
// at run time, because parsing and printing them would slow down every start.
import type { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

type Tada = ReturnType<typeof initGraphQLTada<{ introspection: introspection; scalars: { ID: string } }>>;

/** The document's text and its fragments', without duplicates. */
type Texts = { readonly texts: ReadonlySet<string> };

/** `@_unmask` is for the types only. */
const cleaned = (text: string): string => text.replaceAll(' @_unmask', '').replaceAll(/\s+/g, ' ').trim();

const document = (text: string, fragments: readonly Texts[] = []): Texts => ({
  texts: new Set([cleaned(text), ...fragments.flatMap(({ texts }) => [...texts])]),
});

export const graphql = document as unknown as Tada;

/** The text to send to the server. */
export const textOf = (of: object): string => [...(of as Texts).texts].join(' ');

export type { ResultOf, VariablesOf } from 'gql.tada';
