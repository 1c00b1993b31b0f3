// Makes `access` a declaration that every field of Query, Mutation and Subscription needs, and checks it before the resolver runs.
// Fields of other types are checked once, with the object that carries them.
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { type CallAccess, callRefusal } from '#core/access/call-access.ts';
import { type RefusalCode, refuse } from '#core/base/refusals.ts';
import type { RequestContext } from '../context.ts';
import { RefusalError } from './refusal-error.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }
    export interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Who may ask for the field. */
      access: CallAccess;
      /** Only the person sees it, not even an admin: it is closed to whoever looks as somebody else. */
      hiddenWhileImpersonating?: true;
    }
    export interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Who may make the change. */
      access: CallAccess;
    }
    export interface SubscriptionFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Who may listen. */
      access: CallAccess;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

const extension = 'access';

function accessOfField(field: { extensions?: unknown }): CallAccess | undefined {
  return (field.extensions as { [extension]?: CallAccess } | undefined)?.[extension];
}

class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (field.kind !== 'Query' && field.kind !== 'Mutation' && field.kind !== 'Subscription') return field;
    const { access } = field.pothosOptions as { access?: CallAccess };
    if (access === undefined)
      throw new Error(`${field.parentType}.${field.name} does not say who may call it: declare its access`);
    return { ...field, extensions: { ...field.extensions, [extension]: access } };
  }

  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    // A subscription is checked when it starts; what it sends is filtered event by event.
    if (field.kind === 'Subscription') return resolve;
    const { hiddenWhileImpersonating } = field.pothosOptions as { hiddenWhileImpersonating?: true };
    const closedToLooks = field.kind === 'Mutation' ? 'VIEWING_AS' : hiddenWhileImpersonating ? 'OWN_EYES_ONLY' : null;
    return checked(resolve, accessOfField(field), closedToLooks);
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscribe && checked(subscribe, accessOfField(field));
  }
}

function checked<Types extends SchemaTypes>(
  resolve: Resolver<Types>,
  access: CallAccess | undefined,
  closedToLooks: RefusalCode | null = null,
): Resolver<Types> {
  if (access === undefined) return resolve;
  return (parent, args, context, info) => {
    const { viewer, impersonator } = context as unknown as RequestContext;
    // Whoever looks as somebody else changes nothing, whatever the mutation is.
    const code = (impersonator && closedToLooks) ?? callRefusal(viewer, access);
    if (code !== null) throw new RefusalError(refuse(code));
    return resolve(parent, args, context, info);
  };
}

/** The name under which the builder asks for the plugin. */
export const accessPlugin = 'access';

SchemaBuilder.registerPlugin(accessPlugin, AccessPlugin);

/** What each field of Query, Mutation and Subscription asks for, as "Query.getTasks"; undefined is a hole that a house test reports. */
export function accessOf(schema: GraphQLSchema): Record<string, CallAccess | undefined> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.fromEntries(
    roots.flatMap((root) =>
      root ? Object.values(root.getFields()).map((field) => [`${root.name}.${field.name}`, accessOfField(field)]) : [],
    ),
  );
}
