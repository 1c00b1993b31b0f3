// `GET /api/bonus/export?ticket=` streams a sprint's bonus statements as CSV.
import type { FastifyInstance } from 'fastify';
import { callAccess } from '#core/access/call-access.ts';
import type { Services } from '#server/platform/context.ts';
import { registerTicketDownload } from '#server/platform/tickets/ticket-download.ts';
import { bonusExportPath, redeemBonusTicket } from './bonus-export.service.ts';

export function registerBonusExport(app: FastifyInstance, services: Services): void {
  registerTicketDownload(app, {
    services,
    path: bonusExportPath,
    slot: 'export',
    access: callAccess.bonus,
    redeem: (ticket) => redeemBonusTicket(services, ticket),
  });
}
