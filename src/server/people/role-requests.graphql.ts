// Requests for a role in the API, and who helps a person without access.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { askForRoleInput } from '#core/people/accounts.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { NamedAdminType } from './approvers.graphql.ts';
import { type AccessHelp, accessHelp, askForRole, declineRole, withdrawRoleRequest } from './role-requests.service.ts';
import { RoleAskedType, UserDetailType } from './users.graphql.ts';
import { userDetail } from './users.service.ts';

const AccessHelpType = builder.objectRef<AccessHelp>('AccessHelp');

export function defineRoleRequests(): void {
  RoleAskedType.implement({
    fields: (t) => ({
      role: t.exposeString('role'),
      by: t.exposeString('by'),
      at: t.exposeString('at'),
      own: t.exposeBoolean('own', { description: 'Whether the caller requested it and can withdraw that' }),
    }),
  });
  AccessHelpType.implement({
    fields: (t) => ({
      admins: t.field({ type: [NamedAdminType], resolve: ({ admins }) => admins }),
      contacts: t.field({
        type: [NamedAdminType],
        description: 'For callers without a role or an approver: who can give them one, admins last',
        resolve: ({ contacts }) => contacts,
      }),
      roleAsked: t.expose('roleAsked', { type: RoleAskedType, nullable: true }),
    }),
  });
  builder.queryField('accessHelp', (t) =>
    t.field({
      type: AccessHelpType,
      access: 'signedIn',
      description: 'Who can give the caller access, and the latest request for a role of theirs',
      resolve: (_root, _args, context) => accessHelp(context),
    }),
  );
  defineChanges();
}

function defineChanges(): void {
  builder.mutationField('askForRole', (t) =>
    t.field({
      type: UserDetailType,
      access: callAccess.people,
      args: { userId: t.arg.id({ required: true }), role: t.arg.string({ required: true }) },
      description: 'Asks the admins to give a person this role',
      resolve: async (_root, args, context) => {
        const input = orThrow(readInput(askForRoleInput, args));
        await askForRole(context, input);
        return userDetail(context, input.userId);
      },
    }),
  );
  builder.mutationField('withdrawRoleRequest', (t) =>
    t.field({
      type: UserDetailType,
      access: callAccess.people,
      args: { userId: t.arg.id({ required: true }), role: t.arg.string({ required: true }) },
      description: 'Withdraws the caller’s request to give a person this role, while it is open',
      resolve: async (_root, args, context) => {
        const input = orThrow(readInput(askForRoleInput, args));
        await withdrawRoleRequest(context, input);
        return userDetail(context, input.userId);
      },
    }),
  );
  builder.mutationField('declineRole', (t) =>
    t.field({
      type: UserDetailType,
      access: 'admin',
      args: { userId: t.arg.id({ required: true }), role: t.arg.string({ required: true }) },
      description: 'Declines the requests to give a person this role, and notifies the people who asked',
      resolve: async (_root, args, context) => {
        const input = orThrow(readInput(askForRoleInput, args));
        await declineRole(context, input);
        return userDetail(context, input.userId);
      },
    }),
  );
}
