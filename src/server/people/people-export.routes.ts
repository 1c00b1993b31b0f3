// `GET /api/people/export?ticket=` streams people as CSV.
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import type { Services } from '#server/platform/context.ts';
import { registerTicketDownload } from '#server/platform/tickets/ticket-download.ts';
import { peopleExportPath, redeemPeopleTicket } from './people-export.service.ts';

export function registerPeopleExport(app: FastifyInstance, services: Services): void {
  registerTicketDownload(app, {
    services,
    path: peopleExportPath,
    slot: 'export',
    access: callAccess.people,
    redeem: (ticket) => redeemPeopleTicket(services, ticket),
  });
}
