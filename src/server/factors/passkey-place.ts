// The site that passkeys of a request belong to.
import type { FastifyRequest } from 'fastify';
import { refuse } from '#core/refusals.ts';
import { type PasskeySite, passkeySite, passkeysUnavailable } from '#core/second-factor.ts';
import type { Services } from '../context.ts';
import { RefusalError } from '../graphql/refusal-error.ts';

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
