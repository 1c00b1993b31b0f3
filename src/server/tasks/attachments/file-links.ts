// Links to attached files. They contain the person, the session and an expiry, signed; the session and its
// permissions are checked again on use.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '#core/base/refusals.ts';
import { fileLinkSeconds } from '#core/tasks/files.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { sessionIdOf } from '#server/platform/viewer.ts';

type Signing = Pick<Services, 'config'>;

type Signed = { readonly person: string; readonly session: string; readonly expires: string };

function signatureOf(secret: string, id: string, { person, session, expires }: Signed): Buffer {
  return createHmac('sha256', secret).update(`file\n${id}\n${person}\n${session}\n${expires}`).digest();
}

/**
 * A link to the file, valid for ten minutes while its session is. While viewing as someone else the link is
 * the signed-in person's own, with their permissions.
 */
export function linkFor(
  context: Pick<RequestContext, 'config' | 'clock' | 'viewer' | 'impersonator' | 'session'>,
  { id }: { readonly id: string },
): string {
  const expires = String(Math.floor(context.clock.now().epochMilliseconds / 1000) + fileLinkSeconds);
  const person = (context.impersonator ?? context.viewer).id;
  const session = context.session ? sessionIdOf(context.session) : 'none';
  const signed = { person, session, expires };
  const signature = signatureOf(context.config.linkSecret, id, signed).toString('base64url');
  return `${context.config.topFiveServerUrl ?? ''}/attachment/${id}?${new URLSearchParams({ ...signed, signature })}`;
}

export type LinkQuery = Signed & { readonly signature: string };

/** Throws unless the link was made here and is still valid. */
export function assertGoodLink(
  services: Signing & Pick<Services, 'clock'>,
  id: string,
  { signature, ...signed }: LinkQuery,
): void {
  const given = Buffer.from(signature, 'base64url');
  const { linkSecret, linkSecretAlso = linkSecret } = services.config;
  const isOurs = [linkSecret, linkSecretAlso].some((secret) => {
    const right = signatureOf(secret, id, signed);
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isOurs || Number(signed.expires) * 1000 <= services.clock.now().epochMilliseconds)
    throw new RefusalError(refuse('LINK_EXPIRED'));
}
