// A download by ticket: `GET <path>?ticket=` streams lines of CSV as a file. Every export goes out through here.
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance } from 'fastify';
import type { CallAccess } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services, SignedInPerson } from '../context.ts';
import { takeSlot, type WorkKind } from '../db/work-slots.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { afterReply } from '../http/after-reply.ts';
import { endSlowReader } from '../http/slow-reader.ts';
import { readViewerOfPerson } from '../viewer.ts';
import { holderOfTicket, ticketQuery } from './tickets.service.ts';

export type Download = {
  readonly fileName: string;
  readonly lines: AsyncIterable<string>;
  readonly personId: string;
  /** Throws where the person, as they are now, may not have this. */
  readonly assertAllowed: (viewer: SignedInPerson) => void;
};

/** A reader may take long: who lost the right, or the account, gets no more of it. */
export async function* whileAllowed(
  services: Pick<Services, 'database' | 'clock'>,
  { lines, personId, assertAllowed }: Download,
): AsyncGenerator<string> {
  for await (const part of lines) {
    const viewer = await readViewerOfPerson(services, personId);
    if (!viewer) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    assertAllowed(viewer);
    yield part;
  }
}

type TicketDownload = {
  readonly services: Pick<Services, 'database' | 'clock'>;
  readonly path: string;
  readonly slot: Extract<WorkKind, `${string}xport`>;
  readonly access: CallAccess;
  /** Throws before anything was sent when the ticket is no longer good, or its holder may not have this any more. */
  readonly redeem: (ticket: string) => Promise<Download>;
};

export function registerTicketDownload(
  app: FastifyInstance,
  { services, path, slot: kind, access, redeem }: TicketDownload,
): void {
  app.get<{ Querystring: { ticket: string } }>(
    path,
    {
      config: { access, credentials: 'link' },
      schema: { querystring: ticketQuery },
      // A look at the headers would use the ticket up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { ticket } = request.query;
      // Strangers without a ticket take no slot, and a ticket that finds none free stays good.
      const slot = await takeSlot(services.database, kind, await holderOfTicket(services, ticket));
      afterReply(reply, () => void slot.release());
      const download = await redeem(ticket);
      const stream = Readable.from(endSlowReader(reply.raw, whileAllowed(services, download)));
      stream.on('error', (error) => request.log.warn({ err: error }, 'an export ended before its end'));
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': contentDisposition(download.fileName),
          'x-content-type-options': 'nosniff',
        })
        .send(stream);
    },
  );
}
