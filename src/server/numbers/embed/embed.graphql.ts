// A product's or cause's dashboard in the API: the product's tiles, or a frame of the external tool (D30).
import { dashboardDisplays } from '#core/admin/settings.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { type DashboardEmbed, dashboardEmbed, embedStates } from './embed.service.ts';

const DashboardKindEnum = builder.enumType('DashboardKind', { values: dashboardDisplays });
const EmbedStateEnum = builder.enumType('EmbedState', { values: embedStates });
const DashboardEmbedType = builder.objectRef<DashboardEmbed>('DashboardEmbed');

export function defineEmbed(): void {
  DashboardEmbedType.implement({
    description: 'With kind metabase and a state other than ready, show the built-in tiles.',
    fields: (t) => ({
      kind: t.expose('kind', { type: DashboardKindEnum }),
      state: t.expose('state', { type: EmbedStateEnum }),
      url: t.exposeString('url', {
        nullable: true,
        description: 'for a frame; signed, so anyone with it can open this dashboard',
      }),
      expiresAt: t.exposeString('expiresAt', { nullable: true }),
      goodFor: t.exposeInt('goodFor', { nullable: true, description: 'seconds from now until expiresAt' }),
    }),
  });
  builder.queryField('dashboardEmbed', (t) =>
    t.field({
      type: DashboardEmbedType,
      description: 'resource is the key of a product or cause; the server knows the number of its dashboard.',
      // Access to the product or cause is checked separately, by its key.
      access: 'application',
      args: { resource: t.arg.string({ required: true }) },
      resolve: (_root, { resource }, context) => dashboardEmbed(context, resource),
    }),
  );
}
