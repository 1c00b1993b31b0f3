// User management in the API, next to the specification's two lists.

import { removeWayInput } from '#core/access/account-inputs.ts';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import {
  createUserInput,
  endSessionsInput,
  setDisabledInput,
  setTopFiveInput,
  updateUserInput,
  userIdInput,
} from '#core/people/accounts.ts';
import { directoryInput, peopleToChooseInput } from '#core/people/people-lists.ts';
import { userOrders, userStates } from '#core/people/people-search.ts';
import type { RoleAsked } from '#core/people/role-requests.ts';
import { WaysInType } from '#server/access/account/account.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import type { RefusedChoice } from './account-changes.ts';
import { AwayType } from './approvers.graphql.ts';
import { makePeopleTicket } from './people-export.service.ts';
import * as users from './users.service.ts';

export const ManagedUserType = builder.objectRef<users.ManagedUser>('ManagedUser');
const PeopleCountsType = builder.objectRef<users.PeopleCounts>('PeopleCounts');
const ManagedUsersType = builder.objectRef<users.ManagedUsers>('ManagedUsers');
export const UserDetailType = builder.objectRef<users.UserDetail>('ManagedUserDetail');
export const RoleAskedType = builder.objectRef<RoleAsked>('RoleAsked');
const RefusedChoiceType = builder.objectRef<RefusedChoice>('RefusedChoice');
const AssignableRoleType = builder.objectRef<users.AssignableRole>('AssignableRole');
const SignInLinkType = builder.objectRef<users.SignInLink>('SignInLink');

export function defineUsers(): void {
  defineTypes();
  defineCounts();
  defineDetailTypes();
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
      approverNames: t.exposeStringList('approverNames'),
      byDefault: t.exposeBoolean('byDefault', { description: 'Has only the default approver' }),
      top5Invisible: t.exposeBoolean('topFiveInvisible'),
      top5From: t.exposeString('topFiveFrom', {
        nullable: true,
        description: 'Source of the top-5 permission: direct, role or admin. Null for logged users',
      }),
      top5Bound: t.exposeString('topFiveBound', { nullable: true, description: 'Why the switch can’t be changed' }),
      disabled: t.exposeBoolean('disabled'),
      hasPassword: t.exposeBoolean('hasPassword'),
      linkUntil: t.exposeString('linkUntil', { nullable: true, description: 'When an open link expires' }),
      approves: t.exposeBoolean('approves', { description: 'Approves someone, or is the default approver' }),
      approverWarning: t.exposeString('approverWarning', {
        nullable: true,
        description: 'Why tasks stay undecided with this approver: disabled, mayNotDecide or cannotSignIn',
      }),
      awayUntil: t.exposeString('awayUntil', { nullable: true, description: 'The last day, if away today' }),
      away: t.field({
        type: AwayType,
        nullable: true,
        description: 'The same with who decides for them',
        resolve: (user, _args, context) => users.awayOf(context, user),
      }),
    }),
  });
  ManagedUsersType.implement({
    fields: (t) => ({
      people: t.field({ type: [ManagedUserType], resolve: ({ people }) => people }),
      permitted: t.exposeInt('permitted', { description: 'Matching people with the top-5 permission' }),
      logged: t.exposeInt('logged', { description: 'Matching people without it' }),
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end',
      }),
    }),
  });
}

function defineCounts(): void {
  PeopleCountsType.implement({
    fields: (t) => ({
      active: t.exposeInt('active'),
      disabled: t.exposeInt('disabled'),
      permitted: t.exposeInt('permitted', { description: 'Enabled people with the top-5 permission' }),
      invited: t.exposeInt('invited', { description: 'People with `state: "invited"`' }),
      withoutRole: t.exposeInt('withoutRole', { description: 'Enabled people without a role' }),
      roleRequested: t.exposeInt('roleRequested', { description: 'People with `roleRequested`' }),
      unapproved: t.exposeInt('unapproved', { description: 'People with tasks but no approver who can decide' }),
      awayNow: t.exposeInt('awayNow', { description: 'People with `awayNow`' }),
      backThisWeek: t.exposeInt('backThisWeek', { description: 'People with `backThisWeek`' }),
    }),
  });
  AssignableRoleType.implement({
    fields: (t) => ({
      name: t.exposeString('name'),
      permissions: t.exposeStringList('permissions'),
      version: t.exposeString('version', { description: 'Sent back as `roleVersion`, so a changed role isn’t given' }),
    }),
  });
}

function defineDetailTypes(): void {
  UserDetailType.implement({
    fields: (t) => ({
      user: t.field({ type: ManagedUserType, resolve: ({ user }) => user }),
      version: t.string({ resolve: ({ account }) => account.version }),
      grants: t.stringList({ resolve: ({ account }) => [...account.grants] }),
      rolePermissions: t.exposeStringList('rolePermissions'),
      linksAreMailed: t.exposeBoolean('linksAreMailed'),
      rolesAsked: t.field({
        type: [RoleAskedType],
        description: 'The open requests for another role than the current one: the latest for each, newest first',
        resolve: ({ rolesAsked }) => [...rolesAsked],
      }),
      controlRefusal: t.exposeString('controlRefusal', {
        nullable: true,
        description: 'Why the caller can’t enable this account, or null',
      }),
      reachRefusal: t.exposeString('reachRefusal', {
        nullable: true,
        description: 'Why the caller can’t see this account’s sign-in link or change its email, or null',
      }),
      refusedChoices: t.field({
        type: [RefusedChoiceType],
        description: 'What the caller can’t choose for this person, with the reason',
        resolve: ({ refusedChoices }) => [...refusedChoices],
      }),
      waysIn: t.expose('waysIn', {
        type: WaysInType,
        nullable: true,
        description: 'Null if the caller can’t change how this person signs in',
      }),
    }),
  });
  RefusedChoiceType.implement({
    fields: (t) => ({
      field: t.exposeString('field', { description: 'role, team, top5 or top5Invisible' }),
      value: t.exposeString('value', { description: 'Empty for none' }),
      message: t.exposeString('message'),
    }),
  });
  SignInLinkType.implement({
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'invite or reset' }),
      token: t.exposeString('token', { nullable: true, description: 'Null if the link was emailed' }),
      mailedTo: t.exposeString('mailedTo', { nullable: true }),
      mailFailed: t.exposeBoolean('mailFailed', { description: 'The email couldn’t be sent, so the token is here' }),
      expiresAt: t.exposeString('expiresAt'),
    }),
  });
}

type DirectoryArg = Pick<Parameters<Parameters<typeof builder.mutationFields>[0]>[0]['arg'], 'string' | 'boolean'>;
const directoryArgs = (arg: DirectoryArg) => ({
  find: arg.string({ description: 'Parts of a name, email address, role or team' }),
  list: arg.string({ description: 'permitted or logged' }),
  role: arg.string({ description: 'Empty: without a role' }),
  team: arg.string({ description: 'Empty: without a team' }),
  state: arg.string({ description: userStates.join(', ') }),
  withoutApprover: arg.boolean({ description: 'People with tasks but no approver who can decide' }),
  roleRequested: arg.boolean({ description: 'Enabled people with a requested role' }),
  awayNow: arg.boolean({ description: 'Away today' }),
  backThisWeek: arg.boolean({ description: 'Back from time away on a working day of this week' }),
  sort: arg.string({ description: `${userOrders.join(', ')}; by name without it` }),
  desc: arg.boolean(),
});

function defineQueries(): void {
  builder.queryFields((t) => ({
    managedUsers: t.field({
      type: ManagedUsersType,
      access: callAccess.people,
      turn: 'heavy',
      args: {
        ...directoryArgs(t.arg),
        after: t.arg.id(),
        limit: t.arg.int(),
      },
      resolve: (_root, args, context) => users.directory(context, orThrow(readInput(directoryInput, args))),
    }),
    peopleCounts: t.field({
      type: PeopleCountsType,
      access: callAccess.people,
      turn: 'heavy',
      resolve: (_root, _args, context) => users.peopleCounts(context),
    }),
    peopleToChoose: t.field({
      type: [ManagedUserType],
      access: callAccess.people,
      args: {
        find: t.arg.string({
          description: 'Parts of a name or email address: up to 50 people, enabled ones and approvers first',
        }),
        disabled: t.arg.boolean({ description: 'Finds disabled people too, after the others' }),
        ids: t.arg.idList({ description: 'These people, including disabled ones' }),
      },
      resolve: (_root, args, context) => users.peopleToChoose(context, orThrow(readInput(peopleToChooseInput, args))),
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
      roleVersion: t.arg.string({ description: 'The `version` of the role that was read' }),
      team: t.arg.string(),
      approverId: t.arg.idList(),
      top5Invisible: t.arg.boolean(),
      top5: t.arg.boolean(),
      reason: t.arg.string({ description: 'Reason, if the person doesn’t meet the role’s requirements' }),
    };
    const userId = t.arg.id({ required: true });
    return {
      createPeopleTicket: t.string({
        description: 'Address of the file with the results, as the import reads it. Works once, for a minute',
        access: callAccess.people,
        args: directoryArgs(t.arg),
        resolve: (_root, args, context) => makePeopleTicket(context, args),
      }),
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
          permissions: t.arg.stringList({ description: 'The direct permissions' }),
        },
        description: 'Empty texts clear a role or team. Omitted fields stay',
        resolve: (_root, args, context) => users.updateUser(context, orThrow(readInput(updateUserInput, args))),
      }),
    };
  });
}

/** Yes/no settings of a person: the lists, and the account itself. */
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
