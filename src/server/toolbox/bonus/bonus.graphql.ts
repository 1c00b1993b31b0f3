// The bonus in the API. Amounts are exact decimals as text; shares are counts, to avoid rounding twice.

import { callAccess } from '#core/access/call-access.ts';
import { decimalText } from '#core/base/decimals.ts';
import { type BonusComponent, type BonusCurve, bonusComponentKeys } from '#core/toolbox/bonus.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskEventEnum, TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { makeBonusTicket } from './bonus-export.service.ts';
import { createPlan, type PlanVersion, planVersions } from './bonus-plans.service.ts';
import { type BonusPreview, bonusPreview, type Payout } from './bonus-preview.service.ts';
import {
  addMessage,
  type BonusWeek,
  bonusWeek,
  type Correction,
  type Line,
  type Message,
  type OpenQuestion,
  questionsForMe,
  type Statement,
  type StatementTask,
  statements,
} from './bonus-statements.service.ts';

type SprintOfBonus = { readonly id: string; readonly name: string; readonly startAt?: string; readonly endAt?: string };

const ComponentEnum = builder.enumType('BonusComponent', {
  values: bonusComponentKeys as [BonusComponent, ...BonusComponent[]],
});
const CurveType = builder.objectRef<BonusCurve & { readonly key: BonusComponent }>('BonusCurve');
const PlanType = builder.objectRef<PlanVersion>('BonusPlan');
const SprintOfBonusType = builder.objectRef<SprintOfBonus>('BonusSprint');
const WeekType = builder.objectRef<BonusWeek>('BonusWeek');
const StatementType = builder.objectRef<Statement>('BonusStatement');
const LineType = builder.objectRef<Line>('BonusLine');
const TaskType = builder.objectRef<StatementTask>('BonusTask');
const CorrectionType = builder.objectRef<Correction>('BonusCorrection');
const MessageType = builder.objectRef<Message>('BonusMessage');
const QuestionType = builder.objectRef<OpenQuestion>('BonusQuestion');

const PreviewType = builder.objectRef<BonusPreview>('BonusPreview');
const PayoutType = builder.objectRef<Payout>('BonusPayout');

const CurveInput = builder.inputType('BonusCurveInput', {
  description: 'Whole percent: nothing at `from`, the full weight at `full`, linear up to `cap`',
  fields: (t) => ({
    weight: t.int({ required: true }),
    from: t.int({ required: true }),
    full: t.int({ required: true }),
    cap: t.int({ required: true }),
  }),
});
const ComponentsInput = builder.inputType('BonusComponentsInput', {
  fields: (t) => ({
    signedOff: t.field({ type: CurveInput, required: true }),
    firstPass: t.field({ type: CurveInput, required: true }),
    team: t.field({ type: CurveInput, required: true }),
  }),
});

export function defineBonus(): void {
  definePlan();
  defineStatement();
  defineParts();
  definePreview();
  builder.queryFields((t) => ({
    bonusPlans: t.field({
      type: [PlanType],
      access: callAccess.bonus,
      description: 'Every version of the plan, newest first',
      resolve: (_root, _args, context) => planVersions(context),
    }),
    bonusStatements: t.field({
      type: [StatementType],
      access: callAccess.bonus,
      turn: 'heavy',
      description: 'Recorded statements, newest first, of the caller or of someone whose tasks the caller decides',
      args: { userId: t.arg.id(), limit: t.arg.int(), offset: t.arg.int() },
      resolve: (_root, args, context) => statements(context, args),
    }),
    bonusWeek: t.field({
      type: WeekType,
      access: callAccess.bonus,
      turn: 'heavy',
      description: 'A person’s sprint, the current one by default: recorded, or a forecast until then',
      args: { userId: t.arg.id(), sprintId: t.arg.id() },
      resolve: (_root, args, context) => bonusWeek(context, args),
    }),
    bonusPreview: t.field({
      type: PreviewType,
      nullable: true,
      access: 'admin',
      turn: 'heavy',
      description: 'What the last settled sprint would have paid under this plan. Null before a sprint was settled',
      args: {
        base: t.arg.string({ required: true }),
        currency: t.arg.string({ required: true }),
        fairHours: t.arg.int({ required: true }),
        components: t.arg({ type: ComponentsInput, required: true }),
      },
      resolve: (_root, args, context) => bonusPreview(context, args),
    }),
    bonusQuestions: t.field({
      type: [QuestionType],
      access: callAccess.bonus,
      description: 'Questions waiting for the caller’s answer, oldest first',
      resolve: (_root, _args, context) => questionsForMe(context),
    }),
  }));
  defineChanges();
}

function defineChanges(): void {
  builder.mutationFields((t) => ({
    createBonusTicket: t.string({
      access: callAccess.bonus,
      description:
        'Address of a sprint’s recorded statements that the caller can see, as CSV. Works once, for a minute',
      args: { sprintId: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => makeBonusTicket(context, args),
    }),
    createBonusPlan: t.field({
      type: PlanType,
      access: 'admin',
      args: {
        fromSprintId: t.arg.id({ required: true }),
        base: t.arg.string({ required: true }),
        currency: t.arg.string({ required: true }),
        fairHours: t.arg.int({ required: true }),
        components: t.arg({ type: ComponentsInput, required: true }),
        note: t.arg.string(),
        after: t.arg.int({
          required: true,
          description: 'The latest version that the caller knows, or 0 before the first',
        }),
      },
      resolve: (_root, args, context) => createPlan(context, args),
    }),
    addBonusMessage: t.field({
      type: StatementType,
      access: callAccess.bonus,
      description: 'The person asks about a line. The people who decide their tasks answer',
      args: {
        statementId: t.arg.id({ required: true }),
        line: t.arg({ type: ComponentEnum, required: true }),
        text: t.arg.string({ required: true }),
      },
      resolve: (_root, args, context) => addMessage(context, args),
    }),
  }));
}

function definePlan(): void {
  CurveType.implement({
    fields: (t) => ({
      key: t.expose('key', { type: ComponentEnum }),
      weight: t.exposeInt('weight'),
      from: t.exposeInt('from'),
      full: t.exposeInt('full'),
      cap: t.exposeInt('cap'),
    }),
  });
  SprintOfBonusType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      startDate: t.exposeString('startAt', { nullable: true }),
      endDate: t.exposeString('endAt', { nullable: true }),
    }),
  });
  PlanType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      version: t.exposeInt('version'),
      from: t.expose('from', { type: SprintOfBonusType }),
      base: t.string({ resolve: ({ base }) => decimalText(base) }),
      currency: t.exposeString('currency'),
      fairHours: t.exposeInt('fairHours'),
      components: t.field({
        type: [CurveType],
        resolve: ({ components }) => bonusComponentKeys.map((key) => ({ key, ...components[key] })),
      }),
      note: t.exposeString('note'),
      author: t.exposeString('author'),
      createdAt: t.exposeString('createdAt'),
    }),
  });
}

function defineStatement(): void {
  StatementType.implement({
    fields: (t) => ({
      id: t.exposeID('id', { nullable: true, description: 'Null for a forecast' }),
      sprint: t.expose('sprint', { type: SprintOfBonusType }),
      amount: t.exposeString('amount'),
      currency: t.exposeString('currency'),
      planVersion: t.exposeInt('planVersion'),
      team: t.exposeString('team', {
        nullable: true,
        description: 'Team of the team result. Null: the whole company',
      }),
      corrections: t.exposeInt('corrections', { description: 'Decisions that came after the sprint was recorded' }),
      lines: t.expose('lines', { type: [LineType] }),
    }),
  });
  WeekType.implement({
    fields: (t) => ({
      person: t.expose('person', { type: PersonType }),
      sprint: t.expose('sprint', { type: SprintOfBonusType }),
      phase: t.string({ resolve: ({ sprint }) => sprint.phase }),
      settledAt: t.string({ resolve: ({ sprint }) => sprint.settledAt }),
      plan: t.expose('plan', { type: PlanType, nullable: true }),
      statement: t.expose('statement', { type: StatementType, nullable: true }),
      tasks: t.expose('tasks', { type: [TaskType] }),
    }),
  });
}

function defineParts(): void {
  LineType.implement({
    fields: (t) => ({
      key: t.expose('key', { type: ComponentEnum }),
      part: t.exposeInt('part'),
      whole: t.exposeInt('whole'),
      waived: t.exposeBoolean('waived', { description: 'The approver held up what it measures, so it pays in full' }),
      amount: t.exposeString('amount'),
      messages: t.expose('messages', { type: [MessageType] }),
      thread: t.exposeString('thread', { nullable: true, description: 'open or answered. Null if nobody asked' }),
    }),
  });
  TaskType.implement({
    fields: (t) => ({
      taskId: t.exposeID('taskId'),
      title: t.exposeString('title'),
      status: t.expose('status', { type: TaskStatusEnum, description: 'Status when the sprint was recorded' }),
      statusNow: t.expose('statusNow', { type: TaskStatusEnum }),
      carriedOut: t.exposeBoolean('carriedOut'),
      heldUp: t.exposeBoolean('heldUp', {
        description: 'Held up by the approver, so it doesn’t count in the signed-off share',
      }),
      waitedSeconds: t.exposeInt('waitedSeconds', {
        description: 'Working time for which the approver held it up',
      }),
      sendBacks: t.exposeInt('sendBacks'),
      signOffs: t.exposeInt('signOffs'),
      corrections: t.expose('corrections', { type: [CorrectionType] }),
    }),
  });
  CorrectionType.implement({
    fields: (t) => ({
      event: t.expose('event', { type: TaskEventEnum }),
      at: t.exposeString('at'),
      actorName: t.exposeString('actorName'),
    }),
  });
  MessageType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      authorName: t.exposeString('authorName'),
      isQuestion: t.exposeBoolean('isQuestion'),
      text: t.exposeString('text'),
      at: t.exposeString('at'),
    }),
  });
  QuestionType.implement({
    fields: (t) => ({
      person: t.expose('person', { type: PersonType }),
      sprint: t.expose('sprint', { type: SprintOfBonusType }),
      line: t.expose('line', { type: ComponentEnum }),
      text: t.exposeString('text'),
      at: t.exposeString('at'),
    }),
  });
}

function definePreview(): void {
  PayoutType.implement({
    fields: (t) => ({
      amount: t.string({ resolve: ({ amount }) => decimalText(amount) }),
      currency: t.exposeString('currency'),
      people: t.exposeInt('people', { description: 'People who get more than 0' }),
    }),
  });
  PreviewType.implement({
    fields: (t) => ({
      sprint: t.expose('sprint', { type: SprintOfBonusType }),
      paid: t.expose('paid', { type: PayoutType, nullable: true, description: 'Null if no plan was in effect' }),
      wouldPay: t.expose('wouldPay', { type: PayoutType }),
    }),
  });
}
