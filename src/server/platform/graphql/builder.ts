// The schema builder. Every area adds its types and fields; each root field declares its `access`.
import SchemaBuilder from '@pothos/core';
import type { RequestContext } from '../context.ts';
import { accessPlugin } from './access-plugin.ts';

export const builder = new SchemaBuilder<{
  Context: RequestContext;
  DefaultFieldNullability: false;
  Scalars: { ID: { Input: string; Output: string } };
}>({ plugins: [accessPlugin], defaultFieldNullability: false });

builder.queryType();
builder.mutationType();
builder.subscriptionType();
