// Serves the web's files and pages: 200 for a page in the core's table, 404 for everything else, never with a
// trailing slash (spec 2). Independent of the viewer, and of the database.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { homePath, loginPath, type Path, paths, withoutTrailingSlash } from '#core/access/routes.ts';
import { errorPageTexts, refusals } from '#core/base/refusals.ts';
import { canMailLinks } from '#server/access/auth/link-mail.ts';
import { demoAccounts } from '#server/demo/demo-accounts.ts';
import type { Services } from '#server/platform/context.ts';
import { answerFailure, failureOf, logFailure } from '#server/platform/graphql/failures.ts';
import { quietFlood } from '#server/platform/http/quiet-refusals.ts';

const builtWeb = fileURLToPath(new URL('../../dist', import.meta.url));
const config = { access: 'public', turn: 'none' } as const;

/** Files of the web whose name is the same in every build. */
const plainFiles = ['/theme.js', '/icon.svg', '/icon-180.png', '/manifest.webmanifest', '/robots.txt'] as const;

/** API calls are below these; they are answered as such, never with a page. */
const apiPrefixes = ['/api/', '/graphql', '/attachment'] as const;

export type Pages = {
  readonly folder?: string /** The demo company is loaded, and the login page offers its accounts. */;
  readonly demo: boolean;
};

export async function registerPages(
  app: FastifyInstance,
  services: Services,
  { folder = builtWeb, demo }: Pages,
): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  const page = (name: string, status: number) => (_request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, folder, name, status);
  await app.register(async (scope) => {
    scope.setErrorHandler(answerBrokenPage);
    for (const path of paths) scope.get(path, { config }, page(pageFile(path), 200));
    for (const file of plainFiles)
      scope.get(file, { config }, (_request, reply) =>
        reply.header('cache-control', 'no-cache').sendFile(file.slice(1)),
      );
    scope.get<{ Params: { '*': string } }>('/assets/*', { config }, (request, reply) =>
      // Their names include a content hash.
      reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(`assets/${request.params['*']}`),
    );
  });
  app.get('/config.json', { config }, async () => webConfig(services, demo));
  app.setNotFoundHandler((request, reply) =>
    answerUnknown(request, reply, page('index.html', refusals.PAGE_NOT_FOUND.statusCode)),
  );
}

const pageFile = (path: Path): string => (path === loginPath ? 'login.html' : 'index.html');

function sendPage(reply: FastifyReply, folder: string, name: string, status: number): FastifyReply {
  reply.code(status);
  if (existsSync(join(folder, name))) return reply.header('cache-control', 'no-cache').sendFile(name);
  return reply.code(503).type('text/plain; charset=utf-8').send('The pages aren’t built yet. Run: npm run build\n');
}

function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  notFoundPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): FastifyReply {
  quietFlood(request);
  // A missing file had its headers set already.
  reply.header('cache-control', 'no-store');
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const trimmed = reads ? withoutTrailingSlash(request.url) : null;
  if (trimmed !== null) return reply.redirect(trimmed, 308);
  // Many people type this address.
  const [typed, query] = request.url.split('?', 2);
  if (reads && typed === '/login') return reply.redirect(query ? `${loginPath}?${query}` : loginPath, 302);
  const isPageLike =
    reads && !apiPrefixes.some((prefix) => request.url.startsWith(prefix)) && !request.url.startsWith('/assets/');
  if (isPageLike) return notFoundPage(request, reply);
  const { message, statusCode } = refusals.NOT_FOUND;
  return reply.code(statusCode).send({ error: { code: 'NOT_FOUND', message } });
}

/** A page that can't be sent. Plain HTML without scripts or styles, so it always works (spec 2, 8). */
function answerBrokenPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = failureOf(error);
  if (failure.statusCode < 500) return answerFailure(error, request, reply);
  logFailure(request.log, failure, error);
  const { message } = refusals.INTERNAL;
  return reply
    .code(failure.statusCode)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${message}</title></head><body><h1>${message}</h1><p>${request.id}</p><p><a href="${homePath}">${errorPageTexts.fallbackLink}</a></p></body></html>`,
    );
}

function webConfig(services: Services, demo: boolean): object {
  const {
    config: {
      publicUrl,
      appName,
      appEnv,
      oidc,
      companyTimeZone,
      dashboardServerUrl = '',
      topFiveServerUrl = '',
      demoPassword,
    },
    settings,
  } = services;
  return {
    appName,
    appEnv,
    demo,
    companyTimeZone,
    dashboardServerUrl,
    top5ServerUrl: topFiveServerUrl,
    ...(publicUrl !== undefined && { publicUrl }),
    timeTracker: settings().timeTracker,
    holidayClose: settings().holidayClose,
    attachmentMegabytes: settings().attachmentMegabytes,
    mailsLinks: canMailLinks(services),
    ...(oidc && { singleSignOn: { name: oidc.name, origin: new URL(oidc.publicUrl).origin } }),
    ...(demo && {
      demoAccounts: demoAccounts.map(({ email, firstName, lastName, role, can }) => ({
        email,
        name: `${firstName} ${lastName}`,
        role: role ?? '',
        can,
      })),
      demoPassword,
    }),
  };
}
