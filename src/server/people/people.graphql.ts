// People in the API: by name for everyone who sees their tasks, in full for those who manage people.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { approverMap, type Person, peopleIDecide, type User, userLists } from './people.service.ts';

export const PersonType = builder.objectRef<Person>('Person');
export const UserType = builder.objectRef<User>('User');
const UserListsType = builder.objectRef<{
  readonly loggedUsers: readonly User[];
  readonly permittedUsers: readonly User[];
}>('UserLists');
const ApproversType = builder.objectRef<{ readonly approverId: string; readonly userIds: readonly string[] }>(
  'Approvers',
);

export function definePeople(): void {
  PersonType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      team: t.exposeString('team', { nullable: true }),
    }),
  });
  UserType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      email: t.exposeString('email'),
      firstName: t.exposeString('firstName'),
      lastName: t.exposeString('lastName'),
      role: t.exposeString('role', { nullable: true }),
      team: t.exposeString('team', { nullable: true }),
      permissions: t.exposeStringList('permissions'),
      approverId: t.idList({ resolve: (user) => [...user.approverIds] }),
      top5Invisible: t.exposeBoolean('topFiveInvisible'),
    }),
  });
  UserListsType.implement({
    fields: (t) => ({
      getLoggedUsers: t.field({ type: [UserType], resolve: (lists) => lists.loggedUsers }),
      getPermittedUsers: t.field({ type: [UserType], resolve: (lists) => lists.permittedUsers }),
    }),
  });
  ApproversType.implement({
    fields: (t) => ({ approverId: t.exposeID('approverId'), userIds: t.exposeIDList('userIds') }),
  });
  definePeopleQueries();
}

function definePeopleQueries(): void {
  builder.queryFields((t) => ({
    // Both names of spec 7.
    getUsers: t.field({
      type: UserListsType,
      access: callAccess.people,
      resolve: (_root, _args, context) => userLists(context),
    }),
    users: t.field({
      type: UserListsType,
      access: callAccess.people,
      resolve: (_root, _args, context) => userLists(context),
    }),
    getLoggedUsers: t.field({
      type: [UserType],
      access: callAccess.people,
      resolve: async (_root, _args, context) => (await userLists(context)).loggedUsers,
    }),
    getPermittedUsers: t.field({
      type: [UserType],
      access: callAccess.people,
      resolve: async (_root, _args, context) => (await userLists(context)).permittedUsers,
    }),
    approvers: t.field({
      type: [ApproversType],
      access: callAccess.people,
      description: 'Approvers and their people',
      resolve: (_root, _args, context) => approverMap(context),
    }),
    people: t.field({
      type: [PersonType],
      access: callAccess.decisions,
      description: 'The people whose tasks the caller can decide',
      resolve: (_root, _args, context) => peopleIDecide(context),
    }),
  }));
}
