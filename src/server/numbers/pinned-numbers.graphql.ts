// Pinned numbers in the API.
import { builder } from '#server/platform/graphql/builder.ts';
import { type PinnedNumber, pinNumber, pinnedNumbers, unpinNumber } from './pinned-numbers.service.ts';

const PinnedNumberType = builder.objectRef<PinnedNumber>('PinnedNumber');

export function definePinnedNumbers(): void {
  PinnedNumberType.implement({
    fields: (t) => ({
      dataset: t.exposeString('dataset'),
      metric: t.exposeString('metric'),
      scope: t.exposeString('scope', { nullable: true }),
      search: t.exposeString('search', {
        description: 'The days, filters and currency of its page, such as `period=90d&where.country=GB`',
      }),
    }),
  });
  builder.queryFields((t) => ({
    pinnedNumbers: t.field({
      type: [PinnedNumberType],
      access: 'application',
      resolve: (_root, _args, context) => pinnedNumbers(context),
    }),
  }));
  builder.mutationFields((t) => ({
    pinNumber: t.field({
      type: [PinnedNumberType],
      access: 'application',
      args: {
        dataset: t.arg.string({ required: true }),
        metric: t.arg.string({ required: true }),
        scope: t.arg.string(),
        search: t.arg.string(),
      },
      resolve: (_root, args, context) => pinNumber(context, args),
    }),
    unpinNumber: t.field({
      type: [PinnedNumberType],
      access: 'application',
      args: {
        dataset: t.arg.string({ required: true }),
        metric: t.arg.string({ required: true }),
        scope: t.arg.string(),
        search: t.arg.string(),
      },
      resolve: (_root, args, context) => unpinNumber(context, args),
    }),
  }));
}
