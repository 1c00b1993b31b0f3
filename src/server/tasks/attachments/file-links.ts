// Links to attached files. They contain the person and an expiry, signed; permissions are checked again on
// use.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '#core/base/refusals.ts';
import { fileLinkSeconds } from '#core/tasks/files.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

type Signing = Pick<Services, 'config'>;

function signatureOf(secret: string, id: string, person: string, expires: string): Buffer {
  return createHmac('sha256', secret).update(`file\n${id}\n${person}\n${expires}`).digest();
}

/**
 * A link to the file, valid for ten minutes. While viewing as someone else the link is the signed-in person's
 * own, with their permissions.
 */
export function linkFor(
  context: Pick<RequestContext, 'config' | 'clock' | 'viewer' | 'impersonator'>,
  { id }: { readonly id: string },
): string {
  const expires = String(Math.floor(context.clock.now().epochMilliseconds / 1000) + fileLinkSeconds);
  const person = (context.impersonator ?? context.viewer).id;
  const signature = signatureOf(context.config.linkSecret, id, person, expires).toString('base64url');
  return `${context.config.topFiveServerUrl ?? ''}/attachment/${id}?person=${person}&expires=${expires}&signature=${signature}`;
}

export type LinkQuery = { readonly person: string; readonly expires: string; readonly signature: string };

/** Throws unless the link was made here and is still valid. */
export function assertGoodLink(
  services: Signing & Pick<Services, 'clock'>,
  id: string,
  { person, expires, signature }: LinkQuery,
): void {
  const given = Buffer.from(signature, 'base64url');
  const { linkSecret, linkSecretAlso = linkSecret } = services.config;
  const isOurs = [linkSecret, linkSecretAlso].some((secret) => {
    const right = signatureOf(secret, id, person, expires);
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isOurs || Number(expires) * 1000 <= services.clock.now().epochMilliseconds)
    throw new RefusalError(refuse('LINK_EXPIRED'));
}
