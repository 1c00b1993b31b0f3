// Downloads by ticket: `GET <path>?ticket=` streams lines of CSV as a file. Every export uses this.
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
import { readLinkHolder } from '../viewer.ts';
import { holderOfTicket, type TicketHolder, ticketQuery } from './tickets.service.ts';

export type Download = {
  readonly fileName: string;
  readonly lines: AsyncIterable<string | Buffer>;
  readonly holder: TicketHolder;
  /** Throws if the person no longer has access. */
  readonly assertAllowed: (viewer: SignedInPerson) => void;
};

/** Reading may take long: stops when the person loses access or the account, or ends the session. */
export async function* whileAllowed(
  services: Pick<Services, 'database' | 'clock' | 'config'>,
  { lines, holder, assertAllowed }: Download,
): AsyncGenerator<string | Buffer> {
  for await (const part of lines) {
    const viewer = await readLinkHolder(services, holder, holder.openedAt);
    if (!viewer) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    assertAllowed(viewer);
    yield part;
  }
}

type TicketDownload = {
  readonly services: Pick<Services, 'database' | 'clock' | 'config'>;
  readonly path: string;
  readonly slot: Extract<WorkKind, `${string}xport`>;
  readonly access: CallAccess;
  /** Throws before anything is sent if the ticket is invalid or its holder lost access. */
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
      // A HEAD request would use the ticket up.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { ticket } = request.query;
      // An invalid ticket takes no slot, and a valid one survives when no slot is free.
      const slot = await takeSlot(services.database, kind, await holderOfTicket(services, ticket));
      afterReply(reply, () => void slot.release());
      const download = await redeem(ticket);
      const stream = Readable.from(endSlowReader(reply.raw, whileAllowed(services, download)));
      stream.on('error', (error) => request.log.warn({ err: error }, 'an export ended early'));
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
