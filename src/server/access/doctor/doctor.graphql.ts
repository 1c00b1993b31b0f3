// The permission doctor in the API.
import { callAccess } from '#core/access/call-access.ts';
import type { AccessFix, ExplainedCheck, Explanation } from '#core/access/explained-access.ts';
import {
  explainInput,
  type Finding,
  type FindingKind,
  findingKindKeys,
  findPeopleInput,
} from '#core/access/permission-doctor.ts';
import { readInput } from '#core/base/inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { explainedAccess, peopleToExplain, permissionFindings } from './doctor.service.ts';
import type { FoundPerson } from './doctor.store.ts';

const KindEnum = builder.enumType('FindingKind', { values: findingKindKeys as [FindingKind, ...FindingKind[]] });
const FindingType = builder.objectRef<Finding>('PermissionFinding');
const FoundPersonType = builder.objectRef<FoundPerson>('FoundPerson');
const CheckType = builder.objectRef<ExplainedCheck>('ExplainedCheck');
const AccessFixType = builder.objectRef<AccessFix>('AccessMend');
const ExplanationType = builder.objectRef<Explanation>('ExplainedAccess');

export function defineDoctor(): void {
  FindingType.implement({
    fields: (t) => ({
      kind: t.expose('kind', { type: KindEnum }),
      about: t.string({ resolve: ({ about }) => about.kind, description: 'permission, role or person' }),
      key: t.string({
        resolve: ({ about }) => about.key,
        description: 'The permission, the name of the role or the ID of the person',
      }),
      name: t.string({ resolve: ({ about }) => about.name }),
      detail: t.exposeString('detail'),
    }),
  });
  FoundPersonType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      role: t.exposeString('role', { nullable: true }),
    }),
  });
  CheckType.implement({
    fields: (t) => ({
      name: t.exposeString('name', { description: 'application, page, query, approver or data, in this order' }),
      outcome: t.exposeString('outcome', { description: 'passed, failed or notReached' }),
      sentence: t.exposeString('sentence'),
    }),
  });
  AccessFixType.implement({
    fields: (t) => ({
      kind: t.exposeString('kind', { description: 'role, permission, approver or admin' }),
      permission: t.string({
        nullable: true,
        resolve: (fix) => (fix.kind === 'permission' ? fix.permission : null),
      }),
      roles: t.stringList({
        resolve: (fix) => (fix.kind === 'permission' ? [...fix.roles] : []),
        description: 'That have it',
      }),
    }),
  });
  ExplanationType.implement({
    fields: (t) => ({
      sees: t.exposeBoolean('sees'),
      message: t.exposeString('message', { nullable: true }),
      checks: t.field({ type: [CheckType], resolve: ({ checks }) => checks }),
      mends: t.field({ type: [AccessFixType], resolve: ({ fixes }) => fixes }),
    }),
  });
  defineReads();
}

function defineReads(): void {
  builder.queryFields((t) => ({
    permissionFindings: t.field({
      type: [FindingType],
      access: callAccess.roles,
      turn: 'heavy',
      description: 'Permission issues, most urgent first',
      resolve: (_root, _args, context) => permissionFindings(context),
    }),
    peopleToExplain: t.field({
      type: [FoundPersonType],
      access: callAccess.roles,
      description: 'By name, or the one with this ID',
      args: { search: t.arg.string(), id: t.arg.id() },
      resolve: (_root, args, context) => peopleToExplain(context, orThrow(readInput(findPeopleInput, args))),
    }),
    explainedAccess: t.field({
      type: ExplanationType,
      access: callAccess.roles,
      description: 'Whether this person can see the page, check by check',
      args: { personId: t.arg.id({ required: true }), path: t.arg.string({ required: true }), product: t.arg.string() },
      resolve: (_root, args, context) => explainedAccess(context, orThrow(readInput(explainInput, args))),
    }),
  }));
}
