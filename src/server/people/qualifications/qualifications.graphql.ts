// Role qualifications in the API: for admins only (D8).
import { readInput } from '#core/base/inputs.ts';
import {
  addRequirementInput,
  evidenceOfPersonInput,
  idInput,
  type QualificationState,
  qualificationStates,
  qualifiedPeopleInput,
  type RequirementKind,
  recordEvidenceForPeopleInput,
  recordEvidenceInput,
  requirementKindKeys,
  type Standing,
  updateEvidenceInput,
  updateRequirementInput,
  withdrawEvidenceOfPeopleInput,
} from '#core/people/qualifications.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import {
  evidenceOfPerson,
  recordEvidence,
  recordEvidenceForPeople,
  updateEvidence,
  withdrawEvidence,
  withdrawEvidenceOfPeople,
} from './evidence.service.ts';
import {
  myRequirements,
  type OwnRequirement,
  type QualificationCounts,
  type QualifiedPeople,
  type QualifiedPerson,
  type QualifiedRole,
  qualificationCounts,
  qualifiedPeople,
  qualifiedRoles,
  type RoleGiven,
} from './overview.service.ts';
import type { EvidenceRow, RequirementRow } from './qualifications.store.ts';
import { addRequirement, updateRequirement, withdrawRequirement } from './requirements.service.ts';

const KindEnum = builder.enumType('RequirementKind', {
  values: requirementKindKeys as [RequirementKind, ...RequirementKind[]],
});
const StateEnum = builder.enumType('QualificationState', {
  values: qualificationStates as readonly [QualificationState, ...QualificationState[]],
});
const RequirementType = builder.objectRef<RequirementRow>('RoleRequirement');
const RoleType = builder.objectRef<QualifiedRole>('QualifiedRole');
const StandingType = builder.objectRef<Standing & { readonly requirementId: string }>('QualificationStanding');
const PersonType = builder.objectRef<QualifiedPerson>('QualifiedPerson');
const ExceptionType = builder.objectRef<RoleGiven>('RoleException');
const CountsType = builder.objectRef<QualificationCounts>('QualificationCounts');
const OwnType = builder.objectRef<OwnRequirement>('OwnRequirement');
const PeopleType = builder.objectRef<QualifiedPeople>('QualifiedPeople');
const EvidenceType = builder.objectRef<EvidenceRow>('RoleEvidence');

export function defineQualifications(): void {
  RequirementType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      role: t.exposeString('role'),
      kind: t.expose('kind', { type: KindEnum }),
      title: t.exposeString('title'),
      validMonths: t.exposeInt('validMonths', { nullable: true }),
      version: t.exposeInt('version'),
    }),
  });
  RoleType.implement({
    description: 'A role with its requirements and how many people meet them',
    fields: (t) => ({
      name: t.exposeString('name'),
      requirements: t.field({ type: [RequirementType], resolve: (role) => role.requirements }),
      people: t.exposeInt('people'),
      missing: t.exposeInt('missing'),
      expired: t.exposeInt('expired'),
      expiring: t.exposeInt('expiring'),
      met: t.exposeInt('met'),
      excepted: t.exposeInt('excepted', { description: 'Of those `missing` or `expired`: by an exception' }),
    }),
  });
  StandingType.implement({
    fields: (t) => ({
      requirementId: t.exposeID('requirementId'),
      state: t.expose('state', { type: StateEnum }),
      goodUntil: t.exposeString('goodUntil', { nullable: true, description: 'The last valid day' }),
    }),
  });
  CountsType.implement({
    description: 'Enabled people, by their own role',
    fields: (t) => ({
      lacking: t.exposeInt('lacking', {
        description: 'People who are `missing` or `expired`, not counting exceptions',
      }),
      excepted: t.exposeInt('excepted', {
        description: 'People who got the role by an exception for everything they lack',
      }),
      expiring: t.exposeInt('expiring'),
    }),
  });
  definePeople();
  defineOwn();
  defineEvidence();
  defineReads();
  defineRequirementChanges();
  defineEvidenceChanges();
}

function definePeople(): void {
  PersonType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      team: t.exposeString('team', { nullable: true }),
      role: t.exposeString('role', { nullable: true }),
      state: t.expose('state', { type: StateEnum }),
      standings: t.field({ type: [StandingType], resolve: (person) => person.standings }),
      exception: t.field({
        type: ExceptionType,
        nullable: true,
        description: 'Why they got the role despite requirements that they lack',
        resolve: (person) => person.exception,
      }),
    }),
  });
  ExceptionType.implement({
    fields: (t) => ({
      by: t.exposeString('by', { nullable: true, description: 'Null for a command' }),
      at: t.exposeString('at'),
      reason: t.exposeString('reason'),
      requirementIds: t.exposeIDList('requirementIds'),
    }),
  });
  PeopleType.implement({
    fields: (t) => ({
      total: t.exposeInt('total'),
      people: t.field({ type: [PersonType], resolve: ({ people }) => people }),
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end.',
      }),
    }),
  });
}

function defineOwn(): void {
  OwnType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.expose('kind', { type: KindEnum }),
      title: t.exposeString('title'),
      validMonths: t.exposeInt('validMonths', { nullable: true }),
      state: t.expose('state', { type: StateEnum }),
      goodUntil: t.exposeString('goodUntil', { nullable: true, description: 'The last valid day' }),
    }),
  });
}

function defineEvidence(): void {
  EvidenceType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      requirementId: t.exposeID('requirementId'),
      note: t.exposeString('note'),
      day: t.exposeString('day'),
      goodUntil: t.exposeString('goodUntil', { nullable: true }),
      version: t.exposeInt('version'),
      recordedAt: t.exposeString('recordedAt'),
      recordedBy: t.exposeString('recordedBy'),
    }),
  });
}

function defineReads(): void {
  builder.queryFields((t) => ({
    qualifiedRoles: t.field({
      type: [RoleType],
      access: 'admin',
      resolve: (_root, _args, context) => qualifiedRoles(context),
    }),
    qualificationCounts: t.field({
      type: CountsType,
      access: 'admin',
      turn: 'heavy',
      resolve: (_root, _args, context) => qualificationCounts(context),
    }),
    myRequirements: t.field({
      type: [OwnType],
      access: 'signedIn',
      description: 'What the caller’s role requires. Evidence is for admins',
      resolve: (_root, _args, context) => myRequirements(context),
    }),
    qualifiedPeople: t.field({
      type: PeopleType,
      access: 'admin',
      turn: 'heavy',
      args: {
        role: t.arg.string({ required: true }),
        everyone: t.arg.boolean({ description: 'Also people without the role' }),
        personId: t.arg.id({ description: 'Only this one' }),
        state: t.arg({ type: StateEnum, description: 'From pages of 0.1.0. Ignored with `states`' }),
        states: t.arg({ type: [StateEnum], description: 'Only people in one of these' }),
        excepted: t.arg.boolean({
          description: 'With `states`: only people whose exception covers everything they lack, or only the others',
        }),
        search: t.arg.string(),
        after: t.arg.id(),
        limit: t.arg.int(),
      },
      resolve: (_root, args, context) => qualifiedPeople(context, orThrow(readInput(qualifiedPeopleInput, args))),
    }),
    roleEvidence: t.field({
      type: [EvidenceType],
      access: 'admin',
      description: 'Evidence of a person for this role, newest first',
      args: { role: t.arg.string({ required: true }), personId: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => evidenceOfPerson(context, orThrow(readInput(evidenceOfPersonInput, args))),
    }),
  }));
}

function defineRequirementChanges(): void {
  builder.mutationFields((t) => {
    const content = {
      kind: t.arg({ type: KindEnum, required: true }),
      title: t.arg.string({ required: true }),
      validMonths: t.arg.int(),
    };
    const own = { id: t.arg.id({ required: true }) };
    return {
      addRequirement: t.field({
        type: RequirementType,
        access: 'admin',
        args: { role: t.arg.string({ required: true }), ...content },
        resolve: (_root, args, context) => addRequirement(context, orThrow(readInput(addRequirementInput, args))),
      }),
      updateRequirement: t.field({
        type: RequirementType,
        access: 'admin',
        args: { ...own, version: t.arg.int({ required: true }), ...content },
        resolve: (_root, args, context) => updateRequirement(context, orThrow(readInput(updateRequirementInput, args))),
      }),
      withdrawRequirement: t.field({
        type: RequirementType,
        access: 'admin',
        args: own,
        resolve: (_root, args, context) => withdrawRequirement(context, orThrow(readInput(idInput, args)).id, true),
      }),
      restoreRequirement: t.field({
        type: RequirementType,
        access: 'admin',
        args: own,
        resolve: (_root, args, context) => withdrawRequirement(context, orThrow(readInput(idInput, args)).id, false),
      }),
    };
  });
}

function defineEvidenceChanges(): void {
  builder.mutationFields((t) => {
    const content = { note: t.arg.string(), day: t.arg.string({ required: true }), goodUntil: t.arg.string() };
    const own = { id: t.arg.id({ required: true }) };
    return {
      recordEvidence: t.field({
        type: EvidenceType,
        access: 'admin',
        args: { requirementId: t.arg.id({ required: true }), personId: t.arg.id({ required: true }), ...content },
        resolve: (_root, args, context) => recordEvidence(context, orThrow(readInput(recordEvidenceInput, args))),
      }),
      recordEvidenceForPeople: t.field({
        type: [EvidenceType],
        access: 'admin',
        description: 'The same evidence for each of these people: for all of them or nobody',
        args: { requirementId: t.arg.id({ required: true }), personIds: t.arg.idList({ required: true }), ...content },
        resolve: (_root, args, context) =>
          recordEvidenceForPeople(context, orThrow(readInput(recordEvidenceForPeopleInput, args))),
      }),
      updateEvidence: t.field({
        type: EvidenceType,
        access: 'admin',
        args: { ...own, version: t.arg.int({ required: true }), ...content },
        resolve: (_root, args, context) => updateEvidence(context, orThrow(readInput(updateEvidenceInput, args))),
      }),
      withdrawEvidence: t.field({
        type: EvidenceType,
        access: 'admin',
        args: own,
        resolve: (_root, args, context) => withdrawEvidence(context, orThrow(readInput(idInput, args)).id, true),
      }),
      withdrawEvidenceOfPeople: t.field({
        type: [EvidenceType],
        access: 'admin',
        description: 'All of it, or nothing if some isn’t found',
        args: { ids: t.arg.idList({ required: true }) },
        resolve: (_root, args, context) =>
          withdrawEvidenceOfPeople(context, orThrow(readInput(withdrawEvidenceOfPeopleInput, args)).ids),
      }),
      restoreEvidence: t.field({
        type: EvidenceType,
        access: 'admin',
        args: own,
        resolve: (_root, args, context) => withdrawEvidence(context, orThrow(readInput(idInput, args)).id, false),
      }),
    };
  });
}
