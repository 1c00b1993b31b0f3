// Tells a caller whose answer was lost what became of the call.
import { builder } from '../graphql/builder.ts';
import { callResult } from './idempotency.service.ts';

export function defineCallResults(): void {
  builder.queryField('callResult', (t) =>
    t.id({
      access: 'application',
      nullable: true,
      description:
        'The ID of what the caller’s call with this Idempotency-Key created or changed, even if it was removed since. Null if no such call succeeded in the last 24 hours. Of several mutations in one request, the first',
      args: { key: t.arg.string({ required: true }) },
      resolve: (_root, { key }, context) => callResult(context, key),
    }),
  );
}
