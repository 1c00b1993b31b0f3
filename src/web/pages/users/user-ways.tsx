import { Button } from '@mantine/core';
import { IconBuilding, IconCalendar, IconDeviceLaptop, IconDeviceMobile, IconKey, IconMail } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RemovableWay } from '#core/account-inputs.ts';
import { formatInstant } from '#core/day-words.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-panel.module.css';
import { useEndSessions, useRemoveWay } from './users-calls.ts';

type Props = { readonly userId: string; readonly ways: WaysIn };
type Way = { readonly kind: RemovableWay; readonly id: string; readonly title: string; readonly facts: ReactNode };

const icons = {
  session: IconDeviceLaptop,
  identity: IconBuilding,
  calendarFeed: IconCalendar,
  serviceToken: IconKey,
  link: IconMail,
} as const;

const verbs: Readonly<Record<RemovableWay, string>> = {
  session: 'Sign out',
  identity: 'Unlink',
  calendarFeed: 'Revoke',
  serviceToken: 'Revoke',
  link: 'Revoke',
};

/** Every way into the account of a person. Each can be removed; the person is told. */
export function UserWays({ userId, ways }: Props) {
  const end = useEndSessions(userId);
  const remove = useRemoveWay(userId);
  const list = waysOf(ways);
  return (
    <section className={classes.block}>
      <h3>Ways in</h3>
      {list.length === 0 ? (
        <p className={classes.sentence}>Not signed in anywhere, and nothing else opens this account.</p>
      ) : (
        <WayList label="Ways in">
          {list.map(({ kind, id, title, facts }) => (
            <WayRow
              key={`${kind} ${id}`}
              icon={
                kind === 'session' && ways.sessions.find((one) => one.id === id)?.handheld
                  ? IconDeviceMobile
                  : icons[kind]
              }
              title={title}
              facts={facts}
              action={
                <Writes>
                  <Button
                    variant="default"
                    disabled={remove.isPending}
                    aria-label={`${verbs[kind]}: ${title}`}
                    onClick={() => remove.mutate({ kind, id })}
                  >
                    {verbs[kind]}
                  </Button>
                </Writes>
              }
            />
          ))}
        </WayList>
      )}
      {ways.sessions.length > 1 && (
        <Writes>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
            Sign out everywhere
          </Button>
        </Writes>
      )}
    </section>
  );
}

function waysOf({ sessions, identities, calendarFeeds, serviceTokens, openLink }: WaysIn): Way[] {
  const zone = config().companyTimeZone;
  const used = (instant: string | null, never: string): ReactNode =>
    instant === null ? (
      never
    ) : (
      <>
        Used <Age instant={instant} zone={zone} ago />
      </>
    );
  return [
    ...sessions.map(
      ({ id, device, address, since }): Way => ({
        ...{ kind: 'session', id, title: device },
        facts: `${address ?? 'Unknown address'}. Signed in ${formatInstant(since, zone)}`,
      }),
    ),
    ...identities.map(
      ({ id, name, lastUsedAt }): Way => ({
        ...{ kind: 'identity', id, title: `Company sign-in at ${name}` },
        facts: used(lastUsedAt, 'Never used'),
      }),
    ),
    ...calendarFeeds.map(
      ({ id, name, lastUsedAt }): Way => ({
        ...{ kind: 'calendarFeed', id, title: `Calendar feed “${name}”` },
        facts: used(lastUsedAt, 'Never read'),
      }),
    ),
    ...serviceTokens.map(
      ({ id, name, lastUsedAt }): Way => ({
        ...{ kind: 'serviceToken', id, title: `Service token “${name}”` },
        facts: used(lastUsedAt, 'Never used'),
      }),
    ),
    ...(openLink ? [linkWay(openLink, zone)] : []),
  ];
}

const linkWay = ({ until }: NonNullable<WaysIn['openLink']>, zone: string): Way => ({
  ...{ kind: 'link', id: '1', title: 'One-time link' },
  facts: `Sets a password until ${formatInstant(until, zone)}`,
});
