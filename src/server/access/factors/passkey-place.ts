// The site that a request's passkeys belong to.
import type { FastifyRequest } from 'fastify';
import { type PasskeySite, passkeySite, passkeysUnavailable } from '#core/access/second-factor.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

const openedAt = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

export function siteOrNone({ config }: Pick<Services, 'config'>, request: FastifyRequest): PasskeySite | null {
  return passkeySite(config.publicUrl, openedAt(request));
}

export function siteOf(services: Pick<Services, 'config'>, request: FastifyRequest): PasskeySite {
  const site = siteOrNone(services, request);
  if (site) return site;
  const reason = passkeysUnavailable(services.config.publicUrl, openedAt(request));
  throw new RefusalError(refuse('PASSKEY_REFUSED', reason));
}
