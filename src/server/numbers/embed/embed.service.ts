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
  /** Address for a frame, signed; null unless the dashboard of the external tool is shown and can be. */
  readonly url: string | null;
  readonly expiresAt: string | null;
  /** Seconds that the address is good for, for whoever's clock is wrong. */
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

/** What Metabase documents and nothing else. The secret is signed with as the text that it is, not as the bytes that its digits spell. */
function signed({ dashboard, params }: EmbedPlan, secretKey: string, expiresAt: Temporal.Instant): Promise<string> {
  return new SignJWT({ resource: { dashboard }, params })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(Math.floor(expiresAt.epochMilliseconds / 1_000))
    .sign(new TextEncoder().encode(secretKey));
}

/** One memory a server, for as long as its configuration lives. */
const known = new WeakMap<Config, Reachability>();

function reachability(config: Config, siteUrl: string): Reachability {
  const found = known.get(config) ?? reachabilityOf(siteUrl);
  known.set(config, found);
  return found;
}
