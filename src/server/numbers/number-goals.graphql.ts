// Monthly goals in the API.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { type NumberGoal, numberGoals, setNumberGoal } from './number-goals.service.ts';

const NumberGoalType = builder.objectRef<NumberGoal>('NumberGoal');

export function defineNumberGoals(): void {
  NumberGoalType.implement({
    fields: (t) => ({
      metric: t.exposeString('metric'),
      month: t.exposeString('month'),
      currency: t.exposeString('currency', { nullable: true }),
      amount: t.exposeString('amount'),
      actual: t.exposeString('actual', { nullable: true }),
      elapsedShare: t.exposeFloat('elapsedShare', { description: 'How much of the month has elapsed, 0 to 1' }),
      pace: t.exposeString('pace', { nullable: true, description: 'Percent: actual / (goal x elapsed share)' }),
    }),
  });
  builder.queryFields((t) => ({
    numberGoals: t.field({
      type: [NumberGoalType],
      access: callAccess.numbers,
      args: {
        dataset: t.arg.string({ required: true }),
        scope: t.arg.string(),
        month: t.arg.string({ required: true }),
        currency: t.arg.string(),
      },
      resolve: (_root, args, context) => numberGoals(context, args),
    }),
  }));
  builder.mutationFields((t) => ({
    setNumberGoal: t.field({
      description: 'Sets the goal of a month. Without `amount`, removes it.',
      type: NumberGoalType,
      nullable: true,
      access: callAccess.people,
      args: {
        dataset: t.arg.string({ required: true }),
        scope: t.arg.string(),
        metric: t.arg.string({ required: true }),
        month: t.arg.string({ required: true }),
        currency: t.arg.string(),
        amount: t.arg.string(),
      },
      resolve: (_root, args, context) => setNumberGoal(context, args),
    }),
  }));
}
