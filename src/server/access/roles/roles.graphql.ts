// The role editor in the API.
import { callAccess } from '#core/access/call-access.ts';
import type { OpenPage, PageCount } from '#core/access/page-difference.ts';
import {
  createRoleInput,
  deleteRoleInput,
  roleDifferenceInput,
  roleHistoryInput,
  roleIdInput,
  saveRolesInput,
} from '#core/access/role-changes.ts';
import { readInput } from '#core/base/inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { accessHook } from '../access-hook.ts';
import type { Holder } from './holders.ts';
import type { RoleDifference, RoleDifferenceStep } from './role-difference.ts';
import {
  createRole,
  deleteRole,
  type ListedRole,
  listRoles,
  type RoleEvent,
  roleDifference,
  roleHistory,
  roleHolders,
  saveRoles,
} from './roles.service.ts';

const RoleType = builder.objectRef<ListedRole>('Role');
const HolderType = builder.objectRef<Holder>('RoleHolder');
const StateType = builder.objectRef<RoleEvent['after']>('RoleState');
const EventType = builder.objectRef<RoleEvent>('RoleEvent');
const PageType = builder.objectRef<OpenPage>('OpenPage');
const PageCountType = builder.objectRef<PageCount>('PageCount');
const StepType = builder.objectRef<RoleDifferenceStep>('RoleDifferenceStep');
const GroupType = builder.objectRef<RoleDifference['groups'][number]>('RoleDifferenceGroup');
const PersonType = builder.objectRef<RoleDifference['groups'][number]['people'][number]>('RoleDifferencePerson');
const LandingType = builder.objectRef<{ readonly from: string; readonly to: string }>('LandingChange');
const DifferenceType = builder.objectRef<RoleDifference>('RoleDifference');

const EditInput = builder.inputType('RoleEdit', {
  fields: (t) => ({
    id: t.id({ required: true }),
    version: t.int({ required: true, description: 'The version that was reviewed' }),
    name: t.string(),
    permissions: t.stringList({ description: 'All permissions of the role after saving' }),
  }),
});

export function defineRoles(): void {
  RoleType.implement({
    description: 'A role of the role editor. `admin` isn’t one of them and has every permission',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      permissions: t.exposeStringList('permissions'),
      version: t.exposeInt('version'),
      people: t.exposeInt('people', { description: 'Enabled people with the role' }),
      disabledPeople: t.exposeInt('disabledPeople'),
    }),
  });
  HolderType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      disabled: t.exposeBoolean('disabled'),
    }),
  });
  defineHistory();
  defineDifference();
  defineRoleQueries();
  defineRoleMutations();
}

function defineHistory(): void {
  StateType.implement({
    fields: (t) => ({ name: t.exposeString('name'), permissions: t.exposeStringList('permissions') }),
  });
  EventType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      at: t.exposeString('at'),
      actorName: t.exposeString('actorName', { nullable: true }),
      before: t.expose('before', { type: StateType, nullable: true, description: 'Null if the role was created' }),
      after: t.expose('after', { type: StateType }),
    }),
  });
}

function defineDifference(): void {
  PageType.implement({ fields: (t) => ({ address: t.exposeString('address'), title: t.exposeString('title') }) });
  PageCountType.implement({
    description: 'How many people gain and lose a page',
    fields: (t) => ({
      address: t.exposeString('address'),
      title: t.exposeString('title'),
      gained: t.exposeInt('gained'),
      lost: t.exposeInt('lost'),
    }),
  });
  StepType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      renamedFrom: t.exposeString('renamedFrom', { nullable: true }),
      given: t.exposeStringList('given'),
      taken: t.exposeStringList('taken'),
      people: t.exposeInt('people'),
    }),
  });
  PersonType.implement({ fields: (t) => ({ id: t.exposeID('id'), displayName: t.exposeString('displayName') }) });
  LandingType.implement({ fields: (t) => ({ from: t.exposeString('from'), to: t.exposeString('to') }) });
  GroupType.implement({
    description: 'People with the same change',
    fields: (t) => ({
      gained: t.expose('gained', { type: [PageType] }),
      lost: t.expose('lost', { type: [PageType] }),
      landing: t.expose('landing', { type: LandingType, nullable: true }),
      shutOut: t.exposeBoolean('shutOut', { description: 'They can no longer use the application' }),
      people: t.expose('people', { type: [PersonType] }),
    }),
  });
  DifferenceType.implement({
    fields: (t) => ({
      roles: t.expose('roles', { type: [StepType] }),
      pages: t.expose('pages', { type: [PageCountType] }),
      groups: t.expose('groups', { type: [GroupType] }),
      leftWithoutApprover: t.stringList({
        description: 'The people nobody could decide for',
        resolve: ({ people }, _args, { database }) =>
          accessHook.handlers().leftWithoutApprover(database.drizzle, people),
      }),
      seen: t.exposeString('seen', {
        description: 'Send it with the save, which is refused if the difference changed',
      }),
    }),
  });
}

function defineRoleQueries(): void {
  builder.queryFields((t) => ({
    roles: t.field({
      type: [RoleType],
      access: callAccess.roles,
      description: 'By name',
      resolve: (_root, _args, context) => listRoles(context),
    }),
    roleHolders: t.field({
      type: [HolderType],
      access: callAccess.roles,
      args: { id: t.arg.id({ required: true }) },
      description: 'People with the role, including disabled ones',
      resolve: (_root, args, context) => roleHolders(context, orThrow(readInput(roleIdInput, args)).id),
    }),
    roleHistory: t.field({
      type: [EventType],
      access: callAccess.roles,
      args: { id: t.arg.id({ required: true }), limit: t.arg.int(), offset: t.arg.int() },
      description: 'Newest first',
      resolve: (_root, args, context) => roleHistory(context, orThrow(readInput(roleHistoryInput, args))),
    }),
    roleDifference: t.field({
      type: DifferenceType,
      access: callAccess.roles,
      args: { edits: t.arg({ type: [EditInput], required: true }) },
      description: 'Effect of the edits on permissions and people. Refused if saving would be',
      resolve: (_root, args, context) => roleDifference(context, orThrow(readInput(roleDifferenceInput, args)).edits),
    }),
  }));
}

function defineRoleMutations(): void {
  builder.mutationFields((t) => ({
    createRole: t.field({
      type: RoleType,
      access: callAccess.roles,
      args: { name: t.arg.string({ required: true }), permissions: t.arg.stringList({ required: true }) },
      resolve: (_root, args, context) => createRole(context, orThrow(readInput(createRoleInput, args))),
    }),
    saveRoles: t.field({
      type: [RoleType],
      access: callAccess.roles,
      args: { edits: t.arg({ type: [EditInput], required: true }), seen: t.arg.string({ required: true }) },
      description: 'Saves all edits or none. Returns all roles',
      resolve: (_root, args, context) => saveRoles(context, orThrow(readInput(saveRolesInput, args))),
    }),
    deleteRole: t.field({
      type: 'ID',
      access: callAccess.roles,
      args: { id: t.arg.id({ required: true }), version: t.arg.int({ required: true }) },
      description: 'Refused while anyone has the role',
      resolve: (_root, args, context) => deleteRole(context, orThrow(readInput(deleteRoleInput, args))),
    }),
  }));
}
