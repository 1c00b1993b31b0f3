// `GET /api/calendar/<secret>.ics`, for calendar apps to subscribe to. The secret is the only credential.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import type { Services } from '#server/platform/context.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { calendarPath } from '#server/platform/log/calendar-path.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { calendarOfFeed } from './calendar-feeds.service.ts';
import { FetchedFeeds } from './fetch-limits.ts';

const params = {
  type: 'object',
  properties: { token: { type: 'string', pattern: '^[\\w-]{43}$' } },
  required: ['token'],
} as const;

type Fetched = { Params: { token: string } };

export function registerCalendar(app: FastifyInstance, services: Services): void {
  const fetched = new FetchedFeeds();
  const ownerOf = (request: FastifyRequest) => {
    const feed = fetched.get(tokenHash((request as FastifyRequest<Fetched>).params.token));
    return feed && { id: feed.personId, link: feed.id };
  };
  app.get<Fetched>(
    calendarPath(':token'),
    { config: { access: callAccess.schedule, credentials: 'link', turn: ownerOf }, schema: { params } },
    async (request, reply) => {
      const { token } = request.params;
      const fetch = { hash: tokenHash(token), bucket: addressBucket(request.ip), now: services.clock.now() };
      const calendar = await calendarOfFeed(services, token, fetched.count(fetch));
      const etag = `"${createHash('sha256').update(calendar).digest('base64url')}"`;
      reply.headers({ 'cache-control': 'private, max-age=300', etag, 'x-content-type-options': 'nosniff' });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply
        .headers({
          'content-type': 'text/calendar; charset=utf-8',
          'content-disposition': 'inline; filename="meetings.ics"',
        })
        .send(calendar);
    },
  );
}
