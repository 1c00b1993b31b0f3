// A download by ticket: `GET <path>?ticket=` streams lines of CSV as a file. Every export goes out through here.
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance } from 'fastify';
import type { CallAccess } from '#core/access/call-access.ts';
import type { Database } from '../db/database.ts';
import { takeSlot } from '../db/work-slots.ts';
import { afterReply } from '../http/after-reply.ts';
import { ticketQuery } from './tickets.service.ts';

export type Download = { readonly fileName: string; readonly lines: AsyncIterable<string> };

type TicketDownload = {
  readonly database: Database;
  readonly path: string;
  readonly access: CallAccess;
  /** Throws before anything was sent when the ticket is no longer good, or its holder may not have this any more. */
  readonly redeem: (ticket: string) => Promise<Download>;
};

export function registerTicketDownload(app: FastifyInstance, { database, path, access, redeem }: TicketDownload): void {
  app.get<{ Querystring: { ticket: string } }>(
    path,
    {
      config: { access, credentials: 'link' },
      schema: { querystring: ticketQuery },
      // A look at the headers would use the ticket up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { fileName, lines } = await redeem(request.query.ticket);
      // After the ticket: strangers without one take no slot.
      const slot = await takeSlot(database, 'export');
      afterReply(reply, () => void slot.release());
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
