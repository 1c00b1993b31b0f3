// User management in the API, next to the specification's two lists.

import { removeWayInput } from '#core/access/account-inputs.ts';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import {
  createUserInput,
  directoryInput,
  endSessionsInput,
  setDisabledInput,
  setTopFiveInput,
  updateUserInput,
  userIdInput,
} from '#core/people/accounts.ts';
import { WaysInType } from '#server/access/account/account.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import * as users from './users.service.ts';

export const ManagedUserType = builder.objectRef<users.ManagedUser>('ManagedUser');
const UserDetailType = builder.objectRef<users.UserDetail>('ManagedUserDetail');
const AssignableRoleType = builder.objectRef<users.AssignableRole>('AssignableRole');
const SignInLinkType = builder.objectRef<users.SignInLink>('SignInLink');

export function defineUsers(): void {
  defineTypes();
  defineQueries();
  defineMutations();
  defineSwitches();
  defineWaysIn();
}

function defineTypes(): void {
  ManagedUserType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      email: t.exposeString('email'),
      firstName: t.exposeString('firstName'),
      lastName: t.exposeString('lastName'),
      displayName: t.exposeString('displayName'),
      role: t.exposeString('role', { nullable: true }),
      team: t.exposeString('team', { nullable: true }),
      approverId: t.idList({ resolve: (user) => [...user.approverIds] }),
      top5Invisible: t.exposeBoolean('topFiveInvisible'),
      top5From: t.exposeString('topFiveFrom', {
        nullable: true,
        description: 'Source of the top-5 permission: direct, role or admin. Null for logged users',
      }),
      top5Bound: t.exposeString('topFiveBound', { nullable: true, description: 'Why the switch can’t be changed' }),
      disabled: t.exposeBoolean('disabled'),
      hasPassword: t.exposeBoolean('hasPassword'),
      linkUntil: t.exposeString('linkUntil', { nullable: true, description: 'When an open link expires' }),
    }),
  });
  UserDetailType.implement({
    fields: (t) => ({
      user: t.field({ type: ManagedUserType, resolve: ({ user }) => user }),
      version: t.string({ resolve: ({ account }) => account.version }),
      grants: t.stringList({ resolve: ({ account }) => [...account.grants] }),
      rolePermissions: t.exposeStringList('rolePermissions'),
      linksAreMailed: t.exposeBoolean('linksAreMailed'),
      controlRefusal: t.exposeString('controlRefusal', {
        nullable: true,
        description: 'Why the caller can’t enable this account, or null',
      }),
      reachRefusal: t.exposeString('reachRefusal', {
        nullable: true,
        description: 'Why the caller can’t see this account’s sign-in link or change its email, or null',
      }),
      waysIn: t.expose('waysIn', {
        type: WaysInType,
        nullable: true,
        description: 'Null if the caller can’t change how this person signs in',
      }),
    }),
  });
  AssignableRoleType.implement({
    fields: (t) => ({ name: t.exposeString('name'), permissions: t.exposeStringList('permissions') }),
  });
  SignInLinkType.implement({
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'invite or reset' }),
      token: t.exposeString('token', { nullable: true, description: 'Null if the link was mailed' }),
      mailedTo: t.exposeString('mailedTo', { nullable: true }),
      mailFailed: t.exposeBoolean('mailFailed', { description: 'The email couldn’t be sent, so the token is here' }),
      expiresAt: t.exposeString('expiresAt'),
    }),
  });
}

function defineQueries(): void {
  builder.queryFields((t) => ({
    managedUsers: t.field({
      type: [ManagedUserType],
      access: callAccess.people,
      turn: 'heavy',
      args: { after: t.arg.id() },
      description: 'All accounts by id, a thousand at a time, after this id',
      resolve: (_root, args, context) => users.directory(context, orThrow(readInput(directoryInput, args)).after),
    }),
    managedUser: t.field({
      type: UserDetailType,
      access: callAccess.people,
      args: { userId: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => users.userDetail(context, orThrow(readInput(userIdInput, args)).userId),
    }),
    assignableRoles: t.field({
      type: [AssignableRoleType],
      access: callAccess.people,
      description: 'Roles that can be given, besides admin',
      resolve: (_root, _args, context) => users.assignableRoles(context),
    }),
  }));
}

function defineMutations(): void {
  builder.mutationFields((t) => {
    const fields = {
      firstName: t.arg.string(),
      lastName: t.arg.string(),
      role: t.arg.string(),
      team: t.arg.string(),
      approverId: t.arg.idList(),
      top5Invisible: t.arg.boolean(),
      top5: t.arg.boolean(),
      reason: t.arg.string({ description: 'Reason, if the person doesn’t meet the role’s requirements' }),
    };
    const userId = t.arg.id({ required: true });
    return {
      createUser: t.field({
        type: ManagedUserType,
        access: callAccess.people,
        args: { email: t.arg.string({ required: true }), ...fields },
        resolve: (_root, args, context) => users.createUser(context, orThrow(readInput(createUserInput, args))),
      }),
      updateUser: t.field({
        type: ManagedUserType,
        access: callAccess.people,
        args: {
          userId,
          version: t.arg.string({ required: true }),
          email: t.arg.string(),
          ...fields,
          permissions: t.arg.stringList({ description: 'The direct grants' }),
        },
        description: 'Empty texts clear a role or team. Omitted fields stay',
        resolve: (_root, args, context) => users.updateUser(context, orThrow(readInput(updateUserInput, args))),
      }),
    };
  });
}

/** Yes/no settings of a person: the lists, the account itself, and the request for a role. */
function defineSwitches(): void {
  builder.mutationFields((t) => {
    const userId = t.arg.id({ required: true });
    return {
      setTop5: t.field({
        type: ManagedUserType,
        access: callAccess.people,
        args: { userId, on: t.arg.boolean({ required: true }) },
        description: 'Moves a person between logged and permitted users',
        resolve: (_root, args, context) => {
          const input = orThrow(readInput(setTopFiveInput, args));
          return users.setTopFive(context, input.userId, input.on);
        },
      }),
      setUserDisabled: t.field({
        type: ManagedUserType,
        access: callAccess.people,
        args: { userId, disabled: t.arg.boolean({ required: true }) },
        resolve: (_root, args, context) => {
          const input = orThrow(readInput(setDisabledInput, args));
          return users.setDisabled(context, input.userId, input.disabled);
        },
      }),
      askForRole: t.field({
        type: ManagedUserType,
        access: callAccess.people,
        args: { userId },
        description: 'Asks the admins to give a person without a role one',
        resolve: (_root, args, context) => users.askForRole(context, orThrow(readInput(userIdInput, args)).userId),
      }),
    };
  });
}

/** A person's ways in: links, what was added to the account, sessions. */
function defineWaysIn(): void {
  builder.mutationFields((t) => {
    const userId = t.arg.id({ required: true });
    return {
      makeSignInLink: t.field({
        type: SignInLinkType,
        access: callAccess.people,
        args: { userId },
        description: 'A one-time link to set a password',
        resolve: (_root, args, context) => users.makeSignInLink(context, orThrow(readInput(userIdInput, args)).userId),
      }),
      removeWayIn: t.field({
        type: UserDetailType,
        access: callAccess.people,
        args: {
          userId,
          kind: t.arg.string({ required: true, description: 'session, identity, calendarFeed, serviceToken or link' }),
          id: t.arg.id({ required: true }),
        },
        description: 'Removes a way into a person’s account and notifies them',
        resolve: (_root, args, context) => users.removeWayIn(context, orThrow(readInput(removeWayInput, args))),
      }),
      endUserSessions: t.field({
        type: 'Int',
        access: callAccess.people,
        args: { userId, sessionId: t.arg.id() },
        description: 'Ends one session or all. Returns how many ended',
        resolve: (_root, args, context) => {
          const input = orThrow(readInput(endSessionsInput, args));
          return users.endSessions(context, input.userId, input.sessionId);
        },
      }),
    };
  });
}
