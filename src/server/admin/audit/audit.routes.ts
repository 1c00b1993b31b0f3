// `GET /api/audit/export?ticket=` streams the audit log as CSV.
import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/platform/context.ts';
import { registerTicketDownload } from '#server/platform/tickets/ticket-download.ts';
import { auditExportPath, redeemAuditTicket } from './audit-list.service.ts';

export function registerAuditExport(app: FastifyInstance, services: Services): void {
  registerTicketDownload(app, {
    services,
    path: auditExportPath,
    slot: 'auditExport',
    access: 'admin',
    redeem: (ticket) => redeemAuditTicket(services, ticket),
  });
}
