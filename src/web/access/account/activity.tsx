import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { eventsPerPage } from '#core/access/account-inputs.ts';
import { instantWithYear } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { type AccountEvent, eventsKey, readEvents } from './account-calls.ts';
import classes from './account-page.module.css';

/** A few at first: the rest is one press away. */
const shownFirst = 5;

/** What happened to the account, newest first. */
export function Activity() {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: eventsKey,
    queryFn: ({ pageParam, signal }) =>
      readEvents({ before: pageParam, limit: pageParam === null ? shownFirst : eventsPerPage }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page, pages) =>
      page.length < (pages.length === 1 ? shownFirst : eventsPerPage) ? null : (page.at(-1)?.id ?? null),
    staleTime: 0,
  });
  return (
    <Panel title="Security activity">
      {error && !data ? (
        <PanelError
          sentence="Couldn’t load the activity of your account."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={shownFirst} />}>
          {data?.pages[0]?.length === 0 && <p className={classes.quiet}>Nothing yet.</p>}
          <ul className={classes.events} aria-label="Security activity">
            {data?.pages.flat().map((event) => (
              <li key={event.id}>
                <p>
                  {event.words}
                  {event.how && ` with ${event.how}`}
                </p>
                <p className={classes.quiet}>{factsOf(event)}</p>
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <div className={classes.more}>
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </Loading>
      )}
    </Panel>
  );
}

function factsOf({ at, device, address, by }: AccountEvent): string {
  const when = instantWithYear(at, config().companyTimeZone);
  if (by !== null) return `By ${by}, ${when}`;
  return [device, address, when].filter(Boolean).join(', ');
}
