// Approver management in the API: the list of approvers with their load, and its changes.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import {
  type ApproverManagement,
  approverManagement,
  changeApproversOf,
  type ManagedPerson,
  type MyApprovers,
  myApprovers,
  type PendingItem,
  type PeopleToHelp,
  pendingOf,
  peopleToHelp,
} from './approvers.service.ts';

const ManagedPersonType = builder.objectRef<ManagedPerson>('ManagedPerson');
export const ApproverManagementType = builder.objectRef<ApproverManagement>('ApproverManagement');
const NamedApproverType = builder.objectRef<MyApprovers['approvers'][number]>('NamedApprover');
const NamedAdminType = builder.objectRef<MyApprovers['admins'][number]>('NamedAdmin');
const MyApproversType = builder.objectRef<MyApprovers>('MyApprovers');
const PeopleToHelpType = builder.objectRef<PeopleToHelp>('PeopleToHelp');
const PendingItemType = builder.objectRef<PendingItem>('PendingItem');

const ApproversChangeInput = builder.inputType('ApproversChange', {
  fields: (t) => ({
    userId: t.id({ required: true }),
    approverIds: t.idList({ required: true }),
    known: t.idList({
      description: 'The approvers that the caller saw. If they changed since, nothing is saved',
    }),
  }),
});

function defineTypes(): void {
  ManagedPersonType.implement({
    description: 'A person in approver management. Disabled ones too while they approve or have waiting tasks',
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      email: t.exposeString('email'),
      team: t.exposeString('team', { nullable: true }),
      role: t.exposeString('role', { nullable: true }),
      permissions: t.exposeStringList('permissions'),
      disabled: t.exposeBoolean('disabled'),
      canSignIn: t.exposeBoolean('canSignIn', { description: 'Has a password, a passkey or single sign-on' }),
      ownApproverIds: t.exposeIDList('ownApproverIds', { description: 'Without the default approver' }),
      toApprove: t.exposeInt('toApprove', { description: 'Tasks of this person that await approval' }),
      toSignOff: t.exposeInt('toSignOff'),
      decided: t.exposeInt('decided', { description: 'Decisions of this person in the last four weeks' }),
      medianWaited: t.exposeFloat('medianWaited', {
        nullable: true,
        description: 'Seconds that tasks waited for them',
      }),
      p90Waited: t.exposeFloat('p90Waited', { nullable: true }),
    }),
  });
  ApproverManagementType.implement({
    fields: (t) => ({
      people: t.field({ type: [ManagedPersonType], resolve: ({ people }) => people }),
      defaultApproverId: t.exposeID('defaultApproverId', { nullable: true }),
      defaultIsChosen: t.exposeBoolean('defaultIsChosen', {
        description: 'Chosen in the product. Otherwise from the environment',
      }),
      defaultVersion: t.exposeInt('defaultVersion'),
    }),
  });
  PeopleToHelpType.implement({
    fields: (t) => ({
      withoutRole: t.exposeInt('withoutRole', { description: 'Enabled people without a role' }),
      unapproved: t.exposeInt('unapproved', { description: 'People whose tasks nobody can approve' }),
    }),
  });
  PendingItemType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      userId: t.id({ resolve: ({ ownerId }) => ownerId }),
      sprintId: t.exposeID('sprintId'),
      title: t.exposeString('title', { nullable: true, description: 'Null if the caller can’t see the task' }),
      status: t.expose('status', { type: TaskStatusEnum }),
      statusAt: t.exposeString('statusAt'),
    }),
  });
}

function defineMyApprovers(): void {
  NamedApproverType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      decides: t.exposeBoolean('decides', { description: 'Enabled, permitted and able to sign in' }),
    }),
  });
  MyApproversType.implement({
    fields: (t) => ({
      approvers: t.field({ type: [NamedApproverType], resolve: ({ approvers }) => approvers }),
      admins: t.field({
        type: [NamedAdminType],
        description: 'Who to ask if nobody can approve the caller’s tasks',
        resolve: ({ admins }) => admins,
      }),
    }),
  });
  NamedAdminType.implement({
    fields: (t) => ({ id: t.exposeID('id'), displayName: t.exposeString('displayName') }),
  });
  builder.queryField('myApprovers', (t) =>
    t.field({
      type: MyApproversType,
      access: 'signedIn',
      description: 'Who approves the caller’s tasks',
      resolve: (_root, _args, context) => myApprovers(context),
    }),
  );
}

export function defineApprovers(): void {
  defineTypes();
  defineMyApprovers();
  builder.queryFields((t) => ({
    approverManagement: t.field({
      type: ApproverManagementType,
      access: callAccess.people,
      turn: 'heavy',
      resolve: (_root, _args, context) => approverManagement(context),
    }),
    peopleToHelp: t.field({
      type: PeopleToHelpType,
      access: callAccess.people,
      turn: 'heavy',
      resolve: (_root, _args, context) => peopleToHelp(context),
    }),
    pendingItems: t.field({
      type: [PendingItemType],
      access: callAccess.people,
      description: 'Waiting tasks of these people, oldest first, at most 200',
      args: { userIds: t.arg.idList({ required: true }) },
      resolve: (_root, args, context) => pendingOf(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    setApprovers: t.field({
      type: ApproverManagementType,
      access: callAccess.people,
      description: 'Sets the approvers of all these people, or of none',
      args: { changes: t.arg({ type: [ApproversChangeInput], required: true }) },
      resolve: (_root, args, context) => changeApproversOf(context, args),
    }),
  }));
}
