// GraphQL documents typed by the schema; `graphql-env.d.ts` is generated from schema.graphql.
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

export const graphql = initGraphQLTada<{ introspection: introspection; scalars: { ID: string } }>();
export type { ResultOf, VariablesOf } from 'gql.tada';
