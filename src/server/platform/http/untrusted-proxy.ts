// Says in the log that a proxy stands in front which TRUSTED_PROXIES does not name.
import type { FastifyInstance } from 'fastify';

const silenceMs = 60_000;

/**
 * Everyone behind such a proxy counts as one address, so wrong passwords of one make new browsers of all wait. Anybody may
 * send the header, so it is said once a minute at most.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, now: () => number = () => performance.now()): void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  app.addHook('onRequest', async (request) => {
    const from = request.socket.remoteAddress;
    // Of a sender who is trusted, the addresses in the header follow its own.
    const isTrusted = (request.ips?.length ?? 1) > 1;
    if (!request.headers['x-forwarded-for'] || isTrusted || now() < silentUntil) return;
    silentUntil = now() + silenceMs;
    request.log.warn(
      { proxy: from },
      `X-Forwarded-For arrives from ${from}, which TRUSTED_PROXIES does not name: everyone behind it counts as one address when wrong passwords are counted. If this is your proxy, add it to TRUSTED_PROXIES.`,
    );
  });
}
