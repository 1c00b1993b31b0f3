// Second factors in the API: a person's own, and for admins those of people who lost them.
import * as z from 'zod/mini';
import { passkeyName, type RemoveFactor, removeFactorInput } from '#core/access/factor-inputs.ts';
import { id as personId, readInput } from '#core/base/inputs.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import {
  type FactorsOfPerson,
  type FactorToRemove,
  factorsOf,
  newRecoveryCodes,
  removeFactor,
  renamePasskey,
} from './factors.service.ts';

const idInput = z.strictObject({ id: personId });
const renameInput = z.strictObject({ id: personId, name: passkeyName });

export const SecondFactorsType = builder.objectRef<FactorsOfPerson>('SecondFactors');
const PasskeyType = builder.objectRef<FactorsOfPerson['list'][number]>('Passkey');
const AuthenticatorType = builder.objectRef<NonNullable<FactorsOfPerson['app']>>('Authenticator');

const read = ({ database, config }: RequestContext, person: string): Promise<FactorsOfPerson> =>
  factorsOf(database.drizzle, config.secondFactor, person);

/** People keep at least one factor while the policy requires it. */
async function removeOwn(context: RequestContext, factor: FactorToRemove): Promise<FactorsOfPerson> {
  await removeFactor(context, context.viewer.id, factor, context.config.secondFactor);
  return read(context, context.viewer.id);
}

/** An admin can remove all of another person's factors. For their own, the policy applies. */
async function removeForPerson(context: RequestContext, removing: RemoveFactor): Promise<FactorsOfPerson> {
  const { userId } = removing;
  const factor: FactorToRemove =
    removing.kind === 'passkey' ? { kind: 'passkey', id: removing.passkeyId } : { kind: 'authenticator' };
  await removeFactor(context, userId, factor, userId === context.viewer.id ? context.config.secondFactor : null);
  return read(context, userId);
}

export function defineFactors(): void {
  defineTypes();
  defineQueries();
  defineMutations();
}

function defineTypes(): void {
  PasskeyType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      synced: t.exposeBoolean('backedUp', { description: 'It is on other devices of the person too' }),
      createdAt: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  AuthenticatorType.implement({
    fields: (t) => ({
      createdAt: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  SecondFactorsType.implement({
    description: 'Second factors of a person',
    fields: (t) => ({
      required: t.exposeBoolean('required', { description: 'The company requires one from this person' }),
      passkeys: t.field({ type: [PasskeyType], resolve: ({ list }) => list }),
      authenticator: t.expose('app', { type: AuthenticatorType, nullable: true }),
      recoveryCodesLeft: t.exposeInt('recoveryCodesLeft'),
    }),
  });
}

function defineQueries(): void {
  builder.queryFields((t) => ({
    mySecondFactors: t.field({
      type: SecondFactorsType,
      access: 'signedIn',
      hiddenWhileImpersonating: true,
      resolve: (_root, _args, context) => read(context, context.viewer.id),
    }),
    secondFactorsOf: t.field({
      type: SecondFactorsType,
      access: 'admin',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => read(context, orThrow(readInput(idInput, args)).id),
    }),
  }));
}

function defineMutations(): void {
  builder.mutationFields((t) => {
    const id = t.arg.id({ required: true });
    return {
      renamePasskey: t.field({
        type: SecondFactorsType,
        access: 'signedIn',
        args: { id, name: t.arg.string({ required: true }) },
        resolve: async (_root, args, context) => {
          await renamePasskey(context, context.viewer.id, orThrow(readInput(renameInput, args)));
          return read(context, context.viewer.id);
        },
      }),
      removePasskey: t.field({
        type: SecondFactorsType,
        access: 'signedIn',
        args: { id },
        resolve: (_root, args, context) =>
          removeOwn(context, { kind: 'passkey', id: orThrow(readInput(idInput, args)).id }),
      }),
      removeAuthenticator: t.field({
        type: SecondFactorsType,
        access: 'signedIn',
        resolve: (_root, _args, context) => removeOwn(context, { kind: 'authenticator' }),
      }),
      newRecoveryCodes: t.stringList({
        access: 'signedIn',
        description: 'Ten codes, shown once. Earlier codes stop working',
        resolve: (_root, _args, context) => newRecoveryCodes(context, context.viewer.id),
      }),
      removeSecondFactor: t.field({
        type: SecondFactorsType,
        access: 'admin',
        args: {
          userId: id,
          kind: t.arg.string({ required: true, description: 'passkey or authenticator' }),
          passkeyId: t.arg.id(),
        },
        description: 'Removes a person’s passkey or authenticator app and notifies them',
        resolve: (_root, args, context) => removeForPerson(context, orThrow(readInput(removeFactorInput, args))),
      }),
      resetSecondFactor: t.field({
        type: SecondFactorsType,
        access: 'admin',
        args: { id },
        description: 'Removes the passkeys, the authenticator app and the recovery codes of a person who lost them',
        resolve: async (_root, args, context) => {
          const person = orThrow(readInput(idInput, args)).id;
          await removeFactor(context, person, { kind: 'all' }, null);
          return read(context, person);
        },
      }),
    };
  });
}
