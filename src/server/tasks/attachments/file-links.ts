// Links to attached files. They carry the person and an end, signed; rights are checked again when one is used.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '#core/base/refusals.ts';
import { fileLinkSeconds } from '#core/tasks/files.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

type Signing = Pick<Services, 'config'>;

function signatureOf(secret: string, id: string, person: string, expires: string): Buffer {
  return createHmac('sha256', secret).update(`file\n${id}\n${person}\n${expires}`).digest();
}

/** A link to the file that is good for this viewer for ten minutes. Whoever looks as somebody else gets one of their own: it carries their rights. */
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

/** Throws unless the link was made here and is still good. */
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
