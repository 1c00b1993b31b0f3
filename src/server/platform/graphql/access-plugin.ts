// Makes `access` a declaration that every field of Query, Mutation and Subscription needs, and checks it
// before the resolver runs. Fields of Query and Mutation take turns, and each of Mutation reads the caller
// again: their rights may have changed since the request began. Fields of other types are checked once, with
// the object that carries them.
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
import { readCaller } from '../viewer.ts';
import { inPersonTurn, type ReadTurn, readOnce } from './person-turns.ts';
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
      /** Who can query the field. */
      access: CallAccess;
      /** How its reads take turns. Left out: `light`. */
      turn?: ReadTurn;
      /** Private to the person, even from an admin who views as them. */
      hiddenWhileImpersonating?: true;
    }
    export interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Who can make the change. */
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
      /** Who can subscribe. */
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
    // A subscription is checked when it starts; its events are filtered one by one.
    if (field.kind !== 'Query' && field.kind !== 'Mutation') return resolve;
    const { hiddenWhileImpersonating, turn } = field.pothosOptions as {
      hiddenWhileImpersonating?: true;
      turn?: ReadTurn;
    };
    const refusalWhileViewing =
      field.kind === 'Mutation' ? 'VIEWING_AS' : hiddenWhileImpersonating ? 'OWN_EYES_ONLY' : null;
    const access = accessOfField(field);
    if (field.kind === 'Query') return checked(inTurns(resolve, turn), access, refusalWhileViewing);
    return checked(asCallerOfNow(checked(resolve, access)), access, refusalWhileViewing);
  }

  override wrapSubscribe(
    subscribe: Resolver<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscribe && checked(subscribe, accessOfField(field));
  }
}

const inTurns =
  <Types extends SchemaTypes>(resolve: Resolver<Types>, turn: ReadTurn = 'light'): Resolver<Types> =>
  (parent, args, context, info) =>
    readOnce(context as unknown as RequestContext, turn, info, args, () => resolve(parent, args, context, info));

/** One document can run long: its changes stop with the rights or the session of who sent it. */
const asCallerOfNow =
  <Types extends SchemaTypes>(resolve: Resolver<Types>): Resolver<Types> =>
  (parent, args, context, info) => {
    const request = context as unknown as { -readonly [Key in keyof RequestContext]: RequestContext[Key] };
    return inPersonTurn(request, 'change', async () => {
      request.viewer = await readCaller(request, request);
      return resolve(parent, args, context, info);
    });
  };

function checked<Types extends SchemaTypes>(
  resolve: Resolver<Types>,
  access: CallAccess | undefined,
  refusalWhileViewing: RefusalCode | null = null,
): Resolver<Types> {
  if (access === undefined) return resolve;
  return (parent, args, context, info) => {
    const { viewer, impersonator } = context as unknown as RequestContext;
    // While viewing as someone else, no mutation is allowed.
    const code = (impersonator && refusalWhileViewing) ?? callRefusal(viewer, access);
    if (code !== null) throw new RefusalError(refuse(code));
    return resolve(parent, args, context, info);
  };
}

/** The plugin's name in the builder's options. */
export const accessPlugin = 'access';

SchemaBuilder.registerPlugin(accessPlugin, AccessPlugin);

/** The access of each root field, such as "Query.getTasks". Undefined is a gap that a house test reports. */
export function accessOf(schema: GraphQLSchema): Record<string, CallAccess | undefined> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.fromEntries(
    roots.flatMap((root) =>
      root ? Object.values(root.getFields()).map((field) => [`${root.name}.${field.name}`, accessOfField(field)]) : [],
    ),
  );
}
