// A person's own account in the API. Its ways in have the same type as in user management.
import * as inputs from '#core/access/account-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import * as account from './account.service.ts';
import { type AccountEvent, type AccountSession, eventsOf, signInsToAnswer, type WaysIn } from './ways-in.service.ts';
import type { CalendarFeedWay, ServiceTokenWay } from './ways-in-hook.ts';

export const WaysInType = builder.objectRef<WaysIn>('WaysIn');
const PasswordType = builder.objectRef<WaysIn['password']>('PasswordWay');
const IdentityType = builder.objectRef<WaysIn['identities'][number]>('LinkedIdentity');
const AccountSessionType = builder.objectRef<AccountSession>('AccountSession');
const AccountFeedType = builder.objectRef<CalendarFeedWay>('AccountFeed');
const AccountTokenType = builder.objectRef<ServiceTokenWay>('AccountToken');
const OpenLinkType = builder.objectRef<NonNullable<WaysIn['openLink']>>('OpenLink');
const SignedOutType = builder.objectRef<account.SignedOut>('SignedOut');
const AccountEventType = builder.objectRef<AccountEvent>('AccountEvent');

export function defineAccount(): void {
  defineTypes();
  defineWaysIn();
  defineSignedOut();
  defineQueries();
  defineMutations();
}

function defineTypes(): void {
  PasswordType.implement({
    fields: (t) => ({
      set: t.exposeBoolean('set'),
      changedAt: t.exposeString('changedAt', { nullable: true }),
    }),
  });
  IdentityType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name', { description: 'The provider’s name' }),
      connectedAt: t.exposeString('connectedAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  AccountSessionType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      current: t.exposeBoolean('current', { description: 'The current session' }),
      device: t.exposeString('device'),
      handheld: t.exposeBoolean('handheld'),
      address: t.exposeString('address', { nullable: true }),
      how: t.exposeString('how', { nullable: true, description: 'How the person signed in' }),
      since: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
      until: t.exposeString('expiresAt'),
    }),
  });
  defineOtherWays();
}

function defineOtherWays(): void {
  AccountFeedType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      createdAt: t.exposeString('createdAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  AccountTokenType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      createdAt: t.exposeString('createdAt'),
      expiresAt: t.exposeString('expiresAt'),
      lastUsedAt: t.exposeString('lastUsedAt', { nullable: true }),
    }),
  });
  OpenLinkType.implement({
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'invite or reset' }),
      until: t.exposeString('until'),
    }),
  });
  AccountEventType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      at: t.exposeString('at'),
      kind: t.exposeString('kind'),
      words: t.exposeString('words'),
      device: t.exposeString('device', { nullable: true }),
      address: t.exposeString('address', { nullable: true }),
      how: t.exposeString('how', { nullable: true }),
      by: t.exposeString('by', { nullable: true, description: 'Who did it, if not the person' }),
      answerable: t.boolean({
        nullable: true,
        description: 'In `newSignIns`: whether this browser can confirm it. A new one can’t',
        resolve: ({ answerable = null }) => answerable,
      }),
    }),
  });
}

function defineWaysIn(): void {
  WaysInType.implement({
    description: 'Every way into an account',
    fields: (t) => ({
      password: t.expose('password', { type: PasswordType }),
      identities: t.field({ type: [IdentityType], resolve: ({ identities }) => identities }),
      sessions: t.field({ type: [AccountSessionType], resolve: ({ sessions }) => sessions }),
      calendarFeeds: t.field({ type: [AccountFeedType], resolve: ({ calendarFeeds }) => calendarFeeds }),
      serviceTokens: t.field({ type: [AccountTokenType], resolve: ({ serviceTokens }) => serviceTokens }),
      openLink: t.expose('openLink', { type: OpenLinkType, nullable: true }),
    }),
  });
}

function defineSignedOut(): void {
  SignedOutType.implement({
    fields: (t) => ({
      token: t.exposeString('token', { description: 'Shown once. The old token stops working' }),
      next: t.exposeString('next', {
        nullable: true,
        description: 'setUpSecondStep: the token only allows setting up the required second step',
      }),
      waysIn: t.expose('ways', { type: WaysInType }),
    }),
  });
}

function defineQueries(): void {
  builder.queryFields((t) => ({
    myAccount: t.field({
      type: WaysInType,
      access: 'signedIn',
      hiddenWhileImpersonating: true,
      description: "Every way into the caller's account",
      resolve: (_root, _args, context) => account.myWaysIn(context),
    }),
    accountEvents: t.field({
      type: [AccountEventType],
      access: 'signedIn',
      hiddenWhileImpersonating: true,
      args: { before: t.arg.id(), limit: t.arg.int() },
      description: "The log of the caller's account, newest first",
      resolve: (_root, args, context) =>
        eventsOf(context, context.viewer.id, orThrow(readInput(inputs.eventsInput, args))),
    }),
    newSignIns: t.field({
      type: [AccountEventType],
      access: 'signedIn',
      hiddenWhileImpersonating: true,
      description: 'New-device sign-ins that the caller hasn’t confirmed',
      resolve: (_root, _args, context) => signInsToAnswer(context, context.viewer.id),
    }),
  }));
}

function defineMutations(): void {
  builder.mutationFields((t) => {
    const id = t.arg.id({ required: true });
    return {
      endSession: t.field({
        type: WaysInType,
        access: 'signedIn',
        args: { id },
        resolve: (_root, args, context) =>
          account.endOwnSession(context, orThrow(readInput(inputs.ownSessionInput, args)).id),
      }),
      disconnectIdentity: t.field({
        type: WaysInType,
        access: 'signedIn',
        args: { id },
        resolve: (_root, args, context) =>
          account.unlinkOwnIdentity(context, orThrow(readInput(inputs.unlinkInput, args)).id),
      }),
      signOutEverywhere: t.field({
        type: SignedOutType,
        access: 'signedIn',
        args: { also: t.arg.stringList({ required: true }) },
        description: `Ends every session and the named ways in: ${inputs.closableWays.join(', ')}. The current session continues with the new token`,
        resolve: (_root, args, context) =>
          account.signOutEverywhere(context, orThrow(readInput(inputs.signOutInput, args))),
      }),
      acknowledgeSignIn: t.boolean({
        access: 'signedIn',
        args: { id },
        description: 'Confirms that the new-device sign-in was the caller',
        resolve: (_root, args, context) =>
          account.answerForSignIn(context, orThrow(readInput(inputs.eventIdInput, args)).id),
      }),
    };
  });
}
