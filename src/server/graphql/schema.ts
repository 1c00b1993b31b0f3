// The whole schema: every area adds its part. Printed, it is `schema.graphql`.
import type { GraphQLSchema } from 'graphql';
import { defineLive } from '../live/live.graphql.ts';
import { definePeople } from '../people/people.graphql.ts';
import { builder } from './builder.ts';

// With the first mutations (tasks): builder.mutationType(), defineTasks(), defineSprints().
definePeople();
defineLive();

export const schema: GraphQLSchema = builder.toSchema();
