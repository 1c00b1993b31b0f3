// Logs a warning about a proxy that TRUSTED_PROXIES doesn't name.
import type { FastifyInstance } from 'fastify';

const silenceMs = 60_000;

/**
 * Everyone behind such a proxy counts as one address, so one person's wrong passwords delay all new browsers.
 * Anyone can send the header, so it is logged once a minute at most.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, now: () => number = () => performance.now()): void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  app.addHook('onRequest', async (request) => {
    const from = request.socket.remoteAddress;
    // For a trusted sender, the header's addresses follow its own.
    const isTrusted = (request.ips?.length ?? 1) > 1;
    if (!request.headers['x-forwarded-for'] || isTrusted || now() < silentUntil) return;
    silentUntil = now() + silenceMs;
    request.log.warn(
      { proxy: from },
      `X-Forwarded-For arrives from ${from}, which isn't in TRUSTED_PROXIES: everyone behind it shares one limit for wrong passwords. If this is your proxy, add it to TRUSTED_PROXIES.`,
    );
  });
}
