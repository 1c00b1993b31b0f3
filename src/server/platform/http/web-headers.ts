// Security headers for every response: a browser runs only our own files.
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../config/config.ts';

/**
 * What the web can connect to: its own origin and the configured base addresses, by HTTP and WebSocket (D1).
 */
function connectSources({ dashboardServerUrl, topFiveServerUrl }: Config): string[] {
  const bases = [dashboardServerUrl, topFiveServerUrl].filter((url) => url !== undefined);
  const origins = [...new Set(bases.map((url) => new URL(url).origin))];
  return ["'self'", ...origins, ...origins.map((origin) => origin.replace(/^http/, 'ws'))];
}

export function registerWebHeaders(app: FastifyInstance, config: Config): void {
  // Built once; Fastify's plugin would rebuild every policy for each response.
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        connectSrc: connectSources(config),
        frameSrc: config.metabase ? [new URL(config.metabase.siteUrl).origin] : ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // Nothing here creates markup from text, so no policy may allow it.
        trustedTypes: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    // Only when the public address is HTTPS: a browser remembers it for all ports of the host.
    strictTransportSecurity: config.publicUrl?.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
  });
  app.addHook('onRequest', (request, reply, done) =>
    protect(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
}
