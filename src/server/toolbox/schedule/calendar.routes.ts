// `GET /api/calendar/<secret>.ics`, for calendar apps to subscribe to. The secret is the only credential.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import { addressBucket } from '#server/access/auth/guess-limits.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { calendarPath } from '#server/platform/log/calendar-path.ts';
import { calendarOfFeed } from './calendar-feeds.service.ts';
import { FetchCounts, fetchLimits } from './fetch-limits.ts';

const params = {
  type: 'object',
  properties: { token: { type: 'string', pattern: '^[\\w-]{43}$' } },
  required: ['token'],
} as const;

export function registerCalendar(app: FastifyInstance, services: Services): void {
  const counts = new FetchCounts();
  app.get<{ Params: { token: string } }>(
    calendarPath(':token'),
    { config: { access: callAccess.schedule, credentials: 'link' }, schema: { params } },
    async (request, reply) => {
      const { token } = request.params;
      const count = (what: keyof typeof fetchLimits, which: string) => {
        const retryAfter = counts.waitFor(`${what} ${which}`, fetchLimits[what], services.clock.now());
        if (retryAfter !== null) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter });
      };
      const calendar = await calendarOfFeed(services, token, (feed) =>
        feed === null ? count('unknownPerAddress', addressBucket(request.ip)) : count('feed', feed),
      );
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
