// People in the API: by name for everyone who sees their tasks, in full for those who manage people.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { decidedPeopleInput, usersInput } from '#core/people/people-lists.ts';
import type { UserList } from '#core/people/people-search.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import {
  approverMap,
  type Person,
  peopleIDecide,
  type User,
  type UserLists,
  userList,
  userLists,
} from './people.service.ts';

export const PersonType = builder.objectRef<Person>('Person');
export const UserType = builder.objectRef<User>('User');
const UserListsType = builder.objectRef<UserLists>('UserLists');
const ApproversType = builder.objectRef<{ readonly approverId: string; readonly userIds: readonly string[] }>(
  'Approvers',
);

export function definePeople(): void {
  PersonType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      team: t.exposeString('team', { nullable: true }),
      disabled: t.boolean({
        nullable: true,
        description: 'In `people`: whether the account is disabled, and gets no new tasks',
        resolve: ({ disabled = null }) => disabled,
      }),
      keepsTasks: t.boolean({
        nullable: true,
        description: 'In `people`: whether the person uses S.T.A.R.T',
        resolve: ({ keepsTasks = null }) => keepsTasks,
      }),
      email: t.string({
        nullable: true,
        description:
          'Only of the person of `bonusWeek`, and of people in lists to choose from who share their name with someone there',
        resolve: ({ email = null }) => email,
      }),
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
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end',
      }),
    }),
  });
  ApproversType.implement({
    fields: (t) => ({ approverId: t.exposeID('approverId'), userIds: t.exposeIDList('userIds') }),
  });
  definePeopleQueries();
}

function definePeopleQueries(): void {
  const pageArgs = (t: Parameters<Parameters<typeof builder.queryFields>[0]>[0]) => ({
    limit: t.arg.int({ description: 'People per page. Without it: everyone, if there are at most 1,000' }),
    after: t.arg.id({ description: 'The last person of the previous page' }),
  });
  builder.queryFields((t) => {
    const args = pageArgs(t);
    const lists = t.field({
      type: UserListsType,
      access: callAccess.people,
      args,
      resolve: (_root, asked, context) => userLists(context, orThrow(readInput(usersInput, asked))),
    });
    const list = (which: UserList) =>
      t.field({
        type: [UserType],
        access: callAccess.people,
        args,
        resolve: (_root, asked, context) => userList(context, which, orThrow(readInput(usersInput, asked))),
      });
    // Both names of spec 7.
    return { getUsers: lists, users: lists, getLoggedUsers: list('logged'), getPermittedUsers: list('permitted') };
  });
  builder.queryFields((t) => ({
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
      args: {
        ...pageArgs(t),
        find: t.arg.string({ description: 'Part of a name, email address or team. Returns up to 50 people' }),
        ids: t.arg.idList({ description: 'Only people with these IDs, including those who no longer use S.T.A.R.T' }),
      },
      resolve: (_root, asked, context) => peopleIDecide(context, orThrow(readInput(decidedPeopleInput, asked))),
    }),
  }));
}
