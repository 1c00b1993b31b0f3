// A line of facts about each way into an account: the same words for its owner and for user management.
import { dayInZone, dayWithYear, formatInstant } from '#core/base/day-words.ts';
import { Age } from './age.tsx';

/** "14 Sep 2026": ways in stay for years, so dates include the year. */
export const dateIn = (instant: string, zone: string): string => dayWithYear(dayInZone(instant, zone));

type UseProps = { readonly instant: string | null; readonly zone: string; readonly verb?: string };

/** "used 2d ago", or "never used". */
export function LastUse({ instant, zone, verb = 'used' }: UseProps) {
  if (instant === null) return `never ${verb}`;
  return (
    <>
      {verb} <Age instant={instant} zone={zone} ago />
    </>
  );
}

type Added = { readonly createdAt: string; readonly lastUsedAt: string | null };

/** For a passkey, an authenticator app or a calendar feed. */
export function AddedFacts({ way, zone, verb }: { way: Added; zone: string; verb?: string }) {
  return (
    <>
      Added {dateIn(way.createdAt, zone)}, <LastUse instant={way.lastUsedAt} zone={zone} {...(verb && { verb })} />
    </>
  );
}

type Identity = { readonly name: string; readonly connectedAt: string; readonly lastUsedAt: string | null };

export function IdentityFacts({ identity, zone }: { identity: Identity; zone: string }) {
  return (
    <>
      {identity.name}, linked {dateIn(identity.connectedAt, zone)},{' '}
      <LastUse instant={identity.lastUsedAt} zone={zone} />
    </>
  );
}

type Session = { readonly address: string | null; readonly since: string; readonly how: string | null };

export const sessionFacts = ({ address, since, how }: Session, zone: string): string =>
  `${address ?? 'Unknown address'}. Signed in ${formatInstant(since, zone)}${how ? ` with ${how}` : ''}`;

type Token = { readonly expiresAt: string; readonly lastUsedAt: string | null };

export function TokenFacts({ token, zone }: { token: Token; zone: string }) {
  return (
    <>
      Expires {dateIn(token.expiresAt, zone)}, <LastUse instant={token.lastUsedAt} zone={zone} />
    </>
  );
}

export const passwordFacts = (changedAt: string | null, zone: string): string =>
  changedAt === null ? 'Never changed' : `Changed ${dateIn(changedAt, zone)}`;

export const linkFacts = (until: string, zone: string): string =>
  `Can set a new password once. Expires ${formatInstant(until, zone)}`;
