// Absences in the API: one's own, or for admins anyone's.
import type { Holiday } from '#core/base/holidays.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import {
  delegateChoices,
  endAbsence,
  type ListedAbsence,
  type ListedChoice,
  listAbsences,
  type PreviewedAbsence,
  previewAbsence,
  saveAbsence,
} from './absences.service.ts';

const AbsenceType = builder.objectRef<ListedAbsence>('Absence');
const DelegateChoiceType = builder.objectRef<ListedChoice>('DelegateChoice');
const HolidayType = builder.objectRef<Holiday>('Holiday');
export const DaySpanType = builder.objectRef<{ readonly firstDay: string; readonly lastDay: string }>('DaySpan');
const DelegateGapType = builder.objectRef<NonNullable<ListedAbsence['delegateGap']>>('DelegateGap');
const DelegatedDaysType =
  builder.objectRef<NonNullable<PreviewedAbsence['effect']>['delegateFor'][number]>('DelegatedDays');
const AbsenceEffectType = builder.objectRef<NonNullable<PreviewedAbsence['effect']>>('AbsenceEffect');
const AbsencePreviewType = builder.objectRef<PreviewedAbsence>('AbsencePreview');

function defineTypes(): void {
  DelegateChoiceType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      email: t.string({
        nullable: true,
        description: 'Only in lists to choose from, for people who share their name with someone in the list',
        resolve: ({ email = null }) => email,
      }),
    }),
  });
  AbsenceType.implement({
    description: 'Days on the company’s calendar, first and last included',
    fields: (t) => ({
      id: t.exposeID('id'),
      userId: t.exposeID('personId'),
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
      note: t.exposeString('note'),
      version: t.exposeInt('version'),
      delegate: t.field({ type: DelegateChoiceType, nullable: true, resolve: ({ delegate }) => delegate }),
      delegateGap: t.expose('delegateGap', {
        type: DelegateGapType,
        nullable: true,
        description: 'Why the delegate doesn’t decide on all of these days',
      }),
    }),
  });
  DelegateGapType.implement({
    fields: (t) => ({
      problem: t.exposeString('problem'),
      away: t.field({ type: [DaySpanType], resolve: ({ away }) => away, description: 'The delegate’s own time away' }),
    }),
  });
  defineEffect();
}

function defineEffect(): void {
  DelegatedDaysType.implement({
    description: 'An absence with the absent person as its delegate, within the same days',
    fields: (t) => ({
      name: t.exposeString('name'),
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
    }),
  });
  DaySpanType.implement({
    fields: (t) => ({ firstDay: t.exposeString('firstDay'), lastDay: t.exposeString('lastDay') }),
  });
  AbsenceEffectType.implement({
    fields: (t) => ({
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
      name: t.exposeString('name', { nullable: true, description: 'Null for the caller’s own absence' }),
      people: t.exposeInt('people', { description: 'Approved by the absent person, without the delegate' }),
      waiting: t.exposeInt('waiting', { description: 'Their tasks that are waiting for a decision now' }),
      delegate: t.exposeString('delegate', { nullable: true }),
      approvesDelegate: t.exposeBoolean('approvesDelegate'),
      delegateAway: t.field({ type: [DaySpanType], resolve: ({ delegateAway }) => delegateAway }),
      delegateFor: t.field({ type: [DelegatedDaysType], resolve: ({ delegateFor }) => delegateFor }),
    }),
  });
  AbsencePreviewType.implement({
    fields: (t) => ({
      refusal: t.string({ nullable: true, resolve: ({ refusal }) => refusal?.message ?? null }),
      field: t.string({ nullable: true, resolve: ({ refusal }) => refusal?.field ?? null }),
      effect: t.expose('effect', { type: AbsenceEffectType, nullable: true }),
    }),
  });
}

function defineHolidays(): void {
  HolidayType.implement({
    description: 'A day off for everyone, or several, first and last included',
    fields: (t) => ({
      firstDay: t.exposeString('firstDay'),
      lastDay: t.exposeString('lastDay'),
      name: t.exposeString('name'),
    }),
  });
  builder.queryField('holidays', (t) =>
    t.field({
      type: [HolidayType],
      access: 'application',
      description: 'The company’s days off, including past ones. The setting `holidays` changes them',
      resolve: (_root, _args, { settings }) => [...settings().holidays],
    }),
  );
}

export function defineAbsences(): void {
  defineTypes();
  defineHolidays();
  builder.queryFields((t) => ({
    absences: t.field({
      type: [AbsenceType],
      access: 'application',
      description: 'The absences that haven’t ended, of the caller or, for admins, of this person',
      args: { userId: t.arg.id() },
      resolve: (_root, args, context) => listAbsences(context, args),
    }),
    delegateChoices: t.field({
      type: [DelegateChoiceType],
      access: 'application',
      description: 'Up to 50 people who could be this person’s delegate, by name',
      args: { userId: t.arg.id(), name: t.arg.string() },
      resolve: (_root, args, context) => delegateChoices(context, args),
    }),
    absencePreview: t.field({
      type: AbsencePreviewType,
      access: 'application',
      description: 'What `saveAbsence` would do',
      args: {
        id: t.arg.id(),
        userId: t.arg.id(),
        firstDay: t.arg.string({ required: true }),
        lastDay: t.arg.string({ required: true }),
        note: t.arg.string(),
        delegateId: t.arg.id(),
        version: t.arg.int(),
      },
      resolve: (_root, args, context) => previewAbsence(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    saveAbsence: t.field({
      type: AbsenceType,
      access: 'application',
      description: 'Creates or changes an absence of the caller or, for admins, of this person',
      args: {
        id: t.arg.id(),
        userId: t.arg.id(),
        firstDay: t.arg.string({ required: true }),
        lastDay: t.arg.string({ required: true }),
        note: t.arg.string(),
        delegateId: t.arg.id({
          description: 'Decides for the approver’s people, and sees what the approver can of them. Empty: nobody',
        }),
        version: t.arg.int({ description: 'Refused with CONFLICT if someone has changed the absence since' }),
      },
      resolve: (_root, args, context) => saveAbsence(context, args),
    }),
    endAbsence: t.boolean({
      access: 'application',
      description: 'Ends an absence as of yesterday, or deletes one that starts today or later',
      args: { id: t.arg.id({ required: true }), version: t.arg.int() },
      resolve: (_root, args, context) => endAbsence(context, args),
    }),
  }));
}
