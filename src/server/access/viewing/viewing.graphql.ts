// Viewing as someone else, in the API: started and stopped under one's own name.
import { callAccess } from '#core/access/call-access.ts';
import { startViewingInput, stopViewingInput } from '#core/access/viewing-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { type StartedViewing, startViewing, stopViewing, viewableRoles } from './viewing.service.ts';

const ViewingType = builder.objectRef<StartedViewing>('Viewing');

export function defineViewing(): void {
  ViewingType.implement({
    description: 'Viewing as someone else. Calls with its ID in the header `x-viewing` read as that person or role.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name', { description: 'The person or the role' }),
      endsAt: t.exposeString('endsAt'),
    }),
  });
  builder.queryFields((t) => ({
    viewableRoles: t.field({
      type: ['String'],
      access: callAccess.roles,
      description: 'Roles that the caller can view as',
      resolve: (_root, _args, context) => viewableRoles(context),
    }),
  }));
  builder.mutationFields((t) => ({
    startViewing: t.field({
      type: ViewingType,
      access: callAccess.roles,
      description: 'View as a person (admins only) or as a role. Give one of the two',
      args: { personId: t.arg.id(), role: t.arg.string() },
      resolve: (_root, args, context) => startViewing(context, orThrow(readInput(startViewingInput, args))),
    }),
    stopViewing: t.field({
      type: 'Boolean',
      access: 'signedIn',
      description: 'Whether it was still active',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => stopViewing(context, orThrow(readInput(stopViewingInput, args)).id),
    }),
  }));
}
