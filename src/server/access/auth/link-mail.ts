// The mail with a one-time link to set a password.
import { gainsAddress } from '#core/base/addresses.ts';
import { listWords, plural } from '#core/base/formats.ts';
import { oneLine } from '#core/base/one-line.ts';
import type { Services } from '#server/platform/context.ts';
import { type LinkKind, linkAddress, linkHours, type NewLink } from './account-links.service.ts';

type Mailing = Pick<Services, 'mail' | 'config' | 'log'>;

export const canMailLinks = ({ mail, config }: Mailing): boolean => mail.configured && config.publicUrl !== undefined;

const words = {
  invite: {
    subject: 'Your invitation to',
    opening: (appName: string) => `You’ve been invited to ${appName}. Open this link to set your password:`,
    unexpected: 'If you don’t know what this is, ask the person who invited you, or ignore this email.',
  },
  reset: {
    subject: 'Set a new password for',
    opening: (appName: string) => `Open this link to set a new password for ${appName}:`,
    unexpected: 'If you didn’t ask for this, ignore this email: nothing changes unless the link is used.',
  },
} as const satisfies Record<LinkKind, object>;

/** The invited person and the inviter. */
type Names = { readonly person: string; readonly inviter: string };

const duration = (hours: number): string => (hours > 48 ? `${hours / 24} days` : plural(hours, 'hour'));

/** A failed mail isn't fatal: its maker learns about it here. */
export async function mailLink(
  { mail, config, log }: Mailing,
  link: NewLink,
  to: string,
  { hours = linkHours[link.kind], names }: { readonly hours?: number; readonly names?: Names | undefined } = {},
): Promise<'off' | 'mailed' | 'failed'> {
  if (!mail.configured || config.publicUrl === undefined) return 'off';
  const { subject, opening, unexpected } = words[link.kind];
  // A name with an address would send strangers there in our name.
  const isSafe = names !== undefined && !gainsAddress([], [names.person, names.inviter]);
  const isInvited = link.kind === 'invite' && isSafe;
  const text = [
    ...(isInvited ? [`Hello ${oneLine(names.person)},`] : []),
    isInvited
      ? `${oneLine(names.inviter)} invited you to ${config.appName}. Open this link to set your password:`
      : opening(config.appName),
    linkAddress(config.publicUrl, link),
    `It works once, for ${duration(hours)}. ${unexpected}`,
  ].join('\n\n');
  try {
    await mail.send({ to, subject: `${subject} ${config.appName}`, text });
    return 'mailed';
  } catch (error) {
    log.warn({ err: error }, 'a link to set a password could not be emailed');
    return 'failed';
  }
}

/** For someone without a password who asked for a new one. */
export async function mailNoPassword(
  { mail, config, log }: Mailing,
  to: string,
  { hasPasskey, connected }: { readonly hasPasskey: boolean; readonly connected: boolean },
): Promise<void> {
  const { publicUrl, oidc } = config;
  const ways = listWords(
    [...(connected ? [oidc?.name ?? 'your company account'] : []), ...(hasPasskey ? ['your passkey'] : [])],
    'or',
  );
  const way = ways === '' ? 'Open your invitation, or ask an admin for a new one' : `Sign in with ${ways}`;
  const address = ways === '' ? [] : [`${publicUrl}/`];
  await mailAboutPassword({ mail, config, log }, to, [`Your account has no password. ${way}.`, ...address]);
}

/** For someone who asked for a new password but has a link that still works. */
export function mailUseOpenLink(services: Mailing, to: string): Promise<void> {
  return mailAboutPassword(services, to, [
    'You already have a one-time link to set your password. Open the link that an admin gave you, or ask for a new one.',
  ]);
}

async function mailAboutPassword(
  { mail, config, log }: Mailing,
  to: string,
  [answer, ...more]: readonly string[],
): Promise<void> {
  const { appName } = config;
  const text = [
    `Someone asked to reset the password for your ${appName} account. ${answer}`,
    ...more,
    'If you didn’t ask for this, ignore this email.',
  ].join('\n\n');
  await mail
    .send({ to, subject: `Signing in to ${appName}`, text })
    .catch((error) => log.warn({ err: error }, 'an email about signing in could not be sent'));
}
