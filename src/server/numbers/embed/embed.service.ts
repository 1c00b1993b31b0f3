// Dashboards of the external analytics tool, signed for one viewer and one product or cause (D30).
import { SignJWT } from 'jose';
import type { DashboardDisplay } from '#core/admin/settings.ts';
import { type EmbedPlan, embedSeconds, planEmbed } from '#core/numbers/dashboard-embed.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { type Reachability, reachabilityOf } from './reachability.ts';

export const embedStates = ['ready', 'notConfigured', 'notReachable'] as const;

export type DashboardEmbed = {
  readonly kind: DashboardDisplay;
  readonly state: (typeof embedStates)[number];
  /** The frame's signed address; null unless the external dashboard is enabled and available. */
  readonly url: string | null;
  readonly expiresAt: string | null;
  /** Seconds that the address is valid, for clients with a wrong clock. */
  readonly goodFor: number | null;
};

const without = { url: null, expiresAt: null, goodFor: null } as const;

export async function dashboardEmbed(context: RequestContext, resource: string): Promise<DashboardEmbed> {
  const plan = orThrow(planEmbed(context.viewer, resource));
  const kind = context.settings().dashboards[plan.resource] ?? 'builtin';
  if (kind === 'builtin') return { kind, state: 'ready', ...without };
  const { metabase } = context.config;
  if (!metabase) return { kind, state: 'notConfigured', ...without };
  if (!(await reachability(context.config, metabase.siteUrl)())) return { kind, state: 'notReachable', ...without };
  const expiresAt = context.clock.now().add({ seconds: embedSeconds.good });
  const url = `${metabase.siteUrl}/embed/dashboard/${await signed(plan, metabase.secretKey, expiresAt)}`;
  return { kind, state: 'ready', url, expiresAt: expiresAt.toString(), goodFor: embedSeconds.good };
}

/** Exactly what Metabase documents. The secret is used as text, not decoded from hex. */
function signed({ dashboard, params }: EmbedPlan, secretKey: string, expiresAt: Temporal.Instant): Promise<string> {
  return new SignJWT({ resource: { dashboard }, params })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(Math.floor(expiresAt.epochMilliseconds / 1_000))
    .sign(new TextEncoder().encode(secretKey));
}

/** One per server, as long as its configuration. */
const known = new WeakMap<Config, Reachability>();

function reachability(config: Config, siteUrl: string): Reachability {
  const found = known.get(config) ?? reachabilityOf(siteUrl);
  known.set(config, found);
  return found;
}
