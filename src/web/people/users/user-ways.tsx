import { Button } from '@mantine/core';
import {
  type Icon,
  IconBuilding,
  IconCalendar,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconDots,
  IconFingerprint,
  IconKey,
  IconLifebuoy,
  IconMail,
  IconShieldLock,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { recoveryCodeCount } from '#core/access/one-time-codes.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import type { SecondFactors } from '#web/api/second-factors.ts';
import { useViewer } from '#web/api/viewer.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import {
  AddedFacts,
  IdentityFacts,
  LastUse,
  linkFacts,
  passwordFacts,
  sessionFacts,
  TokenFacts,
} from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-panel.module.css';
import { useEndSessions, useRemoveWay, useResetFactors, type WayToRemove } from './users-calls.ts';
import { secondFactorsOf, type User } from './users-queries.ts';

type Removal = {
  readonly verb: string;
  readonly way: WayToRemove;
  /** A question before removal, if the person can't easily add it again. */
  readonly question?: { readonly title: string; readonly confirm: string; readonly words: string };
};

/** A row of a person's ways in. Without `removal` it can't be removed separately. */
type Way = {
  readonly key: string;
  readonly icon: Icon;
  readonly title: string;
  readonly mark?: string | false;
  readonly facts: ReactNode;
  readonly removal?: Removal;
};

function UserWay({ way: { removal, ...row }, user }: { readonly way: Way; readonly user: User }) {
  const { icon, title, mark, facts } = row;
  return (
    <WayRow
      icon={icon}
      title={title}
      mark={mark}
      facts={facts}
      action={removal && <Remove removal={removal} title={title} user={user} />}
    />
  );
}

type RemoveProps = { readonly removal: Removal; readonly title: string; readonly user: User };

function Remove({ removal: { verb, way, question }, title, user }: RemoveProps) {
  const [asking, setAsking] = useState(false);
  const remove = useRemoveWay(user);
  const onRemove = () => remove.mutate(way, { onSettled: () => setAsking(false) });
  return (
    <Writes>
      <Button
        variant="default"
        disabled={remove.isPending}
        aria-label={`${verb}: ${title}`}
        onClick={() => (question ? setAsking(true) : onRemove())}
      >
        {verb}
      </Button>
      {question && (
        <ConfirmDialog
          opened={asking}
          title={question.title}
          confirm={question.confirm}
          danger
          busy={remove.isPending}
          onConfirm={onRemove}
          onClose={() => setAsking(false)}
        >
          {question.words}
        </ConfirmDialog>
      )}
    </Writes>
  );
}

/** For admins: a person's passkeys, authenticator app and recovery codes. */
function factorWays({ passkeys, authenticator, required, recoveryCodesLeft }: SecondFactors, name: string): Way[] {
  const zone = config().companyTimeZone;
  if (passkeys.length === 0 && !authenticator)
    return [
      {
        key: 'no factor',
        icon: IconShieldLock,
        title: 'Two-step sign-in',
        facts: required ? 'Not set up yet. Your company requires it at the next sign-in' : 'Off',
      },
    ];
  const isLast = passkeys.length + (authenticator ? 1 : 0) === 1;
  const question = (what: string): string =>
    `${name} won’t be able to sign in with ${what}. We’ll sign them out everywhere and notify them.${isLast ? ' Their recovery codes stop working too.' : ''}`;
  return [
    ...passkeys.map(
      (passkey): Way => ({
        key: `passkey ${passkey.id}`,
        icon: IconFingerprint,
        title: `Passkey “${passkey.name}”`,
        facts: <AddedFacts way={passkey} zone={zone} />,
        removal: {
          verb: 'Remove',
          way: { kind: 'passkey', id: passkey.id },
          question: { title: `Remove ${passkey.name}?`, confirm: 'Remove passkey', words: question('this passkey') },
        },
      }),
    ),
    ...(authenticator
      ? [
          {
            key: 'authenticator',
            icon: IconDeviceMobile,
            title: 'Authenticator app',
            facts: <AddedFacts way={authenticator} zone={zone} />,
            removal: {
              verb: 'Remove',
              way: { kind: 'authenticator' },
              question: { title: 'Remove the authenticator app?', confirm: 'Remove app', words: question('its codes') },
            },
          } satisfies Way,
        ]
      : []),
    {
      key: 'recovery codes',
      icon: IconLifebuoy,
      title: 'Recovery codes',
      facts: `${recoveryCodesLeft} of ${recoveryCodeCount} left`,
    },
  ];
}

/** For people who lost every factor. */
function ResetFactors({ user }: { readonly user: User }) {
  const [asking, setAsking] = useState(false);
  const reset = useResetFactors(user);
  const name = user.displayName;
  return (
    <Writes>
      <Button variant="default" onClick={() => setAsking(true)}>
        Reset two-step sign-in
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Reset two-step sign-in for ${name}?`}
        confirm="Reset two-step sign-in"
        danger
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        This removes their passkeys, authenticator app and recovery codes, and signs them out everywhere. {name} is
        notified. First make sure that they really asked for this.
      </ConfirmDialog>
    </Writes>
  );
}

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
