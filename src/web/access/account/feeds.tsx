import { Button } from '@mantine/core';
import { IconCalendar, IconKey } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Path } from '#core/access/routes.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { Panel } from '#web/ui/panel.tsx';
import { AddedFacts, TokenFacts } from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useRevokeFeed } from './account-calls.ts';
import classes from './account-page.module.css';

const schedulePath = '/top-5/tools/schedule' satisfies Path;

/** The calendar feeds. They are created on the schedule page. */
export function Feeds({ feeds }: { readonly feeds: WaysIn['calendarFeeds'] }) {
  const revoke = useRevokeFeed();
  const zone = config().companyTimeZone;
  const schedule = navigationTarget(useViewer(), 'schedule');
  return (
    <Panel
      title="Calendar feeds"
      flush
      actions={
        schedule && (
          <Link to={schedulePath} search={{ feeds: '1' }}>
            Create feed
          </Link>
        )
      }
    >
      {feeds.length === 0 ? (
        <p className={classes.empty}>No calendar feeds yet.</p>
      ) : (
        <WayList label="Calendar feeds">
          {feeds.map((feed) => (
            <WayRow
              key={feed.id}
              icon={IconCalendar}
              title={feed.name}
              facts={<AddedFacts way={feed} zone={zone} verb="read" />}
              action={
                <Writes>
                  <Button variant="default" disabled={revoke.isPending} onClick={() => revoke.mutate(feed.id)}>
                    Revoke<span className="visually-hidden"> {feed.name}</span>
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

/** Tokens for other systems that import rows, created by this person. */
export function Tokens({ tokens }: { readonly tokens: WaysIn['serviceTokens'] }) {
  const tools = navigationTarget(useViewer(), 'tools');
  const zone = config().companyTimeZone;
  return (
    <Panel title="Service tokens" flush actions={tools && <Link to={tools.to}>Manage tokens</Link>}>
      <WayList label="Service tokens">
        {tokens.map((token) => (
          <WayRow key={token.id} icon={IconKey} title={token.name} facts={<TokenFacts token={token} zone={zone} />} />
        ))}
      </WayList>
    </Panel>
  );
}
