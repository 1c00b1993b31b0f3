import { Button } from '@mantine/core';
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { sessionFacts } from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type Session, useEndSession } from './account-calls.ts';
import classes from './account-page.module.css';

type Props = { readonly sessions: readonly Session[]; readonly onEndOthers: () => void };

/** The person's sessions. This device can't be ended here by accident. */
export function Sessions({ sessions, onEndOthers }: Props) {
  const end = useEndSession();
  const zone = config().companyTimeZone;
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <Panel
      title="Sessions"
      note={`${sessions.length} signed in`}
      flush
      actions={
        others > 0 && (
          <Writes>
            <Button variant="default" onClick={onEndOthers}>
              {others === 1 ? 'Sign out other session' : `Sign out ${others} other sessions`}
            </Button>
          </Writes>
        )
      }
    >
      <WayList label="Sessions">
        {[...sessions]
          .sort((a, b) => Number(b.current) - Number(a.current))
          .map((session) => (
            <WayRow
              key={session.id}
              icon={session.handheld ? IconDeviceMobile : IconDeviceLaptop}
              title={session.device}
              mark={session.current && 'This device'}
              facts={sessionFacts(session, zone)}
              when={session.current ? 'Now' : <Age instant={session.lastUsedAt ?? session.since} zone={zone} ago />}
              action={
                !session.current && (
                  <Writes>
                    <Button
                      variant="default"
                      disabled={end.isPending}
                      aria-label={`Sign out ${session.device}, signed in ${formatInstant(session.since, zone)}`}
                      onClick={() => end.mutate(session.id)}
                    >
                      Sign out
                    </Button>
                  </Writes>
                )
              }
            />
          ))}
      </WayList>
      <p className={classes.hint}>
        After you sign out from the menu, a session stays valid for up to an hour. It ends at once if you sign it out
        here.
      </p>
    </Panel>
  );
}
