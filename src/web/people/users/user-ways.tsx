import { Button } from '@mantine/core';
import {
  IconBuilding,
  IconCalendar,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconDots,
  IconKey,
  IconMail,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isAdmin } from '#core/access/access.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import {
  AddedFacts,
  IdentityFacts,
  LastUse,
  linkFacts,
  passwordFacts,
  sessionFacts,
  TokenFacts,
} from '#web/ui/way-facts.tsx';
import { WayList } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { factorWays, ResetFactors } from './user-factors.tsx';
import classes from './user-panel.module.css';
import { UserWay, type Way } from './user-way.tsx';
import { useEndSessions } from './users-calls.ts';
import { secondFactorsOf, type User } from './users-queries.ts';

type Props = { readonly user: User; readonly ways: WaysIn };

/** Every way into a person's account, as in their My account. The person is notified of each removal. */
export function UserWays({ user, ways }: Props) {
  const viewer = useViewer();
  const end = useEndSessions(user.id);
  const { data: factors } = useQuery({ ...secondFactorsOf(user.id), enabled: isAdmin(viewer) });
  const list = [
    ...passwordWays(ways),
    ...(factors ? factorWays(factors, user.displayName) : []),
    ...companyWays(ways, user.displayName),
    ...linkWays(ways),
    ...sessionWays(ways),
    ...feedWays(ways),
    ...tokenWays(ways),
  ];
  const hasFactor = factors !== undefined && (factors.passkeys.length > 0 || factors.authenticator !== null);
  return (
    <section className={classes.block}>
      <h3>Access</h3>
      {list.length === 0 ? (
        <p className={classes.sentence}>Not signed in, and no sign-in methods.</p>
      ) : (
        <div className={classes.ways}>
          <WayList label="Access">
            {list.map((way) => (
              <UserWay key={way.key} way={way} user={user} />
            ))}
          </WayList>
        </div>
      )}
      <div className={classes.buttons}>
        {ways.sessions.length > 1 && (
          <Writes>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
              Sign out everywhere
            </Button>
          </Writes>
        )}
        {hasFactor && user.id !== viewer.id && <ResetFactors user={user} />}
      </div>
    </section>
  );
}

const zone = (): string => config().companyTimeZone;

const passwordWays = ({ password }: WaysIn): Way[] =>
  password.set
    ? [{ key: 'password', icon: IconDots, title: 'Password', facts: passwordFacts(password.changedAt, zone()) }]
    : [];

const companyWays = ({ identities, password }: WaysIn, name: string): Way[] =>
  identities.map((identity) => ({
    key: `identity ${identity.id}`,
    icon: IconBuilding,
    title: 'Company sign-in',
    facts: <IdentityFacts identity={identity} zone={zone()} />,
    removal: {
      verb: 'Unlink',
      way: { kind: 'identity', id: identity.id },
      question: {
        title: `Unlink ${identity.name}?`,
        confirm: 'Unlink',
        words: password.set
          ? `${name} can still sign in with their password. We’ll notify them.`
          : `${name} has no password. Without a passkey, they need a one-time link to sign in again. We’ll notify them.`,
      },
    },
  }));

const linkWays = ({ openLink }: WaysIn): Way[] =>
  openLink
    ? [
        {
          key: 'link',
          icon: IconMail,
          title: 'One-time link',
          facts: linkFacts(openLink.until, zone()),
          // There is at most one, so the server needs no id.
          removal: { verb: 'Revoke', way: { kind: 'link', id: '1' } },
        },
      ]
    : [];

const sessionWays = ({ sessions }: WaysIn): Way[] =>
  sessions.map((session) => ({
    key: `session ${session.id}`,
    icon: session.handheld ? IconDeviceMobile : IconDeviceLaptop,
    title: session.device,
    mark: session.current && 'This device',
    facts: (
      <>
        {sessionFacts(session, zone())}, <LastUse instant={session.lastUsedAt ?? session.since} zone={zone()} />
      </>
    ),
    ...(session.current ? {} : { removal: { verb: 'Sign out', way: { kind: 'session', id: session.id } } }),
  }));

const feedWays = ({ calendarFeeds }: WaysIn): Way[] =>
  calendarFeeds.map((feed) => ({
    key: `feed ${feed.id}`,
    icon: IconCalendar,
    title: `Calendar feed “${feed.name}”`,
    facts: <AddedFacts way={feed} zone={zone()} verb="read" />,
    removal: { verb: 'Revoke', way: { kind: 'calendarFeed', id: feed.id } },
  }));

const tokenWays = ({ serviceTokens }: WaysIn): Way[] =>
  serviceTokens.map((token) => ({
    key: `token ${token.id}`,
    icon: IconKey,
    title: `Service token “${token.name}”`,
    facts: <TokenFacts token={token} zone={zone()} />,
    removal: {
      verb: 'Revoke',
      way: { kind: 'serviceToken', id: token.id },
      question: {
        title: `Revoke ${token.name}?`,
        confirm: 'Revoke token',
        words: 'Imports that use this token stop working. You can’t restore the token.',
      },
    },
  }));
