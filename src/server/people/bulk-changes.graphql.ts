// Bulk changes of people, and what depends on an account, in the API.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { accountTiesInput, changeUsersInput, leftWithoutApproverInput } from '#core/people/accounts.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { type AccountTies, accountTies, leftWithoutApprover } from './account-ties.ts';
import type { FieldChange } from './account-words.ts';
import { changeUsers, previewUsers, type UserPreview, type UserResult } from './bulk-changes.service.ts';

const FieldChangeType = builder.objectRef<FieldChange>('UserFieldChange');
const PreviewType = builder.objectRef<UserPreview>('UserChangePreview');
const ResultType = builder.objectRef<UserResult>('UserChangeResult');
const TiesType = builder.objectRef<AccountTies>('AccountTies');

const UserVersionInput = builder.inputType('UserVersion', {
  fields: (t) => ({ userId: t.id({ required: true }), version: t.string() }),
});
const SharedChangeInput = builder.inputType('SharedUserChange', {
  description: 'The same change for all. Omitted fields stay',
  fields: (t) => ({
    role: t.string(),
    roleVersion: t.string(),
    team: t.string(),
    approverId: t.idList(),
    top5: t.boolean(),
    disabled: t.boolean(),
    reason: t.string(),
  }),
});

export function defineBulkChanges(): void {
  FieldChangeType.implement({
    fields: (t) => ({
      field: t.exposeString('field'),
      before: t.exposeString('before'),
      after: t.exposeString('after'),
    }),
  });
  PreviewType.implement({
    fields: (t) => ({
      userId: t.exposeID('userId'),
      version: t.exposeString('version'),
      changes: t.field({ type: [FieldChangeType], resolve: ({ changes }) => changes }),
      refusal: t.exposeString('refusal', { nullable: true }),
      lacking: t.exposeStringList('lacking'),
    }),
  });
  ResultType.implement({
    fields: (t) => ({
      userId: t.exposeID('userId'),
      outcome: t.exposeString('outcome', { description: 'changed, unchanged or refused' }),
      code: t.exposeString('code', { nullable: true }),
      message: t.exposeString('message', { nullable: true }),
    }),
  });
  TiesType.implement({
    fields: (t) => ({
      openTasks: t.exposeInt('openTasks'),
      toDecide: t.exposeInt('toDecide'),
      approves: t.exposeInt('approves'),
      onlyApprover: t.exposeStringList('onlyApprover'),
      meetings: t.exposeStringList('meetings'),
      tools: t.exposeStringList('tools'),
    }),
  });
  defineCalls();
}

function defineCalls(): void {
  const read = (args: { users: readonly object[]; change: object }) =>
    orThrow(readInput(changeUsersInput, { ...args.change, users: args.users }));
  builder.queryFields((t) => ({
    accountTies: t.field({
      type: TiesType,
      access: callAccess.people,
      args: { userId: t.arg.id(), userIds: t.arg.idList() },
      description: 'What depends on one account, or on several together, before disabling them',
      resolve: (_root, args, context) => {
        const { userId, userIds = [userId!] } = orThrow(readInput(accountTiesInput, args));
        return accountTies(context, userIds);
      },
    }),
    leftWithoutApprover: t.stringList({
      access: callAccess.people,
      args: { userIds: t.arg.idList({ required: true }), role: t.arg.string(), permissions: t.arg.stringList() },
      description: 'The people nobody could decide for if these people had this role or these direct permissions',
      resolve: (_root, args, context) =>
        leftWithoutApprover(context, orThrow(readInput(leftWithoutApproverInput, args))),
    }),
    previewUserChanges: t.field({
      type: [PreviewType],
      access: callAccess.people,
      args: {
        users: t.arg({ type: [UserVersionInput], required: true }),
        change: t.arg({ type: SharedChangeInput, required: true }),
      },
      resolve: (_root, args, context) => previewUsers(context, read(args)),
    }),
  }));
  builder.mutationFields((t) => ({
    changeUsers: t.field({
      type: [ResultType],
      access: callAccess.people,
      args: {
        users: t.arg({ type: [UserVersionInput], required: true }),
        change: t.arg({ type: SharedChangeInput, required: true }),
      },
      description: 'Changes each person separately. One result per person, in order',
      resolve: (_root, args, context) => changeUsers(context, read(args)),
    }),
  }));
}
