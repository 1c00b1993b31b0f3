// `GET /api/export?ticket=` streams the CSV of one export.
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/call-access.ts';
import type { Services } from '../context.ts';
import { ticketQuery } from '../tickets/tickets.service.ts';
import { exportPath, redeemExportTicket } from './export.service.ts';

export function registerExport(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: { ticket: string } }>(
    exportPath,
    {
      config: { access: callAccess.numbers, credentials: 'link' },
      schema: { querystring: ticketQuery },
      // A look at the headers would use the ticket up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { fileName, lines } = await redeemExportTicket(services, request.query.ticket);
      const stream = Readable.from(lines);
      stream.on('error', (error) => request.log.warn({ err: error }, 'an export ended before its end'));
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': contentDisposition(fileName),
          'x-content-type-options': 'nosniff',
        })
        .send(stream);
    },
  );
}
