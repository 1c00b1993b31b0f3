// `GET /api/export?ticket=` streams the CSV of one export.
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import type { Services } from '#server/platform/context.ts';
import { registerTicketDownload } from '#server/platform/tickets/ticket-download.ts';
import { exportPath, redeemExportTicket } from './export.service.ts';

export function registerExport(app: FastifyInstance, services: Services): void {
  registerTicketDownload(app, {
    services,
    path: exportPath,
    slot: 'export',
    access: callAccess.numbers,
    redeem: (ticket) => redeemExportTicket(services, ticket),
  });
}
