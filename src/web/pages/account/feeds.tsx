import { Button } from '@mantine/core';
import { IconCalendar, IconKey } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatInstant } from '#core/day-words.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/layouts/navigation-target.ts';
import { Age } from '#web/ui/age.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useRevokeFeed } from './account-calls.ts';
import classes from './account-page.module.css';

/** The feeds that calendars subscribe to. They are created where the meetings are. */
export function Feeds({ feeds }: { readonly feeds: WaysIn['calendarFeeds'] }) {
  const revoke = useRevokeFeed();
  const zone = config().companyTimeZone;
  const schedule = navigationTarget(useViewer(), 'schedule');
  return (
    <Panel title="Calendar feeds" flush actions={schedule && <Link to={schedule.to}>Create feed</Link>}>
      {feeds.length === 0 ? (
        <p className={classes.empty}>No calendar reads your meetings.</p>
      ) : (
        <WayList label="Calendar feeds">
          {feeds.map(({ id, name, lastUsedAt }) => (
            <WayRow
              key={id}
              icon={IconCalendar}
              title={name}
              facts={
                lastUsedAt === null ? (
                  'Never read'
                ) : (
                  <>
                    Read <Age instant={lastUsedAt} zone={zone} ago />
                  </>
                )
              }
              action={
                <Writes>
                  <Button variant="default" disabled={revoke.isPending} onClick={() => revoke.mutate(id)}>
                    Revoke<span className="visually-hidden"> {name}</span>
                  </Button>
                </Writes>
              }
            />
          ))}
        </WayList>
      )}
      <p className={classes.foot}>Anyone with the link can read a feed.</p>
    </Panel>
  );
}

/** The tokens that other systems send rows with, made by this person. */
export function Tokens({ tokens }: { readonly tokens: WaysIn['serviceTokens'] }) {
  const tools = navigationTarget(useViewer(), 'tools');
  const zone = config().companyTimeZone;
  return (
    <Panel title="Service tokens" flush actions={tools && <Link to={tools.to}>Manage tokens</Link>}>
      <WayList label="Service tokens">
        {tokens.map(({ id, name, expiresAt, lastUsedAt }) => (
          <WayRow
            key={id}
            icon={IconKey}
            title={name}
            facts={
              <>
                {lastUsedAt === null ? (
                  'Never used'
                ) : (
                  <>
                    Used <Age instant={lastUsedAt} zone={zone} ago />
                  </>
                )}
                , expires {formatInstant(expiresAt, zone)}
              </>
            }
          />
        ))}
      </WayList>
    </Panel>
  );
}
