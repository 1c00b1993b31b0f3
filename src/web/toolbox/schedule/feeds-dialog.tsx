import { Button, Select } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Scope, scopeKeys, scopes } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, useHold } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './feeds-dialog.module.css';

const ownFeeds = 'mine';
const titleOf = (team: string | null): string =>
  team === null ? 'My meetings' : `${scopes[team as Scope]?.title ?? team} meetings`;

const choices = [
  { value: ownFeeds, label: titleOf(null) },
  ...scopeKeys.map((key) => ({ value: key, label: titleOf(key) })),
];

type Made = { readonly feed: Feed; readonly address: string };

/** Secret addresses for calendar apps. Each is shown once, when it is created. */
export function FeedsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened title="Calendar feeds" onClose={onClose} width={560}>
      <Feeds />
    </Dialog>
  );
}

/** Creates feeds. `made`: the newest, while it is open. */
function useNewFeed(team: string | null, feeds: readonly Feed[] | undefined) {
  const client = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const create = useMutation({
    mutationFn: () => createFeed(team),
    onSuccess: (created) => {
      // A list without it would hide the link, which can't be shown again.
      client.setQueryData(feedsQuery.queryKey, (list = []) => [
        ...list.filter((feed) => feed.team !== created.feed.team),
        created.feed,
      ]);
      setMade(created);
    },
    // Doesn't wait for the list: while it is pending, the dialog can't be closed.
    onSettled: () => void client.invalidateQueries({ queryKey: feedsQuery.queryKey }),
  });
  const isOpen = feeds?.some(({ id }) => id === made?.feed.id) ?? false;
  return { create, made: isOpen ? made : null };
}

function Feeds() {
  const feeds = useQuery(feedsQuery);
  const [chosen, setChosen] = useState(ownFeeds);
  const team = chosen === ownFeeds ? null : chosen;
  const { create, made } = useNewFeed(team, feeds.data);
  // The link is shown only once.
  useHold(create.isPending);
  const replaces = feeds.data?.some((feed) => feed.team === team) ?? false;
  return (
    <div className={classes.content}>
      <p>
        Subscribe to meetings in your calendar app. Changes sync automatically. Keep the link private: anyone with it
        can see these meetings.
      </p>
      <div className={classes.make}>
        <Select
          size="sm"
          label="Meetings"
          allowDeselect={false}
          data={choices}
          value={chosen}
          onChange={(value) => value && setChosen(value)}
          data-autofocus
        />
        <Writes>
          <Button size="sm" loading={create.isPending} onClick={() => create.mutate()}>
            {replaces ? 'Create new feed' : 'Create feed'}
          </Button>
        </Writes>
      </div>
      {replaces && <p className={classes.quiet}>A new feed replaces the one you have for these meetings.</p>}
      {made && <NewFeed key={made.address} {...made} />}
      {feeds.isError && !feeds.data ? (
        <PanelError sentence="Couldn’t load your feeds." onRetry={() => void feeds.refetch()} />
      ) : (
        <Loading loading={!feeds.data} skeleton={<SkeletonRows rows={2} />}>
          {feeds.data && feeds.data.length > 0 && (
            <ul className={classes.list} aria-label="Your feeds">
              {feeds.data.map((feed) => (
                <FeedRow key={feed.id} feed={feed} />
              ))}
            </ul>
          )}
        </Loading>
      )}
    </div>
  );
}

function NewFeed({ feed: { team }, address }: Made) {
  return (
    <div role="status" className={classes.made}>
      <CopyField label={`${titleOf(team)}: the link, shown only once`} what="link" value={address} autoFocus="button" />
      <Button component="a" href={address.replace(/^https?:/, 'webcal:')} variant="default">
        Open in your calendar app
      </Button>
    </div>
  );
}

function FeedRow({ feed }: { readonly feed: Feed }) {
  const client = useQueryClient();
  const zone = config().companyTimeZone;
  const revoke = useMutation({
    mutationFn: () => revokeFeed(feed.id),
    onSuccess: () => {
      client.setQueryData(feedsQuery.queryKey, (list) => list?.filter(({ id }) => id !== feed.id));
      showToast({ message: `Feed “${titleOf(feed.team)}” revoked` });
    },
    onSettled: () => client.invalidateQueries({ queryKey: feedsQuery.queryKey }),
  });
  return (
    <li>
      <div>
        <p className={classes.title}>{titleOf(feed.team)}</p>
        <p className={classes.quiet}>
          Created {formatInstant(feed.createdAt, zone)}.{' '}
          {feed.lastUsedAt ? `Last fetched ${formatInstant(feed.lastUsedAt, zone)}.` : 'Not fetched yet.'}
        </p>
      </div>
      <Writes>
        <Button variant="default" loading={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke feed<span className="visually-hidden">: {titleOf(feed.team)}</span>
        </Button>
      </Writes>
    </li>
  );
}

// The addresses from which a calendar fetches meetings.
const feedsDocument = graphql(`
  query CalendarFeeds {
    calendarFeeds {
      id
      team
      createdAt
      lastUsedAt
    }
  }
`);

const createDocument = graphql(`
  mutation CreateCalendarFeed($team: String) {
    createCalendarFeed(team: $team) {
      path
      feed { id team createdAt lastUsedAt }
    }
  }
`);

const revokeDocument = graphql(`
  mutation RevokeCalendarFeed($id: ID!) {
    revokeCalendarFeed(id: $id) {
      id
    }
  }
`);

type Feed = ResultOf<typeof feedsDocument>['calendarFeeds'][number];

const feedsQuery = queryOptions({
  queryKey: ['calendar-feeds'],
  queryFn: async ({ signal }) => (await request(feedsDocument, {}, { signal })).calendarFeeds,
  staleTime: 0,
});

/** With the whole address for a calendar app. */
async function createFeed(team: string | null): Promise<Made> {
  const { path, feed } = (await request(createDocument, { team })).createCalendarFeed;
  return { feed, address: new URL(`${config().top5ServerUrl}${path}`, location.href).href };
}

const revokeFeed = async (id: string) => (await request(revokeDocument, { id })).revokeCalendarFeed;
