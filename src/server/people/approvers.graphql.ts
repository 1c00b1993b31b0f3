// Approver management in the API: the list of approvers with their load, and its changes.
import { callAccess } from '#core/access/call-access.ts';
import type { Away } from '#core/people/absences.ts';
import { type MapCounts, warningOf } from '#core/people/approver-map.ts';
import { approverFilters } from '#core/people/people-search.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import {
  type ApproverManagement,
  type ApproversWithPeople,
  type ApproverWithPeople,
  approverManagement,
  approversWithPeople,
  changeApproversOf,
  type ManagedPerson,
  type MyApprovers,
  mapCounts,
  myApprovers,
  type NamedAdmin,
  type PendingItem,
  type PeopleWithApprovers,
  type PersonWithApprovers,
  pendingOf,
  peopleWithApprovers,
} from './approvers.service.ts';

const NamedPersonType = builder.objectRef<PersonWithApprovers['approvers'][number]>('ApproverOfPerson');
const PersonWithApproversType = builder.objectRef<PersonWithApprovers>('PersonWithApprovers');
const PeopleWithApproversType = builder.objectRef<PeopleWithApprovers>('PeopleWithApprovers');
const ApproverWithPeopleType = builder.objectRef<ApproverWithPeople>('ApproverWithPeople');
const ApproversWithPeopleType = builder.objectRef<ApproversWithPeople>('ApproversWithPeople');
const MapCountsType = builder.objectRef<MapCounts>('ApproverCounts');
const ManagedPersonType = builder.objectRef<ManagedPerson>('ManagedPerson');
export const ApproverManagementType = builder.objectRef<ApproverManagement>('ApproverManagement');
const NamedApproverType = builder.objectRef<MyApprovers['approvers'][number]>('NamedApprover');
export const NamedAdminType = builder.objectRef<NamedAdmin>('NamedAdmin');
export const AwayType = builder.objectRef<Away>('Away');
const MyApproversType = builder.objectRef<MyApprovers>('MyApprovers');
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
  NamedPersonType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      warning: t.string({ nullable: true, resolve: warningOf }),
    }),
  });
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
      canSignIn: t.exposeBoolean('canSignIn', { description: 'Has a password, a passkey or company sign-in' }),
      ownApproverIds: t.exposeIDList('ownApproverIds', { description: 'Without the default approver' }),
      toApprove: t.exposeInt('toApprove', { description: 'Tasks of this person that await approval' }),
      toSignOff: t.exposeInt('toSignOff'),
      warning: t.string({
        nullable: true,
        description: 'Why others’ tasks stay undecided with them: disabled, mayNotDecide or cannotSignIn',
        resolve: warningOf,
      }),
      away: t.expose('away', { type: AwayType, nullable: true }),
    }),
  });
  defineMap();
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

/** Both directions of the map, in pages. */
function defineMap(): void {
  PersonWithApproversType.implement({
    fields: (t) => ({
      person: t.field({ type: ManagedPersonType, resolve: ({ person }) => person }),
      approvers: t.field({ type: [NamedPersonType], resolve: ({ approvers }) => approvers }),
      byDefault: t.exposeBoolean('byDefault'),
      unapproved: t.exposeBoolean('unapproved', { description: 'Has tasks but no approver who can decide' }),
      circle: t.exposeStringList('circle', { description: 'People in the same circle of approvers' }),
    }),
  });
  ApproverWithPeopleType.implement({
    fields: (t) => ({
      approver: t.field({ type: ManagedPersonType, resolve: ({ approver }) => approver }),
      people: t.exposeInt('people'),
      toApprove: t.exposeInt('toApprove'),
      toSignOff: t.exposeInt('toSignOff'),
      medianWaited: t.exposeFloat('medianWaited', {
        nullable: true,
        description: 'Seconds that tasks waited for them in the last four weeks',
      }),
      p90Waited: t.exposeFloat('p90Waited', { nullable: true }),
    }),
  });
  const next = { nullable: true, description: 'Pass it as `after` for the next page. Null at the end' } as const;
  PeopleWithApproversType.implement({
    fields: (t) => ({
      rows: t.field({ type: [PersonWithApproversType], resolve: ({ rows }) => rows }),
      total: t.exposeInt('total'),
      next: t.exposeID('next', next),
    }),
  });
  ApproversWithPeopleType.implement({
    fields: (t) => ({
      rows: t.field({ type: [ApproverWithPeopleType], resolve: ({ rows }) => rows }),
      total: t.exposeInt('total'),
      next: t.exposeID('next', next),
    }),
  });
  MapCountsType.implement({
    fields: (t) => ({
      active: t.exposeInt('active'),
      disabled: t.exposeInt('disabled', { description: 'Disabled people who approve or have waiting tasks' }),
      approvers: t.exposeInt('approvers'),
      unable: t.exposeInt('unable', { description: 'Approvers who can’t decide' }),
      tasks: t.exposeInt('tasks', { description: 'Tasks waiting for a decision' }),
      undecided: t.exposeInt('undecided', { description: 'People with tasks but no approver who can decide' }),
      none: t.exposeInt('none', { description: 'People without a chosen approver' }),
      circle: t.exposeInt('circle', { description: 'People who approve each other' }),
      waiting: t.exposeInt('waiting', { description: 'People with waiting tasks' }),
    }),
  });
  defineManagement();
}

/** Each list takes its own: the call's turn ends before its fields are read. */
const inTurn = <Answer>(context: RequestContext, read: () => Promise<Answer>): Promise<Answer> =>
  inPersonTurn(context, 'heavy', read);

function defineManagement(): void {
  ApproverManagementType.implement({
    fields: (t) => {
      const page = { search: t.arg.string(), desc: t.arg.boolean(), after: t.arg.id(), limit: t.arg.int() };
      const sorted = (keys: readonly string[]) => t.arg.string({ description: keys.join(', ') });
      return {
        defaultApproverId: t.exposeID('defaultApproverId', { nullable: true }),
        defaultIsChosen: t.exposeBoolean('defaultIsChosen', {
          description: 'Whether an admin chose it. Otherwise it comes from the server’s configuration',
        }),
        defaultVersion: t.exposeInt('defaultVersion'),
        counts: t.field({
          type: MapCountsType,
          resolve: (management, _args, context) => inTurn(context, () => mapCounts(context, management)),
        }),
        people: t.field({
          type: PeopleWithApproversType,
          description: 'By name, unless `sort` says otherwise',
          args: {
            ...page,
            id: t.arg.id({ description: 'Only this person' }),
            approverId: t.arg.id({ description: 'Only people of this approver' }),
            show: t.arg.string({ description: approverFilters.join(', ') }),
            sort: sorted(['person', 'team', 'approvers', 'waiting']),
          },
          resolve: (management, args, context) => inTurn(context, () => peopleWithApprovers(context, management, args)),
        }),
        approvers: t.field({
          type: ApproversWithPeopleType,
          args: {
            ...page,
            id: t.arg.id({ description: 'Only this one' }),
            sort: sorted(['approver', 'people', 'waiting', 'median', 'p90', 'warning']),
          },
          resolve: (management, args, context) => inTurn(context, () => approversWithPeople(context, management, args)),
        }),
      };
    },
  });
}

function defineMyApprovers(): void {
  AwayType.implement({
    description: 'Someone is away today',
    fields: (t) => ({
      until: t.exposeString('until', { description: 'The last day' }),
      delegate: t.exposeString('delegate', { nullable: true, description: 'Who decides for them' }),
      problem: t.exposeString('problem', {
        nullable: true,
        description: 'Why nobody does: none, approverCannotDecide, cannotDecide, away or own',
      }),
    }),
  });
  NamedApproverType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      decides: t.exposeBoolean('decides', { description: 'Enabled, permitted and able to sign in' }),
      away: t.expose('away', { type: AwayType, nullable: true }),
      awayFrom: t.exposeString('awayFrom', {
        nullable: true,
        description: 'The first day of time away that begins within two weeks',
      }),
    }),
  });
  MyApproversType.implement({
    fields: (t) => ({
      approvers: t.field({ type: [NamedApproverType], resolve: ({ approvers }) => approvers }),
      admins: t.field({
        type: [NamedAdminType],
        description: 'Who to ask if the caller has no approver who can decide',
        resolve: ({ admins }) => admins,
      }),
      contacts: t.field({
        type: [NamedAdminType],
        description: 'The same with others who manage people, admins last',
        resolve: ({ contacts }) => contacts,
      }),
    }),
  });
  NamedAdminType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      email: t.exposeString('email'),
    }),
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
      description: 'Sets the approvers of these people. If one change is refused, none is saved',
      args: { changes: t.arg({ type: [ApproversChangeInput], required: true }) },
      resolve: (_root, args, context) => changeApproversOf(context, args),
    }),
  }));
}
