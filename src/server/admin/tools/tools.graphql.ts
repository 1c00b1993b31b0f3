// The cards of the staff tools in the API.
import { callAccess } from '#core/access/call-access.ts';
import { toolHealthKeys } from '#core/admin/tool-cards.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import {
  createToolCard,
  moveToolCard,
  removeToolCard,
  restoreToolCard,
  setToolHealth,
  type ToolCard,
  toolCards,
  updateToolCard,
} from './tool-cards.service.ts';

const ToolHealthEnum = builder.enumType('ToolHealth', { values: toolHealthKeys });
const ToolCardType = builder.objectRef<ToolCard>('ToolCard');

export function defineTools(): void {
  ToolCardType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      group: t.exposeString('group'),
      title: t.exposeString('title'),
      description: t.exposeString('description'),
      link: t.exposeString('link'),
      ownerId: t.exposeID('ownerId', { nullable: true }),
      ownerName: t.exposeString('ownerName', { nullable: true }),
      ownerDisabled: t.exposeBoolean('ownerDisabled', { description: 'Their account is disabled: ask someone else' }),
      permission: t.exposeString('permission', {
        nullable: true,
        description: 'The permission to see it. Null: everyone with tools.',
      }),
      health: t.expose('health', { type: ToolHealthEnum }),
      healthNote: t.exposeString('healthNote'),
      healthAt: t.exposeString('healthAt', { description: 'When its health last changed.' }),
      version: t.exposeInt('version'),
    }),
  });
  builder.queryField('toolCards', (t) =>
    t.field({
      type: [ToolCardType],
      description: 'Tools that the caller can see, by group and place.',
      access: callAccess.tools,
      resolve: (_root, _args, context) => toolCards(context),
    }),
  );
  defineToolMutations();
}

function defineToolMutations(): void {
  builder.mutationFields((t) => {
    const known = { id: t.arg.id({ required: true }), version: t.arg.int() };
    const besides = { description: t.arg.string(), ownerId: t.arg.string(), permission: t.arg.string() };
    return {
      createToolCard: t.field({
        type: ToolCardType,
        access: 'admin',
        args: {
          title: t.arg.string({ required: true }),
          group: t.arg.string({ required: true }),
          link: t.arg.string({ required: true }),
          ...besides,
        },
        resolve: (_root, args, context) => createToolCard(context, args),
      }),
      updateToolCard: t.field({
        type: ToolCardType,
        access: 'admin',
        args: { ...known, title: t.arg.string(), group: t.arg.string(), link: t.arg.string(), ...besides },
        resolve: (_root, args, context) => updateToolCard(context, args),
      }),
      setToolHealth: t.field({
        type: ToolCardType,
        access: 'admin',
        args: { ...known, health: t.arg({ type: ToolHealthEnum, required: true }), note: t.arg.string() },
        resolve: (_root, args, context) => setToolHealth(context, args),
      }),
      removeToolCard: t.field({
        type: ToolCardType,
        access: 'admin',
        args: known,
        resolve: (_root, args, context) => removeToolCard(context, args),
      }),
      restoreToolCard: t.field({
        type: ToolCardType,
        access: 'admin',
        args: known,
        resolve: (_root, args, context) => restoreToolCard(context, args),
      }),
      moveToolCard: t.field({
        type: ToolCardType,
        access: 'admin',
        args: { id: t.arg.id({ required: true }), by: t.arg.int({ required: true }) },
        resolve: (_root, args, context) => moveToolCard(context, args),
      }),
    };
  });
}
